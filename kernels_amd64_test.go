//go:build !purego

package ur

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// Value kernels must not read beyond the boards and the brain, nor write beyond the
// values, for any number of boards.
func TestValueKernelsStopAtGuardPages(t *testing.T) {
	const most = 5
	rng := rand.New(rand.NewPCG(6, 6))
	brain := ClassicBrain()
	positions := make([]board.Position, most)
	for i := range positions {
		positions[i] = board.Finkel().Random(rng, board.FinkelPieces)
	}
	for _, atEnd := range []bool{false, true} {
		avx2 := testkit.Guarded[avx2Weights](t, atEnd)
		*avx2 = *newAVX2Weights(brain)
		boards16, boards8 := testkit.Guarded[[most]board.Array16](t, atEnd), testkit.Guarded[[most]board.Array8](t, atEnd)
		values := testkit.Guarded[[most]int32](t, atEnd)
		for i, p := range positions {
			boards16[i].Set(p)
			boards8[i].Set(p)
		}
		for n := 1; n <= most; n++ {
			first := 0
			if atEnd {
				first = most - n
			}
			check := func(engine Engine, evaluate func(dst []int32)) {
				t.Helper()
				if Available(engine) != nil {
					return
				}
				dst := values[first : first+n]
				clear(dst)
				evaluate(dst)
				for i, got := range dst {
					if want := brain.Value(positions[first+i]); got != want {
						t.Errorf("%s: value %d of %d is %d, want %d", engine.Name(), i, n, got, want)
					}
				}
			}
			check(Array16AVX2, func(dst []int32) {
				(*array16AVX2)(avx2).Values(dst, boards16[first:first+n])
			})
			check(Array8AVX2, func(dst []int32) {
				(*array8AVX2)(avx2).Values(dst, boards8[first:first+n])
			})
		}
	}
}
