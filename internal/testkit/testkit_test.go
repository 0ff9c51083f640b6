package testkit

import (
	"bytes"
	"testing"
)

// Most damages change the file, and each is the same for its seed.
func TestDamaged(t *testing.T) {
	file := []byte("first line\nsecond line\nthird line\n")
	changed := 0
	for seed := range uint64(400) {
		_, one := Damaged(file, seed)
		_, two := Damaged(file, seed)
		FatalIf(t, !bytes.Equal(one, two), "seed %d damages in two ways", seed)
		if !bytes.Equal(one, file) {
			changed++
		}
	}
	ErrorIf(t, changed < 320, "%d of 400 damages change the file", changed)
}
