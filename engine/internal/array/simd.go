//go:build goexperiment.simd && go1.27 && !purego

package array

import (
	"simd"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

func init() {
	SIMD = ur.TurnByTurn("array16/simd",
		func(b *ur.Brain) ur.Evaluator[board.Array16] { return newArray16SIMD(b) })
}

// array16SIMD is one source for every architecture: vectors from package simd are as long as the
// CPU's registers, 4 to 16 numbers, and are emulated where there are none. A row vector takes
// its columns in turn, so a sum stays in one register. It compares portable vectors with
// archsimd's and with assembly, and is never a default.
type array16SIMD struct {
	columns  [board.Numbers][32]int32 // B[i][j] of rows i by column j; the last is the turn's row
	turnTurn int32                    // B[32][32]
}

func newArray16SIMD(b *ur.Brain) *array16SIMD {
	e := &array16SIMD{turnTurn: int32(b.At(board.TurnNumber, board.TurnNumber))}
	for i := range board.TurnNumber {
		for j := 0; j <= i; j++ {
			e.columns[j][i] = int32(b.At(i, j))
		}
		e.columns[board.TurnNumber][i] = int32(b.At(board.TurnNumber, i))
	}
	return e
}

func (e *array16SIMD) Values(dst []int32, boards []board.Array16) {
	for i := range boards {
		dst[i] = sumSIMD(e, &boards[i].Number)
	}
}

// sumSIMD returns getValue for the board x. It is no method, since Go 1.27's compiler fails on one.
func sumSIMD(e *array16SIMD, x *[board.Numbers]int16) int32 {
	var wide, lanes [board.Numbers]int32
	for i, n := range x {
		wide[i] = int32(n)
	}
	turn := wide[board.TurnNumber]
	sum := simd.BroadcastInt32s(0)
	for first := 0; first < board.TurnNumber; first += sum.Len() {
		y := simd.LoadInt32s(e.columns[board.TurnNumber][first:]).Mul(simd.BroadcastInt32s(turn))
		for j := range first + sum.Len() {
			y = y.Add(simd.LoadInt32s(e.columns[j][first:]).Mul(simd.BroadcastInt32s(wide[j])))
		}
		sum = sum.Add(y.Mul(simd.LoadInt32s(wide[first:])))
	}
	sum.Store(lanes[:])
	value := e.turnTurn * turn
	for _, n := range lanes {
		value += n
	}
	return value
}
