//go:build go1.27 && !purego

package ur

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The kernel must not read beyond the boards and the brain, nor write beyond the values, for any
// number of boards.
func TestNEONStopsAtGuardPages(t *testing.T) {
	if err := Available(Array16NEON); err != nil {
		t.Skip(err)
	}
	rng := rand.New(rand.NewPCG(6, 6))
	brain := new(Brain)
	for k := range brain {
		brain[k] = int16(rng.Uint32())
	}
	draw := func(b *board.Array16) int32 {
		p := board.Finkel().Random(rng, board.FinkelPieces)
		b.Set(p)
		return brain.Value(p)
	}
	testkit.CheckGuardPages(t, draw, func(atEnd bool) func([]int32, []board.Array16) {
		weights := testkit.Guarded[array16NEON](t, atEnd)
		*weights = *newArray16NEON(brain)
		return weights.Values
	})
}
