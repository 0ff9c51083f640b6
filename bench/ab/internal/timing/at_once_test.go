package timing

import (
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// Sides that share a core have the time of one that has it alone. Benchmarks that wait for anything else run in turns.
func TestTakeAtOnce(t *testing.T) {
	s, all := newTestSampler(2, "Busy", "Sleeps")
	sample := func(cpu, wall float64, queued time.Duration) *listing.Sample {
		run := time.Duration(1000 * wall * float64(time.Second))
		return &listing.Sample{Iterations: 1000, CPU: cpu, Wall: wall, Busy: time.Duration(1000 * cpu * float64(time.Second)), Run: run, Queued: queued}
	}
	before, after := sample(1e-4, 2e-4, 100*time.Millisecond), sample(1e-4, 1.9e-4, 91*time.Millisecond)
	testkit.Equal(t, s.takeAtOnce(all[0], before, after), true, "two busy sides are taken")
	for _, x := range []*listing.Sample{before, after} {
		testkit.Equal(t, listing.TimedWork(x).Round(time.Millisecond), 100*time.Millisecond, "work without the wait")
		testkit.Equal(t, x.Run, 100*time.Millisecond, "run without the wait")
	}
	testkit.Equal(t, s.takeAtOnce(all[1], sample(1e-5, 2e-4, 0), sample(1e-5, 2e-4, 0)), false, "two sleeping sides are taken")
	testkit.Equal(t, s.Sizes[all[1]].isApart, true, "runs in turns")
}

// Only benchmarks whose sides do not disturb each other run at once.
func TestMayRunAtOnce(t *testing.T) {
	for name, test := range map[string]struct {
		change func(s *Sampler, r *PartRun, b *listing.Benchmark)
		want   bool
	}{
		"busy":               {func(*Sampler, *PartRun, *listing.Benchmark) {}, true},
		"no long run":        {func(s *Sampler, _ *PartRun, _ *listing.Benchmark) { s.isLong = false }, false},
		"other files":        {func(s *Sampler, _ *PartRun, _ *listing.Benchmark) { s.atOnce.isPossible = false }, false},
		"no pair was taken":  {func(s *Sampler, _ *PartRun, _ *listing.Benchmark) { s.atOnce.rejected = 4 }, false},
		"one pair was taken": {func(s *Sampler, _ *PartRun, _ *listing.Benchmark) { s.atOnce = sidesAtOnce{true, 1, 4} }, true},
		"any core":           {func(_ *Sampler, r *PartRun, _ *listing.Benchmark) { r.Core = frame.NoCore }, false},
		"parallel":           {func(_ *Sampler, _ *PartRun, b *listing.Benchmark) { b.Procs = 2 }, false},
		"starts processes":   {func(_ *Sampler, _ *PartRun, b *listing.Benchmark) { b.First[frame.New].Children = true }, false},
		"failed beside one":  {func(s *Sampler, _ *PartRun, b *listing.Benchmark) { s.Judges.Of(b).Alone = true }, false},
		"waits":              {func(s *Sampler, _ *PartRun, b *listing.Benchmark) { s.Sizes[b].isApart = true }, false},
		"waits at first": {func(_ *Sampler, _ *PartRun, b *listing.Benchmark) {
			b.First[frame.New] = listing.Sample{Iterations: 1, CPU: 1e-4, Wall: 1e-2, Busy: 1e5, Run: 1e7}
			b.First[frame.Old] = b.First[frame.New]
		}, false},
		"unknown operations": {func(s *Sampler, _ *PartRun, b *listing.Benchmark) { s.Sizes[b].iterations = 0 }, false},
	} {
		s, all := newTestSampler(2, "F")
		b := all[0]
		b.First[frame.Old] = listing.Sample{Iterations: 1, CPU: 1e-2, Wall: 1e-2, Busy: 1e7, Run: 1e7}
		b.First[frame.New] = b.First[frame.Old]
		s.isLong, s.atOnce.isPossible, s.Sizes[b].iterations = true, true, 100
		r := &PartRun{Benchmarks: all, Core: 1}
		test.change(s, r, b)
		testkit.Equal(t, s.mayRunAtOnce([]*PartRun{r}), test.want, "%s: may run at once", name)
	}
}

// The number of operations of a long run is known from short runs, or from a first operation that takes a millisecond.
func TestBeginLong(t *testing.T) {
	for _, test := range []struct {
		first     float64 // seconds of the first operation
		operation float64 // of short runs
		want      int
	}{{1e-6, 1e-6, 115_000}, {1e-6, 0, 0}, {5e-3, 0, 23}, {0.2, 0.1, 2}} {
		s := listing.Sample{Iterations: 1, Wall: test.first, Run: time.Duration(test.first * 1e9), Pairs: 1}
		_, all := newTestSampler(1, "F")
		all[0].First = [2]listing.Sample{s, s}
		z := &sizing{}
		z.beginLong(all[0], test.operation, judge.LeastHorizon)
		testkit.Equal(t, z.iterations, test.want, "operations, where the first takes %v s, and others %v s", test.first, test.operation)
	}
}
