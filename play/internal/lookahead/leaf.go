package lookahead

import (
	"math"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// Leaf writes to win, for each of the positions, the probability, 0 to 1, that the side to move
// wins before it rolls. None of the games is over. The result must not depend on the names of
// the sides, nor on the other positions of the call. A leaf serves one goroutine.
type Leaf func(win []float64, positions []board.Position)

// TableLeaf returns leaves valued by an exact solution.
func TableLeaf(t *solve.Table) func() Leaf {
	return func() Leaf {
		return func(win []float64, positions []board.Position) {
			for i, p := range positions {
				win[i] = t.Win(p)
			}
		}
	}
}

// NetLeaf returns leaves valued by a net, all positions of a call together.
func NetLeaf(q *valuenet.Integer) func() Leaf {
	return func() Leaf {
		judge := valuenet.NewJudge(valuenet.Fastest(), q)
		var values []int32
		return func(win []float64, positions []board.Position) {
			if len(values) < len(positions) {
				values = make([]int32, 2*len(positions))
			}
			judge.Values(values[:len(positions)], positions)
			for i := range positions {
				win[i] = q.Chance(values[i])
			}
		}
	}
}

// The logistic of a brain's leaf, fitted by least squares to the built-in net's values of the
// positions of 300 of its games, for scores of the built-in brain.
const (
	brainSlope  = 0.00051
	brainOffset = -0.01
)

// BrainLeaf returns leaves valued by a brain, under Finkel's rules: a logistic of its value of
// the position minus its value of the mirror image, both from Light's point of view. The logistic
// is that of the built-in brain.
func BrainLeaf(b *ur.Brain) func() Leaf {
	return func() Leaf {
		return func(win []float64, positions []board.Position) {
			for i, p := range positions {
				if p.Turn() == board.Dark {
					p = p.Mirror()
				}
				score := b.Value(p) - b.Value(p.Mirror())
				win[i] = valuenet.Logistic(brainSlope*float64(score) + brainOffset)
			}
		}
	}
}

// ProgressLeaf returns leaves that compare how far the pieces of both sides have walked.
func ProgressLeaf(r *board.Rules) func() Leaf {
	walked := func(p board.Position, side board.Side) float64 {
		sum := p.Home(side) * r.Finish()
		for square := 1; square < r.Finish(); square++ {
			sum += r.Count(p, side, square) * square
		}
		return float64(sum)
	}
	return func() Leaf {
		return func(win []float64, positions []board.Position) {
			for i, p := range positions {
				lead := walked(p, p.Turn()) - walked(p, p.Turn().Other())
				win[i] = valuenet.Logistic(lead / float64(r.Finish()))
			}
		}
	}
}

// ValueOf returns the value of a probability to win. Not-a-number, from a damaged table, counts
// as a draw; Err of the table reports the damage.
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
