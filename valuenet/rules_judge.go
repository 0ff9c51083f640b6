package valuenet

import (
	"cmp"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
)

// RulesJudge is a [Judge] of the positions of any rule set. It serves one goroutine.
type RulesJudge struct {
	judge *Judge
	rules *rules.Rules // of the net
	after []rules.Position
	value []int32
}

// NewRulesJudge returns a judge by a net of a rule set, on an available engine.
func NewRulesJudge(e *Engine, q *Integer) *RulesJudge {
	r := cmp.Or(q.Rules(), rules.Finkel())
	return &RulesJudge{judge: NewJudge(e, q), rules: r, value: make([]int32, rules.MaxMoves)}
}

// Values writes the values of positions, each for the side to move, to dst. No game may be over.
func (j *RulesJudge) Values(dst []int32, positions []rules.Position) {
	if j.judge.oracle {
		for i, p := range positions {
			dst[i] = j.judge.net.valueOfSet(RulesSet(j.rules, p))
		}
		return
	}
	sets := j.judge.sets[:0]
	for _, p := range positions {
		sets = append(sets, RulesSet(j.rules, p))
	}
	j.judge.sets = sets
	j.judge.reserve(len(sets))
	j.judge.valuesOf(sets)
	copy(dst, j.judge.result[:len(positions)])
}

// chances is [Judge.chances]: the probability, in steps of 2^-28, that the side to move wins
// after each of the moves, searched to 1 or more plies.
func (j *RulesJudge) chances(dst []int64, p rules.Position, moves []board.Move, plies int) {
	if plies > 1 {
		for i, m := range moves {
			after := j.rules.Apply(p, m)
			dst[i] = seenFrom(p, after, j.before(after, plies-1))
		}
		return
	}
	after := j.after[:0]
	for _, m := range moves {
		after = append(after, j.rules.Apply(p, m))
	}
	j.after = after
	j.Values(j.value[:len(moves)], after)
	for i := range after {
		chance := j.judge.net.chance(j.value[i])
		if winner, over := after[i].Winner(); over {
			chance = chanceOfEnd(winner == after[i].Turn())
		}
		dst[i] = seenFrom(p, after[i], chance)
	}
}

// seenFrom returns a chance of the side to move at one position as one of the side to move at
// another.
func seenFrom(p, at rules.Position, chance int64) int64 {
	if at.Turn() != p.Turn() {
		return chanceUnit - chance
	}
	return chance
}

// before returns the probability that the side to move wins before it rolls, from the best
// moves by the given plies.
func (j *RulesJudge) before(p rules.Position, plies int) int64 {
	if winner, over := p.Winner(); over {
		return chanceOfEnd(winner == p.Turn())
	}
	sum, passes := int64(0), int64(0)
	for roll := range j.rules.MaxRoll() + 1 {
		weight := int64(j.rules.Weight(roll))
		if weight == 0 {
			continue
		}
		var buf [rules.MaxMoves]board.Move
		moves := j.rules.Moves(buf[:0], p, roll)
		if len(moves) == 0 {
			passes += weight
			continue
		}
		var chances [rules.MaxMoves]int64
		j.chances(chances[:], p, moves, plies)
		sum += weight * slices.Max(chances[:len(moves)])
	}
	if passes > 0 {
		sum += passes * (chanceUnit - j.passed(p.Pass(), plies))
	}
	return sum / int64(j.rules.WeightSum())
}

// passed returns the probability that the side to move wins in a position after a pass, at the
// given plies.
func (j *RulesJudge) passed(p rules.Position, plies int) int64 {
	if plies > 1 {
		return j.before(p, plies-1)
	}
	j.after = append(j.after[:0], p)
	j.Values(j.value[:1], j.after)
	return j.judge.net.chance(j.value[0])
}

// Position returns the probability, 0 to 1, that the side to move wins before it rolls, from the
// best moves by the given plies.
func (j *RulesJudge) Position(p rules.Position, plies int) float64 {
	return float64(j.before(p, plies)) / chanceUnit
}

// Win writes to dst the probability, 0 to 1, that the side to move wins after each of the moves,
// searched to a number of plies.
func (j *RulesJudge) Win(dst []float64, p rules.Position, moves []board.Move, plies int) {
	var chances [rules.MaxMoves]int64
	j.chances(chances[:], p, moves, plies)
	writeChances(dst, chances[:len(moves)])
}

// Choose returns the index of the move with the highest chance at a number of plies, the first
// on a tie.
func (j *RulesJudge) Choose(p rules.Position, moves []board.Move, plies int) int {
	if len(moves) == 1 {
		return 0
	}
	var chances [rules.MaxMoves]int64
	j.chances(chances[:], p, moves, plies)
	return best(chances[:len(moves)])
}
