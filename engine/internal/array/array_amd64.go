//go:build !purego

package array

import (
	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cpu"
)

//go:generate go -C ../../../_asm run . -out ../engine/internal/array/array_amd64.s -stubs ../engine/internal/array/array_stubs_amd64.go -pkg array array

func init() {
	Array8AVX2 = ur.TurnByTurn("array8/avx2",
		func(b *ur.Brain) ur.Evaluator[board.Array8] { return (*array8AVX2)(ur.NewAVX2Weights(b)) }, ur.AVX2)
	AVX512 = ur.TurnByTurn("array16/avx512",
		func(b *ur.Brain) ur.Evaluator[board.Array16] { return (*array16AVX512)(newAVX512Weights(b)) },
		ur.AVX2, ur.AVX512F, ur.AVX512VNNI)
}

// array8AVX2 is array16/avx2 on byte boards, widened first: half the memory to copy, but a
// longer way to the multiplier.
type array8AVX2 ur.AVX2Weights

func (e *array8AVX2) Values(dst []int32, boards []board.Array8) {
	if len(dst) == 0 {
		return
	}
	_ = boards[len(dst)-1]
	valuesArray8AVX2(&dst[0], &boards[0].Number[0], len(dst), e)
}

// avx512Weights is a brain ordered as the AVX-512 kernel loads it.
type avx512Weights struct {
	turn     [32]int32 // B[32][j]
	turnTurn [16]int32 // B[32][32], and zeros

	// pairs holds for two columns 2p and 2p+1 and sixteen rows the entries (B[i][2p], B[i][2p+1])
	// for each row i: rows 0 to 15 with the columns up to 15, then rows 16 to 31 with all 32.
	pairs [24][16][2]int16
}

func newAVX512Weights(b *ur.Brain) *avx512Weights {
	w := cpu.NewAligned[avx512Weights]()
	for j := range w.turn {
		w.turn[j] = int32(b.At(board.TurnNumber, j))
	}
	w.turnTurn[0] = int32(b.At(board.TurnNumber, board.TurnNumber))
	for block := range w.pairs {
		row, pair := 0, block
		if block >= 8 {
			row, pair = 16, block-8
		}
		for i := range 16 {
			w.pairs[block][i] = [2]int16{b.At(row+i, 2*pair), b.At(row+i, 2*pair+1)}
		}
	}
	return w
}

// array16AVX512 keeps the whole brain in registers, 24 of the 32 that AVX-512 has, so a pair of
// columns costs one instruction: VPDPWSSD broadcasts two numbers on the board from memory,
// multiplies them with sixteen rows and adds up. It needs a third as many instructions as
// array16/avx2 and no weight loads. Masks instead of zero tests gain nothing: with dense
// rows there is nothing left to skip.
type array16AVX512 avx512Weights

func (e *array16AVX512) Values(dst []int32, boards []board.Array16) {
	if len(dst) == 0 {
		return
	}
	_ = boards[len(dst)-1]
	valuesArray16AVX512(&dst[0], &boards[0].Number[0], len(dst), (*avx512Weights)(e))
}
