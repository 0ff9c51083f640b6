package play

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/match"
)

// three players whose strengths are far apart, of which two are brains.
func threePlayers() TournamentConfig {
	return TournamentConfig{Players: []Player{small, classic, Random{}}, Games: 400, Seed: 9}
}

func mustTournament(t *testing.T, c TournamentConfig) TournamentResult {
	t.Helper()
	r, err := Tournament(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Report.Complete || r.Games != int64(c.Schedule().TotalGames()) {
		t.Fatalf("%d games of %d, complete %v", r.Games, c.Schedule().TotalGames(), r.Report.Complete)
	}
	return r
}

// reportText is everything of a result that must not depend on threads, engines or
// interruptions.
func reportText(t *testing.T, r TournamentResult) string {
	t.Helper()
	text, err := json.Marshal(r.Report)
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
			text := reportText(t, r)
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
		for k, p := range r.Report.Pairings {
			m := mustMatch(t, MatchConfig{
				Players: [2]Player{c.Players[pairings[k][0]], c.Players[pairings[k][1]]}, Seed: 9 + uint64(k), Games: 400,
			})
			if want := [2]string{c.Players[pairings[k][0]].Name(), c.Players[pairings[k][1]].Name()}; p.Players != want || r.Scores[k] != m.Score {
				t.Errorf("pairing %d is %v with %+v, the match %v with %+v", k, p.Players, r.Scores[k], want, m.Score)
			}
		}
		if got := ranking(r); got != "brain greedy:1,2 random" {
			t.Errorf("ranking %s, want the brain before the greedy player before the random one", got)
		}
	}
}

// ranking returns the names of the players by rank.
func ranking(r TournamentResult) string {
	var names []string
	for i, p := range r.Report.Players {
		if p.Rank != i+1 {
			return "ranks out of order"
		}
		names = append(names, p.Name)
	}
	return strings.Join(names, " ")
}

func TestTournamentAnchor(t *testing.T) {
	c := threePlayers()
	mean := 0.0
	free := mustTournament(t, c)
	for _, p := range free.Report.Players {
		mean += p.Elo / 3
	}
	c.Anchor = "random"
	anchored := mustTournament(t, c)
	last := anchored.Report.Players[2]
	if math.Abs(mean) > 1e-9 || last.Elo != 0 || last.EloLow != 0 || last.EloHigh != 0 {
		t.Errorf("mean %g, the anchor has %+v", mean, last)
	}
	for i := range free.Report.Players {
		if d := free.Report.Players[i].Elo - free.Report.Players[2].Elo; math.Abs(d-anchored.Report.Players[i].Elo) > 1e-6 {
			t.Errorf("player %d has %g, and %g by another anchor", i, d, anchored.Report.Players[i].Elo)
		}
	}
}

func TestTournamentRefuses(t *testing.T) {
	two := []Player{classic, small}
	for want, c := range map[string]TournamentConfig{
		"Players must be two at least": {Players: two[:1], Games: 2},
		"even number":                  {Players: two, Games: 3},
		"at least 2":                   {Players: two},
		"is there twice":               {Players: []Player{classic, small, classic}, Games: 2},
		"must not be nil, number 1 is": {Players: []Player{classic, nil}, Games: 2},
		"must be one of the players, \"nobody\" is none": {Players: two, Games: 2, Anchor: "nobody"},
		"Pieces must be 1 to 7, got 9":                   {Players: two, Games: 2, Pieces: 9},
		"Parallel must be at least 1":                    {Players: two, Games: 2, Parallel: -1},
		"TurnLimit must be 1 ":                           {Players: two, Games: 2, TurnLimit: -1},
	} {
		if _, err := Tournament(context.Background(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	c := TournamentConfig{Players: []Player{First{}, Random{}}, Games: 200, TurnLimit: 100}
	var limit *ur.TurnLimitError
	_, err := Tournament(context.Background(), c)
	if !errors.As(err, &limit) || !strings.Contains(err.Error(), "first against random: ") {
		t.Errorf("error %v, want a turn limit of first against random", err)
	}
}

// A tournament that is interrupted, again and again, must go on where it was, lose
// nothing and count nothing twice.
func TestTournamentGoesOn(t *testing.T) {
	c := threePlayers()
	c.Games = 1000
	want := reportText(t, mustTournament(t, c))
	name := filepath.Join(t.TempDir(), "log.jsonl")
	for interruptions := 0; ; interruptions++ {
		ctx, cancel := context.WithCancel(context.Background())
		log, err := match.OpenLog(name)
		if err != nil {
			t.Fatal(err)
		}
		var told, calls atomic.Int64
		c.Log, c.Parallel = log, 1+interruptions%3
		c.Progress = func(games int) {
			told.Add(int64(games))
			if calls.Add(1) == 5 {
				cancel()
			}
		}
		r, err := Tournament(ctx, c)
		cancel()
		log.Close()
		if told.Load() != r.Games {
			t.Errorf("%d games told, %d in the result", told.Load(), r.Games)
		}
		if err == nil {
			if got := reportText(t, r); got != want {
				t.Errorf("after %d interruptions %s, without %s", interruptions, got, want)
			}
			if interruptions < 3 {
				t.Errorf("only %d interruptions", interruptions)
			}
			return
		}
		if !errors.Is(err, context.Canceled) || r.Report.Complete {
			t.Fatalf("error %v, complete %v", err, r.Report.Complete)
		}
	}
}

// A tournament of any size begins at once, and can be stopped: nothing is laid out in
// advance.
func TestEndlessTournament(t *testing.T) {
	for _, games := range []int{1_000_000_000, math.MaxInt / 16 &^ 1} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		c := TournamentConfig{Players: []Player{small, classic, Random{}}, Games: games}
		r, err := Tournament(ctx, c)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || r.Report.Complete {
			t.Errorf("%d games: %v, complete %v", games, err, r.Report.Complete)
		}
	}
	var fault *config.Error
	_, err := Tournament(t.Context(), TournamentConfig{Players: []Player{small, classic, Random{}}, Games: math.MaxInt &^ 1})
	if !errors.As(err, &fault) || fault.Field != "Games" {
		t.Errorf("more games than can be counted: %v", err)
	}
}
