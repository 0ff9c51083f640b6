//go:build !purego

package eval

import (
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

//go:generate go -C ../../_asm run . -out ../reversi/eval/kernels_amd64.s -stubs ../reversi/eval/kernels_stubs_amd64.go -pkg eval patterns

// needs are the kernels' CPU features.
var needs = []cpu.Feature{cpu.AVX2, cpu.BMI1}

// vectors reports whether features are updated by the kernels.
var vectors = cpu.Available("patterns/avx2", needs) == nil

// playVector is Play in vector registers.
func (f *Features) playVector(to *Features, side int, s board.Square, flips uint64) {
	if side == 0 {
		playFirstAVX2(&f[0], &to[0], &patterns.adds[0][0], uint64(s&63), flips)
	} else {
		playSecondAVX2(&f[0], &to[0], &patterns.adds[0][0], uint64(s&63), flips)
	}
}

// sumOf is sum, by its kernel where features are updated by theirs.
func sumOf(t *table, f *Features) int {
	if vectors {
		return sumWeights(&t[0], &f[0])
	}
	return sum(t, f)
}
