//go:build goexperiment.simd && go1.27 && !purego

package array

import (
	"simd/archsimd"
	"unsafe"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

func init() {
	Archsimd = ur.TurnByTurn("array16/archsimd",
		func(b *ur.Brain) ur.Evaluator[board.Array16] { return newArray16Archsimd(b) }, ur.AVX2)
}

// array16Archsimd is array16/avx2 in Go: the same blocks with eight rows and two columns,
// multiplied by the same instructions, with registers assigned by the compiler. The compiled
// code differs in two ways: each pair of numbers goes through a general register before it is
// broadcast, and one board is evaluated at a time, so every weight block is loaded for each
// board. It compares Go's own vector intrinsics with assembly and is never a default.
type array16Archsimd struct {
	turn     [4][8]int32   // B[32][j]
	turnTurn [8]int32      // B[32][32], and zeros
	pairs    [40][16]int16 // entries of two columns by row, as in the AVX2 kernel
}

func newArray16Archsimd(b *ur.Brain) *array16Archsimd {
	e := new(array16Archsimd)
	for j := range board.TurnNumber {
		e.turn[j/8][j%8] = int32(b.At(board.TurnNumber, j))
	}
	e.turnTurn[0] = int32(b.At(board.TurnNumber, board.TurnNumber))
	block := 0
	for pair := range 16 {
		for rows := pair / 4; rows < 4; rows++ {
			for i := range e.pairs[block] {
				e.pairs[block][i] = b.At(8*rows+i/2, 2*pair+i%2)
			}
			block++
		}
	}
	return e
}

func (e *array16Archsimd) Values(dst []int32, boards []board.Array16) {
	for i := range boards {
		dst[i] = e.value(&boards[i].Number)
	}
	archsimd.ClearAVXUpperBits()
}

// value returns getValue for the board x.
func (e *array16Archsimd) value(x *[board.Numbers]int16) int32 {
	dark := archsimd.BroadcastInt32x8(-int32(x[board.TurnNumber]))
	y0 := archsimd.LoadInt32x8Array(&e.turn[0]).And(dark)
	y1 := archsimd.LoadInt32x8Array(&e.turn[1]).And(dark)
	y2 := archsimd.LoadInt32x8Array(&e.turn[2]).And(dark)
	y3 := archsimd.LoadInt32x8Array(&e.turn[3]).And(dark)

	// Rows 0 to 7 end with column 7, and so on: each quarter of the columns has a row block less.
	for pair := range 4 {
		n := broadcastPair(x, pair)
		y0 = y0.Add(e.products(4*pair, n))
		y1 = y1.Add(e.products(4*pair+1, n))
		y2 = y2.Add(e.products(4*pair+2, n))
		y3 = y3.Add(e.products(4*pair+3, n))
	}
	for pair := range 4 {
		n := broadcastPair(x, 4+pair)
		y1 = y1.Add(e.products(16+3*pair, n))
		y2 = y2.Add(e.products(17+3*pair, n))
		y3 = y3.Add(e.products(18+3*pair, n))
	}
	for pair := range 4 {
		n := broadcastPair(x, 8+pair)
		y2 = y2.Add(e.products(28+2*pair, n))
		y3 = y3.Add(e.products(29+2*pair, n))
	}
	for pair := range 4 {
		y3 = y3.Add(e.products(36+pair, broadcastPair(x, 12+pair)))
	}

	sum := archsimd.LoadInt32x8Array(&e.turnTurn).And(dark)
	sum = sum.Add(y0.Mul(widened(x, 0))).Add(y1.Mul(widened(x, 8)))
	sum = sum.Add(y2.Mul(widened(x, 16))).Add(y3.Mul(widened(x, 24)))
	half := sum.GetLo().Add(sum.GetHi())
	half = half.ConcatAddPairs(half)
	return half.ConcatAddPairs(half).GetElem(0)
}

// products multiplies a block in the brain with a broadcast pair of numbers.
func (e *array16Archsimd) products(block int, pair archsimd.Int16x16) archsimd.Int32x8 {
	return archsimd.LoadInt16x16Array(&e.pairs[block]).DotProductPairs(pair)
}

// broadcastPair puts numbers 2p and 2p+1 on the board side by side in every 32 bits.
// They are read as one 32-bit number: amd64 has no alignment to mind.
func broadcastPair(x *[board.Numbers]int16, pair int) archsimd.Int16x16 {
	pairs := (*[16]int32)(unsafe.Pointer(x))
	return archsimd.BroadcastInt32x8(pairs[pair]).ToBits().ReshapeToUint16s().BitsToInt16()
}

// widened returns eight numbers on the board in 32 bits.
func widened(x *[board.Numbers]int16, first int) archsimd.Int32x8 {
	return archsimd.LoadInt16x8(x[first:]).ExtendToInt32()
}
