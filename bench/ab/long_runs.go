package ab

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// longRunTarget is how many times longer than the horizon a run is whose operations are chosen by an earlier one.
const longRunTarget = 1.15

// fewBenchmarks get the usual horizon in the usual time.
const fewBenchmarks = 20

// longRunPlan is how the time for long runs is spent.
type longRunPlan struct {
	benchmarks []*benchmark
	horizon    time.Duration
	times      int // long runs of each side
	end        time.Time
}

// takeLongRuns runs the open benchmarks until the horizon, on all cores at once. What has no long run cannot pass.
func takeLongRuns(ctx context.Context, j *job, b *builds, links *linkPool, benchmarks []*benchmark, v *judges) error {
	v.needsHorizon = true
	open := slices.DeleteFunc(slices.Clone(benchmarks), func(b *benchmark) bool { return !b.isOpen() })
	if len(open) == 0 {
		return nil
	}
	span := j.longRunSpan(open)
	p := planLongRuns(j, open, span.Length(), v)
	p.end = span.End
	for _, k := range open {
		if isLongOperation(k, p.horizon) {
			v.addLongRun(Pair{Benchmark: k, sides: k.first, clock: v.longRunClock(k)}, p.horizon)
		}
	}
	j.Show(fmt.Sprintf("running each for %v", p.horizon), len(p.benchmarks))
	limited, cancel := span.Context(ctx)
	defer cancel()
	t := newLongRunSampler(j, b, links, p, v)
	for i := range p.times {
		take := takeLongRun
		if i == 0 {
			take = takeFirstLongRun
		}
		if err := take(ctx, limited, t, p, v); err != nil {
			return err
		}
		p.benchmarks = slices.DeleteFunc(p.benchmarks, func(b *benchmark) bool { // rounds follow anyway
			return j.Judge != CountOnly && v.fileOf(b).longRuns.Delta() > verdict.MustDetect
		})
	}
	v.noise = v.longRunNoise()
	return repeatDoubtful(ctx, limited, t, p, v)
}

// longRunSpan is the time for long runs: more for few benchmarks, and where the shortest runs of all would not fit.
func (j *job) longRunSpan(open []*benchmark) frame.Span {
	span := j.BeginWith(frame.LongRuns, frame.Floor(frame.LongRuns))
	if len(open) <= fewBenchmarks || j.timeForLongRuns(open, leastHorizon, nil) > span.Length() {
		span = j.Begin(frame.LongRuns)
	}
	return span
}

// timeForLongRuns is about the time of a long run of each side of some benchmarks. Judges know whether package testing must
// search for the number of operations; before them, none need it.
func (j *job) timeForLongRuns(benchmarks []*benchmark, horizon time.Duration, v *judges) (sum time.Duration) {
	for _, b := range benchmarks {
		sum += longRunTime(b, horizon) * time.Duration(j.Parallelism()/j.longRunsAtOnce(b))
		if v != nil && v.fileOf(b).operation == 0 {
			sum += horizon * time.Duration(j.Parallelism())
		}
	}
	return sum / time.Duration(j.Parallelism())
}

// takeFirstLongRun runs each benchmark of a plan once, some at a time: where these take longer than planned, as on a busy
// machine, the horizon of the others becomes shorter. Operations of long runs that collect garbage take longer than those
// of short ones, so the others also get fewer operations.
func takeFirstLongRun(ctx, limited context.Context, t *timeSampler, p longRunPlan, v *judges) error {
	const parts, least, margin = 6, 4, 1.1 // benchmarks
	some := max(least, (len(p.benchmarks)+parts-1)/parts)
	some += some % t.Parallelism()
	slowdown, stretch := 1.0, 1.0
	for rest := p.benchmarks; len(rest) > 0; {
		now := p
		now.benchmarks, rest = rest[:min(some, len(rest))], rest[min(some, len(rest)):]
		now.horizon = min(p.horizon, t.fitHorizon(time.Until(p.end), func(horizon time.Duration) time.Duration {
			all := t.timeForLongRuns(slices.Concat(now.benchmarks, rest), horizon, v)
			return time.Duration(slowdown * float64(all))
		}))
		for _, b := range now.benchmarks {
			t.sizes[b].beginLong(b, stretch*v.fileOf(b).operation, now.horizon)
		}
		begin := time.Now()
		if err := takeLongRun(ctx, limited, t, now, v); err != nil {
			return err
		}
		over := v.overshoot(now.benchmarks, now.horizon)
		planned := max(time.Millisecond, t.timeForLongRuns(now.benchmarks, now.horizon, v))
		slowdown = max(1, margin*time.Since(begin).Seconds()/planned.Seconds()/over)
		stretch *= over
	}
	return nil
}

// overshoot is how many times longer than their target the long runs of most benchmarks were, at least 1.
func (j *judges) overshoot(benchmarks []*benchmark, horizon time.Duration) float64 {
	const fewest = 3
	var factors []float64
	for _, b := range benchmarks {
		if f := j.fileOf(b); f.operation > 0 && f.longRuns.N() > 0 {
			timed := min(timedWork(&f.lastLong.sides[frame.Old]), timedWork(&f.lastLong.sides[frame.New]))
			factors = append(factors, timed.Seconds()/horizon.Seconds()/longRunTarget)
		}
	}
	if len(factors) < fewest {
		return 1
	}
	slices.Sort(factors)
	return max(1, factors[len(factors)/4])
}

// repeatDoubtful runs again what a disturbance of the old side may hide, and where no rounds follow, what looks slower.
func repeatDoubtful(ctx, limited context.Context, t *timeSampler, p longRunPlan, v *judges) error {
	const most = 4
	times := 1
	if t.Judge == CountOnly {
		times = most
	}
	for range times {
		p.benchmarks = slices.DeleteFunc(slices.Clone(p.benchmarks), func(b *benchmark) bool {
			return !v.fileOf(b).longRuns.Disturbed(v.noise) && !(t.Judge == CountOnly && v.isSuspect(b))
		})
		if err := takeLongRun(ctx, limited, t, p, v); err != nil {
			return err
		}
	}
	return nil
}

// takeLongRun runs each benchmark of a plan once. A benchmark without figures is run again by itself.
func takeLongRun(ctx, limited context.Context, t *timeSampler, p longRunPlan, v *judges) error {
	const tries = 3
	open := slices.Clone(p.benchmarks)
	for try := range tries {
		open = slices.DeleteFunc(open, func(b *benchmark) bool { return !b.isOpen() })
		if len(open) == 0 || limited.Err() != nil {
			break
		}
		pairs, err := t.Sample(limited, open)
		for _, pair := range pairs {
			if try < tries-1 && t.sizes[pair.Benchmark].lengthenLong(&pair) {
				continue // the first operation was no measure of the others
			}
			v.addLongRun(pair, t.sizes[pair.Benchmark].long)
			if z := t.sizes[pair.Benchmark]; z.iterations == 0 { // package testing has found another number for each side
				z.repeatLong(&pair)
			}
			open = slices.DeleteFunc(open, func(b *benchmark) bool { return b == pair.Benchmark })
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

// newLongRunSampler returns a sampler of long runs, by the binaries of the build.
func newLongRunSampler(j *job, b *builds, links *linkPool, p longRunPlan, v *judges) *timeSampler {
	t := newTimeSampler(j, b, links, plan{benchmarks: p.benchmarks, work: sampleWork{duration: p.horizon}, lanes: j.Parallelism()}, v)
	t.isLong = true
	for k, z := range t.sizes {
		z.beginLong(k, v.fileOf(k).operation, p.horizon)
	}
	return t
}

// planLongRuns chooses the longest horizon that fits into a time, for all benchmarks alike. Where even the shortest does not
// fit, near benchmarks come first, and then those that take the least time.
func planLongRuns(j *job, open []*benchmark, budget time.Duration, v *judges) longRunPlan {
	p := longRunPlan{times: 1,
		horizon: j.fitHorizon(budget, func(horizon time.Duration) time.Duration { return j.timeForLongRuns(open, horizon, v) })}
	timeOf := func(benchmarks []*benchmark) time.Duration { return j.timeForLongRuns(benchmarks, p.horizon, v) }
	p.benchmarks = slices.DeleteFunc(slices.Clone(open), func(b *benchmark) bool { return isLongOperation(b, p.horizon) })
	slices.SortStableFunc(p.benchmarks, func(a, b *benchmark) int {
		return cmp.Or(cmp.Compare(b.reach.Near, a.reach.Near), cmp.Compare(longRunTime(a, p.horizon), longRunTime(b, p.horizon)))
	})
	for len(p.benchmarks) > 0 && timeOf(p.benchmarks) > budget {
		p.benchmarks = p.benchmarks[:len(p.benchmarks)-1]
	}
	if one := timeOf(p.benchmarks); one > 0 {
		p.times = max(1, min(mostLongRuns, int(budget/(2*one))))
	}
	return p
}

// fitHorizon returns the longest horizon whose runs fit into a time, or the shortest that lets a benchmark pass.
func (j *job) fitHorizon(budget time.Duration, timeOf func(horizon time.Duration) time.Duration) time.Duration {
	horizon := j.Horizon
	for horizon > leastHorizon && timeOf(horizon) > budget {
		horizon = max(leastHorizon, (horizon * 9 / 10).Round(10*time.Millisecond))
	}
	return horizon
}

// longRunsAtOnce is the number of long runs at once, where one of them is that of a benchmark.
func (j *job) longRunsAtOnce(b *benchmark) int {
	if b.needsMachine() {
		return 1
	}
	return j.Parallelism()
}

// isLongOperation reports whether one operation is a long run, on both sides.
func isLongOperation(b *benchmark, horizon time.Duration) bool {
	return min(timedWork(&b.first[frame.Old]), timedWork(&b.first[frame.New])) >= horizon
}

// longRunTime is about the time of a long run on both sides.
func longRunTime(b *benchmark, horizon time.Duration) (sum time.Duration) {
	if isLongOperation(b, horizon) {
		return 0
	}
	for _, s := range b.first {
		sum += time.Duration(float64(horizon)*5/4*untimedFactor(&s)) + s.run + setUpTime(s) + 2*processTime + b.pkg.overhead
	}
	return sum
}

// mostUntimed is how many times longer than its timed sections a long run may take.
const mostUntimed = 10

// untimedFactor is how many times longer than its timed sections an operation takes, with those between starts of the timer.
func untimedFactor(s *sample) float64 {
	timed := timedWork(s)
	if s.pairs <= 1 || timed <= 0 {
		return 1
	}
	return max(1, min(mostUntimed, s.run.Seconds()/timed.Seconds()))
}

// setUpTime is the time of a run outside of its timed sections, where the timer starts once.
func setUpTime(s sample) time.Duration {
	if s.pairs > 1 || math.IsNaN(s.wall) {
		return 0
	}
	return max(0, s.run-time.Duration(1e9*s.wall*float64(s.iterations)))
}

// beginLong makes each sample of a benchmark one run that lasts until the horizon, in a process of its own. Package testing
// finds the number of operations where their time is not known, by runs that take as long again.
func (z *sizing) beginLong(b *benchmark, operation float64, horizon time.Duration) {
	z.long, z.full, z.iterations = horizon, true, 0
	if operation == 0 && max(setUpTime(b.first[frame.Old]), setUpTime(b.first[frame.New])) > leastHorizon { // runs take long to begin
		operation = max(b.first[frame.Old].wall, b.first[frame.New].wall, 1e-9)
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
func (z *sizing) lengthenLong(run *Pair) bool {
	const nearly = 0.8
	enough := z.long
	if z.long < usualHorizon {
		enough = min(z.long, max(leastHorizon, time.Duration(nearly*float64(z.long))))
	}
	timed := min(timedWork(&run.sides[frame.Old]), timedWork(&run.sides[frame.New]))
	hasUntimed := run.sides[frame.New].pairs > 1 // which take most of the time
	if z.iterations == 0 || z.iterations == mostIterations || timed <= 0 || hasUntimed || timed >= enough {
		return false
	}
	z.iterations = int(min(mostIterations, math.Ceil(longRunTarget*float64(z.iterations)*z.long.Seconds()/timed.Seconds())))
	return true
}

// repeatLong chooses the operations for a run as long as the last one, at the speed of its slower side. Both sides have as
// many: the heap grows in the first operations, so a mean of one is no measure beside a mean of two.
func (z *sizing) repeatLong(last *Pair) {
	z.each = mostIterations
	for side := range last.sides {
		s := &last.sides[side]
		n := s.iterations
		if timed := timedWork(s); timed > z.long {
			n = max(1, int(1.1*float64(n)*z.long.Seconds()/timed.Seconds()))
		}
		z.each = min(z.each, n)
	}
}

// timedWork is the time of a run inside the timers; 0 if the benchmark suppresses it.
func timedWork(s *sample) time.Duration {
	if math.IsNaN(s.wall) {
		return 0
	}
	return time.Duration(1e9 * s.wall * float64(s.iterations))
}
