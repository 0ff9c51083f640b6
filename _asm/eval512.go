package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// valuesAVX512 writes getValue for one board after another with the brain in registers. It is
// valuesAVX2 with rows twice as wide: the triangle takes 24 blocks with 16 rows, which fit in 24
// among the 32 registers, so a step is one instruction: VPDPWSSD broadcasts a pair of numbers from
// memory, multiplies a block with it, and adds both products to y.
//
// Registers, for each of two boards: Z0, Z1 y for the lower rows; Z2 to Z5 two sums for the upper
// rows, so the addition chain is half as long; Z6, Z7 x at the end; K1, K2 Dark is to move.
// Z8 to Z31 hold the brain.
func valuesAVX512() {
	kernel("valuesArray16AVX512", "func(dst *int32, boards *int16, n int, weights *avx512Weights)",
		"writes getValue of n boards, one after another in memory, to dst.",
		"It reads and writes nothing beyond them. It must equal array16/scalar.")
	dst, board, n := arg("dst"), arg("boards"), arg("n")
	weights := load("weights", "avx512Weights")

	Comment("Keep the whole triangle in registers: rows 0-15 with columns 0-15, then rows 16-31 with columns 0-31.")
	var lower [8]VecVirtual
	var upper [16]VecVirtual
	for pair := range lower {
		lower[pair] = ZMM()
		VMOVDQU64(weights.at("pairs").Offset(64*pair), lower[pair])
	}
	for pair := range upper {
		upper[pair] = ZMM()
		VMOVDQU64(weights.at("pairs").Offset(64*(8+pair)), upper[pair])
	}
	Comment("Two boards a round, so that each fills the time the other waits for sums.")
	overBoards(dst, n, func(count int) []VecPhysical {
		return quadraticAVX512(weights, board, lower, upper, count)
	}, func(a, b VecPhysical) Register {
		VPHADDD(b.AsX(), a.AsX(), a.AsX())
		VPHADDD(a.AsX(), a.AsX(), a.AsX())
		return a.AsX()
	}, func() { ADDQ(U8(132), board) })
}

// quadraticAVX512 evaluates one or two boards, and returns for each a vector whose
// lowest four numbers sum to its value.
func quadraticAVX512(weights record, board Register, lower [8]VecVirtual, upper [16]VecVirtual, boards int) []VecPhysical {
	low := []VecPhysical{Z0, Z1}[:boards]
	high := []VecPhysical{Z2, Z3}[:boards]
	more := []VecPhysical{Z4, Z5}[:boards]
	x := []VecPhysical{Z6, Z7}[:boards]
	dark := []OpmaskPhysical{K1, K2}
	for i := range boards {
		Comment(fmt.Sprintf("Board %d: y starts with the turn's row where Dark is to move.", i))
		turn := GP32()
		MOVWLZX(Mem{Base: board, Disp: 66*i + 64}, turn)
		NEGL(turn)
		KMOVW(turn, dark[i])
		VMOVDQU32_Z(weights.at("turn"), dark[i], low[i])
		VMOVDQU32_Z(weights.at("turn").Offset(64), dark[i], high[i])
		VPXORD(more[i], more[i], more[i])
	}
	Comment("y += two columns at a time.")
	for pair := range upper {
		for i := range boards {
			numbers := Mem{Base: board, Disp: 66*i + 4*pair}
			if pair < len(lower) {
				VPDPWSSD_BCST(numbers, lower[pair], low[i])
			}
			if pair%2 == 0 {
				VPDPWSSD_BCST(numbers, upper[pair], high[i])
			} else {
				VPDPWSSD_BCST(numbers, upper[pair], more[i])
			}
		}
	}
	Comment("Multiply y by x and add up; B[32][32] joins where Dark is to move.")
	for i := range boards {
		VPADDD(more[i], high[i], high[i])
		VPMOVSXWD(Mem{Base: board, Disp: 66 * i}, x[i])
		VPMULLD(x[i], low[i], low[i])
		VPMOVSXWD(Mem{Base: board, Disp: 66*i + 32}, x[i])
		VPMULLD(x[i], high[i], high[i])
		VPADDD(high[i], low[i], low[i])
		VPADDD(weights.at("turnTurn"), low[i], dark[i], low[i])
		VEXTRACTI64X4(Imm(1), low[i], x[i].AsY())
		VPADDD(x[i].AsY(), low[i].AsY(), low[i].AsY())
		VEXTRACTI128(Imm(1), low[i].AsY(), x[i].AsX())
		VPADDD(x[i].AsX(), low[i].AsX(), low[i].AsX())
	}
	return low
}
