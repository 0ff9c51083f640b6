package benchcmd

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

func TestBenchRunFormats(t *testing.T) {
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"--format", "text"}, "\nengine          us/game  games/s"},
		{[]string{"--format", "markdown"}, "| engine         | us/game | "},
		{[]string{"--format", "csv"}, "\nengines,Game/board=bits/eval=scalar,bits/scalar,game,us/game,4,"},
		{[]string{"--format", "json"}, `{"schema":"ur.bench/2",`},
		{[]string{"--json"}, `{"schema":"ur.bench/2",`},
		{[]string{"--format", "benchfmt", "--cpu", "1"}, "\nBenchmarkGame/board=bits/eval=scalar "},
		{[]string{"--format", "benchfmt", "--cpu", "3"}, "\nBenchmarkGame/board=bits/eval=scalar-3 "},
		{[]string{"--ci", "99.9%"}, "\nEvery ratio is within ±99.9 % after 1"},
		{[]string{"--ci", "0.0001%", "--count", "11"}, "\nNot every ratio is within ±0.0001 % after 11 rounds: that of\nGame/board=bits/eval=scalar is within"},
	}
	for _, test := range tests {
		args := append([]string{"--engine", "bits/scalar", "--level", "game"}, test.args...)
		if !strings.Contains(strings.Join(args, " "), "--ci") {
			args = append(args, "--count", "4")
		}
		stdout, _, err := runBench(t.Context(), args...)
		if err != nil || !strings.Contains("\n"+stdout, test.want) {
			t.Errorf("%q: error %v, output without %q:\n%s", test.args, err, test.want, stdout)
		}
	}
}

func TestBenchRunSaysHowItMeasured(t *testing.T) {
	_, stderr, err := runBench(t.Context(), "--engine", "bits/scalar", "--level", "game", "--count", "4", "--no-pin", "--seed", "9")
	if err != nil || !strings.Contains(stderr, "measured on any core: not asked for, by the clock "+string(experiment.DefaultClock())+", in an order by seed 9\n") {
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
