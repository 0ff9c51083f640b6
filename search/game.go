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

import "github.com/seed-09dcdc84/ur/internal/mix"

// Game is a game without dice, over positions in type P: a small struct without pointers, which
// is copied for every move. Its methods must depend on the position alone. A game may keep
// state for speed, such as scratch memory; then it must be a [Forker], and each thread gets a
// copy.
//
// A game may also be a [Quieter], [Bounder] or [ProbCutter].
type Game[P any] interface {
	// Key names the position. It is asked for at the root; below, keys come with
	// the moves.
	Key(p *P) Key

	// Moves adds every move to list. The order in which they are added is the game's own order: among
	// several best moves the first is the best. When the game is over Moves adds nothing and
	// returns the result for the side to move. A pass allowed by the rules is a move.
	Moves(p *P, list *List[P]) (result Value)

	// Value returns the estimated value of p for the side to move. For a finished game it is
	// the result.
	Value(p *P) Value
}

// DiceGame is a game in which every ply begins with a roll. It has the methods in [Game] with
// the roll as an additional argument. It may also be a [LastRoll].
type DiceGame[P any] interface {
	Key(p *P) Key

	// Weights returns how often each roll comes, 1 or more each: 1, 4, 6, 4, 1 for
	// the number of heads among four coins. It must return the same always, and their
	// sum is at most 1<<14.
	Weights() []Value

	// Moves is Game's Moves after a roll, 0 to len(Weights())-1. A finished game is finished
	// for every roll.
	Moves(p *P, roll int, list *List[P]) (result Value)

	// Value returns the estimated value of p for the side to roll.
	Value(p *P) Value
}

// Move is one move from a position.
type Move[P any] struct {
	Next   P     // the position after the move
	Key    Key   // key of Next
	Order  int32 // how promising it looks, for ordering: the highest is tried first
	ID     uint8 // names it among the moves of its position: below NoMove
	Again  bool  // the same side moves next; its value is then not negated
	Extend uint8 // extra plies of search with Options.Extensions
}

// List is a list of moves in reused memory.
type List[P any] struct {
	slots []Move[P]
	n     int
}

// Add adds a move and returns it for the caller to fill in. Order, Again and Extend are zero;
// Next, Key and ID hold values of an earlier move and must be set.
func (l *List[P]) Add() *Move[P] {
	if l.n == len(l.slots) {
		l.grow()
	}
	m := &l.slots[l.n]
	l.n++
	m.Order, m.Again, m.Extend = 0, false, 0
	return m
}

func (l *List[P]) grow() {
	l.slots = append(l.slots, make([]Move[P], max(8, len(l.slots)))...)
}

// clear empties the list and keeps its memory.
func (l *List[P]) clear() { l.n = 0 }

// All returns the moves, valid until the list changes.
func (l *List[P]) All() []Move[P] { return l.slots[:l.n] }

// Forker is a game with state that two threads must not share.
type Forker[G any] interface {
	// Fork returns a game that gives the same answers and may be used by another goroutine.
	Fork() G
}

// fork returns a game for another thread.
func fork[G any](game G) G {
	if f, ok := any(game).(Forker[G]); ok {
		return f.Fork()
	}
	return game
}

// LastRoll is a [DiceGame] that can evaluate all moves for all rolls at once,
// faster than one by one.
type LastRoll[P any] interface {
	// LastRoll returns the result from searching p to depth 1: the weighted mean over the
	// rolls, rounded down, of the best move's value. It adds the evaluated positions
	// to *nodes.
	LastRoll(p *P, nodes *uint64) Value
}

// Quieter is a game that reports where its Value cannot be trusted.
type Quieter[P any] interface {
	// Quiet reports whether p may be valued as it stands. Other positions
	// are searched on by Options.Quiescence plies at most.
	Quiet(p *P) bool
}

// Bounder is a game that knows bounds for a value before a search, such as the fastest win still
// possible. With Options.Bounds they narrow every window except the root's.
type Bounder[P any] interface {
	// Bounds returns the least and the greatest value p can have, for the side to move.
	Bounds(p *P) (low, high Value)
}

// ProbCutter is a game that supplies the parameters of Multi-ProbCut.
type ProbCutter[P any] interface {
	// ProbCuts returns the shallow searches that may predict the value of p at a depth, cheapest
	// first, or none where ProbCut should not be tried. The slice is only read, and only until
	// the next call.
	ProbCuts(p *P, depth int) []ProbCut
}

// ProbCut predicts a deep value from a shallow one: deep = Slope * shallow + Offset,
// with a normal error of deviation Sigma (Buro, "ProbCut: an effective selective
// extension of the alpha-beta algorithm", 1995, and "Experiments with Multi-ProbCut",
// 1997). A node is cut when the prediction is Options.ProbCut deviations beyond the
// window.
type ProbCut struct {
	Depth                int // depth of the shallow search, below the node's
	Slope, Offset, Sigma float64
}

// Value is a position's value for the side to move, from -MaxValue to MaxValue.
type Value = int64

const (
	// MaxValue bounds a game's values. It leaves a chance node room to add values times
	// their weights, and a table entry room for the rest.
	MaxValue Value = 1 << 46

	// infinity is beyond every value: the window (-infinity, infinity) holds all.
	infinity = MaxValue + 1

	// MaxDepth is the deepest search, in plies.
	MaxDepth = 64

	// MaxMoves is the maximum number of moves in a position: moves are numbered in a byte, and
	// one number means none.
	MaxMoves = 255

	// NoMove is the ID that no move has.
	NoMove = 255

	// maxPly is how far from the root a search can get: extensions double the depth at
	// most, and quiescence adds up to MaxDepth plies.
	maxPly = 3*MaxDepth + 1
)

// Key names a position for tables. Index selects the entry; Check is compared with the entry's
// check, upper 52 bits only. The two must be independent of each other, or Check alone must
// distinguish any two positions. Positions with the same key must have the same value.
type Key struct{ Index, Check uint64 }

// Xor combines k with a Zobrist key.
func (k Key) Xor(other Key) Key { return Key{k.Index ^ other.Index, k.Check ^ other.Check} }

// Roll returns a position's key after a roll, for books.
func (k Key) Roll(roll int) Key {
	z := mix.Mix(uint64(roll) + 1)
	return k.Xor(Key{z, mix.Mix(z)})
}

// KeyOf returns the key for a whole position that fits into 52 bits. No two such positions share
// a key, so an entry is never mistaken for another position's.
func KeyOf(position uint64) Key { return Key{mix.Mix(position), position << metaBits} }

// Zobrist fills keys with random numbers derived from a seed: one for each feature of a
// position, whose key is the [Key.Xor] of its features' keys (Zobrist, "A new hashing method
// with application for game playing", 1970). A move exchanges only the keys it changes.
func Zobrist(keys []Key, seed uint64) {
	const gamma = 0x9e3779b97f4a7c15
	for i := range keys {
		seed += gamma
		keys[i].Index = mix.Mix(seed)
		seed += gamma
		keys[i].Check = mix.Mix(seed)
	}
}
