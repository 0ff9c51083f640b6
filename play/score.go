package play

import (
	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/rating"
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
