package play

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
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

// Wherever a log is cut off, the tournament goes on from what is whole; what was
// played before is not played again.
func TestLogCutAnywhere(t *testing.T) {
	c := MatchConfig{Players: []Player{Greedy, First}, Games: 4 * 2 * otherUnit, Pieces: 1, Seed: 4}
	name := filepath.Join(t.TempDir(), "log.jsonl")
	whole, err := playLogged(t, c, name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	if len(lines) != 1+4+1 {
		t.Fatalf("%d lines, want a header and four parts", len(lines)-1)
	}
	rng := rand.New(rand.NewPCG(3, 3))
	for cut := 0; cut <= len(text); cut += 1 + rng.IntN(40) {
		if err := os.WriteFile(name, text[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := playLogged(t, c, name)
		if err != nil || reportText(t, c, r) != reportText(t, c, whole) {
			t.Fatalf("cut at byte %d of %d: %+v, %v", cut, len(text), r, err)
		}
		kept := bytes.Count(text[:cut], []byte("\n")) - 1
		if want := r.Games - int64(max(0, kept))*2*otherUnit; r.Played != want {
			t.Errorf("cut at byte %d: %d games played, want %d", cut, r.Played, want)
		}
		// And the file is whole again.
		if again, err := playLogged(t, c, name); err != nil || again.Played != 0 || again.Threads != 0 {
			t.Errorf("cut at byte %d: then %d games are played, %v", cut, again.Played, err)
		}
	}
}

// A line that stands there twice counts once; a damaged one is told with its number,
// and a file that is no log, or another tournament's, is left as it is.
func TestLogOfOthers(t *testing.T) {
	c := MatchConfig{Players: []Player{Greedy, First}, Games: 4 * 2 * otherUnit, Pieces: 1, Seed: 4}
	dir := t.TempDir()
	name := filepath.Join(dir, "log.jsonl")
	whole, err := playLogged(t, c, name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	join := func(lines ...string) string { return strings.Join(lines, "") }
	if err := os.WriteFile(name, []byte(join(lines[0], lines[1], lines[2], lines[1], lines[3], lines[4])), 0o666); err != nil {
		t.Fatal(err)
	}
	if r, err := playLogged(t, c, name); err != nil || r.Played != 0 || reportText(t, c, r) != reportText(t, c, whole) {
		t.Errorf("a line that is there twice: %+v, %v", r, err)
	}

	// Of a line that is damaged the part is played again, and of a line that is too long.
	wrong := strings.Replace(lines[2], `"wins":[`, `"wins":[9`, 1)
	for _, bad := range []string{wrong, lines[2][:20] + "\n", "\n", strings.Repeat("x", 3*(1<<20)) + "\n"} {
		if err := os.WriteFile(name, []byte(join(lines[0], lines[1], bad, lines[3], lines[4])), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := playLogged(t, c, name)
		if err != nil || r.Damaged != 1 || r.Played != 2*otherUnit || reportText(t, c, r) != reportText(t, c, whole) {
			t.Errorf("a damaged line: %d damaged, %d games played, %v", r.Damaged, r.Played, err)
		}
		if r, err := playLogged(t, c, name); err != nil || r.Damaged != 1 || r.Played != 0 {
			t.Errorf("a damaged line, once more: %d damaged, %d games played, %v", r.Damaged, r.Played, err)
		}
	}
	far, err := logLine(struct {
		Unit  int   `json:"unit"`
		Score Score `json:"score"`
	}{Unit: 99})
	if err != nil {
		t.Fatal(err)
	}
	for what, test := range map[string]struct{ text, want string }{
		"header damaged":  {join(lines[0][:9], "\n", lines[1]), ":1: invalid or damaged line"},
		"not a log":       {"my notes", ":1: invalid or damaged line"},
		"notes of a line": {"my notes\n", ":1: invalid or damaged line"},
		"long":            {strings.Repeat("x", 3*(1<<20)), ":1: invalid or damaged line"},
		"other part":      {join(lines[0], string(far)), "has part 99 of 0 games, which does not belong"},
	} {
		if err := os.WriteFile(name, []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		var refused *match.LogError
		if _, err := playLogged(t, c, name); !errors.As(err, &refused) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", what, err, test.want)
		}
		if left, err := os.ReadFile(name); err != nil || string(left) != test.text {
			t.Errorf("%s: the file was changed (%v)", what, err)
		}
	}

	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*MatchConfig){
		"player 2 is \"first\" (want \"random\")": func(c *MatchConfig) { c.Players = []Player{Greedy, Random} },
		"gauntlet is false (want true)":           func(c *MatchConfig) { c.Gauntlet = true },
		"games is 512 (want 514)":                 func(c *MatchConfig) { c.Games = 514 },
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

// logLine returns a line of a log.
func logLine(data any) ([]byte, error) {
	text, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	line, err := json.Marshal(struct {
		CRC  string          `json:"crc"`
		Data json.RawMessage `json:"data"`
	}{fmt.Sprintf("%08x", crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli))), text})
	return append(line, '\n'), err
}

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
