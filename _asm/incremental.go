package main

import (
	. "github.com/mmcloughlin/avo/build"
)

// incrementalKernels writes the update for bits/incremental-avx2.
//
// Registers: Y0 to Y7 both sides' fields, four 32-bit fields and their borrows in
// every 64, so the additions have 64 bits as in Go.
func incrementalKernels() {
	kernel("addRowAVX2", "func(game *state, row *row)",
		"adds a row to a game, the unused fields 16 to 19 among them. It must equal",
		"state.add in all fields that are read.")
	game, row := load("game", "state"), load("row", "row")

	Comment("The fields of both sides.")
	for i := range 8 {
		sums := YMM()
		VMOVDQU(row.at("fields").Offset(32*i), sums)
		VPADDQ(game.at("fields").Offset(32*i), sums, sums)
		VMOVDQU(sums, game.at("fields").Offset(32*i))
	}

	Comment("Position and counts.")
	position, counts := GP64(), GP64()
	MOVQ(row.at("position"), position)
	ADDQ(position, game.at("position"))
	MOVQ(row.at("counts"), counts)
	ADDQ(counts, game.at("counts"))
	end()
}
