package bench

import (
	"bytes"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// exampleRun is a run on the fake clock.
func exampleRun(t *testing.T) *engineRun {
	t.Helper()
	run, err := measure(t.Context(), t, testWorkload(t), fakeOptions(t, "bits/scalar", "rows/scalar"))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func exampleEnvironment() experiment.Environment {
	return experiment.Environment{CPU: "Example 9000", Family: 25, Model: 17, OS: "linux", Arch: "amd64", Go: "go1.26.0", Date: "2026-11-21T04:29:14Z"}
}

func TestBenchmarksAreReadBack(t *testing.T) {
	run := exampleRun(t)
	var text bytes.Buffer
	if err := run.write(&text, exampleEnvironment()); err != nil {
		t.Fatal(err)
	}
	reader := benchfmt.NewReader(&text, "bench.txt")
	counts := make(map[string]int)
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Error(record)
		case *benchfmt.Result:
			counts[record.Name.String()]++
			checkConfiguration(t, record, run.Workload)
		}
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	for _, s := range run.Series {
		if counts[experiment.FullName(s.Name)] != run.Rounds {
			t.Errorf("%s is there %d times, want %d", s.Name, counts[experiment.FullName(s.Name)], run.Rounds)
		}
	}
	units := reader.Units()
	for unit, better := range map[string]int{"ns/eval": -1, "ns/turn": -1, "ns/candidate": -1, "us/game": -1, "games/s": 1} {
		if got := units.GetBetter(unit); got != better {
			t.Errorf("better direction of %s is %d, want %d", unit, got, better)
		}
	}
}

// levelOf is the level of a benchmark as it stands in a file.
func levelOf(t *testing.T, name string) Level {
	t.Helper()
	level, _, err := ParseName(name)
	if err != nil {
		t.Fatal(err)
	}
	return level
}

func checkConfiguration(t *testing.T, r *benchfmt.Result, w *Workload) {
	t.Helper()
	for key, want := range map[string]string{
		"cpu":       "Example 9000",
		"corpus":    CorpusVersion(),
		"signature": w.Signature(levelOf(t, r.Name.String())),
		"goos":      "linux",
	} {
		if got := r.GetConfig(key); got != want {
			t.Errorf("%s: configuration %s is %q, want %q", r.Name, key, got, want)
		}
	}
	game, ok := r.Value("us/game")
	if strings.HasPrefix(r.Name.String(), "Game/board=bits/") && (!ok || game != 50) {
		t.Errorf("%s: %v us/game, want 50", r.Name, game)
	}
}

// The header that "go test -bench" prints must mean the same as that of a file
// written, or benchstat would not compare the two.
func TestHeaderIsRead(t *testing.T) {
	w := testWorkload(t)
	var text bytes.Buffer
	if err := w.WriteHeader(&text); err != nil {
		t.Fatal(err)
	}
	text.WriteString("signature: " + w.Signature(Game) + "\nBenchmarkGame/board=bits/eval=scalar-4 3 35.03 us/game 28543 games/s\n")
	reader := benchfmt.NewReader(&text, "header")
	results := 0
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Error(record)
		case *benchfmt.Result:
			results++
			if record.GetConfig("signature") != w.Signature(Game) || record.GetConfig("workload") != w.Description() {
				t.Errorf("signature %q, workload %q", record.GetConfig("signature"), record.GetConfig("workload"))
			}
		}
	}
	if results != 1 || reader.Units().GetBetter("games/s") != 1 {
		t.Errorf("%d results, better direction of games/s %d", results, reader.Units().GetBetter("games/s"))
	}
}

func TestNamesAreThoseOfGoTest(t *testing.T) {
	procs := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(procs)
	run := exampleRun(t)
	if got, want := experiment.FullName(run.Series[0].Name), "Value/board=array16/eval=scalar"; got != want {
		t.Errorf("name on one processor %q, want %q", got, want)
	}
	runtime.GOMAXPROCS(4)
	if got, want := experiment.FullName(run.Series[2].Name), "Game/board=array16/eval=scalar-4"; got != want {
		t.Errorf("name on four processors %q, want %q", got, want)
	}
}

func TestBenchstatComparesEngines(t *testing.T) {
	if testing.Short() {
		t.Skip("builds benchstat")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	run := exampleRun(t)
	file := filepath.Join(t.TempDir(), "bench.txt")
	err := wholefile.Write(file, func(w io.Writer) error { return run.write(w, exampleEnvironment()) })
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "benchstat", "-col", "/board", "-filter", ".name:Game", file).CombinedOutput()
	if err != nil {
		t.Fatalf("benchstat: %v\n%s", err, out)
	}
	for _, want := range []string{"│   array16   │", "signature: " + run.Workload.Signature(Game), "-75.00% (p=0.002 n=6)", "+300.00% (p=0.002 n=6)"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("benchstat prints\n%s\nwithout %q", out, want)
		}
	}
}
