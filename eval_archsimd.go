//go:build goexperiment.simd && amd64 && !purego

package ur

import (
	"simd/archsimd"
	"unsafe"

	"github.com/seed-09dcdc84/ur/board"
)

// This file is built only with GOEXPERIMENT=simd. It compares Go's own vector intrinsics with
// assembly and is never a default.

// Array16Archsimd is array16/archsimd.
var Array16Archsimd = TurnByTurn("array16/archsimd",
	func(b *Brain) Evaluator[board.Array16] { return (*array16Archsimd)(newAVX2Weights(b)) }, AVX2)

// array16Archsimd is array16/avx2 in Go: the same blocks of eight rows and two columns,
// multiplied by the same instructions, with registers assigned by the compiler. The compiled
// code differs in two ways: each pair of numbers goes through a general register before it is
// broadcast, and one board is evaluated at a time, so every block of weights is loaded for each
// board.
type array16Archsimd avx2Weights

func (e *array16Archsimd) Values(dst []int32, boards []board.Array16) {
	for i := range boards {
		dst[i] = e.value(&boards[i].Number)
	}
	archsimd.ClearAVXUpperBits()
}

// value returns getValue of the board x.
func (e *array16Archsimd) value(x *[board.Numbers]int16) int32 {
	dark := archsimd.BroadcastInt32x8(-int32(x[board.TurnNumber]))
	y0 := archsimd.LoadInt32x8((*[8]int32)(e.turn[0:])).And(dark)
	y1 := archsimd.LoadInt32x8((*[8]int32)(e.turn[8:])).And(dark)
	y2 := archsimd.LoadInt32x8((*[8]int32)(e.turn[16:])).And(dark)
	y3 := archsimd.LoadInt32x8((*[8]int32)(e.turn[24:])).And(dark)

	// Rows 0 to 7 end with column 7, and so on: each quarter of the columns has a
	// block of rows less.
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

	sum := archsimd.LoadInt32x8(&e.turnTurn).And(dark)
	sum = sum.Add(y0.Mul(archsimd.LoadInt16x8((*[8]int16)(x[0:])).ExtendToInt32()))
	sum = sum.Add(y1.Mul(archsimd.LoadInt16x8((*[8]int16)(x[8:])).ExtendToInt32()))
	sum = sum.Add(y2.Mul(archsimd.LoadInt16x8((*[8]int16)(x[16:])).ExtendToInt32()))
	sum = sum.Add(y3.Mul(archsimd.LoadInt16x8((*[8]int16)(x[24:])).ExtendToInt32()))
	half := sum.GetLo().Add(sum.GetHi())
	half = half.AddPairs(half)
	return half.AddPairs(half).GetElem(0)
}

// products multiplies a block of the brain with a broadcast pair of numbers.
func (e *array16Archsimd) products(block int, pair archsimd.Int16x16) archsimd.Int32x8 {
	return archsimd.LoadInt16x16((*[16]int16)(unsafe.Pointer(&e.pairs[block]))).DotProductPairs(pair)
}

// broadcastPair puts numbers 2p and 2p+1 of the board side by side in every 32 bits.
// They are read as one 32-bit number: amd64 has no alignment to mind.
func broadcastPair(x *[board.Numbers]int16, pair int) archsimd.Int16x16 {
	pairs := (*[16]int32)(unsafe.Pointer(x))
	return archsimd.BroadcastInt32x8(pairs[pair]).AsInt16x16()
}
