package valuenet

import (
	"fmt"
	"math/bits"

	"github.com/seed-09dcdc84/ur/board"
)

// Features is a net's encoding of a position: a list of inputs, all from the point of view of
// the side to move, so a position and its mirror image are the same.
type Features uint8

// The sets of features.
const (
	// Counts are the 32 numbers of TD-Ur: the pieces of the side to move on the squares
	// 0 to 15 of its path, hand and home among them, and then those of the other side.
	Counts Features = iota

	// Squares are 60 inputs of 0 or 1: the squares 1 to 14 of the side to move, those of the
	// other side, and one input for each number, 0 to 7, of its own pieces in hand and home and
	// of the other's in hand and home.
	Squares
)

// featureNames are the names of the sets in files and flags, in their order.
var featureNames = []string{"counts", "squares"}

// Where the inputs of [Squares] begin.
const (
	ownSquares   = 0
	otherSquares = ownSquares + board.Finish - 1
	ownHand      = otherSquares + board.Finish - 1
	ownHome      = ownHand + board.MaxPieces + 1
	otherHand    = ownHome + board.MaxPieces + 1
	otherHome    = otherHand + board.MaxPieces + 1
	squaresCount = otherHome + board.MaxPieces + 1
)

const countsCount = 2 * (board.Finish + 1)

// ParseFeatures returns the set of a name, "counts" or "squares".
func ParseFeatures(name string) (Features, error) {
	for i, n := range featureNames {
		if n == name {
			return Features(i), nil
		}
	}
	return 0, fmt.Errorf("unknown features %q (want one of %q)", name, featureNames)
}

// String returns the name of the set.
func (f Features) String() string {
	if int(f) < len(featureNames) {
		return featureNames[f]
	}
	return fmt.Sprintf("Features(%d)", uint8(f))
}

// Inputs returns how many inputs the set has: 32 or 60.
func (f Features) Inputs() int {
	if f == Counts {
		return countsCount
	}
	return squaresCount
}

// An Input is a nonzero input and its value, 1 to 7.
type Input struct {
	Index uint8
	Value uint8
}

// MaxInputs is the maximum number of nonzero inputs at once: the squares of 14 pieces, hands
// and homes.
const MaxInputs = 2*board.MaxPieces + 4

// Append appends the nonzero inputs of a position, in ascending order of their indices, and
// returns the result.
func (f Features) Append(dst []Input, p board.Position) []Input {
	if f == Counts {
		return appendCounts(dst, p)
	}
	for set := SquareSet(p); set != 0; set &= set - 1 {
		dst = append(dst, Input{uint8(bits.TrailingZeros64(set)), 1})
	}
	return dst
}

func appendCounts(dst []Input, p board.Position) []Input {
	me := p.Turn()
	for i, side := range [2]board.Side{me, me.Other()} {
		for square := board.Start; square <= board.Finish; square++ {
			if n := p.Count(side, square); n > 0 {
				dst = append(dst, Input{uint8(i*(board.Finish+1) + square), uint8(n)})
			}
		}
	}
	return dst
}

// SquareSet returns the inputs [Squares] of a position as a set: input i at bit i. It has
// 4 to [MaxInputs] members.
func SquareSet(p board.Position) uint64 {
	me, you := p.Turn(), p.Turn().Other()
	return uint64(p.Squares(me)>>1)<<ownSquares | uint64(p.Squares(you)>>1)<<otherSquares |
		1<<(ownHand+p.Hand(me)) | 1<<(ownHome+p.Home(me)) |
		1<<(otherHand+p.Hand(you)) | 1<<(otherHome+p.Home(you))
}
