package ab

import (
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// countTime is the time for counts.
type countTime struct {
	*job
	judges  *judges
	bounded bool      // whether time bounds counts: other counters take each benchmark's native time
	last    time.Time // the end of all counts
	enough  time.Time // the end of counts that only narrow intervals
	end     time.Time // the stage's end
}

// newCountTime shares out the time among the counts of benchmarks and their times, unless the user wants none of these.
// Times need more if some benchmarks cannot be counted: for as many rounds of these as the first look takes, if that
// leaves enough for the counts.
func newCountTime(j *job, v *judges, benchmarks []*benchmark, bounded bool) countTime {
	t := countTime{job: j, bounded: bounded, judges: v}
	decided, least := frame.Share(frame.PartNarrowCounts), frame.Floor(frame.Counts)
	left, uncounted := float64(j.Left()), 0.0
	for _, b := range benchmarks {
		if _, reason := count.Iterations(t.rowOf(b).cost, 0, count.Work); reason != "" {
			uncounted += 2 * verdict.FirstLook * float64(t.rowOf(b).cost)
		}
	}
	part := 0.9
	switch {
	case j.Judge == CountOnly:
		part = frame.Share(frame.Counts)
	case uncounted > (1-least)*left:
		part = decided // they cannot be decided in time
	case uncounted > 0:
		part = max(least, part-1.2*uncounted/left)
	}
	t.last = j.BeginWith(frame.Counts, part).End
	t.enough = time.Now().Add(time.Duration(min(part, decided) * left))
	return t
}

// timeOfRest is the time of a first look at the benchmarks left out by the stage.
func (t *countTime) timeOfRest(benchmarks []*benchmark) time.Duration {
	rest := slices.DeleteFunc(slices.Clone(benchmarks), func(b *benchmark) bool { return t.rowOf(b).leftOut == "" })
	return t.timeOfRounds(rest) / (plannedRounds + sizingRounds) * (verdict.FirstLook + sizingRounds)
}

// timeOfRounds is the time of all rounds of benchmarks.
func (t *countTime) timeOfRounds(benchmarks []*benchmark) time.Duration {
	rounds := plan{benchmarks: benchmarks, work: sampleWork{duration: sampleTime(len(benchmarks), t.job.Left())}}
	return rounds.roundsTime()
}

// claimsAmong returns the benchmarks that need only another seed. If a slow one beside them has taken the time of counts,
// they take some of that of the rounds: these hardly find what one more count confirms.
func (t *countTime) claimsAmong(benchmarks []*benchmark) []*benchmark {
	return slices.DeleteFunc(slices.Clone(benchmarks), func(b *benchmark) bool { return !t.rowOf(b).isClaim() })
}

// endOf returns the end of the counts of benchmarks. It leaves time to measure those that earlier stages have not
// decided, unless all of them are claims.
func (t *countTime) endOf(benchmarks []*benchmark) time.Time {
	if !slices.ContainsFunc(benchmarks, func(b *benchmark) bool { return !t.rowOf(b).isDecided() }) {
		return t.enough
	}
	if !t.bounded || t.Judge == CountOnly || len(t.claimsAmong(benchmarks)) == len(benchmarks) {
		return t.last
	}
	return t.job.End().Add(-max(t.timeOfOpen(), t.job.End().Sub(t.last)))
}

// timeOfOpen is the time for the rounds of the benchmarks that have been counted, or left out, and do not pass. It is 0
// for many: counts decide these better.
func (t *countTime) timeOfOpen() time.Duration {
	const most = 0.3 // of the time
	var open []*benchmark
	for b, f := range t.judges.files {
		tried := f.counts != nil && (f.counts.result.Pairs() > 0 || f.counts.reason != "")
		if b.isOpen() && tried && (!f.counts.isDecided() || t.judges.unseenByCount(b) != "") {
			open = append(open, b)
		}
	}
	if len(open) > fewOpen {
		return 0
	}
	return min(t.timeOfRounds(open), time.Duration(most*float64(t.Time)))
}

// rowOf returns the count of a benchmark.
func (t *countTime) rowOf(b *benchmark) *countRow { return t.judges.fileOf(b).counts }

// patience is the time without progress until a benchmark of a task counts as stuck. It takes a small part of the stage's
// time: under the counter, those with connections may wait for ever, and others wait behind them.
func (t *countTime) patience(task *countTask) time.Duration {
	const least, most, factor = 3 * time.Second, 20 * time.Second, 3
	wait := most
	if t.bounded {
		wait = max(least, min(most, time.Until(t.end)/8))
	}
	return max(wait, time.Duration(factor*float64(task.longest)*max(1, task.pkg.slowdown)))
}
