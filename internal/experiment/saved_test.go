package experiment

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
)

// exampleRun is a run on the fake clock.
func exampleRun(t *testing.T) *Run {
	t.Helper()
	run, err := Measure(t.Context(), fakeOptions())
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// sealed gives a text that was changed the checksum that it should have.
func sealed(text string) []byte {
	text = text[:strings.LastIndex(text, checksumPrefix)]
	return fmt.Appendf(nil, "%s%s%x\n", text, checksumPrefix, sha256.Sum256([]byte(text)))
}

// Files are read by the tools of Go: every name splits into keys, each benchmark has its
// configuration, and comments do not matter.
func TestFilesAreReadByBenchproc(t *testing.T) {
	run := exampleRun(t)
	var parser benchproc.ProjectionParser
	kind, err := parser.Parse("/kind", nil)
	if err != nil {
		t.Fatal(err)
	}
	reader := benchfmt.NewReader(bytes.NewReader(written(t, run)), "run")
	count := 0
	for reader.Scan() {
		result, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			if _, isUnit := reader.Result().(*benchfmt.UnitMetadata); !isUnit {
				t.Errorf("%v", reader.Result())
			}
			continue
		}
		count++
		if got := kind.Project(result).StringValues(); got != "plain" && got != "fast" {
			t.Errorf("%s is of kind %q", result.Name, got)
		}
		for key, want := range map[string]string{"signature": "of " + string(result.Name.Base()), "cpu": "Example 9000", "work": "5 things", "pkg": "example.com/bench"} {
			if got := result.GetConfig(key); got != want {
				t.Errorf("%s: %s is %q, want %q", result.Name, key, got, want)
			}
		}
	}
	if units := reader.Units(); count != 18 || units.GetBetter("op/s") != 1 || units.GetBetter("ns/op") != -1 {
		t.Errorf("%d results", count)
	}
}

// A run that is interrupted and resumed must take the samples, in the order, that it
// would have taken at once.
func TestResumedRunIsTheSameRun(t *testing.T) {
	var whole, rest []string
	o := fakeOptions()
	o.Time = fakeTime(&whole)
	if _, err := Measure(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	o.Time = fakeTime(nil)
	o.Progress = func(p Progress) {
		if p == (Progress{Measuring, 2*3 + 1, 18}) {
			cancel()
		}
	}
	part, err := Measure(ctx, o)
	if err == nil || part.Rounds != 2 {
		t.Fatalf("%+v, %v; want 2 rounds and an interruption", part, err)
	}
	saved, err := ParseSaved(written(t, part))
	if err != nil || saved.Rounds != 2 || saved.Count != 6 || saved.Seed != 1 || saved.BenchTime != time.Second || len(saved.Names) != 3 {
		t.Fatalf("%+v, %v", saved, err)
	}
	if err := saved.Check(exampleHeading(), fakeOptions().Subjects); err != nil {
		t.Error(err)
	}
	clock := fakeTime(&rest)
	o.Time = func(s Subject, passes int) (float64, time.Duration, error) { // other passes would be right now
		units, elapsed, err := clock(s, passes)
		return units, 2 * elapsed, err
	}
	o.Progress, o.Resume = nil, saved
	run, err := Measure(t.Context(), o)
	if err != nil || run.Rounds != 6 || run.Interrupted || len(run.Series[2].Samples) != 6 {
		t.Fatalf("%+v, %v", run, err)
	}
	if !slices.Equal(rest[len(rest)-4*3:], whole[len(whole)-4*3:]) {
		t.Error("the resumed rounds are not in the order of the whole run")
	}
	for i, s := range run.Series {
		if s.Passes != part.Series[i].Passes {
			t.Errorf("%s: %d passes, before %d", s.Name, s.Passes, part.Series[i].Passes)
		}
	}
	for want, change := range map[string]func(*Options){
		"has no samples of C":                 func(o *Options) { o.Subjects = append(o.Subjects, &fakeSubject{name: "C", cost: 1000}) },
		"different benchmarks: 3 in the file": func(o *Options) { o.Subjects = o.Subjects[:2] },
	} {
		o := o
		change(&o)
		if _, err := Measure(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

func TestSavedRefusesWhatDoesNotFit(t *testing.T) {
	saved, err := ParseSaved(written(t, exampleRun(t)))
	if err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Heading){
		`different cpu: "Example 9000" in the file, "Other" here`: func(h *Heading) { h.Environment.CPU = "Other" },
		`different work: "5 things" in the file, "6 things" here`: func(h *Heading) { h.Configuration[0].Value = "6 things" },
		"commit unknown": func(h *Heading) { h.Environment.Commit = "abc" },
		"with go1.26.0":  func(h *Heading) { h.Environment.Go = "go1.27" },
	} {
		h := exampleHeading()
		change(&h)
		if err := saved.Check(h, fakeOptions().Subjects); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	other := otherWork{&fakeSubject{name: "A/kind=plain"}}
	if err := saved.Check(exampleHeading(), []Subject{other}); err == nil || !strings.Contains(err.Error(), `different signature: "of A" in the file, "x" here`) {
		t.Errorf("other work: %v", err)
	}
	procs := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(procs)
	runtime.GOMAXPROCS(procs + 1)
	if err := saved.Check(exampleHeading(), fakeOptions().Subjects); err == nil || !strings.Contains(err.Error(), "GOMAXPROCS") {
		t.Errorf("on other threads: %v", err)
	}
}

// The name of an engine may end like the number of threads.
func TestNamesThatEndInANumber(t *testing.T) {
	procs := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(procs)
	for _, n := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(n)
		o := fakeOptions()
		o.Subjects[0].(*fakeSubject).name = "A/kind=plain-2"
		run, err := Measure(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		saved, err := ParseSaved(written(t, run))
		if err != nil || saved.Names[0] != "A/kind=plain-2" || saved.Times("A/kind=plain-2") == nil {
			t.Errorf("on %d threads: %v, %v", n, saved.Names, err)
		}
	}
}

// Whatever is changed in a file, it is refused: a changed sample, a missing line, a
// missing end.
func TestDamagedFilesAreRefused(t *testing.T) {
	text := written(t, exampleRun(t))
	if _, err := ParseSaved(text); err != nil {
		t.Fatal(err)
	}
	for i := range text {
		changed := slices.Clone(text)
		changed[i] ^= 1
		if _, err := ParseSaved(changed); err == nil {
			t.Errorf("byte %d, %q made %q, is not noticed", i, text[i], changed[i])
		}
		if _, err := ParseSaved(text[:i]); err == nil {
			t.Errorf("%d bytes of %d are taken for a file", i, len(text))
		}
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i := range lines[:len(lines)-1] {
		if _, err := ParseSaved(slices.Concat(slices.Concat(lines[:i]...), slices.Concat(lines[i+1:]...))); err == nil {
			t.Errorf("line %d can be left out: %s", i+1, lines[i])
		}
	}
}

func TestParseSavedNamesWhatIsWrong(t *testing.T) {
	text := string(written(t, exampleRun(t)))
	add := func(line string) func(string) string {
		return func(s string) string { return strings.Replace(s, checksumPrefix, line+"\n"+checksumPrefix, 1) }
	}
	for want, change := range map[string]func(string) string{
		"missing comments":                     func(s string) string { return s[strings.Index(s, "goos"):] },
		"no such run can be":                   func(s string) string { return strings.Replace(s, ": 6 inter", ": 0 inter", 1) },
		"the file holds no samples":            func(s string) string { return s[:strings.Index(s, "\nBenchmark")+1] + checksumPrefix },
		"a part of the file is missing":        add("BenchmarkC 1 5 ns/op\nBenchmarkC 1 5 ns/op"),
		"no time above 0":                      add("BenchmarkC 1 0 ns/op"),
		"has no time above 0 in front":         add("BenchmarkC 1 5 games/s\nBenchmarkC 1 5 games/s"),
		"sample of 0 passes (want 1 or more)":  add("BenchmarkC 0 5 ns/op"),
		"sample of -3 passes (want 1 or more)": add("BenchmarkC -3 5 ns/op"),
		"passes in ns/op and of 50":            func(s string) string { return strings.Replace(s, " 500 ", " 501 ", 1) },
	} {
		_, err := ParseSaved(sealed(change(text)))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
	if _, err := ReadSaved(filepath.Join(t.TempDir(), "none")); !os.IsNotExist(err) {
		t.Errorf("a file that is not there: %v", err)
	}
}

func FuzzParseSaved(f *testing.F) {
	const head = "# ur bench run: 1 of 20 interleaved samples of 25ms, seed 1\n# commit unknown, go1.26.0, 2026-11-21T04:29:14Z\n# GOMAXPROCS 4\n"
	f.Add([]byte(head + "goos: linux\n\nBenchmarkGame/board=bits/eval=scalar-4 3 35.03 us/game 28543 games/s 1000 cycles/game\n"))
	f.Add([]byte(head + "BenchmarkA -1 5 ns/op\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		saved, err := ParseSaved(sealed(string(text) + "\n" + checksumPrefix))
		if err != nil {
			return
		}
		for name, series := range saved.series {
			if len(series.samples) != saved.Rounds || saved.Rounds < 1 || series.passes < 1 {
				t.Errorf("%s: %d samples of %d rounds, %d passes", name, len(series.samples), saved.Rounds, series.passes)
			}
			for _, x := range saved.Times(name) {
				if !IsTime(x) {
					t.Errorf("%s: time %v", name, x)
				}
			}
		}
	})
}

// otherWork is a subject whose work has changed.
type otherWork struct{ *fakeSubject }

func (otherWork) Describe(b *Benchmark) { b.Work = "x" }
