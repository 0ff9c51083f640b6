package ab

import (
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
	return r.Verdict.Passes() || r.Verdict == verdict.Undecided && !r.Suspect && r.Rounds() >= roundsToPass && r.RuledOut() <= verdict.MustDetect
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

// differsInLongRuns reports whether the long runs of a benchmark must be repeated before it can pass: they show a slowdown
// that neither the samples so far explain nor a count with them excludes.
func (j *judges) differsInLongRuns(b *benchmark) bool {
	f := j.fileOf(b)
	return !f.repeatsLong && (j.isSuspect(b) || j.isUnexplained(b, 0) && !f.excludesByRounds()) &&
		!(f.counts.isDecided() && f.longRuns.Excludes(j.noise))
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
		if r := f.rows[0].row; !r.Verdict.Passes() && r.Detectable > verdict.MustDetect {
			return fmt.Sprintf("differs in long runs, and there was no time to repeat these often enough: %s in runs of %v",
				report.Percent(r.Delta), f.horizon.Round(10*time.Millisecond))
		}
		return ""
	case f.longRuns.N() == 0:
		return fmt.Sprintf("lacks a run of %v on each side: there was no time", leastHorizon)
	case f.horizon < leastHorizon:
		return fmt.Sprintf("has too little timed work in its long runs: %v", f.horizon.Round(time.Millisecond))
	case j.differsInLongRuns(b):
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
