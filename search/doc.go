// Package search searches two-player zero-sum games, with or without dice. It knows no
// game: a game describes itself by a small type of positions, which are
// copied and never allocated, and three or four methods ([Game], [Dice]).
//
// # Algorithms
//
// [Algorithms] lists them, the plainest first. Minimax, and expectiminimax for games
// with dice, are the oracles: they visit everything and are written to be read. Every
// other algorithm returns the same value and the same best move, of several the first
// in the game's own order, and says by its count of nodes what it saves. So does every
// switch of [Options] but those under "may change the value".
//
// # Arithmetic
//
// Values are integers, so that algorithms that add in another order give the same
// bits. A roll of the dice is worth the weighted sum of its outcomes divided by the
// sum of weights and rounded down, at every node alike: a value is a function of a
// position and a depth and of nothing else. With weights that sum to 16 and leaves
// that are multiples of 16^d, d plies are not rounded at all.
//
// # Cost of being generic
//
// Go compiles a generic function once for each shape of its type arguments, and calls
// methods of a type argument through a dictionary: an indirect call that is not
// inlined. So a game is never asked about a single move. It is asked once for each
// node, for all moves with positions, keys and static order at once; what the search
// does with them afterwards is compiled for the position's own type. A game may also
// answer for the whole last ply in one call ([LastPly], [LastRoll]).
package search
