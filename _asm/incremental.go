package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// Layout of wideGame and wideRow in incremental.go, in bytes.
const (
	gamePosition  = 0
	gameCounts    = 8
	gameFields    = 16
	addedFields   = 0
	addedPosition = 256
	addedCounts   = 264
)

// incrementalKernels writes the update of bits/incremental-avx2.
//
// Registers: Y0 to Y7 the fields of both sides, four fields of 32 bits and their
// borrows in every 64, so that the additions are of 64 bits as in Go.
func incrementalKernels() {
	TEXT("addRowAVX2", NOSPLIT, "func(game, row *uint64)")
	Doc("addRowAVX2 adds a wideRow to a wideGame, the unused fields 16 to 19 among them. It",
		"must equal wideGame.add in all fields that are read.")
	Pragma("noescape")
	game := Load(Param("game"), GP64())
	row := Load(Param("row"), GP64())

	Comment("The fields of both sides.")
	for i := range 8 {
		sums := YMM()
		VMOVDQU(Mem{Base: row, Disp: addedFields + 32*i}, sums)
		VPADDQ(Mem{Base: game, Disp: gameFields + 32*i}, sums, sums)
		VMOVDQU(sums, Mem{Base: game, Disp: gameFields + 32*i})
	}

	Comment("Position and counts.")
	position, counts := GP64(), GP64()
	MOVQ(Mem{Base: row, Disp: addedPosition}, position)
	ADDQ(position, Mem{Base: game, Disp: gamePosition})
	MOVQ(Mem{Base: row, Disp: addedCounts}, counts)
	ADDQ(counts, Mem{Base: game, Disp: gameCounts})
	VZEROUPPER()
	RET()
}
