package ab

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// A benchmark can reach far more than it runs: all methods of its types. So the changed functions of the new side, and
// those with references to changed data, get a trap, an instruction to end the process. A benchmark without such an
// end runs the same instructions on both sides.

// findExecuted removes from the listing the functions without a trap on their way. It tries those whose benchmarks all
// ran on both sides, with as many iterations as a count has, or more, in a part of the time.
func findExecuted(ctx context.Context, j *job, b *builds, l *listing) {
	span := j.Begin(frame.Traps)
	most := span.Length()
	limited, cancel := span.Context(ctx)
	defer cancel()
	candidates := l.trapCandidates(time.Duration(j.Parallelism()) * most)
	if len(candidates) == 0 || b.sides.Use(frame.New) != nil { // later steps report it
		return
	}
	n, once := 0, time.Duration(0)
	for _, c := range candidates {
		n, once = n+c.benchmarks, once+c.once
	}
	left := time.Duration(j.Parallelism())*most - once
	each := max(leastWithTraps, min(mostWithTraps, left/time.Duration(2*n)))
	j.Show(trapPhase, 0)
	runs := trapRuns(j, candidates, each)
	for _, t := range runs {
		t.order = b.sides.Trees[frame.New].Functions[t.pkg.Path]
	}
	frame.InParallel(j.Parallelism(), len(runs), func(i int) { runs[i].find(limited, most) })
	l.confirmQuiet(ctx, j, candidates, runs)
	l.removeQuiet(j, b, runs)
}

// confirmQuiet runs the functions that met no trap until the horizon, which is the same for all, in a part of the time, and
// no longer one than the long runs of the other benchmarks can have.
// Where the shortest does not fit, functions with the least work come first, and the others count as reached. Each process
// has chances of its own, so all functions then run shortly in further ones.
func (l *listing) confirmQuiet(ctx context.Context, j *job, candidates []*trapCandidate, runs []*trapRun) {
	const starts = 15 // processes
	span := j.Begin(frame.TrapsToHorizon)
	budget := span.Length()
	times := make(map[*trapRun]map[string]*trapCandidate)
	var quiet []*trapCandidate
	for _, t := range runs {
		times[t] = make(map[string]*trapCandidate)
		for _, c := range candidates {
			if c.pkg == t.pkg && slices.Contains(t.quiet, c.function) {
				times[t][c.function] = c
				quiet = append(quiet, c)
			}
		}
	}
	slices.SortStableFunc(quiet, func(a, b *trapCandidate) int { return cmp.Compare(a.timeOf(leastHorizon), b.timeOf(leastHorizon)) })
	timeOf := func(quiet []*trapCandidate, horizon time.Duration) (sum time.Duration) {
		for _, c := range quiet {
			sum += c.timeOf(horizon)
		}
		return sum / time.Duration(j.Parallelism())
	}
	others := l.without(quiet)
	horizon := j.fitHorizon(budget, func(horizon time.Duration) time.Duration { return timeOf(quiet, horizon) })
	horizon = min(horizon, j.fitHorizon(j.longRunSpan(others).Length(), func(horizon time.Duration) time.Duration {
		return timeOf(quiet, horizon) + j.timeForLongRuns(others, horizon, nil)
	}))
	for len(quiet) > 0 && timeOf(quiet, horizon) > budget {
		quiet = quiet[:len(quiet)-1]
	}
	limited, cancel := span.Context(ctx)
	defer cancel()
	frame.InParallel(j.Parallelism(), len(runs), func(i int) {
		t := runs[i]
		t.quiet = slices.DeleteFunc(t.quiet, func(function string) bool { return !slices.Contains(quiet, times[t][function]) })
		t.confirm(limited, horizon, 1)
		t.confirm(limited, leastWithTraps, starts)
	})
	if len(quiet) > 0 {
		l.quietFor = horizon
	}
}

// without returns the open benchmarks of functions that are no candidates.
func (l *listing) without(candidates []*trapCandidate) []*benchmark {
	return slices.DeleteFunc(slices.Clone(l.benchmarks), func(b *benchmark) bool {
		return !b.isOpen() || slices.ContainsFunc(candidates, func(c *trapCandidate) bool { return c.pkg == b.pkg && c.function == b.function() })
	})
}

const trapPhase = "running with traps in changed code"

// findExecutedSlow removes slow functions without a trap on their way, in a part of the time. Most others meet one soon.
// What a function does without a trap, it does on the old side, too, so it need not have ended there.
func findExecutedSlow(ctx context.Context, j *job, b *builds, l *listing) {
	var runs []*trapRun
	known := make(map[processKey]*trapRun)
	for _, k := range l.slow {
		if !canTrap(k) {
			continue
		}
		t := known[k.functionKey()]
		if t == nil {
			t = &trapRun{job: j, pkg: k.pkg, functions: []string{k.function()}, procs: make(map[int]bool),
				each: j.Horizon, path: j.Scratch.Path(fmt.Sprintf("traps-slow-%d", len(runs)))}
			known[k.functionKey()] = t
			runs = append(runs, t)
		}
		if t.procs[k.procs] = true; j.CPU == "" {
			t.parallelProcs = j.MostProcs() // whether it calls RunParallel is not known
		}
	}
	if len(runs) == 0 || b.sides.Use(frame.New) != nil { // later steps report it
		return
	}
	j.Show(trapPhase, 0)
	end := j.Begin(frame.TrapsInSlow).End
	frame.InParallel(j.Parallelism(), len(runs), func(i int) {
		share := time.Until(end) / time.Duration(1+(len(runs)-1-i)/j.Parallelism())
		limited, cancel := context.WithTimeout(ctx, share)
		defer cancel()
		runs[i].find(limited, share)
	})
	l.removeQuiet(j, b, runs)
}

// canTrap reports whether traps show what a benchmark runs of the change.
func canTrap(b *benchmark) bool {
	hasTwin := b.nth > 0 // in the external test package
	return !hasTwin && b.pkg.traps != nil && b.isOpen() && b.reach.Code == report.ChangedCode
}

// removeQuiet removes the functions from the listing that have run without a trap.
func (l *listing) removeQuiet(j *job, b *builds, runs []*trapRun) {
	found := 0
	for _, t := range runs {
		for _, function := range t.quiet {
			to := t.pkg.reach[function]
			to.Code, to.Ran = report.SameCode, cmp.Or(l.quietFor, j.Horizon)
			t.pkg.reach[function] = to
			found++
		}
		t.pkg.endUnreached(b, j)
	}
	for _, rows := range []*[]*benchmark{&l.benchmarks, &l.slow} {
		*rows = slices.DeleteFunc(*rows, func(b *benchmark) bool {
			to, ok := b.pkg.reach[b.function()]
			return ok && to.Code == report.SameCode
		})
	}
	if found > 0 {
		j.Note("%s can reach changed code, but ran for %.3g s without executing it", text.Plural(found, "benchmark function"),
			cmp.Or(l.quietFor, j.Horizon).Seconds())
	}
}
