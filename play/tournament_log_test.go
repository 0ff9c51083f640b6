package play

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/solvetest"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/solve"
)

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

// Two brains of one name are told apart by their weights, and perfect players by their
// tables.
func TestIdentity(t *testing.T) {
	a, b := Brain{Spec: "brain:x", Weights: ur.ClassicBrain()}, Brain{Spec: "brain:x", Weights: ur.ClassicBrain()}
	b.Weights[560]++
	identity := func(p Player, pieces int) string {
		t.Helper()
		id, err := Identity(t.Context(), p, pieces)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	if identity(a, 7) == identity(b, 7) || identity(a, 7) != identity(Brain{Spec: "other", Weights: ur.ClassicBrain()}, 3) || identity(First, 7) != "" {
		t.Errorf("identities %q, %q and %q", identity(a, 7), identity(b, 7), identity(First, 7))
	}
	values := make([]float64, solvetest.Table(t, 1).Index().Positions(1))
	p := NewPerfect("perfect:FILE", board.Finkel(), OneTable(solve.NewTable(solvetest.Table(t, 1).Index(), values)))
	before := identity(p, 1)
	for i := range values {
		values[i] = 0.5
	}
	if after := identity(p, 1); after == before || after == "" {
		t.Errorf("identities %q, and %q with another table", before, after)
	}
	if _, err := Identity(t.Context(), p, 2); err == nil {
		t.Error("a table of 1 piece has an identity in games of 2")
	}
}

// killedEnv names the log for the process that TestKilledTournament kills.
const killedEnv = "UR_TEST_TOURNAMENT_LOG"

// killedTournament takes long enough to be killed.
func killedTournament() MatchConfig {
	return MatchConfig{Players: []Player{Greedy, Random, classic, small}, Games: 4000, Seed: 2, Parallel: 2}
}

// killedLines is the number of spans of that tournament: one pairing is of two brains.
func killedLines() int { return 5*((4000/2+otherUnit-1)/otherUnit) + 1 }

// A process that is killed at any moment must leave a log from which the next one
// goes on to the same numbers.
func TestKilledTournament(t *testing.T) {
	if name := os.Getenv(killedEnv); name != "" {
		if _, err := playLogged(t, killedTournament(), name); err != nil {
			t.Fatal(err)
		}
		return
	}
	if testing.Short() {
		t.Skip("plays a tournament twice")
	}
	want := mustTournament(t, killedTournament())
	name := filepath.Join(t.TempDir(), "log.jsonl")
	rng := rand.New(rand.NewPCG(9, 9))
	kills := 0
	for range 6 {
		child := exec.Command(os.Args[0], "-test.run=^TestKilledTournament$")
		child.Env = append(os.Environ(), killedEnv+"="+name)
		if err := child.Start(); err != nil {
			t.Skip(err)
		}
		done := make(chan error, 1)
		go func() { done <- child.Wait() }()
		select {
		case <-done:
		case <-time.After(time.Duration(20+rng.IntN(130)) * time.Millisecond):
			if child.Process.Kill() == nil {
				kills++
			}
			<-done
		}
	}
	got, err := playLogged(t, killedTournament(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d kills, then %d of %d games were left", kills, got.Played, got.Games)
	if a, b := reportText(t, killedTournament(), got), reportText(t, killedTournament(), want); a != b {
		t.Errorf("after %d kills %s, without %s", kills, a, b)
	}
	if log, err := os.ReadFile(name); err != nil || bytes.Count(log, []byte("\n")) != 1+killedLines() {
		t.Errorf("the log has %d lines (%v)", bytes.Count(log, []byte("\n")), err)
	}
}
