// Package board implements the Royal Game of Ur under Irving Finkel's rules: squares,
// positions, moves, dice, and the board representations of the engines.
//
// # The game
//
// Each player walks a path of 14 squares, from the start (square 0, pieces in hand) to the
// finish (square 15, pieces home). Squares 5 to 12 are shared by both players; 4, 8 and 14 are
// rosettes, which grant another turn, and a piece on 8 cannot be captured. Four two-sided dice
// give a roll of 0 to 4. The first player with every piece home wins. One to seven pieces a
// side may be played.
//
// # One truth
//
// [Position] with its plain move generator ([Position.Moves], [Position.Apply]) is the oracle:
// it is written to be compared with the rules line by line, not for speed. The representations
// [Array16], [Array8], [Rows] and [Bits] each hold the same position in another layout with its
// own move generator, and must agree with the oracle on every position and roll. Their
// generators all fill a [Futures] in the caller's memory, so generating moves never allocates.
//
// # Dice
//
// [Dice] is the one source of rolls: roll t of game g of seed s is a pure function of those
// three numbers, so a game can be replayed anywhere.
package board
