package listing

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/reach"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// A line of a binary with the overlay has exact figures; without it, those that Go prints.
func TestNewSample(t *testing.T) {
	both := ParseSamples([]byte("BenchmarkA 100 12.0 ns/op 1250 ur-wall-ns 900 ur-cpu-ns 5000 ur-run-ns 2000 ur-busy-ns 9000 ur-queued-ns"+
		" 2 ur-pairs 1 ur-parallel 3.14159265 ur:ns/eval 3.142 ns/eval 16 B/op\nBenchmarkB 10 50 ns/op\n"), 1)
	a, b := both[0], both[1]
	testkit.ErrorIf(t, math.Abs(a.Wall-12.5e-9) > 1e-18 || math.Abs(a.CPU-9e-9) > 1e-18 || !a.Parallel || a.Pairs != 2,
		"%+v", a)
	testkit.Equal(t, a.Run, 5*time.Microsecond, "time of the run")
	testkit.Equal(t, a.Queued, 3*time.Microsecond, "time in the queue")
	testkit.ErrorIf(t, !math.IsNaN(b.CPU) || math.Abs(b.Wall-50e-9) > 1e-18 || b.Run != 500, "%+v", b)
	testkit.Equal(t, a.Figures, map[string]float64{"ns/op": 12, "ns/eval": 3.14159265, "B/op": 16}, "printed")
}

func TestParseSamples(t *testing.T) {
	all := ParseSamples([]byte("goos: linux\npkg: example.com/a/b\n"+
		"BenchmarkHash/rounds=1-4 \t 1000\t  350.5 ns/op\t 12.00 MB/s\t 16 B/op\t 2 allocs/op\n"+
		"BenchmarkLoud\nhello 12\nworld   \t 7\t 1e+03 ns/op\n"+ // the benchmark prints lines of its own
		"BenchmarkLoudest-4 hello      \t5\t0.25 ns/op\r\n"+
		"Benchmarking is fun 5\t1 ns/op\n"+ // no name of a benchmark
		"--- FAIL: BenchmarkBroken\nBenchmarkEmpty\nPASS\n"), 4)
	testkit.MustEqual(t, len(all), 3, "samples in %+v", all)
	first := all[0]
	testkit.ErrorIf(t, first.Name != "Hash/rounds=1" || first.Of.Package != "example.com/a/b" || first.Iterations != 1000,
		"%+v", first)
	testkit.Equal(t, first.Figures, map[string]float64{"ns/op": 350.5, "MB/s": 12, "B/op": 16, "allocs/op": 2}, "figures")
	testkit.ErrorIf(t, all[1].Name != "Loud" || all[1].Figures["ns/op"] != 1000 || all[1].Iterations != 7,
		"%+v", all[1])
	testkit.ErrorIf(t, all[2].Name != "Loudest" || all[2].Figures["ns/op"] != 0.25, "%+v", all[2])
	for _, c := range []struct {
		name  string
		procs int
		want  string
	}{{"A-4", 4, "A"}, {"A-4", 1, "A-4"}, {"A/n=-4-4", 4, "A/n=-4"}, {"A-8", 4, "A-8"}} {
		got := ParseSamples([]byte("Benchmark"+c.name+" 1 2 ns/op\n"), c.procs)
		testkit.Equal(t, got[0].Name, c.want, "%s with %d processors", c.name, c.procs)
	}
}

func FuzzParseSamples(f *testing.F) {
	f.Add("BenchmarkA 1 2 ns/op\n")
	f.Add("BenchmarkA\nnoise 1 2 ns/op 3 B/op x\npkg: y\nBenchmarkB-2 9 1e9999 ns/op")
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range ParseSamples([]byte(text), 1) {
			testkit.FatalIf(t, s.Iterations < 1 || s.Name != strings.TrimSpace(s.Name), "%+v", s)
			for unit, x := range s.Figures {
				testkit.FatalIf(t, math.IsNaN(x) || math.IsInf(x, 0) || unit == "", "%+v", s)
			}
		}
	})
}

// A process that was killed inside of a benchmark does not tell its set-up, and what the first function does before its
// sub-benchmarks is none.
func TestSetUp(t *testing.T) {
	p := &Package{}
	ran := []Sample{{Busy: time.Second}}
	for i, run := range []struct {
		cpu    time.Duration
		killed bool
		want   time.Duration
	}{{9 * time.Second, true, 0}, {1500 * time.Millisecond, false, 500 * time.Millisecond},
		{1010 * time.Millisecond, false, 10 * time.Millisecond}, {3 * time.Second, true, 10 * time.Millisecond},
		{2 * time.Second, false, 10 * time.Millisecond}} {
		p.observe(frame.Result{CPU: run.cpu, Wall: run.cpu}, ran, run.killed)
		testkit.Equal(t, p.Overhead, run.want, "set-up after run %d", i)
	}
}

// The new side does not run benchmarks with others that were slow on the old one.
func TestSlowBenchmarks(t *testing.T) {
	p := newTestPackage()
	p.Reach = map[string]reach.Change{"BenchmarkA": {Code: report.ChangedCode}, "BenchmarkB": {Code: report.ChangedCode}}
	before, after := &Found{Failed: map[string]error{"A": frame.TimeoutError{Limit: time.Second}, "B": ErrNoFigures}}, &Found{Failed: make(map[string]error)}
	lists := &lister{pkg: p, before: before, found: after}
	testkit.Equal(t, lists.withoutSlow(), []string{"BenchmarkB"}, "functions of the new side")
	testkit.Equal(t, frame.IsTimeout(after.Failed["A"]), true, "a slow function counts as late")

}

// A benchmark that takes too long, and that the old side does not have or skips, is an addition: the old side's process
// ends at once, but not with an iteration.
func TestAddedBenchmarkTakesLong(t *testing.T) {
	p := newTestPackage()
	p.Reach = map[string]reach.Change{"BenchmarkA": {Code: report.ChangedCode}, "BenchmarkB": {Code: report.ChangedCode},
		"BenchmarkC": {Code: report.ChangedCode}}
	late := func() error { return frame.TimeoutError{Limit: time.Second} }
	l := &Listing{Selection: &Selection{IsExcluded: func(string) bool { return false }}, Units: make(map[string]int)}
	l.pair(p, [2]*Found{{Skipped: []string{"B"}, Failed: map[string]error{"C": ErrNoFigures}},
		{Failed: map[string]error{"A": late(), "B": late(), "C": late()}}})
	testkit.Equal(t, len(l.Late), 1, "benchmarks that are compared with the old side")
	testkit.Equal(t, len(l.Added), 2, "added benchmarks %v", l.Added)
}

// A test program that fails after its benchmarks fails them where the old side's ends well.
func TestFailsAtEnd(t *testing.T) {
	failed := errors.New("leaked")
	for _, c := range []struct {
		name     string
		old, new map[string]Exit
		fails    bool
	}{
		{"both end well", nil, nil, false},
		{"the new one fails", nil, map[string]Exit{"A": {failed, true}}, true},
		{"another benchmark fails in its process", nil, map[string]Exit{"A": {failed, false}}, false},
		{"the process of another function fails", nil, map[string]Exit{"B": {failed, true}}, false},
		{"both fail", map[string]Exit{"A": {failed, true}}, map[string]Exit{"A": {failed, true}}, false},
		{"the old one fails in another process", map[string]Exit{"B": {failed, true}}, map[string]Exit{"A": {failed, true}}, false},
		{"the old one may not reach its end", map[string]Exit{"A": {failed, false}}, map[string]Exit{"A": {failed, true}}, false},
	} {
		p := newTestPackage()
		p.Reach = map[string]reach.Change{"BenchmarkA": {Code: report.ChangedCode}}
		l := &Listing{Selection: &Selection{IsExcluded: func(string) bool { return false }}, Units: make(map[string]int)}
		k := Variant{Name: "A", Procs: 1}
		found := func(exits map[string]Exit) *Found {
			return &Found{Order: []Variant{k}, Ran: map[Variant]Sample{k: {}}, Exits: exits}
		}
		l.pair(p, [2]*Found{found(c.old), found(c.new)})
		testkit.MustEqual(t, len(l.Benchmarks), 1, "%s: benchmarks", c.name)
		if failure := l.Benchmarks[0].Failure; c.fails {
			testkit.ErrorIf(t, failure == nil || failure.Reason != "fails on the new side after its benchmarks: leaked", "%s: %+v", c.name, failure)
		} else {
			testkit.ErrorIf(t, failure != nil, "%s: %+v", c.name, failure)
		}
	}
}

// newTestPackage returns a package without programs.
func newTestPackage() *Package {
	return &Package{Package: &reach.Package{TestPackage: &build.TestPackage{Package: &report.Package{}}}}
}
