package play

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/rating"
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

// reportText is everything of a result that must not depend on threads, engines or
// interruptions.
func reportText(t *testing.T, c MatchConfig, r MatchResult) string {
	t.Helper()
	text, err := json.Marshal(struct {
		match.Sheet
		Scores []Score
	}{sheetOf(t, c, r), r.Scores})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Each pairing must be the match of its players with its seed, on any number of
// threads, and the ranking the order of strength.
func TestTournament(t *testing.T) {
	for _, gauntlet := range []bool{false, true} {
		c := threePlayers()
		c.Gauntlet = gauntlet
		var want string
		for _, threads := range []int{1, 2, 5} {
			var told atomic.Int64
			c.Parallel, c.Progress = threads, func(games int) { told.Add(int64(games)) }
			r := mustTournament(t, c)
			text := reportText(t, c, r)
			if want == "" {
				want = text
			}
			if text != want || told.Load() != r.Games || r.Played != r.Games {
				t.Errorf("%d threads: %d games told, %d played, %s, one thread: %s", threads, told.Load(), r.Played, text, want)
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
			if want := [2]string{c.Players[pairings[k][0]].Name(), c.Players[pairings[k][1]].Name()}; p.Players != want || r.Scores[k] != m.Score {
				t.Errorf("pairing %d is %v with %+v, the match %v with %+v", k, p.Players, r.Scores[k], want, m.Score)
			}
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

func TestTournamentMeanAndAnchor(t *testing.T) {
	c := threePlayers()
	mean := 0.0
	for _, p := range sheetOf(t, c, mustTournament(t, c)).Players {
		mean += p.Elo / 3
	}
	if math.Abs(mean) > 1e-9 {
		t.Errorf("a round robin has the mean %g", mean)
	}
	c.Gauntlet = true
	for _, p := range sheetOf(t, c, mustTournament(t, c)).Players {
		if p.Name == c.Players[0].Name() && (p.Elo != 0 || p.EloLow != 0 || p.EloHigh != 0) {
			t.Errorf("the first player of a gauntlet has %+v", p)
		}
	}
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
		"must not be nil, number 1 is": {Players: []Player{classic, nil}, Games: 2},
		"must be 1 to 7, got 9":        {Players: two, Games: 2, Pieces: 9},
		"Parallel must be at least 1":  {Players: two, Games: 2, Parallel: -1},
		"and at most 4096":             {Players: two, Games: 2, Parallel: MaxParallel + 1},
		"TurnLimit must be 1 ":         {Players: two, Games: 2, TurnLimit: -1},
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

// A tournament of any size begins at once, and can be stopped: nothing is laid out in
// advance.
func TestEndlessTournament(t *testing.T) {
	for _, games := range []int{1_000_000_000, math.MaxInt / 16 &^ 1} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		c := MatchConfig{Players: []Player{small, classic, Random}, Games: games}
		r, err := Match(ctx, c)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || sheetOf(t, c, r).Complete {
			t.Errorf("%d games: %v, complete %v", games, err, sheetOf(t, c, r).Complete)
		}
	}
	var fault *config.Error
	_, err := Match(t.Context(), MatchConfig{Players: []Player{small, classic, Random}, Games: math.MaxInt &^ 1})
	if !errors.As(err, &fault) || fault.Field != "Games" {
		t.Errorf("more games than can be counted: %v", err)
	}
}
