package match

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/match/rating"
)

// Schedule lists a tournament's pairings.
type Schedule struct {
	Players []string // two at least, with different names

	// Gauntlet lets the first player meet all others, who do not meet. Otherwise every player
	// meets every other: a round robin. The first in a gauntlet has the rating 0, and the
	// ratings in a round robin have the mean 0.
	Gauntlet bool

	Games int // games in each pairing, an even number
	Seed  uint64
}

// Pairing is a match between two players in a tournament.
type Pairing struct {
	First, Second int // indices in Schedule.Players

	// Seed is the schedule's seed plus the pairing's number, so no two pairings share
	// their dice.
	Seed uint64
}

// Check returns an error that names a field, unless the schedule can be played.
func (s Schedule) Check() error {
	const kind = "tournament"
	if s.Games < 2 || s.Games%2 != 0 {
		return config.Fault(kind, "Games", "must be an even number, at least 2, since games come in pairs; got %d",
			s.Games)
	}
	if len(s.Players) < 2 {
		return config.Fault(kind, "Players", "must be two at least, got %d", len(s.Players))
	}
	for i, name := range s.Players {
		if slices.Contains(s.Players[:i], name) {
			return config.Fault(kind, "Players", "must have different names, %q is there twice", name)
		}
	}
	if most := math.MaxInt / len(s.Players) / len(s.Players) &^ 1; s.Games > most {
		return config.Fault(kind, "Games", "must be at most %d with %d players, got %d", most, len(s.Players), s.Games)
	}
	return nil
}

// Pairings returns the pairings in order: the first player against the others, the second
// against those after it, and so on.
func (s Schedule) Pairings() (list []Pairing) {
	for i := range s.Players {
		for j := i + 1; j < len(s.Players); j++ {
			if i == 0 || !s.Gauntlet {
				list = append(list, Pairing{i, j, s.Seed + uint64(len(list))})
			}
		}
	}
	return list
}

// TotalGames returns the tournament's number of games.
func (s Schedule) TotalGames() int { return len(s.Pairings()) * s.Games }

// Sheet rates the players by each pairing's pairs, and lists both. Ranges are 95 %
// confidence intervals.
type Sheet struct {
	Kind     string `json:"kind"` // round-robin or gauntlet
	Seed     uint64 `json:"seed"`
	Games    int    `json:"games"`            // games in each pairing
	Played   int64  `json:"games_played"`     // finished games
	Complete bool   `json:"complete"`         // whether all games are finished
	Anchor   string `json:"anchor,omitempty"` // player of Elo 0; otherwise the mean is 0

	// Prior is set where a player won or lost every game, so that its most likely Elo is infinite.
	Prior    bool           `json:"prior"`   // whether each pairing was given one more drawn pair of games, to keep ratings finite
	Players  []SheetPlayer  `json:"players"` // players by rank
	Pairings []SheetPairing `json:"-"`
}

// SheetPlayer is a rated player.
type SheetPlayer struct {
	Rank    int     `json:"rank"` // 1 is the strongest
	Name    string  `json:"name"`
	Elo     float64 `json:"elo"` // relative to the mean of all players
	EloLow  float64 `json:"elo_lo"`
	EloHigh float64 `json:"elo_hi"`
	Games   int64   `json:"games"`
	Score   float64 `json:"score"` // mean score, 0 to 1; 1/2 without games
}

// SheetPairing is a match in a sheet.
type SheetPairing struct {
	Players   [2]string
	Seed      uint64
	Pairs     rating.Pairs // pairs by the first player's half points
	Second    rating.Pairs // pairs by the second player's half points
	Low, High float64      // bounds of the first player's score
}

// RateOutcome returns the sheet for a schedule's result. Its finished games include those in no pair of
// [Score.PairResults], which are not rated. A match ended by its test is complete.
func RateOutcome[S Score[S]](s Schedule, o Outcome[S]) (Sheet, error) {
	pairs := make([]rating.Pairs, len(o.Scores))
	for i, score := range o.Scores {
		pairs[i] = score.PairResults()
	}
	sheet, err := s.Rate(pairs)
	sheet.Played = o.Games
	sheet.Complete = o.Games == int64(s.TotalGames()) || o.Decision != rating.Undecided
	return sheet, err
}

// Rate returns a schedule's sheet, from each pairing's pairs.
func (s Schedule) Rate(pairs []rating.Pairs) (Sheet, error) {
	sheet, anchor := Sheet{Kind: "round-robin", Seed: s.Seed, Games: s.Games}, rating.MeanAnchor
	if s.Gauntlet {
		sheet.Kind, sheet.Anchor, anchor = "gauntlet", s.Players[0], 0
	}
	var encounters []rating.Encounter
	totals := make([]rating.Pairs, len(s.Players)) // each player against all others
	for i, p := range s.Pairings() {
		n := pairs[i]
		encounters = append(encounters, rating.Encounter{First: p.First, Second: p.Second, Pairs: n})
		totals[p.First].Add(n)
		second := rating.Pairs{n[4], n[3], n[2], n[1], n[0]}
		totals[p.Second].Add(second)
		sheet.Played += 2 * n.N()
		low, high := n.Interval()
		sheet.Pairings = append(sheet.Pairings,
			SheetPairing{[2]string{s.Players[p.First], s.Players[p.Second]}, p.Seed, n, second, low, high})
	}
	sheet.Complete = sheet.Played == int64(s.TotalGames())
	rated, err := rating.Rate(len(s.Players), encounters, anchor)
	if err != nil {
		return sheet, err
	}
	sheet.Prior = rated.Prior
	for i, r := range rated.Players {
		sheet.Players = append(sheet.Players, SheetPlayer{
			Name: s.Players[i], Elo: r.Elo, EloLow: r.Low, EloHigh: r.High, Games: 2 * totals[i].N(),
			Score: totals[i].Score(),
		})
	}
	slices.SortStableFunc(sheet.Players, func(a, b SheetPlayer) int { return cmp.Compare(b.Elo, a.Elo) })
	for i := range sheet.Players {
		sheet.Players[i].Rank = i + 1
	}
	return sheet, nil
}
