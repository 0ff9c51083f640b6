//go:build !purego

package ur

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The kernel must not read beyond the boards and the brain, nor write beyond the values, for any
// number of boards.
func TestAVX2StopsAtGuardPages(t *testing.T) {
	if err := Available(Array16AVX2); err != nil {
		t.Skip(err)
	}
	const most = 5
	rng := rand.New(rand.NewPCG(6, 6))
	brain := ClassicBrain()
	for _, atEnd := range []bool{false, true} {
		weights := testkit.Guarded[AVX2Weights](t, atEnd)
		*weights = *NewAVX2Weights(brain)
		for n := 1; n <= most; n++ {
			boards, values := testkit.GuardedSlice[board.Array16](t, n, atEnd), testkit.GuardedSlice[int32](t, n, atEnd)
			want := make([]int32, n)
			for i := range boards {
				p := board.Finkel().Random(rng, board.FinkelPieces)
				boards[i].Set(p)
				want[i] = brain.Value(p)
			}
			(*array16AVX2)(weights).Values(values, boards)
			for i, got := range values {
				testkit.Equal(t, got, want[i], "value %d of %d", i, n)
			}
		}
	}
}
