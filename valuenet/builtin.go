package valuenet

import (
	"bytes"
	"embed"
	"fmt"
	"sync"

	"github.com/seed-09dcdc84/ur/board"
)

// builtinFiles are the built-in nets, as [Net.WriteCompact] writes them: Finkel's is
// builtin.safetensors, another rule set's has its name.
//
//go:embed *.safetensors
var builtinFiles embed.FS

// builtinNet is a built-in net and its integers.
type builtinNet struct {
	net     *Net
	integer *Integer
}

// builtins caches the built-in nets by file.
var builtins sync.Map // functions that return a builtinNet and an error, by rules

// loadBuiltin reads a built-in net once. A test checks that each passes [Quantise].
func loadBuiltin(file string) (builtinNet, error) {
	load, _ := builtins.LoadOrStore(file, sync.OnceValues(func() (b builtinNet, err error) {
		data, err := builtinFiles.ReadFile(file)
		if err != nil {
			return b, err
		}
		if b.net, err = Read(bytes.NewReader(data)); err != nil {
			return b, fmt.Errorf("built-in net %s: %w", file, err)
		}
		b.integer, err = quantiseNet(b.net)
		return b, err
	}))
	return load.(func() (builtinNet, error))()
}

// BuiltinFor returns a rule set's built-in net and its integers. Neither must be changed.
func BuiltinFor(r *board.Rules) (*Net, *Integer, error) {
	const finkelFile = "builtin.safetensors"
	file := finkelFile
	if !r.IsFinkel() {
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
