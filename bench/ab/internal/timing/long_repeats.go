package timing

import (
	"context"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
)

// Long runs are repeated for three reasons: a few to learn their noise, doubtful ones at once, and those that differ in
// rounds.

// repeatedForNoise is the number of benchmarks whose second long run shows the noise.
const repeatedForNoise = 4

// repeatForNoise repeats a few long runs, if these fit into the time: where benchmarks change by unequal amounts, single runs
// do not show the noise.
func (r *longRuns) repeatForNoise(ctx, limited context.Context) error {
	again := *r
	again.benchmarks = slices.DeleteFunc(r.Judges.Open(r.benchmarks), func(b *listing.Benchmark) bool { return r.Judges.Of(b).LastLong.AtOnce })
	again.benchmarks = again.benchmarks[:min(len(again.benchmarks), repeatedForNoise)]
	if r.timeFor(again.benchmarks, r.horizon) > time.Until(r.span.Cut) {
		return nil
	}
	return again.take(ctx, limited)
}

// repeatDoubtful repeats long runs with a disturbed old side, and those that may show more memory; where no rounds follow, also
// those that look slower.
func (r *longRuns) repeatDoubtful(ctx, limited context.Context) error {
	const most = 4
	v := r.Judges
	times := 1
	if r.OnlyCounts {
		times = most
	}
	for range times {
		r.benchmarks = slices.DeleteFunc(slices.Clone(r.benchmarks), func(b *listing.Benchmark) bool {
			return !v.Of(b).LongRuns.Disturbed(v.NoiseOf(b)) && !v.Of(b).MayGrow && !(r.OnlyCounts && v.IsSuspect(b))
		})
		if err := r.take(ctx, limited); err != nil {
			return err
		}
	}
	return nil
}

// RepeatTime is about the time of the shortest long runs that decide a benchmark in rounds.
func RepeatTime(b *listing.Benchmark) time.Duration {
	return fewestRepeats * longRunTime(b, leastRepeat)
}

// fewestRepeats are the rounds of long runs that decide most benchmarks, and leastRepeat is the length of the shortest ones,
// which some of them exceed.
const (
	fewestRepeats = 6
	leastRepeat   = judge.LeastHorizon * 6 / 5
)

// repeatLongRuns takes further samples of a benchmark from long runs. They are as long as the last one, unless too few of
// them fit into the time then, with those of all benchmarks whose long runs must be repeated.
func (t *Sampler) repeatLongRuns(b *listing.Benchmark) {
	f, z, n := t.Judges.Of(b), t.Sizes[b], 0
	for other := range t.Sizes {
		if o := t.Judges.Of(other); o.IsOpen() && (o.RepeatsLong || t.Judges.IsSuspect(other)) {
			n += min(other.Procs, t.Lanes())
		}
	}
	each := t.Left() * time.Duration(t.Lanes()) / time.Duration(max(1, n))
	length := fitLength(max(f.Length, leastRepeat), leastRepeat, each, func(length time.Duration) time.Duration {
		return fewestRepeats * longRunTime(b, length)
	})
	z.beginLong(b, f.Operation, length)
	z.Clock, f.Round = f.LastLong.Clock, longRunTime(b, length)
	z.repeatLong(&f.LastLong)
	if n := min(f.LastLong.Sides[frame.Old].Iterations, f.LastLong.Sides[frame.New].Iterations); f.Operation > 0 {
		z.each = max(z.each, min(n, z.iterations)) // the last one may have been slower than usual
	}
}

// repeatLong chooses the operations for a run as long as the last one, at the speed of its slower side. Both sides have as
// many: the heap grows in the first operations, so a mean of one is no measure beside a mean of two.
func (z *sizing) repeatLong(last *judge.Pair) {
	z.each = mostIterations
	for side := range last.Sides {
		s := &last.Sides[side]
		n := s.Iterations
		if timed := listing.TimedWork(s); timed > z.long {
			n = max(1, int(1.1*float64(n)*z.long.Seconds()/timed.Seconds()))
		}
		z.each = min(z.each, n)
	}
}
