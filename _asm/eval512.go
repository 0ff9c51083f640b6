package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Layout of avx512Weights in eval_amd64.go, in bytes.
const (
	avx512Turn     = 0                   // row 32 of B as 32 int32
	avx512TurnTurn = avx512Turn + 128    // B[32][32] as int32, then fifteen zeros
	avx512Pairs    = avx512TurnTurn + 64 // 24 blocks of 16 rows by 2 columns
)

// valuesAVX512 writes getValue of one board after another with the brain in
// registers. It is valuesAVX2 with rows twice as wide: the triangle takes 24 blocks
// of 16 rows, which fit in 24 of the 32 registers, so that a step is one instruction:
// VPDPWSSD multiplies a block with a pair of numbers that it broadcasts from memory,
// and adds both products to y.
//
// Registers: Z of 24 blocks of the brain, for as long as the kernel runs; y of the
// lower rows; two sums of the upper rows, so that the chain of additions is half as
// long; two for x at the end. Mask K1: Dark is to move.
func valuesAVX512() {
	TEXT("valuesArray16AVX512", NOSPLIT, "func(dst *int32, boards *int16, n int, weights *int32)")
	Doc("valuesArray16AVX512 writes getValue of n boards, one after another in memory, to dst.",
		"It reads and writes nothing beyond them. It must equal valueByDefinition.")
	Pragma("noescape")
	dst := Load(Param("dst"), GP64())
	board := Load(Param("boards"), GP64())
	n := Load(Param("n"), GP64())
	weights := Load(Param("weights"), GP64())

	Comment("Keep the whole triangle in registers: rows 0-15 with columns 0-15, then rows 16-31 with columns 0-31.")
	var lower [8]VecVirtual
	var upper [16]VecVirtual
	for pair := range lower {
		lower[pair] = ZMM()
		VMOVDQU64(Mem{Base: weights, Disp: avx512Pairs + 64*pair}, lower[pair])
	}
	for pair := range upper {
		upper[pair] = ZMM()
		VMOVDQU64(Mem{Base: weights, Disp: avx512Pairs + 64*(8+pair)}, upper[pair])
	}
	TESTQ(n, n)
	JZ(LabelRef("done"))

	Label("board")
	Comment("y starts with the turn's row where Dark is to move.")
	turn := GP32()
	MOVWLZX(Mem{Base: board, Disp: 64}, turn)
	NEGL(turn)
	KMOVW(turn, K1)
	low, high, more := ZMM(), ZMM(), ZMM()
	VMOVDQU32_Z(Mem{Base: weights, Disp: avx512Turn}, K1, low)
	VMOVDQU32_Z(Mem{Base: weights, Disp: avx512Turn + 64}, K1, high)
	VPXORD(more, more, more)

	Comment("y += two columns at a time.")
	for pair := range upper {
		numbers := Mem{Base: board, Disp: 4 * pair}
		if pair < len(lower) {
			VPDPWSSD_BCST(numbers, lower[pair], low)
		}
		if pair%2 == 0 {
			VPDPWSSD_BCST(numbers, upper[pair], high)
		} else {
			VPDPWSSD_BCST(numbers, upper[pair], more)
		}
	}

	Comment("Multiply y by x and add up; B[32][32] joins where Dark is to move.")
	x := ZMM()
	VPADDD(more, high, high)
	VPMOVSXWD(Mem{Base: board}, x)
	VPMULLD(x, low, low)
	VPMOVSXWD(Mem{Base: board, Disp: 32}, x)
	VPMULLD(x, high, high)
	VPADDD(high, low, low)
	VPADDD(Mem{Base: weights, Disp: avx512TurnTurn}, low, K1, low)
	half := more
	VEXTRACTI64X4(Imm(1), low, half.AsY())
	VPADDD(half.AsY(), low.AsY(), low.AsY())
	VEXTRACTI32X4(Imm(1), low, half.AsX())
	VPADDD(half.AsX(), low.AsX(), low.AsX())
	VPSHUFD(Imm(0x4e), low.AsX(), half.AsX())
	VPADDD(half.AsX(), low.AsX(), low.AsX())
	VPSHUFD(Imm(0xb1), low.AsX(), half.AsX())
	VPADDD(half.AsX(), low.AsX(), low.AsX())
	VMOVD(low.AsX(), Mem{Base: dst})

	ADDQ(Imm(4), dst)
	ADDQ(Imm(66), board)
	DECQ(n)
	JNZ(LabelRef("board"))

	Label("done")
	VZEROUPPER()
	RET()
}
