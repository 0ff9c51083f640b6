package benchcmd

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/internal/cli"
)

func TestBenchRunSaysHowItMeasured(t *testing.T) {
	_, stderr, err := runBench(t.Context(), "--engine", "bits/scalar", "--level", "game", "--count", "4", "--seed", "9")
	if err != nil || !strings.Contains(stderr, ", by the clock "+string(sample.DefaultClock())+", in an order by seed 9\n") {
		t.Errorf("error %v, stderr %q", err, stderr)
	}
}

// What cannot be printed is written all the same, and the other way round.
func TestBenchRunLosesNothing(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "new.txt")
	b := &benchRun{
		env:  &cli.Env{Stdout: fullDisk{}, Stderr: io.Discard},
		size: bench.Size{Positions: 16, TurnGames: 1, Games: 1, FirstGames: 1},
	}
	cmd := b.command()
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs([]string{"--engine", "bits/scalar", "--level", "game", "--count", "4", "--benchtime", "1us", "--json", "-o", file})
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
	stdout, _, err := runBench(t.Context(), "--engine", "bits/scalar", "--level", "game", "--count", "4", "--benchtime", "50ms", "--cpuprofile", file)
	if err != nil || !strings.Contains(stdout, "\narray16/scalar game, ") || !strings.Contains(stdout, "\nbits/scalar game, ") || !strings.Contains(stdout, "\nhottest functions and blocks ") {
		t.Errorf("%v\n%s", err, stdout)
	}
	if text := readText(t, file); len(text) < 500 {
		t.Errorf("the profile has %d bytes", len(text))
	}
	if _, _, err := runBench(t.Context(), "--cpuprofile", file); cli.ExitCode(err) != cli.BadUsage {
		t.Errorf("a profile is replaced: %v", err)
	}
}
