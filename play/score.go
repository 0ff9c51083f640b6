package play

import (
	"math"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/match/rating"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/solve"
)

// Score counts how the games between two players ended. Scores from different games
// can be added in any order.
type Score struct {
	Wins  [2]int64 `json:"wins"`  // wins by player, first and second
	Tally ur.Tally `json:"tally"` // tally by side; Tally.Games is the number of games finished

	// Forfeits counts the games that each player lost by failing to move. They count in all
	// other counts as well.
	Forfeits [2]int64 `json:"forfeits,omitzero"`

	// Pairs counts the complete pairs by the first player's score, and LightPairs the
	// same pairs by Light's score. A game without its other half, such as the last of an odd
	// number, counts in Wins and Tally, but in no pair.
	Pairs      rating.Pairs `json:"pairs"`
	LightPairs rating.Pairs `json:"light_pairs"`

	Luck Luck `json:"luck,omitzero"` // luck in the same pairs, where it is measured

	recorded *[]*record.Game // a span's games; nil in sums and when games are not recorded
}

// Plus returns the sum over s's and t's counts.
func (s Score) Plus(t Score) Score {
	s.Wins[0] += t.Wins[0]
	s.Wins[1] += t.Wins[1]
	s.Forfeits[0] += t.Forfeits[0]
	s.Forfeits[1] += t.Forfeits[1]
	s.Tally.Add(t.Tally)
	s.Pairs.Add(t.Pairs)
	s.LightPairs.Add(t.LightPairs)
	s.Luck.add(t.Luck)
	return s
}

// FinishedGames returns how many games are finished.
func (s Score) FinishedGames() int64 { return s.Tally.Games }

// PairResults returns the pairs.
func (s Score) PairResults() rating.Pairs { return s.Pairs }

// Results returns the games won by each player. There are no draws.
func (s Score) Results() (wins [2]int64, draws int64) { return s.Wins, 0 }

// ForfeitedGames returns the games that each player lost by failing to move.
func (s Score) ForfeitedGames() [2]int64 { return s.Forfeits }

// addGames adds games with the given player as Light.
func (s *Score) addGames(t ur.Tally, light int) {
	s.Wins[light] += t.Wins[board.Light]
	s.Wins[1-light] += t.Wins[board.Dark]
	s.Tally.Add(t)
}

// addPair adds a pair by its winners: first in the game with the first player as Light, then in
// the game with the second player as Light. addGames adds the games themselves.
func (s *Score) addPair(firstLight, secondLight board.Side) {
	s.Pairs.AddPair(int(firstLight.Other()) + int(secondLight))
	s.LightPairs.AddPair(int(firstLight.Other()) + int(secondLight.Other()))
}

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
