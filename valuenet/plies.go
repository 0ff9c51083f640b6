package valuenet

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
)

// MaxPlies is the maximum search depth of [Judge.chances]: three plies are about a thousand
// positions a decision, and each further one thirty times as many.
const MaxPlies = 4

// chanceUnit is 1 in sums of chances. They are integers, so results depend neither on the order
// of sums nor on the last bits of an exponential function.
const chanceUnit = 1 << 28

// chance returns the probability for a value in steps of 1/chanceUnit.
func (q *Integer) chance(value int32) int64 {
	return int64(math.Round(q.Chance(value) * chanceUnit))
}

// chances writes to dst the probability, in steps of 2^-28, that the side to move wins after
// each of the moves, searched to a number of plies. At 1 the net values the position after the
// move. At 2 it is the mean, over the rolls of the side to move then, of the best reply by its
// value at 1, or of the pass; and so on. Finished games have their exact value.
//
// It panics unless plies is 1 to [MaxPlies].
func (j *Judge) chances(dst []int64, p board.Position, moves []board.Move, plies int) {
	if plies < 1 || plies > MaxPlies {
		panic(fmt.Sprintf("net: %d plies (want 1 to %d)", plies, MaxPlies))
	}
	if plies == 1 {
		var worth [board.MaxMoves]int32
		j.Moves(worth[:], p, moves)
		for i, w := range worth[:len(moves)] {
			switch {
			case w == wonValue:
				dst[i] = chanceUnit
			case board.IsRosette(int(moves[i].To)):
				dst[i] = j.net.chance(w)
			default:
				dst[i] = chanceUnit - j.net.chance(-w)
			}
		}
		return
	}
	for i, m := range moves {
		after := p.Apply(m)
		dst[i] = j.before(after, plies-1)
		if after.Turn() != p.Turn() {
			dst[i] = chanceUnit - dst[i]
		}
	}
}

// before returns the probability that the side to move wins before it rolls, from the best
// moves by the given plies.
func (j *Judge) before(p board.Position, plies int) int64 {
	if winner, over := p.Winner(); over {
		return chanceOfEnd(winner == p.Turn())
	}
	const throws = 16
	sum, passes := int64(0), int64(0)
	for roll, ways := range board.RollWays {
		var buf [board.MaxMoves]board.Move
		moves := p.Moves(buf[:0], roll)
		if len(moves) == 0 {
			passes += int64(ways)
			continue
		}
		var chances [board.MaxMoves]int64
		j.chances(chances[:], p, moves, plies)
		sum += int64(ways) * slices.Max(chances[:len(moves)])
	}
	return (sum + passes*(chanceUnit-j.passed(p.Pass(), plies))) / throws
}

// passed returns the probability that the side to move wins in a position after a pass, at the
// given plies.
func (j *Judge) passed(p board.Position, plies int) int64 {
	if plies > 1 {
		return j.before(p, plies-1)
	}
	j.one[0] = p
	j.Values(j.value[:], j.one[:])
	return j.net.chance(j.value[0])
}

// ChooseBy returns the index of the move with the highest chance at a number of plies, the
// first on a tie.
func (j *Judge) ChooseBy(p board.Position, moves []board.Move, plies int) int {
	if len(moves) == 1 {
		return 0
	}
	if plies == 1 {
		return j.Choose(p, moves)
	}
	var chances [board.MaxMoves]int64
	j.chances(chances[:], p, moves, plies)
	return best(chances[:len(moves)])
}

// Win writes to dst the probability, 0 to 1, that the side to move wins after each of the
// moves, searched to a number of plies.
func (j *Judge) Win(dst []float64, p board.Position, moves []board.Move, plies int) {
	var chances [board.MaxMoves]int64
	j.chances(chances[:], p, moves, plies)
	writeChances(dst, chances[:len(moves)])
}

// writeChances writes chances to dst as probabilities, 0 to 1.
func writeChances(dst []float64, chances []int64) {
	for i, c := range chances {
		dst[i] = float64(c) / chanceUnit
	}
}

// chanceOfEnd returns the chance of the side to move in a finished game.
func chanceOfEnd(won bool) int64 {
	if won {
		return chanceUnit
	}
	return 0
}
