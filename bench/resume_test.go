package bench

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/stat"
)

// savedFile writes a run as "ur bench run -o" does and returns the name of the file.
func savedFile(t *testing.T, run *Run) string {
	t.Helper()
	var text bytes.Buffer
	if err := run.WriteBenchmarks(&text, exampleEnvironment()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "samples.txt")
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// A run that is interrupted and resumed must take the samples, in the order, that it
// would have taken at once.
func TestResumedRunIsTheSameRun(t *testing.T) {
	w := testWorkload(t)
	var whole []string
	o := fakeOptions(t, "bits/scalar", "rows/scalar")
	o.Seed, o.Clock = 7, fakeClock(&whole)
	if _, err := Measure(t.Context(), w, o); err != nil {
		t.Fatal(err)
	}

	o.Clock = fakeClock(nil)
	ctx, cancel := context.WithCancel(t.Context())
	o.Progress = func(done int) {
		if done == 2*12+5 { // in the middle of the third round
			cancel()
		}
	}
	part, err := Measure(ctx, w, o)
	if err == nil || part.Rounds != 2 {
		t.Fatalf("%d rounds, error %v; want 2 and an interruption", part.Rounds, err)
	}
	saved, err := ReadSamples(savedFile(t, part))
	if err != nil {
		t.Fatal(err)
	}
	if saved.Rounds != 2 || saved.Count != 6 || saved.Seed != 7 || saved.BenchTime != o.BenchTime ||
		!slices.Equal(saved.Engines, []string{Baseline, "bits/scalar", "rows/scalar"}) || !slices.Equal(saved.Levels, Levels()) {
		t.Errorf("saved %+v", saved)
	}
	if err := saved.Check(w, exampleEnvironment()); err != nil {
		t.Error(err)
	}

	var rest []string
	slower := fakeClock(&rest) // so that another number of passes would be right now
	o.Clock = func(c *Case, passes int) (time.Duration, error) {
		elapsed, err := slower(c, passes)
		return 2 * elapsed, err
	}
	o.Progress, o.Resume = nil, saved
	run, err := Measure(t.Context(), w, o)
	if err != nil {
		t.Fatal(err)
	}
	if run.Rounds != 6 || len(run.Series[5].Samples) != 6 || run.Interrupted {
		t.Errorf("%d rounds, %d samples, interrupted %v; want 6, 6, false", run.Rounds, len(run.Series[5].Samples), run.Interrupted)
	}
	tail := whole[len(whole)-4*12:]
	if !slices.Equal(rest[len(rest)-4*12:], tail) {
		t.Error("the resumed rounds are not in the order of the whole run")
	}
	for i, s := range run.Series {
		if s.Passes != part.Series[i].Passes {
			t.Errorf("%s: %d passes, before %d", s.Name(), s.Passes, part.Series[i].Passes)
		}
	}
}

func TestSamplesOfCountersAreSaved(t *testing.T) {
	o, _ := countedOptions(t, -1)
	run, err := Measure(t.Context(), testWorkload(t), o)
	if err != nil {
		t.Fatal(err)
	}
	saved, err := ReadSamples(savedFile(t, run))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range run.Series {
		got := saved.series[s.Name()].samples[0]
		want := s.Samples[0]
		if got.PerUnit != stat.Significant(want.PerUnit) || got.Counts[Cycles] != stat.Significant(want.Counts[Cycles]) || got.Counts[Cycles] == 0 {
			t.Errorf("%s: saved %+v, want %+v", s.Name(), got, s.Samples[0])
		}
	}
}

func TestResumeRefusesWhatDoesNotFit(t *testing.T) {
	run := exampleRun(t)
	saved, err := ReadSamples(savedFile(t, run))
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Environment){
		`its cpu is "Example 9000", and here "Other"`: func(e *Environment) { e.CPU = "Other" },
		"of commit unknown":                           func(e *Environment) { e.Commit = "abc" },
		"with go1.26.0":                               func(e *Environment) { e.Go = "go1.27" },
	} {
		e := exampleEnvironment()
		change(&e)
		if err := saved.Check(run.Workload, e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
	for _, engines := range [][]string{{"bits/scalar"}, {"bits/scalar", "rows/scalar", "bits/table"}} {
		o := fakeOptions(t, engines...)
		o.Resume = saved
		if run, err := Measure(t.Context(), run.Workload, o); err == nil {
			t.Errorf("%q go on with a run of other engines: %v", engines, run)
		}
	}
}

func TestParseSamplesNamesWhatIsWrong(t *testing.T) {
	text, err := os.ReadFile(savedFile(t, exampleRun(t)))
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]func(string) string{
		"its comments are missing":         func(s string) string { return s[strings.Index(s, "goos"):] },
		"a part of the file is missing":    func(s string) string { return s[:strings.LastIndex(strings.TrimSpace(s), "\n")+1] },
		"there are no samples":             func(s string) string { return s[:strings.Index(s, "\nBenchmark")] },
		"is not one of \"ur bench run\"":   func(s string) string { return s + "BenchmarkOther 1 5 ns/op\n" },
		"unknown level \"other\"":          func(s string) string { return s + "BenchmarkOther/board=a/eval=b 1 5 ns/op\n" },
		"has no time above 0 in us/game":   func(s string) string { return s + "BenchmarkGame/board=a/eval=b 1 5 ns/op\n" },
		"want 6: a part of the file is mi": func(s string) string { return s + "BenchmarkGame/board=a/eval=b 1 5 us/game\n" },
	}
	for want, change := range tests {
		_, err := parseSamples([]byte(change(string(text))))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
	if _, err := ReadSamples(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is not there is read")
	}
}

func FuzzParseSamples(f *testing.F) {
	f.Add([]byte("# ur bench run: 1 of 20 interleaved samples of 25ms, seed 1\n# commit unknown, go1.26.0, 2026-11-21T04:29:14Z\n" +
		"goos: linux\n\nBenchmarkGame/board=bits/eval=scalar-4 3 35.03 us/game 28543 games/s 1000 cycles/game\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		saved, err := parseSamples(text)
		if err != nil {
			return
		}
		for name, series := range saved.series {
			if len(series.samples) != saved.Rounds {
				t.Errorf("%s: %d samples of %d rounds", name, len(series.samples), saved.Rounds)
			}
		}
	})
}
