package work

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/rating"
	"github.com/seed-09dcdc84/ur/solve"
)

// newFleet starts a server with workers for a test, and returns a connection.
func newFleet(t *testing.T, workers int) *fleet.Conn {
	t.Helper()
	s, err := fleet.Serve(fleet.ServeConfig{Store: t.TempDir(), Addr: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	dial := func() *fleet.Conn {
		c, err := fleet.Dial(t.Context(), fleet.DialConfig{URL: s.URL()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		return c
	}
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	for i := range workers {
		c := dial()
		working.Go(func() {
			err := c.Work(ctx, fleet.WorkConfig{
				Code: CodeVersion(), Name: "worker-" + string(rune('a'+i)), Kinds: Kinds(engine.Fastest()), Parallel: 1, Cache: t.TempDir(),
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(func() { cancel(); working.Wait() })
	return dial()
}

// player parses a spec for a test.
func player(t *testing.T, spec string) play.Player {
	t.Helper()
	p, err := play.ParsePlayer(spec)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A match on a fleet is the match on one machine, to the last count: between brains,
// built in and from a file, between players that need seats, with a test, with an odd
// number of games, and asked twice.
func TestMatchIsThatOfOneMachine(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "mine.txt")
	text, err := os.ReadFile("../../../brain_default.txt")
	if err == nil {
		err = os.WriteFile(file, text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	small, err := play.DefaultTables().Table(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	conn := newFleet(t, 2)
	for name, c := range map[string]play.MatchConfig{
		"brains":  {Players: [2]play.Player{player(t, "brain"), player(t, "brain:classic")}, Seed: 3, Games: 20_001},
		"file":    {Players: [2]play.Player{player(t, "brain:"+file), player(t, "brain:classic")}, Seed: 4, Games: 9_000, Pieces: 5},
		"seats":   {Players: [2]play.Player{player(t, "greedy"), player(t, "random")}, Seed: 5, Games: 301, Pieces: 3},
		"test":    {Players: [2]play.Player{player(t, "brain"), player(t, "brain:classic")}, Seed: 6, Games: 100_000, SPRT: &rating.DefaultSPRT},
		"luck":    {Players: [2]play.Player{player(t, "level:10"), player(t, "greedy")}, Seed: 8, Games: 100, Pieces: 2, Luck: small},
		"perfect": {Players: [2]play.Player{player(t, "perfect"), player(t, "greedy")}, Seed: 7, Games: 100, Pieces: 2},
	} {
		t.Run(name, func(t *testing.T) {
			want, err := play.Match(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				venue := NewVenue(conn, "")
				c.Backend, c.Parallel = venue, 16
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
				got, err := play.Match(ctx, c)
				cancel()
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got.Score, want.Score) || got.Decision != want.Decision {
					t.Fatalf("on the fleet %+v (%v), alone %+v (%v)", got.Score, got.Decision, want.Score, want.Decision)
				}
				if err := venue.Close(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// Who has no table is told so, and asks nobody. A table of the cache is played by as it is
// there, whatever its encoding.
func TestTablesTravel(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", folder)
	t.Setenv("HOME", folder)
	t.Setenv("LocalAppData", folder)
	var missing *solve.MissingTableError
	for _, spec := range []string{"perfect", "level:10"} {
		if _, _, err := ship(t.Context(), nil, spec, 7); !errors.As(err, &missing) {
			t.Errorf("%s without a table: %v", spec, err)
		}
	}
	solution, err := solve.Solve(t.Context(), 2, solve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	exact := filepath.Join(folder, "exact.urt")
	if err := solve.WriteTable(t.Context(), exact, solution.Values, solve.WriteOptions{Encoding: solve.Float64}); err != nil {
		t.Fatal(err)
	}
	file := func(string) (string, error) { return exact, nil }
	start := board.StartPosition(2)
	want, rounded := solution.Values.Win(start), solve.Reference(solution.Values).Win(start)
	for spec, want := range map[string]float64{libraryMark + "0": rounded, "perfect:" + fileMark + "0": want} {
		table, err := seatTable(t.Context(), spec, 2, file)
		if err != nil {
			t.Fatal(err)
		}
		if got := table.Win(start); got != want {
			t.Errorf("by %s the start is worth %v, want %v", spec, got, want)
		}
	}
	if _, err := seatTable(t.Context(), "greedy", 2, file); err == nil {
		t.Error("greedy is taken for a table")
	}
}

// A game without end is the same error, and what was finished before it is counted.
func TestMatchWithoutEnd(t *testing.T) {
	t.Parallel()
	conn := newFleet(t, 1)
	venue := NewVenue(conn, "")
	defer venue.Close(context.Background())
	c := play.MatchConfig{Players: [2]play.Player{player(t, "greedy"), player(t, "random")}, Seed: 1, Games: 40, TurnLimit: 100}
	_, err := play.Match(t.Context(), c)
	var want *ur.TurnLimitError
	if !errors.As(err, &want) {
		t.Fatalf("alone: %v, want a game without end", err)
	}
	c.Backend = venue
	_, err = play.Match(t.Context(), c)
	var got *ur.TurnLimitError
	if !errors.As(err, &got) || *got != *want {
		t.Errorf("on the fleet %v, alone %v", err, want)
	}
}

// A tournament on a fleet is the tournament on one machine.
func TestTournamentIsThatOfOneMachine(t *testing.T) {
	t.Parallel()
	conn := newFleet(t, 2)
	c := play.TournamentConfig{
		Players: []play.Player{player(t, "brain"), player(t, "greedy"), player(t, "random")},
		Games:   60, Seed: 2, Pieces: 3,
	}
	want, err := play.Tournament(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	venue := NewVenue(conn, "")
	defer venue.Close(context.Background())
	c.Backend, c.Parallel = venue, 16
	got, err := play.Tournament(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Scores, want.Scores) || !reflect.DeepEqual(got.Report, want.Report) {
		t.Errorf("on the fleet %+v, alone %+v", got, want)
	}
}

// An answer that does not fit its task is not believed.
func TestScoresThatCannotBe(t *testing.T) {
	t.Parallel()
	c := play.MatchConfig{Players: [2]play.Player{player(t, "greedy"), player(t, "random")}, Seed: 1, Games: 1, Pieces: 2}
	table, err := play.NewRunner(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	span := match.Span{First: 5, Pairs: 3, Odd: true}
	score, err := table.Play(t.Context(), span)
	if err != nil {
		t.Fatal(err)
	}
	check := func(change func(a *spanScore)) error {
		a := spanScore{span, score}
		change(&a)
		data, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		return checkScore(taskOf(span), data)
	}
	if err := check(func(*spanScore) {}); err != nil {
		t.Fatalf("a true score is refused: %v", err)
	}
	for name, change := range map[string]func(a *spanScore){
		"another span":   func(a *spanScore) { a.Span.First++ },
		"another length": func(a *spanScore) { a.Span.Pairs++ },
		"no half pair":   func(a *spanScore) { a.Span.Odd = false },
		"fewer games":    func(a *spanScore) { a.Score.Tally.Games-- },
		"more wins":      func(a *spanScore) { a.Score.Wins[0]++ },
		"other sides":    func(a *spanScore) { a.Score.Tally.Wins[1]++ },
		"more turns":     func(a *spanScore) { a.Score.Tally.Turns++ },
	} {
		if check(change) == nil {
			t.Errorf("%s: the score is believed", name)
		}
	}
	if checkScore(0, json.RawMessage(`[]`)) == nil {
		t.Error("a list is taken for a score")
	}
}
