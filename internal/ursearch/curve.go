package ursearch

import (
	"math"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/search"
)

// Curve turns the score of a brain into the probability that the side to move wins: the
// logistic function of Slope*(F+Squares) + Offset. The line has separate constants for each
// number of pieces that both sides have yet to bring home, 1 to 7. Squares corrects systematic
// errors of the brain by the squares of the pieces.
type Curve struct {
	Lines   [board.MaxPieces + 1][board.MaxPieces + 1]Line
	Squares Squares
}

// Line is a part of a [Curve]: by the pieces left of the side to move, and of the other.
type Line struct{ Slope, Offset float64 }

// Squares are the corrections of a score for pieces on squares 1..14, -maxSquare to maxSquare
// each. The part that changes with the pieces home is the same for both sides with opposite
// sign, so the value of moving again stays a linear function of the squares.
type Squares struct {
	Own, Opp [board.Finish]int32 // a piece of the side to move, of the other side
	Home     [board.Finish]int32 // times the side's own pieces home, of 7
	Other    [board.Finish]int32 // times the other side's pieces home
}

// maxSquare keeps scores below 2^24.
const maxSquare = 1 << 12

// Values are probabilities as integers: certain loss is -search.MaxValue, certain win
// search.MaxValue.

// ValueOf returns the value of a probability to win. Not-a-number, from a damaged table, counts
// as a draw; Err of the [solve.Table] reports the damage.
func ValueOf(win float64) search.Value {
	if math.IsNaN(win) {
		return 0
	}
	return search.Value(math.RoundToEven(float64(2*win-1) * float64(search.MaxValue)))
}

// Win returns the probability of a value.
func Win(v search.Value) float64 {
	return 0.5 + float64(v)/float64(2*search.MaxValue)
}

// Logits are in fixed point with logitBits after the point.
const (
	logitBits = 32
	logitStep = 26 // bits of a step of the table: a 64th
	logitEnd  = 16 // from here on a game counts as won

	// leafBits are left zero at the end of values of leaves, so expectations over as many plies
	// as fit, 16 outcomes each, are not rounded.
	leafBits = 20
)

// logistic[i] is the value of a logit of i/64. It is computed by multiplication and division
// alone, which give the same bits on every machine, and not by [math.Exp].
var logistic = newLogistic()

func newLogistic() (t [logitEnd*64 + 1]search.Value) {
	step := 1.0 // e^(1/64) by its series
	for n := 12; n >= 1; n-- {
		step = 1 + float64(step/float64(64*n))
	}
	e := 1.0
	for i := range t {
		t[i] = search.Value(math.RoundToEven((e - 1) / (e + 1) * float64(search.MaxValue))) // 2/(1+e^-x) - 1
		e = float64(e * step)
	}
	return t
}

// valueOfLogit returns the value of a logit. It is odd and never falls.
func valueOfLogit(logit int64) search.Value {
	if logit < 0 {
		return -valueOfLogit(-logit)
	}
	i := logit >> logitStep
	if i >= logitEnd*64 {
		return search.MaxValue
	}
	part := logit & (1<<logitStep - 1) >> (logitStep - 16)
	v := logistic[i] + (logistic[i+1]-logistic[i])*part>>16
	return v &^ (1<<leafBits - 1)
}

// line is a Line in fixed point.
type line struct{ slope, offset int64 }

// logit returns the logit of a score of the same side.
func (l line) logit(score int32) int64 { return l.slope*int64(score) + l.offset }

// maxSlope keeps the product with a score, below 2^24, far from overflow.
const maxSlope = 1 << 36

// lines converts a curve.
func (c *Curve) lines() (t [8 * 8]line) {
	fixed := func(x float64, most int64) int64 {
		return max(-most, min(most, int64(math.RoundToEven(x*(1<<logitBits)))))
	}
	for own := range c.Lines {
		for opp, l := range c.Lines[own] {
			t[8*own+opp] = line{fixed(l.Slope, maxSlope), fixed(l.Offset, 1<<40)}
		}
	}
	return t
}
