package timing

import (
	"math"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing/listingtest"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The CPU's clock is for benchmarks that are busy, even where they wait for a core.
func TestClocks(t *testing.T) {
	sampler := &sizer{hasCPU: true}
	with := func(cpu, wall float64, busy, queued, run time.Duration) [][2]listing.Sample {
		s := listing.Sample{Iterations: 1000, CPU: cpu, Wall: wall, Busy: busy, Queued: queued, Run: run}
		return [][2]listing.Sample{{s, s}}
	}
	b := &listing.Benchmark{Procs: 1}
	for name, c := range map[string]struct {
		seen [][2]listing.Sample
		want report.Clock
	}{
		"quiet":          {with(1e-6, 1e-6, 1e6, 0, 1e6), report.CPU},
		"queued":         {with(1e-6, 4e-6, 1e6, 3e6, 4e6), report.CPU},
		"sleeps":         {with(1e-6, 1e-4, 1e6, 1e6, 1e8), report.Wall},
		"sleeps, queued": {with(1e-6, 4e-6, 1e5, 2e6, 4e6), report.Wall},
		"too short":      {with(1e-9, 1e-9, 1e6, 0, 1e6), report.Wall},
	} {
		testkit.Equal(t, sampler.chooseClock(b, c.seen), c.want, "%s", name)
	}
}

// An operation that fills a sample needs no run that finds its iterations. A set-up does not fill it.
func TestLongOperation(t *testing.T) {
	work := Work{Duration: 20 * time.Millisecond}
	of := func(cpu float64) *listing.Benchmark {
		s := listing.Sample{Iterations: 1, CPU: cpu, Run: time.Second, Busy: time.Second, Pairs: 1}
		return &listing.Benchmark{Procs: 1, First: [2]listing.Sample{s, s}}
	}
	for cpu, want := range map[float64]bool{0.5: true, 1e-6: false, math.NaN(): false} {
		z := newSizing(of(cpu), work)
		testkit.ErrorIf(t, z.Full != want || z.iterations != 1,
			"%v s: full is %v with %d iterations, want %v with 1", cpu, z.Full, z.iterations, want)
	}
}

// A sample by the wall clock is as long as its process waits, and no shorter than others.
func TestWaitingSample(t *testing.T) {
	for _, test := range []struct {
		clock   report.Clock
		wall    float64
		elapsed time.Duration
		want    int
	}{
		{report.Wall, 1e-3, 320 * time.Millisecond, 250},
		{report.Wall, 1e-3, 25 * time.Millisecond, 20},
		{report.CPU, 1e-3, 320 * time.Millisecond, 20},
		{report.Wall, math.NaN(), 320 * time.Millisecond, 20},
	} {
		b := &listing.Benchmark{Procs: 1, Pkg: listingtest.NewPackage("", 0)}
		s := &sizer{Work: Work{Duration: 20 * time.Millisecond}, Sizes: map[*listing.Benchmark]*sizing{
			b: {iterations: 20, Full: true, Clock: test.clock, cost: [2]float64{1e-3, 1e-3}}}}
		one := listing.Sample{Iterations: 20, Wall: test.wall, CPU: math.NaN(), Run: 20 * time.Millisecond, Elapsed: test.elapsed}
		s.resize(b, [2]listing.Sample{one, one})
		testkit.Equal(t, s.Sizes[b].iterations, test.want, "iterations of %+v", test)
	}
}

// Samples are short where all counts show large changes: their times need less care.
func TestSampleTime(t *testing.T) {
	large := verdict.Count{Verdict: verdict.MoreWork, Lo: 0.2, Hi: 0.3}
	small := verdict.Count{Verdict: verdict.MoreWork, Lo: 0.04, Hi: 0.05}
	fewer := verdict.Count{Verdict: verdict.LessWork, Lo: -0.4, Hi: -0.2}
	for _, test := range []struct {
		name   string
		counts []verdict.Count
		want   time.Duration
	}{
		{"large changes", []verdict.Count{large, fewer, large}, leastSample},
		{"a small change", []verdict.Count{large, fewer, small}, 50 * time.Millisecond},
		{"undecided", []verdict.Count{large, {Lo: 0.2, Hi: 0.3}}, 50 * time.Millisecond},
		{"no count", []verdict.Count{{}}, 50 * time.Millisecond},
	} {
		v := judge.NewTable(judge.Rules{}, nil, true)
		p := listingtest.NewPackage("", 0)
		var open []*listing.Benchmark
		for _, c := range test.counts {
			k := &listing.Benchmark{Pkg: p, Procs: 1}
			v.Of(k).Counts = &judge.Counts{Result: c}
			open = append(open, k)
		}
		testkit.Equal(t, (&Timer{Links: newTestLinks(newTestRun(t)), Judges: v}).plan(open).Work.Duration, test.want, "%s: samples", test.name)
	}
}

// A long run whose operations were too few is made again with more, until the horizon.
func TestLengthenLong(t *testing.T) {
	run := func(iterations int) *judge.Pair {
		s := listing.Sample{Iterations: iterations, Wall: 1e-6}
		return &judge.Pair{Sides: [2]listing.Sample{s, s}}
	}
	z := &sizing{iterations: 2000, long: time.Second}
	if !z.lengthenLong(run(z.iterations)) || z.iterations != 1_150_000 {
		t.Errorf("%d operations, want 1,150,000", z.iterations)
	}
	if z.lengthenLong(run(z.iterations)) {
		t.Errorf("a run of %v is made again", listing.TimedWork(&run(z.iterations).Sides[frame.Old]))
	}
}
