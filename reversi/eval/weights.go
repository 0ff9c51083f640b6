package eval

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/reversi/board"
)

// table holds the weights of a stage, in values, from one side's point of view.
type table [weightsPerStage]int16

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
	return clip(sum(&w.stages[stage(discs)][side&1], f))
}

// The shapes' weights begin here, as newLayout counts them.
const (
	at0  = 0
	at1  = at0 + 19683
	at2  = at1 + 59049
	at3  = at2 + 6561
	at4  = at3 + 6561
	at5  = at4 + 6561
	at6  = at5 + 6561
	at7  = at6 + 6561
	at8  = at7 + 2187
	at9  = at8 + 729
	at10 = at9 + 243
)

// sum adds up the weights of all places. It is written out: 46 loads, whose addresses
// do not wait for each other.
func sum(t *table, f *Features) int {
	s := int(t[constant])
	s += four(t, at0, f[0]) + four(t, at1, f[1]) + four(t, at2, f[2]) + four(t, at2, f[3])
	s += four(t, at3, f[4]) + four(t, at4, f[5]) + four(t, at5, f[6])
	s += int(t[at6+int(uint16(f[7]))]) + int(t[at6+int(uint16(f[7]>>16))])
	s += int(t[at7+int(uint16(f[7]>>32))]) + int(t[at7+int(f[7]>>48)])
	s += int(t[at7+int(uint16(f[8]))]) + int(t[at7+int(uint16(f[8]>>16))])
	s += int(t[at8+int(uint16(f[8]>>32))]) + int(t[at8+int(f[8]>>48)])
	s += int(t[at8+int(uint16(f[9]))]) + int(t[at8+int(uint16(f[9]>>16))])
	s += int(t[at9+int(uint16(f[9]>>32))]) + int(t[at9+int(f[9]>>48)])
	s += int(t[at9+int(uint16(f[10]))]) + int(t[at9+int(uint16(f[10]>>16))])
	s += int(t[at10+int(uint16(f[10]>>32))]) + int(t[at10+int(f[10]>>48)])
	return s + int(t[at10+int(uint16(f[11]))]) + int(t[at10+int(uint16(f[11]>>16))])
}

// four adds up the weights of the four places of a word, whose shape begins at.
func four(t *table, at int, word uint64) int {
	return int(t[at+int(uint16(word))]) + int(t[at+int(uint16(word>>16))]) +
		int(t[at+int(uint16(word>>32))]) + int(t[at+int(word>>48)])
}

// NewWeights makes weights from those of each stage, in values, by the numbers of
// Features.Indices. Weights equal by symmetry are taken from the one with the least number.
func NewWeights(stages *[Stages][]float32) *Weights {
	w := new(Weights)
	for s := range stages {
		first, second := &w.stages[s][0], &w.stages[s][1]
		for i, twin := range patterns.twin {
			v := stages[s][twin]
			first[i] = int16(max(-Max, min(Max, round(v))))
		}
		for i, other := range patterns.swapped {
			second[i] = first[other]
		}
	}
	return w
}

func round(v float32) int {
	if v < 0 {
		return -int(-v + 0.5)
	}
	return int(v + 0.5)
}

// Twin returns the least number of a weight equal to weight i by symmetry.
func Twin(i int32) int32 { return patterns.twin[i] }

// WeightsPerStage is the number of weights of a stage.
const WeightsPerStage = weightsPerStage

// StageOf returns the stage for a number of discs on the board.
func StageOf(discs int) int { return stage(discs) }
