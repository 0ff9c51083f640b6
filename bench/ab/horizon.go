package ab

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// The horizon is the work of a benchmark, in one process, within which both sides were observed. Within it lies work that
// comes late, seldom or in the background, such as a flush at each 64th operation: counts and short samples do not see it.
// So a benchmark passes only after a long run on each side, as go test makes it.

// usualHorizon is the work that go test -bench shows, leastHorizon the shortest long run that lets a benchmark pass, and
// mostLongRuns the most of each side while time is plenty.
const (
	usualHorizon = time.Second
	leastHorizon = 100 * time.Millisecond
	mostLongRuns = 3
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
			return j.Judge != CountOnly && v.fileOf(b).longRuns.Delta() > verdict.Blind
		})
	}
	v.noise = v.longRunNoise()
	return repeatDoubtful(ctx, limited, t, p, v)
}

// longRunSpan is the time for long runs: more for few benchmarks, and where the shortest runs of all would not fit.
func (j *job) longRunSpan(open []*benchmark) frame.Span {
	span := j.BeginWith(frame.LongRuns, frame.Floor(frame.LongRuns))
	if len(open) <= fewBenchmarks || j.timeForLongRuns(open, leastHorizon) > span.Length() {
		span = j.Begin(frame.LongRuns)
	}
	return span
}

// timeForLongRuns is about the time of a long run of each side of some benchmarks.
func (j *job) timeForLongRuns(benchmarks []*benchmark, horizon time.Duration) (sum time.Duration) {
	for _, b := range benchmarks {
		sum += longRunTime(b, horizon) * time.Duration(j.Parallelism()/j.longRunsAtOnce(b))
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
			all := v.timeForLongRuns(t.job, now.benchmarks, horizon) + v.timeForLongRuns(t.job, rest, horizon)
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
		planned := max(time.Millisecond, v.timeForLongRuns(t.job, now.benchmarks, now.horizon))
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

// timeForLongRuns is about the time of a long run of each side of some benchmarks, with what is known of their operations.
func (v *judges) timeForLongRuns(j *job, benchmarks []*benchmark, horizon time.Duration) (sum time.Duration) {
	for _, b := range benchmarks {
		if v.fileOf(b).operation == 0 { // package testing searches for the number of operations
			sum += horizon
		}
	}
	return sum + j.timeForLongRuns(benchmarks, horizon)
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
		horizon: j.fitHorizon(budget, func(horizon time.Duration) time.Duration { return v.timeForLongRuns(j, open, horizon) })}
	timeOf := func(benchmarks []*benchmark) time.Duration { return v.timeForLongRuns(j, benchmarks, p.horizon) }
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

// repeatLong chooses the operations of each side for a run as long as the last one, at the speed of that.
func (z *sizing) repeatLong(last *Pair) {
	for side := range z.each {
		s := &last.sides[side]
		if timed := timedWork(s); timed > 0 {
			z.each[side] = int(max(1, min(mostIterations, float64(s.iterations)*min(1, 1.1*z.long.Seconds()/timed.Seconds()))))
		}
	}
}

// waitsMore reports whether an operation of the new side waits longer, by a part of its timed work, as for a retry: CPU
// times do not show it.
func waitsMore(pair [2]sample) bool {
	const part = 0.1
	idle := func(s *sample) float64 {
		return max(0, (s.run-s.queued-s.busy).Seconds()) / float64(max(1, s.iterations))
	}
	return idle(&pair[frame.New])-idle(&pair[frame.Old]) > part*pair[frame.Old].wall
}

// addLongRun adds a long run of both sides of a benchmark.
func (j *judges) addLongRun(p Pair, horizon time.Duration) {
	f := j.fileOf(p.Benchmark)
	if f.longRuns.Add(longFigures(&p)) != nil {
		return
	}
	f.lastLong, f.length = p, horizon
	for i := range p.sides {
		if timed := timedWork(&p.sides[i]); timed > 0 {
			horizon = min(horizon, timed)
		}
	}
	f.horizon = horizon
}

// timedWork is the time of a run inside the timers; 0 if the benchmark suppresses it.
func timedWork(s *sample) time.Duration {
	if math.IsNaN(s.wall) {
		return 0
	}
	return time.Duration(1e9 * s.wall * float64(s.iterations))
}

// longFigures returns the seconds of an operation in a long run of each side, by its clock.
func longFigures(p *Pair) (old, new float64) {
	figure := func(s *sample) float64 {
		if p.clock == report.CPU {
			return s.cpu
		}
		return s.wall
	}
	old, new = figure(&p.sides[frame.Old]), figure(&p.sides[frame.New])
	if math.IsNaN(old) || math.IsNaN(new) { // the benchmark suppresses its time
		each := func(s *sample) float64 { return s.run.Seconds() / float64(s.iterations) }
		old, new = each(&p.sides[frame.Old]), each(&p.sides[frame.New])
	}
	if old == 0 && new == 0 {
		return 1, 1 // nothing is timed
	}
	return old, new
}

// longRunClock is the clock of a long run that is one operation.
func (j *judges) longRunClock(b *benchmark) report.Clock {
	t := sizer{hasCPU: j.hasCPU}
	return t.chooseClock(b, [][2]sample{b.first})
}

// longRunNoise estimates the noise of long runs.
func (j *judges) longRunNoise() float64 {
	var all []*verdict.LongRuns
	for _, f := range j.files {
		all = append(all, &f.longRuns)
	}
	return verdict.LongRunNoise(all)
}

// excludesByRounds reports whether the rounds of short samples alone would pass.
func (f *file) excludesByRounds() bool {
	if len(f.rows) == 0 {
		return false
	}
	r := f.rows[0].row
	return r.Verdict.Passes() || r.Verdict == verdict.Undecided && !r.Suspect && r.Rounds() >= roundsToPass && r.Seen() <= verdict.Blind
}

// isUnexplained reports whether long runs show a slowdown beyond the change of short samples, a logarithm. Where a count
// shows the same work, short samples that look faster are noise.
func (j *judges) isUnexplained(b *benchmark, short float64) bool {
	if j.fileOf(b).counts.passes() {
		short = max(0, short)
	}
	isFree := j.options.sample == (sampleWork{}) // tests choose their samples
	return isFree && j.fileOf(b).longRuns.Suspect(short, j.options.limit(b.name), j.noise)
}

// isSuspect reports whether long runs show a slowdown that the samples so far do not explain.
func (j *judges) isSuspect(b *benchmark) bool {
	f, short := j.fileOf(b), 0.0
	if f.repeatsLong && len(f.rows) > 0 {
		return false // its samples are long runs themselves
	}
	if len(f.rows) > 0 && strings.HasPrefix(f.rows[0].unit, "sec/") {
		before, after := f.rows[0].medians()
		short = verdict.LogRatio(before, after)
	}
	return j.isUnexplained(b, short)
}

// repeatLongRuns takes further samples of a benchmark from long runs only, in rows without the earlier samples, where these
// would pass although long runs show a slowdown.
func (j *judges) repeatLongRuns(b *benchmark) {
	f := j.fileOf(b)
	isOwn := func(row *verdict.Row) bool {
		return slices.ContainsFunc(f.rows, func(r *judgedRow) bool { return r.row == row || r.confirm == row })
	}
	j.family.Rows = slices.DeleteFunc(j.family.Rows, isOwn)
	j.confirm.Rows = slices.DeleteFunc(j.confirm.Rows, isOwn)
	f.rows, f.pairs, f.repeatsLong = nil, nil, true
}

// lacksHorizon returns why the long runs do not let a benchmark pass, or "". Rounds of their length decide instead of them.
func (j *judges) lacksHorizon(b *benchmark) string {
	f := j.fileOf(b)
	switch {
	case !j.needsHorizon:
		return ""
	case f.chance != "":
		return f.chance
	case f.repeatsLong && len(f.rows) > 0:
		if r := f.rows[0].row; !r.Verdict.Passes() && r.Sight > verdict.Blind {
			return fmt.Sprintf("differs in long runs, and there was no time to repeat these often enough: %s in runs of %v",
				report.Percent(r.Delta), f.horizon.Round(10*time.Millisecond))
		}
		return ""
	case f.longRuns.N() == 0:
		return fmt.Sprintf("lacks a run of %v on each side: there was no time", leastHorizon)
	case f.horizon < leastHorizon:
		return fmt.Sprintf("has too little timed work in its long runs: %v", f.horizon.Round(time.Millisecond))
	case (j.isSuspect(b) || j.isUnexplained(b, 0) && !f.excludesByRounds()) &&
		!(f.counts.isDecided() && f.longRuns.Excludes(j.noise)):
		return fmt.Sprintf("differs in long runs, and there was no time to repeat these: %s in runs of %v",
			report.Percent(f.longRuns.Delta()), f.horizon.Round(10*time.Millisecond))
	}
	return ""
}

// lengthen makes the samples of a benchmark longer, by its first short one, and reports whether it has: long runs
// where the short sample does not explain the slowdown that these show, and as long as the time allows where an operation
// takes another time in long runs on one side.
func (t *timeSampler) lengthen(b *benchmark, pair [2]sample) bool {
	f, z := t.judges.fileOf(b), t.sizes[b]
	if f.longRuns.N() == 0 || f.repeatsLong || t.judges.options.sample != (sampleWork{}) { // which tests choose
		return false
	}
	read := func(s *sample) float64 { return s.cpu }
	if z.clock == report.Wall {
		read = func(s *sample) float64 { return s.wall }
	}
	if t.judges.isUnexplained(b, verdict.LogRatio(read(&pair[frame.Old]), read(&pair[frame.New]))) {
		f.repeatsLong = true // the next sample begins so
		return true
	}
	const least, safety = 0.15, 2.5
	tolerance := max(least, safety*t.judges.noise)
	for side := range pair {
		if change := verdict.LogRatio(read(&pair[side]), read(&f.lastLong.sides[side])); !b.parallel && math.Abs(change) > tolerance {
			open := max(1, countOpen(slices.Collect(maps.Keys(t.sizes))))
			each := time.Duration(frame.Share(frame.PartLongSamples) * float64(t.Left()) / float64(2*plannedRounds*open))
			z.total, z.full, z.iterations = max(2*leastSample, min(f.length, each)), false, 0
			return true
		}
	}
	return false
}
