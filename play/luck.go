package play

import (
	"math"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/solve"
)

// Luck is the luck-adjusted score over pairs of games. A roll's luck is the gain in winning
// chances that it brings to the side that rolls. Its mean is 0 whatever the players do, so the
// result minus all luck has the same mean as the result and less variance: the luck-adjusted
// result in backgammon programs.
//
// The sums are integers, so they do not depend on the order in which games end.
type Luck struct {
	Pairs   int64 `json:"pairs"`
	Sum     int64 `json:"sum"`     // adjusted scores for the first player, 0 to 1 a game, summed
	Squares int64 `json:"squares"` // their squares, summed
}

// luckUnit represents 1 in Sum and Squares: fine enough for twelve digits of a mean, and small
// enough for a billion pairs.
const luckUnit = 1 << 30

// add adds other pairs' sums.
func (l *Luck) add(m Luck) {
	l.Pairs += m.Pairs
	l.Sum += m.Sum
	l.Squares += m.Squares
}

// addPair adds the first player's adjusted score in a pair's two games.
func (l *Luck) addPair(score float64) {
	l.Pairs++
	l.Sum += int64(math.Round(score * luckUnit))
	l.Squares += int64(math.Round(score * score * luckUnit))
}

// Score returns the first player's mean adjusted score and its standard error,
// NaN when there are fewer than two pairs.
func (l Luck) Score() (mean, stdErr float64) {
	n := float64(l.Pairs)
	mean = float64(l.Sum) / luckUnit / n
	variance := (float64(l.Squares)/luckUnit - n*mean*mean) / (n - 1)
	return mean, math.Sqrt(max(0, variance) / n)
}

// luckMeter follows a game and adds up Light's luck minus Dark's.
type luckMeter struct {
	table *solve.Table
	light float64
}

// observe adds a turn's luck; it is a [Game.Observe].
func (m *luckMeter) observe(t *Turn) {
	luck := m.table.Luck(t.Position, t.Moves)
	if t.Side() == board.Dark {
		luck = -luck
	}
	m.light += luck
}

// adjusted returns the first player's score in a finished game minus its luck, and resets the
// meter. Light was the given player.
func (m *luckMeter) adjusted(winner board.Side, light int) float64 {
	score := -m.light
	if winner == board.Light {
		score++
	}
	m.light = 0
	if light == 1 {
		score = 1 - score
	}
	return score
}
