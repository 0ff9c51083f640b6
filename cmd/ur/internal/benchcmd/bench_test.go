package benchcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
)

// runBench runs "ur bench run" with little work, so that a test takes no time.
func runBench(ctx context.Context, args ...string) (stdout, stderr string, err error) {
	var out, messages bytes.Buffer
	b := &benchRun{
		env:  &cli.Env{Stdout: &out, Stderr: &messages},
		size: bench.Size{Positions: 16, TurnGames: 1, Games: 1, FirstGames: 1},
	}
	cmd := b.command()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(append([]string{"--benchtime", "1us"}, args...))
	err = cmd.ExecuteContext(ctx)
	return out.String(), messages.String(), err
}

func TestBenchRunPrintsTheLadder(t *testing.T) {
	stdout, _, err := runBench(t.Context(), "--engine", "bits/scalar,rows/scalar", "--level", "game,value", "--count", "4")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"engine          ns/eval  us/game  games/s", "array16/scalar", "bits/scalar", "rows/scalar", "engines: 4 samples of 1µs, by the ", " clock, seed 1, baseline array16/scalar\n"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the ladder has no %q:\n%s", want, stdout)
		}
	}
	for _, unwanted := range []string{"ns/turn", "array8/scalar"} {
		if strings.Contains(stdout, unwanted) {
			t.Errorf("the ladder has %q, which was not asked for:\n%s", unwanted, stdout)
		}
	}
}

func TestBenchRunPrintsJSON(t *testing.T) {
	stdout, _, err := runBench(t.Context(), "--engine", "bits/scalar", "--level", "turn", "--count", "4", "--seed", "7", "--json")
	if err != nil {
		t.Fatal(err)
	}
	var results record.Results
	if err := json.Unmarshal([]byte(stdout), &results); err != nil {
		t.Fatal(err)
	}
	if results.Schema != "ur.bench/2" || results.Seed != 7 || len(results.Rows) != 2 {
		t.Errorf("schema %q, seed %d, %d rows; want ur.bench/2, 7, 2", results.Schema, results.Seed, len(results.Rows))
	}
	row, ok := record.Find(results.Rows, "bits/scalar", "turn")
	if !ok || row.Samples != 4 || row.Median <= 0 || row.NsPerCandidate <= 0 || row.RatioLo > row.Ratio || row.Ratio > row.RatioHi {
		t.Errorf("row %+v", row)
	}
}

func TestBenchRunListsSkippedEngines(t *testing.T) {
	t.Setenv("UR_DISABLE", "avx512,avx2")
	stdout, _, err := runBench(t.Context(), "--level", "value", "--count", "4")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range engine.All() {
		reason := ur.Available(e)
		if reason != nil && !strings.Contains(stdout, "\n"+strings.Replace(reason.Error(), " needs ", " skipped: needs ", 1)+"\n") {
			t.Errorf("no line says that %s is skipped:\n%s", e.Name(), stdout)
		}
	}
}

func TestBenchRunRefusesBadUsage(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "missing")
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"--engine", "abacus"}, `--engine: unknown engine "abacus" (want one of array16/scalar,`},
		{[]string{"--level", "move"}, `--level: unknown level "move" (want one of value, turn, game, match`},
		{[]string{"--count", "3"}, "--count: must be at least 4 for a ratio"},
		{[]string{"--benchtime", "0s"}, "must be positive"},
		{[]string{"-o", filepath.Join(folder, "new.txt")}, "-o: folder " + folder + " does not exist"},
		{[]string{"-o", t.TempDir()}, "is a folder (want the name of a file)"},
		{[]string{"--suite", "abacus"}, `--suite: unknown suite "abacus" (want engines, pieces`},
		{[]string{"--suite", "nets", "--level", "game"}, "--level cannot be used with --suite nets (want engines)"},
		{[]string{"--bench", "("}, "--bench: error parsing regexp"},
		{[]string{"--record", "--count", "9"}, "--record wants a --count of at least 10, got 9"},
	}
	for _, test := range tests {
		stdout, _, err := runBench(t.Context(), test.args...)
		if cli.ExitCode(err) != cli.BadUsage || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, exit code %d; want %q, exit code 2", test.args, err, cli.ExitCode(err), test.want)
		}
		if stdout != "" {
			t.Errorf("%q prints %q", test.args, stdout)
		}
	}
}

func TestBenchRunRefusesWrongTiersAndEnginesThatCannotRun(t *testing.T) {
	t.Setenv("UR_DISABLE", "sse9")
	if _, _, err := runBench(t.Context()); cli.ExitCode(err) != cli.BadUsage || !strings.Contains(err.Error(), `UR_DISABLE: unknown tier "sse9"`) {
		t.Errorf("unknown tier: %v, exit code %d", err, cli.ExitCode(err))
	}
	t.Setenv("UR_DISABLE", "avx2")
	for _, e := range engine.All() {
		reason := ur.Available(e)
		if reason == nil {
			continue
		}
		_, _, err := runBench(t.Context(), "--engine", e.Name())
		if cli.ExitCode(err) != cli.BadUsage || !strings.Contains(err.Error(), reason.Error()) {
			t.Errorf("%s: %v, exit code %d; want %q, exit code 2", e.Name(), err, cli.ExitCode(err), reason)
		}
	}
}

func TestBenchRunIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	file := filepath.Join(t.TempDir(), "new.txt")
	stdout, _, err := runBench(ctx, "-o", file)
	if cli.ExitCode(err) != cli.Interrupted || stdout != "" {
		t.Errorf("exit code %d, output %q; want 130 and none", cli.ExitCode(err), stdout)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a run without a round wrote its file")
	}
}

// A record is kept. A partial run replaces its rows alone.
func TestBenchRecord(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, args := range [][]string{
		{"--suite", "engines,scaling", "--engine", "bits/scalar,rows/scalar", "--level", "game", "--bench", "Game|bits.*workers=1$", "--seed", "1"},
		{"--engine", "bits/scalar", "--level", "game", "--seed", "2"},
	} {
		_, stderr, err := runBench(t.Context(), append(args, "--record", "--count", "10")...)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(stderr, "\nrecorded under results") {
			t.Errorf("stderr %q does not name the folder of the record", stderr)
		}
	}
	rows, err := record.Read("results")
	if err != nil || len(rows) != 4 || len(record.Suite(rows, "engines")) != 3 {
		t.Fatalf("recorded %+v, %v", rows, err)
	}
	for _, row := range rows {
		want := uint64(1)
		if row.Suite == "engines" && row.Engine != "rows/scalar" {
			want = 2
		}
		if row.Provenance.Seed != want || row.Provenance.CPU == "" || row.Provenance.Command == "" {
			t.Errorf("%s has the provenance %+v, want seed %d", row.Name, row.Provenance, want)
		}
	}
}

func readText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
