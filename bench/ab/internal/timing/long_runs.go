package timing

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// longRunTarget is how many times longer than the horizon a run is whose operations are chosen by an earlier one.
const longRunTarget = 1.15

// fewBenchmarks get the usual horizon in the usual time.
const fewBenchmarks = 20

// longRuns are long runs of some benchmarks.
type longRuns struct {
	*Timer
	sampler    *Sampler
	benchmarks []*listing.Benchmark
	horizon    time.Duration
	times      int // long runs of each side
	span       frame.Span
}

// TakeLongRuns runs the open benchmarks until the horizon, on all cores at once. What has no long run cannot pass.
func (t *Timer) TakeLongRuns(ctx context.Context, benchmarks []*listing.Benchmark) error {
	v := t.Judges
	v.NeedsHorizon = true
	open := v.Open(benchmarks)
	if len(open) == 0 {
		return nil
	}
	r := t.planLongRuns(open)
	t.addLongOperations(open, r.horizon)
	t.Show(fmt.Sprintf("running each for %v", r.horizon), len(r.benchmarks))
	limited, cancel := r.span.Context(ctx)
	defer cancel()
	for i := range r.times {
		take := r.take
		if i == 0 {
			take = r.takeFirst
		}
		if err := take(ctx, limited); err != nil {
			return err
		}
		r.benchmarks = slices.DeleteFunc(r.benchmarks, func(b *listing.Benchmark) bool { // rounds follow anyway
			return !r.OnlyCounts && v.Of(b).LongRuns.Delta() > verdict.MustDetect
		})
	}
	if v.Noise = v.LongRunNoise(); r.times == 1 && v.Noise > verdict.UsualNoise {
		if err := r.repeatForNoise(ctx, limited); err != nil {
			return err
		}
		v.Noise = v.LongRunNoise()
	}
	return r.repeatDoubtful(ctx, limited)
}

// beginLongRuns begins the time for long runs: more for few benchmarks, and where the shortest runs of all would not fit.
func (t *Timer) beginLongRuns(open []*listing.Benchmark) frame.Span {
	span := t.BeginWith(frame.LongRuns, frame.Floor(frame.LongRuns))
	if len(open) <= fewBenchmarks || t.timeFor(open, judge.LeastHorizon) > span.Length() {
		span = t.Begin(frame.LongRuns)
	}
	return span
}

// timeFor is about the time of a long run of each side of some benchmarks, if the number of operations is known.
func (t *Timer) timeFor(benchmarks []*listing.Benchmark, horizon time.Duration) (sum time.Duration) {
	for _, b := range benchmarks {
		one := longRunTime(b, horizon)
		if !t.Judges.NeedsMachine(b) {
			one /= time.Duration(t.Parallelism())
		}
		sum += one
	}
	return sum
}

// timeWithSearch is the same where package testing must search for the number of operations of some.
func (t *Timer) timeWithSearch(benchmarks []*listing.Benchmark, horizon time.Duration) time.Duration {
	sum := t.timeFor(benchmarks, horizon)
	for _, b := range benchmarks {
		if t.Judges.Of(b).Operation == 0 {
			sum += horizon
		}
	}
	return sum
}

// fitHorizon returns the longest horizon whose runs fit into a time, or the shortest that lets a benchmark pass.
func (t *Timer) fitHorizon(budget time.Duration, timeOf func(horizon time.Duration) time.Duration) time.Duration {
	return fitLength(t.Horizon, judge.LeastHorizon, budget, timeOf)
}

// fitLength returns the longest length of runs, from most to least, that fits into a time, or the least.
func fitLength(most, least, budget time.Duration, timeOf func(length time.Duration) time.Duration) time.Duration {
	length := most
	for length > least && timeOf(length) > budget {
		length = max(least, (length * 9 / 10).Round(10*time.Millisecond))
	}
	return length
}

// planLongRuns chooses the longest horizon that fits into the time, for all benchmarks alike. Where even the shortest does not
// fit, near benchmarks come first, and then those that take the least time.
func (t *Timer) planLongRuns(open []*listing.Benchmark) *longRuns {
	r := &longRuns{Timer: t, times: 1, span: t.beginLongRuns(open)}
	budget := r.span.Length()
	r.horizon = t.fitHorizon(budget, func(horizon time.Duration) time.Duration {
		return t.timeWithSearch(open, horizon) + t.timeFor(open[:min(len(open), repeatedForNoise)], horizon)
	})
	timeOf := func(benchmarks []*listing.Benchmark) time.Duration { return t.timeWithSearch(benchmarks, r.horizon) }
	r.benchmarks = slices.DeleteFunc(slices.Clone(open), func(b *listing.Benchmark) bool { return isLongOperation(b, r.horizon) })
	slices.SortStableFunc(r.benchmarks, func(a, b *listing.Benchmark) int {
		return cmp.Or(cmp.Compare(b.Reach.Near, a.Reach.Near), cmp.Compare(longRunTime(a, r.horizon), longRunTime(b, r.horizon)))
	})
	for len(r.benchmarks) > 0 && timeOf(r.benchmarks) > budget {
		r.benchmarks = r.benchmarks[:len(r.benchmarks)-1]
	}
	if one := timeOf(r.benchmarks); one > 0 {
		r.times = max(1, min(judge.MostLongRuns, int(budget/(2*one))))
	}
	p := Plan{Benchmarks: r.benchmarks, Work: Work{Duration: r.horizon}, Lanes: t.Parallelism()}
	r.sampler = NewSampler(t.Links, p, t.Judges)
	r.sampler.isLong = true // by the binaries of the build
	r.sampler.atOnce.isPossible = t.HaveSameFiles()
	for b, z := range r.sampler.Sizes {
		z.beginLong(b, t.Judges.Of(b).Operation, r.horizon)
	}
	return r
}

// takeFirst runs each benchmark once, some at a time: where these take longer than planned, as on a busy
// machine, the horizon of the others becomes shorter. Operations of long runs that collect garbage take longer than those
// of short ones, so the others also get fewer operations.
func (r *longRuns) takeFirst(ctx, limited context.Context) error {
	const parts, least, margin = 6, 4, 1.1 // benchmarks
	v := r.Judges
	some := max(least, (len(r.benchmarks)+parts-1)/parts)
	some += some % r.Parallelism()
	slowdown, stretch := 1.0, 1.0
	for rest := r.benchmarks; len(rest) > 0; {
		now := *r
		now.benchmarks, rest = rest[:min(some, len(rest))], rest[min(some, len(rest)):]
		now.horizon = min(r.horizon, r.fitHorizon(time.Until(r.span.End), func(horizon time.Duration) time.Duration {
			all := r.timeWithSearch(slices.Concat(now.benchmarks, rest), horizon)
			return time.Duration(slowdown * float64(all))
		}))
		for _, b := range now.benchmarks {
			r.sampler.Sizes[b].beginLong(b, stretch*v.Of(b).Operation, now.horizon)
		}
		begin := time.Now()
		if err := now.take(ctx, limited); err != nil {
			return err
		}
		over := now.overshoot()
		planned := max(time.Millisecond, r.timeWithSearch(now.benchmarks, now.horizon))
		slowdown = max(1, margin*time.Since(begin).Seconds()/planned.Seconds()/over)
		stretch *= over
	}
	return nil
}

// overshoot is how many times longer than their target the long runs of most benchmarks were, at least 1.
func (r *longRuns) overshoot() float64 {
	const fewest = 3
	var factors []float64
	for _, b := range r.benchmarks {
		if f := r.Judges.Of(b); f.Operation > 0 && f.LongRuns.N() > 0 {
			timed := min(listing.TimedWork(&f.LastLong.Sides[frame.Old]), listing.TimedWork(&f.LastLong.Sides[frame.New]))
			factors = append(factors, timed.Seconds()/r.horizon.Seconds()/longRunTarget)
		}
	}
	if len(factors) < fewest {
		return 1
	}
	slices.Sort(factors)
	return max(1, factors[len(factors)/4])
}

// take runs each benchmark once. A benchmark without figures is run again by itself.
func (r *longRuns) take(ctx, limited context.Context) error {
	const tries = 3
	v := r.Judges
	open := slices.Clone(r.benchmarks)
	for try := range tries {
		open = v.Open(open)
		if len(open) == 0 || limited.Err() != nil {
			break
		}
		pairs, err := r.sampler.Sample(limited, open)
		for _, pair := range pairs {
			if try < tries-1 && r.sampler.Sizes[pair.Benchmark].lengthenLong(&pair) {
				continue // the first operation was no measure of the others
			}
			v.AddLongRun(pair, r.sampler.Sizes[pair.Benchmark].long)
			if z := r.sampler.Sizes[pair.Benchmark]; z.iterations == 0 { // package testing has found another number for each side
				z.repeatLong(&pair)
			}
			open = slices.DeleteFunc(open, func(b *listing.Benchmark) bool { return b == pair.Benchmark })
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && limited.Err() == nil {
			return err
		}
	}
	return nil
}

// addLongOperations takes first operations for long runs, where they are as long as the horizon.
func (t *Timer) addLongOperations(benchmarks []*listing.Benchmark, horizon time.Duration) {
	z := sizer{hasCPU: t.Judges.HasCPU}
	for _, b := range benchmarks {
		if isLongOperation(b, horizon) {
			t.Judges.AddLongRun(judge.Pair{Benchmark: b, Sides: b.First, Clock: z.chooseClock(b, [][2]listing.Sample{b.First})}, horizon)
		}
	}
}

// isLongOperation reports whether one operation is a long run, on both sides.
func isLongOperation(b *listing.Benchmark, horizon time.Duration) bool {
	return min(listing.TimedWork(&b.First[frame.Old]), listing.TimedWork(&b.First[frame.New])) >= horizon
}

// longRunTime is about the time of a long run on both sides.
func longRunTime(b *listing.Benchmark, horizon time.Duration) (sum time.Duration) {
	if isLongOperation(b, horizon) {
		return 0
	}
	for _, s := range b.First {
		sum += time.Duration(float64(horizon)*5/4*untimedFactor(&s)) + s.Run + setUpTime(s) + 2*listing.ProcessTime + b.Pkg.Overhead
	}
	return sum
}

// mostUntimed is how many times longer than its timed sections a long run may take.
const mostUntimed = 10

// untimedFactor is how many times longer than its timed sections an operation takes, with those between starts of the timer.
func untimedFactor(s *listing.Sample) float64 {
	timed := listing.TimedWork(s)
	if s.Pairs <= 1 || timed <= 0 {
		return 1
	}
	return max(1, min(mostUntimed, s.Run.Seconds()/timed.Seconds()))
}

// setUpTime is the time of a run outside of its timed sections, where the timer starts once.
func setUpTime(s listing.Sample) time.Duration {
	if s.Pairs > 1 || math.IsNaN(s.Wall) {
		return 0
	}
	return max(0, s.Run-listing.TimedWork(&s))
}

// beginLong makes each sample of a benchmark one run that lasts until the horizon, in a process of its own. Package testing
// finds the number of operations where their time is not known, by runs that take as long again.
func (z *sizing) beginLong(b *listing.Benchmark, operation float64, horizon time.Duration) {
	z.long, z.Full, z.iterations = horizon, true, 0
	if first := [2]float64{b.First[frame.Old].Wall, b.First[frame.New].Wall}; operation == 0 {
		switch slow := time.Millisecond.Seconds(); { // so the first operation is a measure
		case max(setUpTime(b.First[frame.Old]), setUpTime(b.First[frame.New])) > judge.LeastHorizon: // runs take long to begin
			operation = max(first[frame.Old], first[frame.New], 1e-9)
		case min(first[frame.Old], first[frame.New]) >= slow && b.First[frame.New].Pairs <= 1:
			operation = min(first[frame.Old], first[frame.New])
		}
	}
	if operation > 0 {
		z.iterations = int(min(mostIterations, math.Ceil(longRunTarget*horizon.Seconds()/operation)))
	}
	for side := range z.cost {
		z.cost[side] = longRunTime(b, horizon).Seconds() / 2 / float64(max(1, z.iterations))
	}
}

// lengthenLong chooses more operations for a run until the horizon where those chosen were too few, and reports whether it
// has. Where the horizon had to be shorter than usual, a little less of it will do.
func (z *sizing) lengthenLong(run *judge.Pair) bool {
	const nearly = 0.8
	enough := z.long
	if z.long < judge.UsualHorizon {
		enough = min(z.long, max(judge.LeastHorizon, time.Duration(nearly*float64(z.long))))
	}
	timed := min(listing.TimedWork(&run.Sides[frame.Old]), listing.TimedWork(&run.Sides[frame.New]))
	hasUntimed := run.Sides[frame.New].Pairs > 1 // which take most of the time
	if z.iterations == 0 || z.iterations == mostIterations || timed <= 0 || hasUntimed || timed >= enough {
		return false
	}
	z.iterations = int(min(mostIterations, math.Ceil(longRunTarget*float64(z.iterations)*z.long.Seconds()/timed.Seconds())))
	return true
}
