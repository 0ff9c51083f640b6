// Package lookahead searches the Royal Game of Ur through its dice, under any rule set: the game
// as a [search.DiceGame], the values of its leaves, and its opening books.
//
// A ply is a roll and a move; a pass is a ply, and a move that grants another roll gives the same
// side the next one. A leaf is valued by a net, a brain, the exact solution or the progress of the
// pieces. Values are probabilities as integers, so every algorithm of package search returns the
// same bits.
package lookahead
