// Package search searches two-player zero-sum games, with or without dice. It knows no game:
// a game is a small type for positions, copied and never allocated, with three or four
// methods ([Game], [DiceGame]).
//
// # Algorithms
//
// [Algorithms] lists them, the plainest first. Minimax, and expectiminimax for games with dice,
// are the oracles: they visit every node and are written to be read. Every other algorithm
// returns the same value and the same best move (the first in the game's order if several are
// best). Its node count shows its savings. The same holds for every switch in [Options] except
// those under "may change the value".
//
// # Arithmetic
//
// Values are integers, so algorithms that add in a different order give the same bits. The
// value before a roll is the weighted sum over the rolls, divided by the sum of weights and
// rounded down at every node. So a value depends only on position and depth. With weights that
// sum to 16 and leaves that are multiples of 16^d, d plies are not rounded at all.
//
// # Cost of being generic
//
// Go compiles a generic function once for each shape that its type arguments have, and calls methods
// through a dictionary: an indirect call that is not inlined. The interface
// to a game therefore works on nodes, not on single moves: one call returns a node's moves
// with positions, keys and static order. Their search is compiled for the
// position's own type. A game with dice may also evaluate the whole last ply in one call
// ([LastRoll]).
package search
