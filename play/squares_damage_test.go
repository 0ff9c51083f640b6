package play

import (
	"bytes"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/damage"
)

// Damaged square values are refused, or they are the same values.
func TestDamagedSquares(t *testing.T) {
	want, _ := BuiltinSquares("tree")
	file, err := want.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	damage.Try(t, "squares", file, func(data []byte) damage.Outcome {
		got, err := readSquareValues(bytes.NewReader(data))
		switch {
		case err != nil:
			return damage.Refused
		case got != want:
			return damage.Changed
		}
		return damage.Same
	})
}
