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
	for _, want := range []string{"engine          ns/eval  us/game  games/s", "array16/scalar", "bits/scalar", "rows/scalar", "4 samples, seed 1;"} {
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
	var results bench.Results
	if err := json.Unmarshal([]byte(stdout), &results); err != nil {
		t.Fatal(err)
	}
	if results.Schema != "ur.bench/1" || results.Seed != 7 || len(results.Rows) != 2 {
		t.Errorf("schema %q, seed %d, %d rows; want ur.bench/1, 7, 2", results.Schema, results.Seed, len(results.Rows))
	}
	row, ok := results.Find("bits/scalar", bench.Turn)
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
		{[]string{"--engine", "abacus"}, `--engine: unknown engine "abacus", want one of array16/scalar,`},
		{[]string{"--level", "move"}, `--level: unknown level "move", want one of value, turn, game, match`},
		{[]string{"--count", "3"}, "--count: must be at least 4 for a ratio"},
		{[]string{"--benchtime", "0s"}, "must be positive"},
		{[]string{"-o", filepath.Join(folder, "new.txt")}, "-o: there is no folder " + folder},
		{[]string{"-o", t.TempDir()}, "is a folder, want the name of a file"},
		{[]string{"--record", "--level", "game"}, "--record keeps all engines at all levels"},
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

// A record is kept, and the report shows it.
func TestBenchRecordAndReport(t *testing.T) {
	dir := t.TempDir()
	results, samples := filepath.Join(dir, "results"), filepath.Join(dir, "new.txt")
	_, stderr, err := runBench(t.Context(), "--record", "--results", results, "-o", samples, "--count", "10")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(stderr, "\nrecorded under "+results) {
		t.Errorf("stderr %q does not say where the record is", stderr)
	}
	recorded, err := filepath.Glob(filepath.Join(results, "*", "bench.txt"))
	if err != nil || len(recorded) != 1 {
		t.Fatalf("recorded %v, %v; want one bench.txt", recorded, err)
	}
	if a, b := readText(t, recorded[0]), readText(t, samples); a != b {
		t.Error("the samples on record are not those of -o")
	}

	var printed bytes.Buffer
	if err := program.Run(t.Context(), []string{"bench", "report", "--results", results}, nil, &printed, &bytes.Buffer{}); err != nil {
		t.Error(err)
	}
	if !strings.Contains(printed.String(), "| bits/scalar ") {
		t.Errorf("the report has no row of bits/scalar:\n%s", printed.String())
	}
}

func TestBenchReportRefusesBadUsage(t *testing.T) {
	empty := t.TempDir()
	for _, args := range [][]string{
		{"--results", empty},
		{"--results", filepath.Join(empty, "missing")},
	} {
		err := program.Run(t.Context(), append([]string{"bench", "report"}, args...), nil, &bytes.Buffer{}, &bytes.Buffer{})
		if cli.ExitCode(err) != cli.BadUsage {
			t.Errorf("%q: %v, exit code %d; want 2", args, err, cli.ExitCode(err))
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

func writeText(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
