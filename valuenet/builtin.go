package valuenet

import (
	"bytes"
	"embed"
	"fmt"
	"sync"

	"github.com/seed-09dcdc84/ur/board"
)

// builtinFiles are the built-in nets, in the format of [Net.WriteCompact]: Finkel's is
// builtin.safetensors, that of another rule set has its name.
//
//go:embed *.safetensors
var builtinFiles embed.FS

// builtinNet is a built-in net and its integers.
type builtinNet struct {
	net     *Net
	integer *Integer
}

// builtins caches the built-in nets by file.
var builtins sync.Map // of func() (builtinNet, error)

// loadBuiltin reads a built-in net once. A test checks that each passes [Quantise].
func loadBuiltin(file string) (builtinNet, error) {
	load, _ := builtins.LoadOrStore(file, sync.OnceValues(func() (b builtinNet, err error) {
		if b.net, err = readBuiltin(file); err == nil {
			b.integer, err = quantise(b.net)
		}
		return b, err
	}))
	return load.(func() (builtinNet, error))()
}

func readBuiltin(file string) (*Net, error) {
	data, err := builtinFiles.ReadFile(file)
	if err != nil {
		return nil, err
	}
	n, err := Read(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("built-in net %s: %w", file, err)
	}
	return n, nil
}

// finkelFile is the built-in net of Finkel's rules.
const finkelFile = "builtin.safetensors"

// Builtin returns the built-in net of Finkel's rules, which must not be changed.
func Builtin() (*Integer, error) {
	b, err := loadBuiltin(finkelFile)
	return b.integer, err
}

// BuiltinNet returns the built-in net of Finkel's rules as stored in its file.
func BuiltinNet() (*Net, error) { return readBuiltin(finkelFile) }

// BuiltinFor returns the built-in net of a rule set, nil for Finkel's, and its integers, which
// must not be changed.
func BuiltinFor(r *board.Rules) (*Net, *Integer, error) {
	file := finkelFile
	if r != nil && !r.Equal(board.Finkel()) {
		file = r.Name() + ".safetensors"
		if _, err := builtinFiles.Open(file); err != nil || file == finkelFile {
			return nil, nil, fmt.Errorf("no built-in net of the rule set %q (want net:FILE)", r.Name())
		}
	}
	b, err := loadBuiltin(file)
	if err == nil {
		err = b.net.CheckRules(r)
	}
	return b.net, b.integer, err
}
