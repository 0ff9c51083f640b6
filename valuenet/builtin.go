package valuenet

import (
	"bytes"
	_ "embed"
	"fmt"
	"sync"
)

// builtinFile is the net that is in the box, as [Net.WriteCompact] writes it.
//
//go:embed builtin.safetensors
var builtinFile []byte

// Builtin returns the net that is in the box, which is not to be changed.
func Builtin() (*Integer, error) { return builtin() }

// A test holds that this net passes the check of [Quantise].
var builtin = sync.OnceValues(func() (*Integer, error) {
	n, err := BuiltinNet()
	if err != nil {
		return nil, err
	}
	return quantise(n)
})

// BuiltinNet returns the net that is in the box as it is in its file.
func BuiltinNet() (*Net, error) {
	n, err := Read(bytes.NewReader(builtinFile))
	if err != nil {
		return nil, fmt.Errorf("built-in net: %w", err)
	}
	return n, nil
}
