package eval

import (
	"math/bits"
	"sync"

	"github.com/seed-09dcdc84/ur/reversi/board"
)

// table holds the weights of a stage, in values, from one side's point of view. The room behind
// them is never read: with it no lane's index is out of range, so none is checked.
type table [at10 + 1<<16]int16

// Weights are learned weights of patterns. They do not change: any number of goroutines
// may use them.
type Weights struct {
	stages [Stages][2]table // by the side to move: the first side of Features, or the second
}

// Evaluate values a board, counting its features anew.
func (w *Weights) Evaluate(b board.Board) int {
	f := FeaturesOf(b)
	return w.Value(&f, 0, bits.OnesCount64(b.Own|b.Opp))
}

// Value values a position by its features for the side to move: 0 is the first side.
// discs is the number of discs on the board.
func (w *Weights) Value(f *Features, side, discs int) int {
	return clip(sum(&w.stages[stage(discs)][side&1], f, discs))
}

// The shapes' weights begin here, as newLayout counts them.
const (
	at0  = 0
	at1  = at0 + 19683
	at2  = at1 + 243
	at3  = at2 + 729
	at4  = at3 + 2187
	at5  = at4 + 6561
	at6  = at5 + 6561
	at7  = at6 + 6561
	at8  = at7 + 59049
	at9  = at8 + 59049
	at10 = at9 + 59049
)

// window is the part of a table that an index of 16 bits can reach: none is out of range.
type window = *[1 << 16]int16

// sum adds up the weights of all places. It is written out: 46 loads, whose addresses
// do not wait for each other.
func sum(t *table, f *Features, discs int) int {
	w9, w10 := window(t[at9:at9+1<<16]), window(t[at10:at10+1<<16])
	s := int(w10[constant-at10+discs&(discsPerStage-1)])
	s += four(window(t[at0:at0+1<<16]), f[0]) + four(window(t[at1:at1+1<<16]), f[1])
	s += four(window(t[at2:at2+1<<16]), f[2]) + four(window(t[at3:at3+1<<16]), f[3])
	s += four(window(t[at4:at4+1<<16]), f[4]) + four(window(t[at5:at5+1<<16]), f[5])
	s += four(window(t[at6:at6+1<<16]), f[6]) + four(window(t[at7:at7+1<<16]), f[7])
	s += four(window(t[at8:at8+1<<16]), f[8]) + four(w9, f[9]) + four(w9, f[10])
	return s + int(w10[uint16(f[11])]) + int(w10[uint16(f[11]>>16)])
}

// four adds up the weights of the four places of a word.
func four(t window, word uint64) int {
	return int(t[uint16(word)]) + int(t[uint16(word>>16)]) + int(t[uint16(word>>32)]) + int(t[word>>48])
}

// NewWeights makes weights from those of each stage, in values, by the numbers of
// Features.Indices. Weights equal by symmetry are taken from the one with the least number.
func NewWeights(stages *[Stages][]float32) *Weights {
	w := new(Weights)
	for s := range stages {
		for _, i := range folded().own {
			w.stages[s][0][i] = int16(max(-Max, min(Max, round(stages[s][i]))))
		}
	}
	w.complete()
	return w
}

// complete copies the weights that files hold to those equal by symmetry, and to the table of
// the second side.
func (w *Weights) complete() {
	symmetry := folded()
	var wait sync.WaitGroup
	for s := range w.stages {
		wait.Go(func() {
			first, second := &w.stages[s][0], &w.stages[s][1]
			for i, twin := range symmetry.twin { // never above i
				first[i] = first[twin]
			}
			for i, other := range symmetry.swapped {
				second[i] = first[other]
			}
		})
	}
	wait.Wait()
}

func round(v float32) int {
	if v < 0 {
		return -int(-v + 0.5)
	}
	return int(v + 0.5)
}

// Twin returns the least number of a weight equal to weight i by symmetry.
func Twin(i int32) int32 { return folded().twin[i] }

// WeightsPerStage is the number of weights of a stage.
const WeightsPerStage = weightsPerStage

// StageOf returns the stage for a number of discs on the board.
func StageOf(discs int) int { return stage(discs) }

// Indices is the number of weights that Features.Indices lists.
const Indices = places + 1
