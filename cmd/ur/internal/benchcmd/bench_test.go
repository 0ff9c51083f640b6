package benchcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

// littleWork is the work of tests.
var littleWork = bench.Size{Positions: 16, TurnGames: 1, Games: 1, FirstGames: 1}

// TestMain lets a counter run this test binary.
func TestMain(m *testing.M) {
	served, err := bench.ServeCounts(littleWork)
	if err != nil {
		panic(err)
	}
	if !served {
		sandbox.Main(m)
	}
}

// runBench runs "ur bench run" with little work, so that a test takes no time.
func runBench(ctx context.Context, args ...string) (stdout, stderr string, err error) {
	var out, messages bytes.Buffer
	b := &benchRun{
		env:  &cli.Env{Stdout: &out, Stderr: &messages},
		size: littleWork,
	}
	cmd := b.command()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(append([]string{"--benchtime", "1us"}, args...))
	err = cmd.ExecuteContext(ctx)
	return out.String(), messages.String(), err
}

func TestBenchRunListsSkippedEngines(t *testing.T) {
	t.Setenv("UR_DISABLE", "avx512,avx2")
	stdout, _, err := runBench(t.Context(), "--level", "value", "--samples", "4")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range engine.All() {
		reason := ur.Available(e)
		if reason != nil && !strings.Contains(stdout,
			"\n"+strings.Replace(reason.Error(), " needs ", " skipped: needs ", 1)+"\n") {
			t.Errorf("no line says that %s is skipped:\n%s", e.Name(), stdout)
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
		{"--suite", "engines,scaling", "--engine", "bits/scalar,rows/scalar", "--level", "game", "--bench",
			"Game|bits.*workers=1$", "--seed", "1"},
		{"--engine", "bits/scalar", "--level", "game", "--seed", "2"},
	} {
		_, stderr, err := runBench(t.Context(), append(args, "--record", "--samples", "10")...)
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
	text := testkit.Must(os.ReadFile(file))(t)
	return string(text)
}

// What cannot be printed is written all the same, and the other way round.
func TestBenchRunLosesNothing(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "new.txt")
	b := &benchRun{
		env:  &cli.Env{Stdout: fullDisk{}, Stderr: io.Discard},
		size: littleWork,
	}
	cmd := b.command()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs([]string{"--engine", "bits/scalar", "--level", "game", "--samples", "4", "--benchtime", "1us", "--json",
		"-o", file})
	if err := cmd.ExecuteContext(t.Context()); !errors.Is(err, errDiskFull) {
		t.Errorf("error %v, want %v", err, errDiskFull)
	}
	if text := readText(t, file); strings.Count(text, "\nBenchmarkGame/") != 8 {
		t.Errorf("the samples are not written:\n%s", text)
	}
}

var errDiskFull = errors.New("no space left")

// fullDisk takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errDiskFull }

// The profile has the labels of the engines, and the hottest functions of each are printed.
func TestBenchRunProfile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ur.pb.gz")
	stdout, _, err := runBench(t.Context(), "--engine", "bits/scalar", "--level", "game", "--samples", "4",
		"--benchtime", "50ms", "--cpuprofile", file)
	if err != nil || !strings.Contains(stdout, "\narray16/scalar game, ") ||
		!strings.Contains(stdout, "\nbits/scalar game, ") || !strings.Contains(stdout, "\nhottest functions and blocks ") {
		t.Errorf("%v\n%s", err, stdout)
	}
	if text := readText(t, file); len(text) < 500 {
		t.Errorf("the profile has %d bytes", len(text))
	}
	if _, _, err := runBench(t.Context(), "--cpuprofile", file); cli.ExitCode(err) != cli.BadUsage {
		t.Errorf("a profile is replaced: %v", err)
	}
}

// Counts stand in the table, in JSON and in the file, and repeat.
func TestBenchRunCounts(t *testing.T) {
	if _, err := bench.FindCounter(t.Context()); err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "counts.txt")
	args := []string{"--engine", "bits/scalar", "--count", "--samples", "4"}
	stdout, _, err := runBench(t.Context(), append(args, "-o", file)...)
	if err != nil || !regexp.MustCompile(`\nengine +instructions/eval +a ns +instructions/game +a ns\narray16/scalar +10,\d+ +\S+ +\d,\d+,\d+ +\S+\nbits/scalar +\d`).MatchString(stdout) {
		t.Errorf("%v\n%s", err, stdout)
	}
	lines := regexp.MustCompile(`(?m)^Benchmark(Value|Game)/board=bits.* instructions/(eval|game)\b`).FindAllString(readText(t, file), -1)
	if len(lines) != 8 {
		t.Errorf("%d lines with counts (want 8):\n%s", len(lines), readText(t, file))
	}
	var counts [2]map[string]float64
	for i := range counts {
		stdout, _, err := runBench(t.Context(), append(args, "--json")...)
		var results record.Results
		testkit.NoError(t, errors.Join(err, json.Unmarshal([]byte(stdout), &results)))
		if results.Counter == "" || len(results.NotCounted) > 0 {
			t.Errorf("counter %q, left out %v", results.Counter, results.NotCounted)
		}
		counts[i] = make(map[string]float64)
		for _, row := range results.Rows {
			for unit, x := range row.Metrics {
				if strings.HasPrefix(unit, record.Instructions) {
					counts[i][row.Name+" "+unit] = x
				}
			}
		}
	}
	if len(counts[0]) != 4 || !maps.Equal(counts[0], counts[1]) {
		t.Errorf("counts differ: %v, %v", counts[0], counts[1])
	}
}

// Without a counter nothing is measured, and the error names the way to get one.
func TestBenchRunWithoutCounter(t *testing.T) {
	t.Setenv("PATH", "")
	if _, err := bench.FindCounter(t.Context()); err == nil {
		t.Skip("this kernel counts instructions")
	}
	_, _, err := runBench(t.Context(), "--count")
	if cli.ExitCode(err) != cli.BadUsage || !strings.Contains(err.Error(), "valgrind") {
		t.Errorf("error %v, want one that names valgrind", err)
	}
}
