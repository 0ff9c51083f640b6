//go:build goexperiment.simd && go1.27 && !purego

package array

import (
	"simd/archsimd"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

func init() {
	Archsimd = ur.TurnByTurn("array16/archsimd",
		func(b *ur.Brain) ur.Evaluator[board.Array16] { return newArray16Archsimd(b) }, ur.NEON)
}

// array16Archsimd is array16/neon in Go: eight rows times one number. Archsimd has no product that
// adds up in twice the width, and none of the upper half, so a column with eight rows takes two
// multiplications, two additions and a move. It compares Go's own vector intrinsics with assembly
// and is never a default.
type array16Archsimd struct {
	columns [board.Numbers][4][8]int16 // B[i][j] of rows i by column j; the last is the turn's row
	both    int32                      // B[32][32]
}

func newArray16Archsimd(b *ur.Brain) *array16Archsimd {
	e := &array16Archsimd{both: int32(b.At(board.TurnNumber, board.TurnNumber))}
	for i := range board.TurnNumber {
		for j := 0; j <= i; j++ {
			e.columns[j][i/8][i%8] = b.At(i, j)
		}
		e.columns[board.TurnNumber][i/8][i%8] = b.At(board.TurnNumber, i)
	}
	return e
}

func (e *array16Archsimd) Values(dst []int32, boards []board.Array16) {
	for i := range boards {
		dst[i] = e.value(&boards[i].Number)
	}
}

// value returns getValue for the board x.
func (e *array16Archsimd) value(x *[board.Numbers]int16) int32 {
	sum := archsimd.BroadcastInt32x4(0)
	turn := x[board.TurnNumber]
	for rows := range 4 {
		low, high := e.products(board.TurnNumber, rows, turn)
		for j := range 8*rows + 8 {
			more, above := e.products(j, rows, x[j])
			low, high = low.Add(more), high.Add(above)
		}
		numbers := archsimd.LoadInt16x8(x[8*rows:])
		sum = sum.Add(low.Mul(numbers.ExtendLo4ToInt32())).Add(high.Mul(numbers.HiToLo().ExtendLo4ToInt32()))
	}
	sum = sum.ConcatAddPairs(sum)
	return sum.ConcatAddPairs(sum).GetElem(0) + e.both*int32(turn)
}

// products multiplies eight rows in a column with a number, in two vectors.
func (e *array16Archsimd) products(column, rows int, n int16) (low, high archsimd.Int32x4) {
	weights, number := archsimd.LoadInt16x8Array(&e.columns[column][rows]), archsimd.BroadcastInt16x8(n)
	return weights.MulWidenLo(number), weights.HiToLo().MulWidenLo(number)
}
