package play

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/rating"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

// three players whose strengths are far apart, of which two are brains.
func threePlayers() MatchConfig {
	return MatchConfig{Players: []Player{small, classic, Random}, Games: 400, Seed: 9}
}

func mustTournament(t *testing.T, c MatchConfig) MatchResult {
	t.Helper()
	r, err := Match(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if sheet := sheetOf(t, c, r); !sheet.Complete || r.Games != int64(c.Schedule().TotalGames()) {
		t.Fatalf("%d games of %d, complete %v", r.Games, c.Schedule().TotalGames(), sheet.Complete)
	}
	return r
}

// sheetOf rates the players of a result.
func sheetOf(t *testing.T, c MatchConfig, r MatchResult) match.Sheet {
	t.Helper()
	sheet, err := match.RateOutcome(c.Schedule(), r.Outcome)
	if err != nil {
		t.Fatal(err)
	}
	return sheet
}

// Each pairing must be the match of its players with its seed, on any number of
// threads, and the ranking the order of strength.
func TestTournament(t *testing.T) {
	for _, gauntlet := range []bool{false, true} {
		c := threePlayers()
		c.Gauntlet = gauntlet
		var want []Score
		for _, threads := range []int{1, 2, 5} {
			var told atomic.Int64
			c.Parallel, c.Progress = threads, func(games int) { told.Add(int64(games)) }
			r := mustTournament(t, c)
			if want == nil {
				want = r.Scores
			}
			if !slices.Equal(r.Scores, want) || told.Load() != r.Games || r.Played != r.Games {
				t.Errorf("%d threads: %d games told, %d played, %v, one thread: %v", threads, told.Load(), r.Played, r.Scores, want)
			}
		}
		r := mustTournament(t, c)
		pairings := [][2]int{{0, 1}, {0, 2}, {1, 2}}
		if gauntlet {
			pairings = pairings[:2]
		}
		if len(r.Scores) != len(pairings) {
			t.Fatalf("%d pairings, want %d", len(r.Scores), len(pairings))
		}
		for k, p := range sheetOf(t, c, r).Pairings {
			m := mustMatch(t, MatchConfig{
				Players: []Player{c.Players[pairings[k][0]], c.Players[pairings[k][1]]}, Seed: 9 + uint64(k), Games: 400,
			})
			if want := [2]string{c.Players[pairings[k][0]].Spec, c.Players[pairings[k][1]].Spec}; p.Players != want || r.Scores[k] != m.Score {
				t.Errorf("pairing %d is %v with %+v, the match %v with %+v", k, p.Players, r.Scores[k], want, m.Score)
			}
		}
		mean := 0.0
		for _, p := range sheetOf(t, c, r).Players {
			mean += p.Elo / 3
			if first := p.Name == c.Players[0].Spec; gauntlet && first && (p.Elo != 0 || p.EloLow != 0 || p.EloHigh != 0) {
				t.Errorf("the first player of a gauntlet has %+v", p)
			}
		}
		if !gauntlet && math.Abs(mean) > 1e-9 {
			t.Errorf("a round robin has the mean %g", mean)
		}
		if got := ranking(sheetOf(t, c, r)); got != "brain small random" {
			t.Errorf("ranking %s, want the brain before the greedy player before the random one", got)
		}
	}
}

// ranking returns the names of the players by rank.
func ranking(s match.Sheet) string {
	var names []string
	for i, p := range s.Players {
		if p.Rank != i+1 {
			return "ranks out of order"
		}
		names = append(names, p.Name)
	}
	return strings.Join(names, " ")
}

func TestMatchRefuses(t *testing.T) {
	two := []Player{classic, small}
	for want, c := range map[string]MatchConfig{
		"Players must be two at least": {Players: two[:1], Games: 2},
		"even number":                  {Players: []Player{classic, small, First}, Games: 3},
		"at least 1":                   {Players: two},
		"SPRT needs two players":       {Players: []Player{classic, small, First}, Games: 2, SPRT: new(rating.SPRT)},
		"SPRT: ":                       {Players: two, Games: 1, SPRT: new(rating.SPRT)},
		"is there twice":               {Players: []Player{classic, small, classic}, Games: 2},
		"must not be empty, number 1":  {Players: []Player{classic, {}}, Games: 2},
		"must be 1 to 7, got 9":        {Players: two, Games: 2, Pieces: 9},
		"Parallel must be at least 1":  {Players: two, Games: 2, Parallel: -1},
		"and at most 4096":             {Players: two, Games: 2, Parallel: MaxParallel + 1},
		"TurnLimit must be 1 ":         {Players: two, Games: 2, TurnLimit: -1},
		"by a table of 7 pieces":       {Players: two, Games: 2, Luck: solvetest.Table(t, 2)},
	} {
		if _, err := Match(context.Background(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	c := MatchConfig{Players: []Player{First, Random, classic}, Games: 200, TurnLimit: 100}
	var limit *ur.TurnLimitError
	_, err := Match(context.Background(), c)
	if !errors.As(err, &limit) || !strings.Contains(err.Error(), "first against random: ") {
		t.Errorf("error %v, want a turn limit of first against random", err)
	}
}

// playLogged plays a tournament with a log, whose file is opened and closed.
func playLogged(t *testing.T, c MatchConfig, name string) (MatchResult, error) {
	t.Helper()
	log, err := match.OpenLog(name)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	c.Log = log
	return Match(context.Background(), c)
}

// The log of another match is refused, whatever differs.
func TestLogOfOthers(t *testing.T) {
	c := MatchConfig{Players: []Player{Greedy, First}, Games: 4, Pieces: 1, Seed: 4}
	name := filepath.Join(t.TempDir(), "log.jsonl")
	if _, err := playLogged(t, c, name); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*MatchConfig){
		"player 2 is \"first\" (want \"random\")": func(c *MatchConfig) { c.Players = []Player{Greedy, Random} },
		"gauntlet is false (want true)":           func(c *MatchConfig) { c.Gauntlet = true },
		"games is 4 (want 6)":                     func(c *MatchConfig) { c.Games = 6 },
		"seed is 4 (want 5)":                      func(c *MatchConfig) { c.Seed = 5 },
		"pieces is 1 (want 7)":                    func(c *MatchConfig) { c.Pieces = 0 },
		"turn limit is ":                          func(c *MatchConfig) { c.TurnLimit = 5000 },
	} {
		other := c
		change(&other)
		if _, err := playLogged(t, other, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
