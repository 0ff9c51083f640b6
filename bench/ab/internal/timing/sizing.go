package timing

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Work is the work of one sample: a time, or a number of iterations.
type Work struct {
	Duration   time.Duration
	Iterations int
}

// sizing finds the iterations of a full sample of a benchmark, by its runs so far.
type sizing struct {
	iterations   int        // iterations of a sample; 0 while unknown
	Full         bool       // these iterations fill a sample
	cost         [2]float64 // seconds of an iteration, including its untimed sections
	last         [2]sizedRun
	earlier      [][2]listing.Sample // runs before the iterations were known
	Clock        report.Clock        // judged clock; "" while unknown
	late         int                 // samples that took too long
	WithSiblings bool                // runs in one process with the siblings that it needs
	isApart      bool                // its sides never run at once

	long  time.Duration // time of the one run that is a sample; 0 of others
	each  int           // operations of repeated long runs; 0 if unknown
	Total time.Duration // time of a sample where short runs do not stand for long ones: one run; 0 of others
	known bool          // whether they do is known
}

// sizer chooses the work of samples.
type sizer struct {
	Work   Work
	Share  bool // benchmarks share processes
	hasCPU bool // the timers read the CPU clock
	Sizes  map[*listing.Benchmark]*sizing
}

// newSizing begins with each side's first iteration. Where it fills a sample, no other run need find the iterations.
func newSizing(b *listing.Benchmark, work Work) *sizing {
	z := &sizing{}
	if target := work.Duration.Seconds(); target > 0 && !b.Parallel && b.First[frame.Old].CPU >= target &&
		b.First[frame.New].CPU >= target {
		z.Full, z.earlier = true, [][2]listing.Sample{b.First}
	}
	for side, s := range b.First {
		if excludes := s.Pairs > 1; excludes || s.Run > time.Millisecond {
			z.iterations = 1
		}
		z.cost[side] = s.Run.Seconds()
		z.last[side] = sizedRun{1, z.cost[side]}
	}
	return z
}

// benchTime returns the work of a sample in the notation of -benchtime. While the iterations are
// unknown, a short run finds them by time. A benchmark with untimed sections is the exception:
// these may take much longer than the timed ones.
func (z *sizing) benchTime(work Work) string {
	switch {
	case z.each > 0:
		return fmt.Sprintf("%dx", z.each)
	case z.iterations == 0 && z.long > 0:
		return z.long.String()
	case work.Iterations > 0 && z.long == 0:
		return fmt.Sprintf("%dx", work.Iterations)
	case z.iterations == 0:
		return fmt.Sprint(max(time.Millisecond, work.Duration/8))
	}
	return fmt.Sprintf("%dx", z.iterations)
}

// shortRun is the time of one of several runs in a sample.
const shortRun = 8 * time.Millisecond

// repeats returns the number of runs in a sample: the fastest counts. CPU times of equal
// work vary with the programs on the other cores and on this one, mostly between a fast and a
// slow state that last longer than a short run. Short runs find the fast state more often. A
// process that takes long to start is used for more of them, and long operations run less often.
func (t *sizer) repeats(b *listing.Benchmark) int {
	z := t.Sizes[b]
	switch {
	case t.Work.Iterations > 0 || !t.hasCPU || b.Parallel || z.iterations == 0 || len(z.earlier) == 0:
		return 1
	case z.long > 0 || z.Total > 0:
		return 1
	case z.Clock == report.Wall || z.Clock == "" && t.chooseClock(b, z.earlier) == report.Wall:
		return 1
	}
	const most = 4 // times the duration of a sample
	duration := t.Work.Duration
	if !t.Share {
		duration = max(duration, min(listing.LongSample, b.Pkg.Overhead))
	}
	run := max(shortRun.Seconds(), max(z.cost[frame.Old], z.cost[frame.New])*float64(z.iterations))
	return max(1, min(int(duration/shortRun), int(most*duration.Seconds()/run)))
}

// mostIterations bounds the iterations of an operation without a time.
const mostIterations = 1_000_000_000

// mostEarlier is the number of runs before a benchmark is measured as it is.
const mostEarlier = 12

// resize chooses the iterations of the next sample, by the slower side. It returns why there cannot be one, or "".
func (t *sizer) resize(b *listing.Benchmark, pair [2]listing.Sample) (problem string) {
	z := t.Sizes[b]
	if z.long > 0 {
		return ""
	}
	if t.Work.Iterations > 0 {
		z.iterations, z.Full = t.Work.Iterations, true
		return ""
	}
	target := max(t.Work.Duration, z.Total).Seconds()
	if repeats := t.repeats(b); repeats > 1 {
		target = min(target, shortRun.Seconds())
	}
	if b.Parallel {
		target *= 2 // goroutines start and end unevenly
	}
	if z.Clock == report.Wall { // as long as its process waits anyway, as for an election
		target = max(target, min(listing.LongSample, untimed(pair)).Seconds())
	}
	least, timed, bounded, fills := z.measure(pair, target)
	if timed < 0.05e-9 && least >= 1_000_000 {
		return frame.NoTimeTaken
	}
	wanted := target / max(timed, 1e-12)
	n := int(max(1, min(mostIterations, wanted, bounded, 100*float64(least))))
	switch {
	case !z.Full: // set-up and teardown make the iterations of a short run look expensive
		known := fills || bounded > wanted || len(z.earlier) >= mostEarlier
		z.Full = known && (z.iterations > 0 && 3*z.iterations >= n || least > 1 && 100*least > n && bounded > wanted)
		z.iterations = n
	case 2*n < z.iterations || n > 2*z.iterations:
		z.iterations = n
	}
	return ""
}

// measure learns what an iteration costs on each side. It returns the fewest iterations, the timed seconds of one on the
// slower side, how many the untimed sections let fit, and whether a side fills the target.
func (z *sizing) measure(pair [2]listing.Sample, target float64) (least int, timed, bounded float64, fills bool) {
	const excluded = 3 // most times that a sample with untimed sections may take its target
	const patience = 8 // a run may have waited, for a core as well
	least, bounded = math.MaxInt, math.Inf(1)
	for side, s := range pair {
		n := s.Iterations
		least = min(least, n)
		cost := s.Run.Seconds() / float64(n)
		fills = fills || max(s.Busy.Seconds(), s.Run.Seconds()/patience) >= target
		if z.Clock != report.Wall && s.Busy > 0 {
			cost = max(s.Busy.Seconds()/float64(n), cost/patience)
		}
		fixed, each := z.last[side].splitCost(n, cost)
		z.last[side] = sizedRun{n, cost * float64(n)}
		if z.Full && z.cost[side] > 0 {
			cost = (3*z.cost[side] + cost) / 4
			fixed, each = 0, cost
		}
		z.cost[side] = cost
		inside := s.Wall
		if z.Clock != report.Wall && s.CPU > 0 {
			inside = s.CPU
		}
		if math.IsNaN(inside) {
			inside = cost // the benchmark suppresses its time
		}
		timed = max(timed, min(cost, inside))
		bounded = min(bounded, max(target, excluded*target-fixed)/max(each, 1e-12))
	}
	return least, timed, bounded, fills
}

// untimed is the time outside of the timed sections, on the side with less of it; 0 if a benchmark suppresses its time.
func untimed(pair [2]listing.Sample) time.Duration {
	old, new := &pair[frame.Old], &pair[frame.New]
	if math.IsNaN(old.Wall + new.Wall) {
		return 0
	}
	return max(0, min(old.Elapsed-listing.TimedWork(old), new.Elapsed-listing.TimedWork(new)))
}

// sizedRun is a run before the iterations were known.
type sizedRun struct {
	iterations int
	seconds    float64
}

// splitCost divides the time of a longer run into set-up and teardown, and the time of an iteration:
// run time = fixed + iterations × each.
func (s sizedRun) splitCost(iterations int, cost float64) (fixed, each float64) {
	if s.iterations == 0 || iterations < 2*s.iterations {
		return 0, cost
	}
	total := cost * float64(iterations)
	each = max(0, total-s.seconds) / float64(iterations-s.iterations)
	return max(0, total-each*float64(iterations)), each
}

// chooseClock chooses a benchmark's clock: CPU time if it keeps the CPU busy. On a shared
// machine, a program waiting for a core resembles a program waiting for anything else. Time in
// the run queue and samples without interruption distinguish the two.
func (t *sizer) chooseClock(b *listing.Benchmark, seen [][2]listing.Sample) report.Clock {
	if !t.hasCPU || b.Procs > 1 {
		return report.Wall
	}
	const part = 0.6
	for side := range 2 {
		most, timed := 0.0, false
		var busy, awake time.Duration // awake: not in the queue
		for _, pair := range seen {
			s := pair[side]
			if s.Wall*float64(s.Iterations) < shortestCPU {
				continue
			}
			timed = true
			most = max(most, s.CPU/s.Wall)
			busy, awake = busy+s.Busy, awake+s.Run-s.Queued
		}
		if !timed || most < part && busy.Seconds() < part*awake.Seconds() {
			return report.Wall
		}
	}
	return report.CPU
}

// isLong reports whether the timed sections of both sides are long enough for the CPU clock.
func isLong(pair [2]listing.Sample) bool {
	return !slices.ContainsFunc(pair[:], func(s listing.Sample) bool { return s.Wall*float64(s.Iterations) < shortestCPU })
}

// shortestCPU is the shortest section, in seconds, whose CPU time can be distinguished from the
// cost of reading the clock.
const shortestCPU = 5e-6

// waitsMore reports whether an operation of the new side waits longer, by a part of its timed work, as for a retry: CPU
// times do not show it.
func waitsMore(pair [2]listing.Sample) bool {
	const part = 0.1
	idle := func(s *listing.Sample) float64 {
		return max(0, (s.Run-s.Queued-s.Busy).Seconds()) / float64(max(1, s.Iterations))
	}
	return idle(&pair[frame.New])-idle(&pair[frame.Old]) > part*pair[frame.Old].Wall
}

// hasNamesake reports whether another benchmark of the binary has a benchmark's name.
func (t *sizer) hasNamesake(b *listing.Benchmark) bool {
	for other := range t.Sizes {
		if other != b && other.Pkg == b.Pkg && other.Printed == b.Printed && other.Procs == b.Procs {
			return true
		}
	}
	return false
}

// lengthen makes the samples of a benchmark longer, by its first short one, and reports whether it has: long runs
// where the short sample does not explain the slowdown that these show, and as long as the time allows where an operation
// takes another time in long runs on one side.
func (t *Sampler) lengthen(b *listing.Benchmark, pair [2]listing.Sample) bool {
	f, z := t.Judges.Of(b), t.Sizes[b]
	if f.LongRuns.N() == 0 || f.RepeatsLong || t.Judges.IsFixed {
		return false
	}
	if t.Judges.IsUnexplained(b, verdict.LogRatio(pair[frame.Old].Time(z.Clock), pair[frame.New].Time(z.Clock))) {
		f.RepeatsLong = true // the next sample begins so
		return true
	}
	const least, safety = 0.15, 2.5
	tolerance := max(least, safety*t.Judges.NoiseOf(b))
	for side := range pair {
		if change := verdict.LogRatio(pair[side].Time(z.Clock), f.LastLong.Sides[side].Time(z.Clock)); !b.Parallel && math.Abs(change) > tolerance {
			open := max(1, len(t.Judges.Open(slices.Collect(maps.Keys(t.Sizes)))))
			each := time.Duration(frame.Share(frame.PartLongSamples) * float64(t.Left()) / float64(2*PlannedRounds*open))
			z.Total, z.Full, z.iterations = max(2*leastSample, min(f.Length, each)), false, 0
			return true
		}
	}
	return false
}
