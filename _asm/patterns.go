package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// patternKernels writes the kernels that update Reversi's pattern indices by a move.
func patternKernels() {
	patternKernel("playFirstAVX2", false)
	patternKernel("playSecondAVX2", true)
}

const (
	// patternVectors holds the indices of all patterns, four 16-bit lanes to a word.
	patternVectors = 3
	vectorBytes    = 32
)

// patternKernel writes one side's kernel. A disc on the first side counts once, one on the
// second twice, so discs that are turned over count once less, or more.
func patternKernel(name string, second bool) {
	kernel(name, "func(from, to, adds *uint64, square, flips uint64)",
		"sets to to from after a move to square that turns over flips, with a row of adds",
		"for every square.")
	from, to, adds := arg("from"), arg("to"), arg("adds")
	square, flips := arg("square"), arg("flips")
	var sums [patternVectors]VecVirtual
	for i := range sums {
		sums[i] = YMM()
		VMOVDQU(Mem{Base: from, Disp: i * vectorBytes}, sums[i])
	}
	row := patternRow(square)
	for i, sum := range sums {
		VPADDQ(Mem{Base: adds, Index: row, Scale: 1, Disp: i * vectorBytes}, sum, sum)
		if second {
			VPADDQ(Mem{Base: adds, Index: row, Scale: 1, Disp: i * vectorBytes}, sum, sum)
		}
	}
	Label("next")
	TESTQ(flips, flips)
	JE(LabelRef("done"))
	disc := GP64()
	TZCNTQ(flips, disc)
	BLSRQ(flips, flips)
	row = patternRow(disc)
	for i, sum := range sums {
		m := Mem{Base: adds, Index: row, Scale: 1, Disp: i * vectorBytes}
		if second {
			VPADDQ(m, sum, sum)
		} else {
			VPSUBQ(m, sum, sum)
		}
	}
	JMP(LabelRef("next"))
	Label("done")
	for i, sum := range sums {
		VMOVDQU(sum, Mem{Base: to, Disp: i * vectorBytes})
	}
	end()
}

// patternRow returns the offset to a square's row in adds: 96 bytes each.
func patternRow(square Register) Register {
	row := GP64()
	LEAQ(Mem{Base: square, Index: square, Scale: 2}, row)
	SHLQ(Imm(5), row)
	return row
}
