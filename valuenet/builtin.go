package valuenet

import (
	"bytes"
	_ "embed"
	"fmt"
	"sync"
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

// BuiltinNet returns the built-in net as stored in its file.
func BuiltinNet() (*Net, error) {
	n, err := Read(bytes.NewReader(builtinFile))
	if err != nil {
		return nil, fmt.Errorf("built-in net: %w", err)
	}
	return n, nil
}
