package timing

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Grace is how long a sample may run beyond the time of the run, and graceShare the part of this time.
const (
	Grace      = 2 * time.Second
	graceShare = 10
)

// worthPlan is the least time for a new plan.
const worthPlan = 5 * time.Second

// Options choose how times are measured.
type Options struct {
	Horizon    time.Duration // of long runs
	OnlyCounts bool          // no rounds follow the long runs
	Work       Work          // of tests: the work of a sample; chosen by the time if empty
	Rounds     int           // of tests: the largest number of rounds, if not 0
}

// Timer measures the times of benchmarks of commits.
type Timer struct {
	*build.Links
	Judges *judge.Table
	Options
	Unreached int // benchmark functions outside of the change
}

// TakeTimes measures the open benchmarks: first those whose count does not pass, then slow ones, and then the others,
// unless the commit fails anyway. It returns the listing with the samples of the slow ones.
func (t *Timer) TakeTimes(ctx context.Context, l *listing.Listing) (*listing.Listing, error) {
	const worthwhile = 10 * time.Second // least time that has passed
	v := t.Judges
	if err := t.take(ctx, l, l.Fast(), false); err != nil {
		return l, err
	}
	end := time.Now()
	if v.Prove || !v.IsSlower(l.Benchmarks) { // otherwise the commit fails anyway
		end = t.Begin(frame.Slow).End
	}
	l, err := t.sampleLate(ctx, l, l.Slow, end)
	if err != nil {
		return l, err
	}
	t.addLongOperations(v.Open(l.Slow), t.Horizon)
	if err := t.take(ctx, l, l.Slow, false); err != nil || t.Left() < worthwhile || !v.Prove && v.IsSlower(l.Benchmarks) {
		return l, err
	}
	return l, t.take(ctx, l, l.Benchmarks, true)
}

// take measures the open benchmarks of a list: those that pass by their count, or the others.
func (t *Timer) take(ctx context.Context, l *listing.Listing, benchmarks []*listing.Benchmark, passes bool) error {
	v := t.Judges
	v.Family.Expected = len(v.Open(l.Benchmarks))
	open := slices.DeleteFunc(v.Open(benchmarks), func(b *listing.Benchmark) bool { return v.PassesByCount(b) != passes })
	if len(open) == 0 {
		return nil
	}
	p := t.plan(open)
	t.Report(frame.Progress{Plan: p.describe(t.Left(), t.Unreached)})
	t.Most = p.layouts
	r := Rounds{Run: t.Run, Judges: v, Sampler: NewSampler(t.Links, p, v), Most: t.Rounds}
	return r.Take(ctx, p.Benchmarks)
}

// Rounds takes rounds of samples.
type Rounds struct {
	*frame.Run
	Judges  *judge.Table
	Sampler judge.Sampler
	Most    int // of tests: the largest number of rounds, if not 0
}

// Take takes rounds until every benchmark is decided or the time is over.
func (r *Rounds) Take(ctx context.Context, benchmarks []*listing.Benchmark) error {
	limited, cancel := context.WithDeadline(ctx, r.End().Add(min(Grace, r.Total()/graceShare)))
	defer cancel()
	v := r.Judges
	promised, begin := time.Duration(0), time.Now()
	for round := 1; r.Left() > 0; round++ {
		open := r.fit(benchmarks, r.Left())
		if len(open) == 0 || r.changesNothing(benchmarks, open) {
			break
		}
		left := r.timeLeft(open)
		r.Report(frame.Progress{Phase: "measuring", Round: round, Rows: len(benchmarks),
			Decided: len(benchmarks) - len(v.Open(benchmarks)), Left: left})
		if now := time.Since(begin) + left; round > SizingRounds && left > worthPlan && promised > 0 &&
			math.Abs(float64(now-promised)) > 0.2*float64(promised) {
			r.Report(frame.Progress{Plan: "new plan: about " + left.Round(time.Second).String() + " left"})
			promised = now
		} else if promised == 0 && !slices.ContainsFunc(open, func(b *listing.Benchmark) bool { return !v.Of(b).HasLooked() }) {
			promised = now
		}
		pairs, err := r.Sampler.Sample(limited, open)
		v.AddTimes(pairs)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case limited.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		v.Look(benchmarks)
		for _, b := range open {
			if f := v.Of(b); r.Most > 0 && f.Rounds() >= r.Most {
				f.Advance(judge.StateJudged)
			}
		}
	}
	return nil
}

// FewOpen is the most benchmarks for counts to leave time for all of them, and the longest ones wait for the
// others.
const FewOpen = 16

// fit returns the open benchmarks, without some if the remaining time does not bring all of them to their first
// look. Those that would pass as they are wait for the others. Where all can get enough rounds to pass, they get these
// first. Otherwise the last ones of many wait; where only a few are open, the longest, and those that share a long set-up
// wait together.
func (r *Rounds) fit(benchmarks []*listing.Benchmark, left time.Duration) []*listing.Benchmark {
	v := r.Judges
	open, sum := v.Open(benchmarks), time.Duration(0)
	for _, b := range open {
		sum += v.TimeOfRounds(b, verdict.FirstLook)
	}
	if others := slices.DeleteFunc(slices.Clone(open), v.IsEnough); sum > left && len(others) > 0 {
		open = others
	}
	slices.SortStableFunc(open, func(a, b *listing.Benchmark) int {
		return cmp.Or(cmp.Compare(math.Ceil(v.Suspicion(b)), math.Ceil(v.Suspicion(a))),
			cmp.Compare(v.Of(b).Rounds(), v.Of(a).Rounds()))
	})
	if lacking := r.lackingToPass(open, left); sum > left && len(lacking) > 0 {
		return lacking
	}
	sum = 0
	for i, b := range open {
		missing := v.TimeOfRounds(b, verdict.FirstLook)
		if sum+missing > left && i >= FewOpen {
			open = open[:i]
			break
		}
		sum += missing
	}
	for sum > left {
		times := make(map[listing.Process]time.Duration)
		for _, b := range open {
			if missing := v.TimeOfRounds(b, verdict.FirstLook); missing > 0 {
				times[b.Process()] += missing
			}
		}
		if len(times) == 1 {
			break // it has the rest of the time
		}
		longest := slices.MaxFunc(open, func(a, b *listing.Benchmark) int { return cmp.Compare(times[a.Process()], times[b.Process()]) }).Process()
		open = slices.DeleteFunc(open, func(b *listing.Benchmark) bool { return b.Process() == longest })
		sum -= times[longest]
	}
	return open
}

// lackingToPass returns the benchmarks that lack rounds to pass, or to their first look where the count differs. There
// are none if their rounds leave little of the time for those that do not pass then.
func (r *Rounds) lackingToPass(open []*listing.Benchmark, left time.Duration) (lacking []*listing.Benchmark) {
	v, sum := r.Judges, time.Duration(0)
	for _, b := range open {
		wanted := judge.RoundsToPass
		if c := v.Of(b).Counts; c.IsDecided() && c.Result.Verdict != verdict.NotMoreWork {
			wanted = verdict.FirstLook
		}
		if missing := v.TimeOfRounds(b, wanted); missing > 0 {
			lacking, sum = append(lacking, b), sum+missing
		}
	}
	if sum > time.Duration(frame.Share(frame.PartRoundsFirst)*float64(left)) {
		return nil
	}
	return lacking
}

// changesNothing reports whether further rounds change nothing: each open row needs more of them than
// there is time for, and it would show a large slowdown, or another benchmark is slower anyway.
func (t *Rounds) changesNothing(benchmarks, open []*listing.Benchmark) bool {
	v := t.Judges
	slower, left := v.IsSlower(benchmarks), t.Left()
	return !slices.ContainsFunc(open, func(b *listing.Benchmark) bool {
		needed, target := 0, v.Target(b)
		for _, r := range v.Of(b).Rows {
			if r.IsOpen(target) {
				needed = max(needed, r.RoundsLeft(target))
			}
		}
		return !v.Of(b).HasLooked() || !slower && !v.IsEnough(b) || v.Of(b).Round*time.Duration(needed*len(open)) < left
	})
}

// timeLeft estimates how long the open benchmarks go on: as many rounds as the widest interval needs to
// become narrow enough.
func (t *Rounds) timeLeft(open []*listing.Benchmark) time.Duration {
	v, sum := t.Judges, time.Duration(0)
	for _, b := range open {
		rounds := max(0, verdict.FirstLook-v.Of(b).Rounds())
		for _, r := range v.Of(b).Rows {
			if r.Row.Rounds() >= verdict.FirstLook && r.IsOpen(v.Target(b)) {
				rounds = max(rounds, r.RoundsLeft(v.Target(b)))
			}
		}
		sum += v.Of(b).Round * time.Duration(rounds)
	}
	return min(sum, t.Left())
}
