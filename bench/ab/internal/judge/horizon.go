package judge

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// The horizon is the work of a benchmark, in one process, within which both sides were observed. Within it lies work that
// comes late, seldom or in the background, such as a flush at each 64th operation: counts and short samples do not see it.
// So a benchmark passes only after a long run on each side, as go test makes it.

// UsualHorizon is the work that go test -bench shows, LeastHorizon the shortest long run that lets a benchmark pass, and
// MostLongRuns the most of each side while time is plenty.
const (
	UsualHorizon = time.Second
	LeastHorizon = 100 * time.Millisecond
	MostLongRuns = 3
)

// AddLongRun adds a long run of both sides of a benchmark.
func (t *Table) AddLongRun(p Pair, horizon time.Duration) {
	f := t.Of(p.Benchmark)
	if f.LongRuns.Add(LongFigures(&p)) != nil {
		return
	}
	f.LastLong, f.Length = p, horizon
	t.noteLongMemory(p.Benchmark)
	f.Horizon = max(f.Horizon, min(horizon, p.timedWork())) // a repeated run may be shorter: its operations are chosen by an earlier one
}

// timedWork is the work of the side with less of it, without bound where neither is timed.
func (p *Pair) timedWork() time.Duration {
	work := time.Duration(math.MaxInt64)
	for i := range p.Sides {
		if timed := listing.TimedWork(&p.Sides[i]); timed > 0 {
			work = min(work, timed)
		}
	}
	return work
}

// observed is the work within which both sides were observed: that of the longest round where rounds of long runs decide,
// which may be shorter than the first ones.
func (f *Evidence) observed() time.Duration {
	if !f.RepeatsLong || len(f.Pairs) == 0 {
		return f.Horizon
	}
	longest := time.Duration(0)
	for i := range f.Pairs {
		longest = max(longest, f.Pairs[i].timedWork())
	}
	return min(f.Horizon, longest)
}

// LongFigures returns the seconds of an operation in a long run of each side, by its clock.
func LongFigures(p *Pair) (old, new float64) {
	old, new = p.Sides[frame.Old].Time(p.Clock), p.Sides[frame.New].Time(p.Clock)
	if math.IsNaN(old) || math.IsNaN(new) { // the benchmark suppresses its time
		each := func(s *listing.Sample) float64 { return s.Run.Seconds() / float64(s.Iterations) }
		old, new = each(&p.Sides[frame.Old]), each(&p.Sides[frame.New])
	}
	if old == 0 && new == 0 {
		return 1, 1 // nothing is timed
	}
	return old, new
}

// LongRunNoise estimates the noise of long runs in turns.
func (t *Table) LongRunNoise() float64 {
	var all []*verdict.LongRuns
	for _, f := range t.Known {
		if !f.LastLong.AtOnce {
			all = append(all, &f.LongRuns)
		}
	}
	return verdict.LongRunNoise(all)
}

// NoiseOf is the noise of a benchmark's long runs. Sides that ran at once shared what disturbs others.
func (t *Table) NoiseOf(b *listing.Benchmark) float64 {
	if t.Of(b).LastLong.AtOnce {
		return min(t.Noise, verdict.UsualNoise)
	}
	return t.Noise
}

// excludesByRounds reports whether the rounds of short samples alone would pass.
func (f *Evidence) excludesByRounds() bool {
	if len(f.Rows) == 0 || f.hasOnlyMemory() {
		return false
	}
	r := f.Rows[0].Row
	return r.Verdict.Passes() || r.Verdict == verdict.Undecided && !r.LikelyAbove && r.Rounds() >= RoundsToPass && r.RuledOut() <= verdict.MustDetect
}

// IsUnexplained reports whether long runs show a slowdown beyond the change of short samples, a logarithm. Where a count
// shows the same work, short samples that look faster are noise.
func (t *Table) IsUnexplained(b *listing.Benchmark, short float64) bool {
	if t.Of(b).Counts.passes() {
		short = max(0, short)
	}
	return !t.IsFixed && t.Of(b).LongRuns.Suspect(short, t.LimitOf(b.Name), t.NoiseOf(b))
}

// IsSuspect reports whether long runs show a slowdown that the samples so far do not explain.
func (t *Table) IsSuspect(b *listing.Benchmark) bool {
	f, short := t.Of(b), 0.0
	if f.RepeatsLong && len(f.Rows) > 0 {
		return false // its samples are long runs themselves
	}
	if len(f.Rows) > 0 && strings.HasPrefix(f.Rows[0].Unit, "sec/") {
		before, after := f.Rows[0].Medians()
		short = verdict.LogRatio(before, after)
	}
	return t.IsUnexplained(b, short)
}

// differsInLongRuns reports whether the long runs of a benchmark must be repeated before it can pass: they show more memory,
// or a slowdown that neither the samples so far explain nor a count with them excludes.
func (t *Table) differsInLongRuns(b *listing.Benchmark) bool {
	f := t.Of(b)
	return f.growsInLongRuns() || (t.IsSuspect(b) || t.IsUnexplained(b, 0) && !f.excludesByRounds()) &&
		!(f.Counts.IsDecided() && f.LongRuns.Excludes(t.NoiseOf(b)))
}

// repeatLongRuns takes further samples of a benchmark from long runs only, in rows without the earlier samples, where these
// would pass although long runs show a slowdown.
func (t *Table) repeatLongRuns(b *listing.Benchmark) {
	f := t.Of(b)
	isOwn := func(row *verdict.Row) bool {
		return slices.ContainsFunc(f.Rows, func(r *Row) bool { return r.Row == row || r.Confirm == row })
	}
	t.Family.Rows = slices.DeleteFunc(t.Family.Rows, isOwn)
	t.Again.Rows = slices.DeleteFunc(t.Again.Rows, isOwn)
	f.Rows, f.Pairs, f.RepeatsLong = nil, nil, true
}

// LacksHorizon returns why the long runs do not let a benchmark pass, or "". Rounds of their length decide instead of them.
func (t *Table) LacksHorizon(b *listing.Benchmark) string {
	f := t.Of(b)
	chance, horizon := f.chance(), f.observed()
	switch {
	case !t.NeedsHorizon:
		return ""
	case chance != "":
		return chance
	case f.RepeatsLong && len(f.Rows) > 0 && !f.hasOnlyMemory() && horizon >= LeastHorizon:
		if r := f.Rows[0].Row; !r.Verdict.Passes() && r.Detectable > verdict.MustDetect {
			return fmt.Sprintf(frame.LongRunsDiffer, " often enough", report.Percent(r.Delta), horizon.Round(10*time.Millisecond))
		}
		return ""
	case f.LongRuns.N() == 0:
		return fmt.Sprintf(frame.LacksLongRun, LeastHorizon)
	case horizon < LeastHorizon:
		return fmt.Sprintf(frame.LittleTimedWork, horizon.Round(time.Millisecond))
	case f.growsInLongRuns():
		return t.MoreMemory(b)
	case t.differsInLongRuns(b):
		return fmt.Sprintf(frame.LongRunsDiffer, "", report.Percent(f.LongRuns.Delta()), horizon.Round(10*time.Millisecond))
	}
	return ""
}
