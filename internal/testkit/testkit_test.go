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
		if !bytes.Equal(one, two) {
			t.Fatalf("seed %d damages in two ways", seed)
		}
		if !bytes.Equal(one, file) {
			changed++
		}
	}
	if changed < 320 {
		t.Errorf("%d of 400 damages change the file", changed)
	}
}
