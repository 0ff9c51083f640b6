package count

import (
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/timing"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// countTime is the time for counts.
type countTime struct {
	*frame.Run
	bounds     frame.Budget // the time of the counts, and of what follows them
	judges     *judge.Table
	rows       map[*listing.Benchmark]*row
	onlyCounts bool // no times follow

	bounded bool      // whether time bounds counts: other counters take each benchmark's native time
	last    time.Time // the end of all counts
	enough  time.Time // the end of counts that only narrow intervals
	end     time.Time // the stage's end
}

// share shares out the time among the counts of benchmarks and their times, unless the user wants none of these.
// Times need more if some benchmarks cannot be counted: for as many rounds of these as the first look takes, if that
// leaves enough for the counts.
func (t *countTime) share(benchmarks []*listing.Benchmark) {
	decided, least := frame.Share(frame.PartNarrowCounts), frame.Floor(frame.Counts)
	left, uncounted := float64(t.bounds.Left()), 0.0
	for _, b := range benchmarks {
		if _, reason := count.Iterations(t.RowOf(b).cost, 0, count.Work); reason != "" {
			uncounted += 2 * verdict.FirstLook * float64(t.RowOf(b).cost)
		}
	}
	part := 0.9
	switch {
	case t.onlyCounts:
		part = frame.Share(frame.Counts)
	case uncounted > (1-least)*left:
		part = decided // they cannot be decided in time
	case uncounted > 0:
		part = max(least, part-1.2*uncounted/left)
	}
	t.last = t.bounds.BeginWith(frame.Counts, part).End
	t.enough = time.Now().Add(time.Duration(min(part, decided) * left))
}

// timeOfRest is the time of a first look at the benchmarks left out by the stage.
func (t *countTime) timeOfRest(benchmarks []*listing.Benchmark) time.Duration {
	rest := slices.DeleteFunc(slices.Clone(benchmarks), func(b *listing.Benchmark) bool { return t.RowOf(b).leftOut == "" })
	return t.timeOfRounds(rest) / (timing.PlannedRounds + timing.SizingRounds) * (verdict.FirstLook + timing.SizingRounds)
}

// timeOfRounds is the time of all rounds of benchmarks.
func (t *countTime) timeOfRounds(benchmarks []*listing.Benchmark) time.Duration {
	rounds := timing.Plan{Benchmarks: benchmarks, Work: timing.Work{Duration: timing.SampleTime(len(benchmarks), t.bounds.Left())}}
	return rounds.RoundsTime()
}

// claimsAmong returns the benchmarks that need only another seed. If a slow one beside them has taken the time of counts,
// they take some of that of the rounds: these hardly find what one more count confirms.
func (t *countTime) claimsAmong(benchmarks []*listing.Benchmark) []*listing.Benchmark {
	return slices.DeleteFunc(slices.Clone(benchmarks), func(b *listing.Benchmark) bool { return !t.RowOf(b).isClaim() })
}

// endOf returns the end of the counts of benchmarks. It leaves time to measure those that earlier stages have not
// decided, unless all of them are claims.
func (t *countTime) endOf(benchmarks []*listing.Benchmark) time.Time {
	if !slices.ContainsFunc(benchmarks, func(b *listing.Benchmark) bool { return !t.RowOf(b).IsDecided() }) {
		return t.enough
	}
	if !t.bounded || t.onlyCounts || len(t.claimsAmong(benchmarks)) == len(benchmarks) {
		return t.last
	}
	return t.bounds.End().Add(-max(t.timeOfOpen(), t.bounds.End().Sub(t.last)))
}

// timeOfOpen is the time for the rounds of the benchmarks that have been counted, or left out, and do not pass. It is 0
// for many: counts decide these better.
func (t *countTime) timeOfOpen() time.Duration {
	const most = 0.3 // of the time
	var open []*listing.Benchmark
	for b, f := range t.judges.Known {
		tried := f.Counts != nil && (f.Counts.Result.Pairs() > 0 || f.Counts.Reason != "")
		if f.IsOpen() && tried && (!f.Counts.IsDecided() || t.judges.UnseenByCount(b) != "") {
			open = append(open, b)
		}
	}
	if len(open) > timing.FewOpen {
		return 0
	}
	return min(t.timeOfRounds(open), time.Duration(most*float64(t.Total())))
}

// RowOf returns the count of a benchmark.
func (t *countTime) RowOf(b *listing.Benchmark) *row { return t.rows[b] }

// patience is the time without progress until a benchmark of a task counts as stuck. It takes a small part of the stage's
// time: under the counter, those with connections may wait for ever, and others wait behind them.
func (t *countTime) patience(task *task) time.Duration {
	const least, most, factor = 3 * time.Second, 20 * time.Second, 3
	wait := most
	if t.bounded {
		wait = max(least, min(most, time.Until(t.end)/8))
	}
	return max(wait, time.Duration(factor*float64(task.longest)*max(1, task.pkg.Slowdown)))
}
