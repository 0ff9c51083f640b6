package benchcmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/testkit"
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
		testkit.Main(m)
	}
}

// runBench runs "ur bench run" with little work, so that a test takes no time.
func runBench(ctx context.Context, args ...string) (stdout, stderr string, err error) {
	var out, messages bytes.Buffer
	err = runBenchOn(ctx, &out, &messages, args...)
	return out.String(), messages.String(), err
}

// runBenchOn is runBench with its outputs.
func runBenchOn(ctx context.Context, stdout, stderr io.Writer, args ...string) error {
	cmd := (&benchRun{env: &cli.Env{Stdout: stdout, Stderr: stderr}, size: littleWork}).newCommand()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(append([]string{"--benchtime", "1us"}, args...))
	return cmd.ExecuteContext(ctx)
}

func TestBenchRunListsSkippedEngines(t *testing.T) {
	t.Setenv("UR_DISABLE", "avx512,avx2")
	stdout, _, err := runBench(t.Context(), "--level", "value", "--samples", "4")
	testkit.NoError(t, err)
	for _, e := range engine.All() {
		if reason := ur.Available(e); reason != nil {
			testkit.WantText(t, stdout, "\n"+strings.Replace(reason.Error(), " needs ", " skipped: needs ", 1)+"\n")
		}
	}
}

func TestBenchRunIsInterrupted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new.txt")
	stdout, _, err := runBench(testkit.CanceledContext(), "-o", file)
	testkit.Equal(t, cli.ExitCode(err), cli.Interrupted, "exit code")
	testkit.Equal(t, stdout, "", "output")
	testkit.WantError(t, testkit.ErrorOf(os.Stat(file)), "", "a run without a round wrote its file")
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
		testkit.NoError(t, err)
		testkit.WantText(t, stderr, "\nrecorded under results")
	}
	rows := testkit.Must(record.Read("results"))(t)
	testkit.FatalIf(t, len(rows) != 4 || len(record.Suite(rows, "engines")) != 3, "recorded %+v", rows)
	for _, row := range rows {
		want := uint64(1)
		if row.Suite == "engines" && row.Engine != "rows/scalar" {
			want = 2
		}
		testkit.ErrorIf(t, row.Provenance.Seed != want || row.Provenance.CPU == "" || row.Provenance.Command == "",
			"%s has the provenance %+v, want seed %d", row.Name, row.Provenance, want)
	}
}

// What cannot be printed is written all the same, and the other way round.
func TestBenchRunLosesNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new.txt")
	args := []string{"--engine", "bits/scalar", "--level", "game", "--samples", "4", "--json", "-o", file}
	testkit.WantErrorIs(t, runBenchOn(t.Context(), fullDisk{}, io.Discard, args...), errDiskFull, "on a full disk")
	testkit.Equal(t, strings.Count(testkit.ReadText(t, file), "\nBenchmarkGame/"), 8, "samples")
}

var errDiskFull = errors.New("no space left")

// fullDisk takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errDiskFull }

// The profile has the labels of the engines, and the hottest functions of each are printed.
func TestBenchRunProfile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ur.pb.gz")
	samples := filepath.Join(t.TempDir(), "samples.txt")
	stdout, _, err := runBench(t.Context(), "--engine", "bits/scalar", "--level", "game", "--samples", "4",
		"--benchtime", "20ms", "--cpuprofile", file, "-o", samples)
	testkit.NoError(t, err)
	testkit.WantText(t, testkit.ReadText(t, samples), "\n# clock wall\n")
	testkit.WantText(t, stdout, "\narray16/scalar game, ", "\nbits/scalar game, ", "\nhottest functions and blocks ",
		", by the wall clock, ")
	text := testkit.ReadText(t, file)
	testkit.ErrorIf(t, len(text) < 500, "the profile has %d bytes", len(text))
	_, _, err = runBench(t.Context(), "--cpuprofile", file)
	testkit.Equal(t, cli.ExitCode(err), cli.BadUsage, "exit code of a profile over another, %v", err)
}

// countLine matches a benchmark, its count and the unit in a file of samples.
var countLine = regexp.MustCompile(`(?m)^Benchmark(\S+?)(?:-\d+)? .* ([\d.e+]+) (instructions/(?:eval|game))\b`)

// Counts stand in the table, in JSON and in the file, and repeat.
func TestBenchRunCounts(t *testing.T) {
	testkit.NeedLong(t, "runs valgrind for seconds")
	testkit.SkipOn(t, testkit.ErrorOf(bench.FindCounter(t.Context())))
	file := filepath.Join(t.TempDir(), "counts.txt")
	args := []string{"--engine", "bits/scalar", "--count", "--samples", "4"}
	stdout, _, err := runBench(t.Context(), append(args, "-o", file)...)
	table := regexp.MustCompile(`\nengine +instructions/eval +instructions/ns +instructions/game +instructions/ns\n` +
		`array16/scalar +10,\d+ +\S+ +\d,\d+,\d+ +\S+\nbits/scalar +\d`)
	testkit.ErrorIf(t, err != nil || !table.MatchString(stdout), "%v\n%s", err, stdout)
	lines := countLine.FindAllStringSubmatch(testkit.ReadText(t, file), -1)
	testkit.Equal(t, len(lines), 2*8, "lines with counts, 8 of each engine, in\n%s", testkit.ReadText(t, file))
	first, second := make(map[string]float64), make(map[string]float64)
	for _, line := range lines {
		first[line[1]+" "+line[3]] = testkit.Must(strconv.ParseFloat(line[2], 64))(t)
	}
	testkit.Equal(t, len(first), 4, "counts of values and games, of %v", first)
	stdout, _, err = runBench(t.Context(), append(args, "--json")...)
	var results record.Results
	testkit.NoError(t, errors.Join(err, json.Unmarshal([]byte(stdout), &results)))
	testkit.ErrorIf(t, results.Counter == "" || len(results.NotCounted) > 0,
		"counter %q, left out %v", results.Counter, results.NotCounted)
	for _, row := range results.Rows {
		for unit, x := range row.Metrics {
			if strings.HasPrefix(unit, record.Instructions) {
				second[row.Name+" "+unit] = x
			}
		}
	}
	testkit.Equal(t, second, first, "other counts")
}

// Without a counter nothing is measured, and the error names the way to get one.
func TestBenchRunWithoutCounter(t *testing.T) {
	t.Setenv("PATH", "")
	testkit.SkipIf(t, testkit.ErrorOf(bench.FindCounter(t.Context())) == nil, "this kernel counts instructions")
	_, _, err := runBench(t.Context(), "--count")
	testkit.Equal(t, cli.ExitCode(err), cli.BadUsage, "exit code")
	testkit.WantError(t, err, "valgrind", "a run without a counter")
}
