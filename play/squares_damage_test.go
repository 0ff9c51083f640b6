package play

import (
	"bytes"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// Damaged square values are refused, or they are the same values.
func TestDamagedSquares(t *testing.T) {
	want, _ := BuiltinSquares("tree")
	file, err := want.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	testkit.TryDamage(t, "squares", file, func(data []byte) testkit.Outcome {
		got, err := readSquareValues(bytes.NewReader(data))
		switch {
		case err != nil:
			return testkit.Refused
		case got != want:
			return testkit.Changed
		}
		return testkit.Same
	})
}
