package timing

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing/listingtest"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// TestFitBenchmarks leaves out what the time does not bring to a first look: the last of many benchmarks, and the longest of
// a few. Where the time brings all to enough rounds to pass, those with fewer come first.
func TestFitBenchmarks(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		rounds []time.Duration // of each benchmark
		taken  int             // rounds that the first has
		want   string
	}{
		{[]time.Duration{100 * ms, 200 * ms, 400 * ms}, 0, "ABC"},
		{[]time.Duration{9000 * ms, 100 * ms, 900 * ms, 400 * ms}, 0, "BD"},
		{[]time.Duration{9000 * ms, 8000 * ms}, 0, "B"},
		{[]time.Duration{9000 * ms}, 0, "A"},
		{slices.Repeat([]time.Duration{60 * ms}, 20), 0, "ABCDEFGHIJKLMNOP"},
		{[]time.Duration{600 * ms, 500 * ms}, 0, "AB"},
		{[]time.Duration{600 * ms, 900 * ms}, 5, "AB"},
		{[]time.Duration{600 * ms, 900 * ms}, 6, "B"},
		{[]time.Duration{600 * ms, 1300 * ms}, 6, "A"}, // they need 7.8 of the 10 s
	} {
		v := judge.NewTable(judge.Rules{}, nil, true)
		var benchmarks []*listing.Benchmark
		for i, round := range test.rounds {
			b := &listing.Benchmark{Pkg: listingtest.NewPackage("", 0), Printed: string(rune('A' + i))}
			if v.Of(b).Round = round; i%2 == 0 { // no round yet
				v.Of(b).Round, b.First = 0, [2]listing.Sample{{Run: round / 2}, {Run: round / 2}}
			}
			benchmarks = append(benchmarks, b)
		}
		v.Of(benchmarks[0]).Pairs = make([]judge.Pair, test.taken)
		fitting := (&Rounds{Judges: v}).fit(benchmarks, 10*time.Second)
		testkit.Equal(t, listingtest.Names(fitting), test.want, "rounds of %v", test.rounds)
	}
}

// TestEnoughWait lets a benchmark without a detectable slowdown wait where the time does not suffice for the first look of
// another one.
func TestEnoughWait(t *testing.T) {
	o := judge.Rules{Limit: verdict.DefaultRule().Limit, Confirm: true}
	for _, test := range []struct {
		change, noise float64
		rounds        int
		want          string
	}{
		{0, 0.08, verdict.FirstLook, "B"}, {0, 0.01, 5, "B"}, {0, 0.5, verdict.FirstLook, "AB"}, {0, 0.5, 5, "AB"},
		{0, 0.01, 4, "AB"}, {0.1, 0.01, 5, "AB"},
	} {
		v := judge.NewTable(o, nil, true)
		pkg := listingtest.NewPackage("", 0)
		looked, waiting := &listing.Benchmark{Pkg: pkg, Printed: "A", Procs: 1}, &listing.Benchmark{Pkg: pkg, Printed: "B", Procs: 1}
		v.Of(waiting).Round = 9 * time.Second
		for round := range test.rounds {
			sides := [2]listing.Sample{{Wall: 1, CPU: 1, Figures: map[string]float64{listing.TimePrinted: 1}}}
			sides[frame.New] = sides[frame.Old]
			sides[frame.New].Wall = math.Exp(test.change + test.noise*float64(round%3-1))
			v.AddTimes([]judge.Pair{{Benchmark: looked, Sides: sides, Clock: report.Wall}})
		}
		v.Look([]*listing.Benchmark{looked})
		testkit.Equal(t, v.Of(looked).IsOpen(), true, "open after %+v", test)
		open := (&Rounds{Judges: v}).fit([]*listing.Benchmark{looked, waiting}, 20*time.Second)
		testkit.Equal(t, listingtest.Names(open), test.want, "measured next after %+v", test)
	}
}

// TestSharedSetUp lets the benchmarks of a function with a long set-up share a process, and wait together.
func TestSharedSetUp(t *testing.T) {
	s, benchmarks := newTestSampler(1, "F/a", "G", "F/b")
	v := s.Judges
	for _, b := range benchmarks {
		b.First = [2]listing.Sample{{Gap: 600 * time.Millisecond}, {Gap: 500 * time.Millisecond}}
		v.Of(b).Round = 700 * time.Millisecond
	}
	v.Of(benchmarks[1]).Round, benchmarks[1].First = 900*time.Millisecond, [2]listing.Sample{}
	listing.FindSharedSetUps(benchmarks)
	testkit.Equal(t, text.List(s.Divide(benchmarks), listingtest.Names), []string{"F/aF/b", "G"}, "processes")
	testkit.Equal(t, listingtest.Names((&Rounds{Judges: v}).fit(benchmarks, 10*time.Second)), "G",
		"of F/a and F/b with 8.4 s and G with 5.4 s, measured first in 10 s")
}

// A benchmark that hangs on the new side alone is open and takes at least some time; with others there is
// nothing to compare.
func TestLateBenchmarks(t *testing.T) {
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("sh")))
	const passes, hangs, fails = "echo BenchmarkA 1 20 ns/op", "exec sleep 600", "exit 1"
	const hangsAlone = `case "$*" in *-test.cpu=1) exec sleep 600; esac; echo BenchmarkA-3 1 20 ns/op`
	t.Setenv("GOMAXPROCS", "3")
	for name, test := range map[string]struct {
		programs [2]string
		time     time.Duration
		reason   string
		procs    int
	}{
		"hang":                    {[2]string{passes, hangs}, time.Minute, "", 1},
		"hang on both sides":      {[2]string{hangs, hangs}, 2 * time.Second, "longer than", 3},
		"hang with one processor": {[2]string{hangsAlone, hangsAlone}, 3 * time.Second, "", 3},
		"failure":                 {[2]string{passes, fails}, time.Minute, "exit status 1 and prints no reason", 1},
		"failure of a slow one":   {[2]string{hangs, fails}, 3 * time.Second, "exit status 1 and prints no reason", 3},
	} {
		t.Run(name, func(t *testing.T) {
			r, s, p := newTestRun(t), &source.Sides{Trees: [2]*source.Tree{{}, {}}, Current: -1}, listingtest.NewPackage("", 0)
			for side, program := range test.programs {
				dir := t.TempDir()
				s.Trees[side].Root, s.Trees[side].Stored = filepath.Join(dir, "root"), filepath.Join(dir, "stored")
				p.Dirs[side], p.Binaries[side] = s.Trees[side].Root, filepath.Join(dir, "program")
				testkit.WriteText(t, filepath.Join(s.Trees[side].Stored, "a"), "")
				testkit.NoError(t, os.WriteFile(p.Binaries[side], []byte("#!/bin/sh\n"+program+"\n"), 0o777))
			}
			k := &listing.Benchmark{Pkg: p, Printed: "A", Name: "a.A", Procs: 1}
			v := judge.NewTable(judge.Rules{}, nil, false)
			late := Timer{Links: newTestLinks(r), Judges: v}
			late.Sides = s
			l := &listing.Listing{Selection: &listing.Selection{}, Late: []*listing.Benchmark{k}}
			l = testkit.Must(late.sampleLate(t.Context(), l, l.Late, time.Now().Add(test.time)))(t)
			k = l.Late[0]
			f := v.Of(k)
			testkit.Equal(t, k.Procs, test.procs, "processors")
			open := test.reason == ""
			testkit.ErrorIf(t, open != (f.AtLeast[frame.New] >= 1 || k.First[frame.New].Wall > 0) ||
				open != (f.As == "") || !open &&
				(f.As != verdict.NotJudged || !strings.Contains(f.Reason, test.reason)),
				"%+v (want the reason %q)", f, test.reason)
		})
	}
}

// Slow benchmarks wait until no other one is open, and are given up if the commit fails anyway.
func TestSlowBenchmarksWait(t *testing.T) {
	p := listingtest.NewPackage("", 0)
	slow, other := &listing.Benchmark{Pkg: p, Printed: "A"}, &listing.Benchmark{Pkg: p, Printed: "B"}
	l := &listing.Listing{Selection: &listing.Selection{}, Benchmarks: []*listing.Benchmark{slow, other}, Slow: []*listing.Benchmark{slow}}
	run := newTestRun(t)
	run.Budget = frame.NewBudget(0, false) // what runs now has no time
	made := func() *Timer {
		return &Timer{Links: newTestLinks(run), Judges: judge.NewTable(judge.Rules{}, nil, true)}
	}
	m := made()
	same := testkit.Must(m.ConfirmLate(t.Context(), l))(t)
	testkit.Equal(t, m.Judges.Of(slow).IsOpen(), true, "open beside another benchmark")
	testkit.Equal(t, listingtest.Names(same.Fast()), "B", "benchmarks that do not wait")
	m.Judges.Of(other).Advance(judge.StateJudged)
	testkit.Must(m.ConfirmLate(t.Context(), l))(t)
	testkit.Equal(t, m.Judges.Of(slow).IsOpen(), false, "open without time")

	m, run.Budget = made(), frame.NewBudget(time.Hour, false)
	m.Judges.Of(other).Advance(judge.StateJudged)
	slower := &verdict.Row{Verdict: verdict.Slower, Exact: true}
	testkit.NoError(t, slower.Add(1, 2))
	m.Judges.Of(other).Rows = []*judge.Row{{Row: slower}}
	testkit.Must(m.TakeTimes(t.Context(), l))(t)
	testkit.Equal(t, m.Judges.Of(slow).IsOpen(), false, "open beside one that is slower")
}
