package valuenet

import (
	"bytes"
	_ "embed"
	"fmt"
	"sync"

	"github.com/seed-09dcdc84/ur/board/rules"
)

// builtinFile is the built-in net, in the format of [Net.WriteCompact].
//
//go:embed builtin.safetensors
var builtinFile []byte

// Builtin returns the built-in net, which must not be changed.
func Builtin() (*Integer, error) { return builtin() }

// A test checks that this net passes [Quantise].
var builtin = sync.OnceValues(func() (*Integer, error) {
	n, err := BuiltinNet()
	if err != nil {
		return nil, err
	}
	return quantise(n)
})

// BuiltinFor returns the built-in net of a rule set, nil for Finkel's, and its integers, which
// must not be changed.
func BuiltinFor(r *rules.Rules) (*Net, *Integer, error) {
	if r == nil || r.Equal(rules.Finkel()) {
		q, err := Builtin()
		if err != nil {
			return nil, nil, err
		}
		n, err := BuiltinNet()
		return n, q, err
	}
	return nil, nil, fmt.Errorf("no built-in net of the rule set %q (want net:FILE)", r.Name())
}

// BuiltinNet returns the built-in net as stored in its file.
func BuiltinNet() (*Net, error) {
	n, err := Read(bytes.NewReader(builtinFile))
	if err != nil {
		return nil, fmt.Errorf("built-in net: %w", err)
	}
	return n, nil
}
