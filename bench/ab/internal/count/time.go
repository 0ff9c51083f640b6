package count

import (
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/timing"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// share shares out the time among the counts of benchmarks and their times, unless the user wants none of these.
// Times need more if some benchmarks cannot be counted: for as many rounds of these as the first look takes, if that
// leaves enough for the counts.
func (p *plan) share() {
	decided, least := frame.Share(frame.PartNarrowCounts), frame.Floor(frame.Counts)
	left, uncounted := float64(p.Bounds.Left()), 0.0
	for _, r := range p.rows {
		if _, reason := count.Iterations(r.cost, 0, count.Work); reason != "" {
			uncounted += 2 * verdict.FirstLook * float64(r.cost)
		}
	}
	part := 0.9
	switch {
	case p.OnlyCounts:
		part = frame.Share(frame.Counts)
	case uncounted > (1-least)*left:
		part = decided // they cannot be decided in time
	case uncounted > 0:
		part = max(least, part-1.2*uncounted/left)
	}
	p.last = p.Bounds.BeginWith(frame.Counts, part).End
	p.enough = time.Now().Add(time.Duration(min(part, decided) * left))
}

// timeOfRest is the time of a first look at the benchmarks left out by the stage.
func (p *plan) timeOfRest(rows []*row) time.Duration {
	rest := filter(rows, func(r *row) bool { return !r.isCounted() })
	return p.timeOfRounds(rest) / (timing.PlannedRounds + timing.SizingRounds) * (verdict.FirstLook + timing.SizingRounds)
}

// timeOfRounds is the time of all rounds of benchmarks.
func (p *plan) timeOfRounds(rows []*row) time.Duration {
	rounds := timing.Plan{Benchmarks: benchmarksOf(rows), Work: timing.Work{Duration: timing.SampleTime(len(rows), p.Bounds.Left())}}
	return rounds.RoundsTime()
}

// endOf returns the end of the counts of benchmarks. It leaves time to measure those that earlier stages have not
// decided, unless all of them are claims.
func (p *plan) endOf(rows []*row) time.Time {
	if !slices.ContainsFunc(rows, func(r *row) bool { return !r.IsDecided() }) {
		return p.enough
	}
	if !p.bounded || p.OnlyCounts || len(filter(rows, (*row).isClaim)) == len(rows) {
		return p.last
	}
	return p.Bounds.End().Add(-max(p.timeOfOpen(), p.Bounds.End().Sub(p.last)))
}

// timeOfOpen is the time for the rounds of the benchmarks that have been counted, or left out, and do not pass. It is 0
// for many: counts decide these better.
func (p *plan) timeOfOpen() time.Duration {
	const most = 0.3 // of the time
	open := filter(p.rows, func(r *row) bool {
		wasTried := r.Result.Pairs() > 0 || r.Reason != ""
		return wasTried && p.Judges.Of(r.Benchmark).IsOpen() && (!r.IsDecided() || p.Judges.UnseenByCount(r.Benchmark) != "")
	})
	if len(open) > timing.FewOpen {
		return 0
	}
	return min(p.timeOfRounds(open), time.Duration(most*float64(p.Total())))
}

// patience is the time without progress until a benchmark of a task counts as stuck. It takes a small part of the stage's
// time: under the counter, those with connections may wait for ever, and others wait behind them.
func (p *plan) patience(t *task) time.Duration {
	const least, most, factor = 3 * time.Second, 20 * time.Second, 3
	wait := most
	if p.bounded {
		wait = max(least, min(most, time.Until(p.end)/8))
	}
	return max(wait, time.Duration(factor*float64(t.longest)*max(1, t.pkg.Slowdown)))
}
