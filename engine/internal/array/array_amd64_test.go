//go:build !purego

package array

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The kernels must not read beyond the boards and the brain, nor write beyond the values, for any
// number of boards.
func TestKernelsStopAtGuardPages(t *testing.T) {
	t.Run("array8/avx2", func(t *testing.T) {
		checkGuardPages(t, Array8AVX2, func(b *ur.Brain, atEnd bool) ur.Evaluator[board.Array8] {
			weights := testkit.Guarded[array8AVX2](t, atEnd)
			*weights = array8AVX2(*ur.NewAVX2Weights(b))
			return weights
		})
	})
	t.Run("array16/avx512", func(t *testing.T) {
		checkGuardPages(t, AVX512, func(b *ur.Brain, atEnd bool) ur.Evaluator[board.Array16] {
			weights := testkit.Guarded[avx512Weights](t, atEnd)
			*weights = *newAVX512Weights(b)
			return (*array16AVX512)(weights)
		})
	})
}

// checkGuardPages checks the evaluator of an engine, which bind returns.
func checkGuardPages[B any, L board.Layout[B]](t *testing.T, e ur.Engine,
	bind func(b *ur.Brain, atEnd bool) ur.Evaluator[B]) {
	testkit.SkipOn(t, ur.Available(e))
	rng := rand.New(rand.NewPCG(6, 6))
	brain := ur.ClassicBrain()
	draw := func(b *B) int32 {
		p := board.Finkel().Random(rng, board.FinkelPieces)
		L(b).Set(p)
		return brain.Value(p)
	}
	testkit.CheckGuardPages(t, draw, func(atEnd bool) func([]int32, []B) { return bind(brain, atEnd).Values })
}
