// Package eval values positions in Reversi: by rules set by hand ([Hand]), and by square
// patterns with learned weights ([Weights]). [Features] are a board's patterns, computed
// anew or updated with each move.
//
// Values are for the side to move, in 32nds of a disc in the final difference: [Disc]
// is one. Beyond 64 discs nothing means anything, so values stay within them.
package eval

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/reversi/board"
)

// table holds a stage's weights, in eighths of a disc, from one side's point of view: with a
// byte each, twice as many fit into the caches as with two. The room behind them is never read: with
// it no lane's index is out of range, so none is checked.
type table [mobility - ten + 1<<16]int8

// quantum is an eighth of a disc. 48 roundings to it add an error of a quarter of a disc, where the
// evaluation errs by some four.
const quantum = Disc / 8

// Weights are learned weights for patterns. They do not change: any number of goroutines
// may use them.
type Weights struct {
	stages [Stages][2]table // tables by side to move: the first side of Features, or the second
}

// Evaluate values a board, counting its features anew.
func (w *Weights) Evaluate(b board.Board) int {
	f := FeaturesOf(b)
	return w.Value(&f, 0, bits.OnesCount64(b.Own|b.Opp), bits.OnesCount64(b.Moves()))
}

// Value values a position by its features for the side to move: 0 is the first side.
// discs is the number of discs on the board, moves the number of legal moves.
func (w *Weights) Value(f *Features, side, discs, moves int) int {
	t := &w.stages[StageOf(discs)][side&1]
	return Clip(quantum * (int(t[mobilityOf(discs, moves)]) + sumOf(t, f)))
}

// window is the part in a table that a 16-bit index can reach: none is out of range.
type window = *[1 << 16]int8

// shape returns the weights of shape i: the first has nine squares, the others have ten.
func (t *table) shape(i int) window { return window(t[max(0, nine+(i-1)*ten):][:1<<16]) }

// sum adds up the weights at all places. It is written out: 48 loads, whose addresses
// do not wait for each other.
func sum(t *table, f *Features) int {
	s := four(t.shape(0), f[0]) + four(t.shape(1), f[1]) + four(t.shape(2), f[2]) + four(t.shape(3), f[3])
	s += four(t.shape(4), f[4]) + four(t.shape(5), f[5]) + four(t.shape(6), f[6]) + four(t.shape(7), f[7])
	s += four(t.shape(8), f[8]) + four(t.shape(9), f[9])
	return s + four(t.shape(10), f[10]) + four(t.shape(10), f[11])
}

// four adds up the weights of a word's four places.
func four(t window, word uint64) int {
	return int(t[uint16(word)]) + int(t[uint16(word>>16)]) + int(t[uint16(word>>32)]) + int(t[word>>48])
}

// heaviest bounds weights, in eighths of a disc: only a few of those learned are above it.
const heaviest = 127

// NewWeights makes weights from those in each stage, in values, by the numbers from
// Features.Indices. It rounds them to eighths of a disc, and bounds them by 15.875 discs. Weights
// equal by symmetry are taken from the one with the least number.
func NewWeights(stages *[Stages][]float32) *Weights {
	w := new(Weights)
	for s := range stages {
		for _, i := range folded().own {
			w.stages[s][0][i] = int8(max(-heaviest, min(heaviest, round(stages[s][i]/quantum))))
		}
		w.complete(s)
	}
	return w
}

// complete copies a stage's weights that files hold to those equal by symmetry, and to the
// second side's table.
func (w *Weights) complete(s int) {
	first, second := &w.stages[s][0], &w.stages[s][1]
	for i, twin := range folded().twin { // never above i
		first[i] = first[twin]
	}
	for i, other := range folded().swapped {
		second[i] = first[other]
	}
}

func round(v float32) int {
	if v < 0 {
		return -int(-v + 0.5)
	}
	return int(v + 0.5)
}

// Twin returns the least number among the weights equal to weight i by symmetry.
func Twin(i int32) int32 { return folded().twin[i] }

// Indices is how many weights Features.Indices lists.
const Indices = places + 1

// Disc is the worth of one disc in the final difference.
const Disc = 32

// Max bounds values: all 64 discs, less a little, so no estimate equals a result.
const Max = 64*Disc - 1

// Discs rounds a value to whole discs.
func Discs(value int) int { return round(float32(value) / Disc) }

// Clip bounds a value by those that evaluations give.
func Clip(value int) int { return max(-Max, min(Max, value)) }
