package ab

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// grace is how long a sample may run beyond the time of the run, and graceShare the part of this time.
const (
	grace      = 2 * time.Second
	graceShare = 10
)

// worthPlan is the least time for a new plan.
const worthPlan = 5 * time.Second

// takeTimes measures the open benchmarks: first those whose count does not pass, then slow ones, and then the others,
// unless the commit fails anyway.
func takeTimes(ctx context.Context, j *job, b *builds, links *linkPool, l *listing, v *judges) error {
	const worthwhile = 10 * time.Second // least time that has passed
	take := func(benchmarks []*benchmark, passes bool) error {
		v.family.Expected = countOpen(l.benchmarks)
		rows := slices.DeleteFunc(slices.Clone(benchmarks),
			func(b *benchmark) bool { return !b.isOpen() || v.passesByCount(b) != passes })
		if len(rows) == 0 {
			return nil
		}
		p := newPlan(j, b, links, rows, v)
		j.progress(Progress{Plan: p.describe(j, b.unreached())})
		links.most = p.layouts
		return takeRounds(ctx, j, newTimeSampler(j, b, links, p, v), p.benchmarks, v)
	}
	if err := take(l.fast(), false); err != nil {
		return err
	}
	if err := l.runSlow(ctx, j, b, v); err != nil {
		return err
	}
	for _, k := range l.slow {
		if k.isOpen() && isLongOperation(k, j.Horizon) {
			v.addLongRun(Pair{Benchmark: k, sides: k.first, clock: v.longRunClock(k)}, j.Horizon)
		}
	}
	if err := take(l.slow, false); err != nil || j.Left() < worthwhile || !j.Prove && isSlower(v, l.benchmarks) {
		return err
	}
	return take(l.benchmarks, true)
}

// takeRounds takes rounds until every benchmark is decided or the time is over.
func takeRounds(ctx context.Context, j *job, s Sampler, benchmarks []*benchmark, v *judges) error {
	limited, cancel := context.WithDeadline(ctx, j.End().Add(min(grace, j.Time/graceShare)))
	defer cancel()
	promised, begin := time.Duration(0), time.Now()
	for round := 1; j.Left() > 0; round++ {
		open := fitBenchmarks(j, v, benchmarks)
		if len(open) == 0 || changesNothing(j, v, benchmarks, open) {
			break
		}
		left := timeLeft(j, v, open)
		j.progress(Progress{Phase: "measuring", Round: round, Rows: len(benchmarks),
			Decided: len(benchmarks) - countOpen(benchmarks), Left: left})
		if now := time.Since(begin) + left; round > sizingRounds && left > worthPlan && promised > 0 &&
			math.Abs(float64(now-promised)) > 0.2*float64(promised) {
			j.progress(Progress{Plan: "new plan: about " + left.Round(time.Second).String() + " left"})
			promised = now
		} else if promised == 0 && hasLooked(v, open) {
			promised = now
		}
		pairs, err := s.Sample(limited, open)
		v.addTimes(pairs)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case limited.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		v.look(benchmarks)
		for _, b := range open {
			if j.rounds > 0 && v.fileOf(b).rounds() >= j.rounds {
				b.advance(stateJudged)
			}
		}
	}
	return nil
}

// countOpen counts the benchmarks in need of further samples.
func countOpen(benchmarks []*benchmark) (n int) {
	for _, b := range benchmarks {
		if b.isOpen() {
			n++
		}
	}
	return n
}

// hasLooked reports whether every benchmark has had its first look.
func hasLooked(v *judges, benchmarks []*benchmark) bool {
	return !slices.ContainsFunc(benchmarks, func(b *benchmark) bool { return !v.fileOf(b).hasLooked() })
}

// fewOpen is the most benchmarks for counts to leave time for all of them, and the longest ones wait for the
// others.
const fewOpen = 16

// roundsToPass are often enough for a benchmark with little noise to pass; see [verdict.Row.RuledOut].
const roundsToPass = 6

// fitBenchmarks returns the open benchmarks, without some if the remaining time does not bring all of them to their first
// look. Those that would pass as they are wait for the others. Where all can get enough rounds to pass, they get these
// first. Otherwise the last ones of many wait; where only a few are open, the longest, and those that share a long set-up
// wait together.
func fitBenchmarks(j *job, v *judges, benchmarks []*benchmark) []*benchmark {
	open := slices.DeleteFunc(slices.Clone(benchmarks), func(b *benchmark) bool { return !b.isOpen() })
	left, sum := j.Left(), time.Duration(0)
	for _, b := range open {
		sum += timeToLook(v, b)
	}
	if others := slices.DeleteFunc(slices.Clone(open), v.isEnough); sum > left && len(others) > 0 {
		open = others
	}
	slices.SortStableFunc(open, func(a, b *benchmark) int {
		return cmp.Or(cmp.Compare(math.Ceil(suspicionOf(v, b)), math.Ceil(suspicionOf(v, a))),
			cmp.Compare(v.fileOf(b).rounds(), v.fileOf(a).rounds()))
	})
	if lacking := lackingToPass(v, open, left); sum > left && len(lacking) > 0 {
		return lacking
	}
	sum = 0
	for i, b := range open {
		missing := timeToLook(v, b)
		if sum+missing > left && i >= fewOpen {
			open = open[:i]
			break
		}
		sum += missing
	}
	for sum > left {
		times := make(map[processKey]time.Duration)
		for _, b := range open {
			if missing := timeToLook(v, b); missing > 0 {
				times[b.process()] += missing
			}
		}
		if len(times) == 1 {
			break // it has the rest of the time
		}
		longest := slices.MaxFunc(open, func(a, b *benchmark) int { return cmp.Compare(times[a.process()], times[b.process()]) }).process()
		open = slices.DeleteFunc(open, func(b *benchmark) bool { return b.process() == longest })
		sum -= times[longest]
	}
	return open
}

// lackingToPass returns the benchmarks that lack rounds to pass, or to their first look where the count differs. There
// are none if their rounds leave little of the time for those that do not pass then.
func lackingToPass(v *judges, open []*benchmark, left time.Duration) (lacking []*benchmark) {
	sum := time.Duration(0)
	for _, b := range open {
		wanted := roundsToPass
		if c := v.fileOf(b).counts; c.isDecided() && c.result.Verdict != verdict.NotMoreWork {
			wanted = verdict.FirstLook
		}
		if missing := timeOfRounds(v, b, wanted); missing > 0 {
			lacking, sum = append(lacking, b), sum+missing
		}
	}
	if sum > time.Duration(frame.Share(frame.PartRoundsFirst)*float64(left)) {
		return nil
	}
	return lacking
}

// timeToLook is the time of a benchmark's rounds until its first look.
func timeToLook(v *judges, b *benchmark) time.Duration { return timeOfRounds(v, b, verdict.FirstLook) }

// timeOfRounds is the time until a benchmark has some number of rounds. Before its first round, the first iterations are
// taken for a round.
func timeOfRounds(v *judges, b *benchmark, rounds int) time.Duration {
	round := cmp.Or(b.expected, b.first[frame.Old].run+b.first[frame.New].run)
	return time.Duration(max(0, rounds-v.fileOf(b).rounds())) * round
}

// changesNothing reports whether further rounds change nothing: each open row needs more of them than
// there is time for, and it would show a large slowdown, or another benchmark is slower anyway.
func changesNothing(j *job, v *judges, benchmarks, open []*benchmark) bool {
	slower, left := isSlower(v, benchmarks), j.Left()
	return !slices.ContainsFunc(open, func(b *benchmark) bool {
		needed, target := 0, v.target(b)
		for _, r := range v.fileOf(b).rows {
			if r.isOpen(target) {
				needed = max(needed, r.roundsLeft(target))
			}
		}
		return !v.fileOf(b).hasLooked() || !slower && !v.isEnough(b) || b.expected*time.Duration(needed*len(open)) < left
	})
}

// isSlower reports whether a benchmark is slower, and was when measured again.
func isSlower(v *judges, benchmarks []*benchmark) bool {
	return slices.ContainsFunc(benchmarks, func(b *benchmark) bool {
		return b.state < stateNotJudged && slices.ContainsFunc(v.fileOf(b).rows, (*judgedRow).isSurelySlower)
	})
}

// timeLeft estimates how long the open benchmarks go on: as many rounds as the widest interval needs to
// become narrow enough.
func timeLeft(j *job, v *judges, open []*benchmark) time.Duration {
	sum := time.Duration(0)
	for _, b := range open {
		rounds := max(0, verdict.FirstLook-v.fileOf(b).rounds())
		for _, r := range v.fileOf(b).rows {
			if r.row.Rounds() >= verdict.FirstLook && r.isOpen(v.target(b)) {
				rounds = max(rounds, r.roundsLeft(v.target(b)))
			}
		}
		sum += b.expected * time.Duration(rounds)
	}
	return min(sum, j.Left())
}
