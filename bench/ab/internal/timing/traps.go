package timing

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/reach"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// A benchmark can reach far more than it runs: all methods of its types. So the changed functions of the new side, and
// those with references to changed data, get a trap, an instruction to end the process. A benchmark without such an
// end runs the same instructions on both sides.

// FindQuiet returns the functions without a trap on their way, and how long they ran. It tries those whose benchmarks all
// ran on both sides, with as many iterations as a count has, or more, in a part of the time. Then it tries slow ones.
func (t *Timer) FindQuiet(ctx context.Context, l *listing.Listing) map[reach.Function]time.Duration {
	quiet := make(map[reach.Function]time.Duration)
	runs, ran := t.findFast(ctx, l)
	t.keepQuiet(quiet, runs, ran)
	t.keepQuiet(quiet, t.findSlow(ctx, l), ran)
	return quiet
}

// findFast runs the functions that ran on both sides, with traps.
func (t *Timer) findFast(ctx context.Context, l *listing.Listing) (runs []*trapRun, ran time.Duration) {
	span := t.Begin(frame.Traps)
	most := span.Length()
	limited, cancel := span.Context(ctx)
	defer cancel()
	candidates := trapCandidates(l, time.Duration(t.Parallelism())*most)
	if len(candidates) == 0 || t.Sides.Use(frame.New) != nil { // later steps report it
		return nil, t.Horizon
	}
	n, once := 0, time.Duration(0)
	for _, c := range candidates {
		n, once = n+c.benchmarks, once+c.once
	}
	left := time.Duration(t.Parallelism())*most - once
	each := max(leastWithTraps, min(mostWithTraps, left/time.Duration(2*n)))
	t.Show(trapPhase, 0)
	runs = t.divideTraps(candidates, each)
	frame.InParallel(t.Parallelism(), len(runs), func(i int) { runs[i].find(limited, most) })
	return runs, t.confirmQuiet(ctx, l, candidates, runs)
}

// confirmQuiet runs the functions that met no trap until a horizon, the same for all, in a part of the time, and
// no longer one than the long runs of the other benchmarks can have.
// Where the shortest does not fit, functions with the least work come first, and the others count as reached. Each process
// has chances of its own, so all functions then run shortly in further ones. It returns how long they ran.
func (t *Timer) confirmQuiet(ctx context.Context, l *listing.Listing, candidates []*trapCandidate, runs []*trapRun) time.Duration {
	const starts = 15 // processes
	span := t.Begin(frame.TrapsToHorizon)
	budget := span.Length()
	var quiet []*trapCandidate
	for _, r := range runs {
		for _, c := range candidates {
			if slices.Contains(r.quiet, c.function) && c.pkg == r.pkg {
				quiet = append(quiet, c)
			}
		}
	}
	slices.SortStableFunc(quiet, func(a, b *trapCandidate) int {
		return cmp.Compare(a.timeOf(judge.LeastHorizon), b.timeOf(judge.LeastHorizon))
	})
	timeOf := func(quiet []*trapCandidate, horizon time.Duration) (sum time.Duration) {
		for _, c := range quiet {
			sum += c.timeOf(horizon)
		}
		return sum / time.Duration(t.Parallelism())
	}
	others := slices.DeleteFunc(slices.Clone(l.Benchmarks), func(b *listing.Benchmark) bool {
		return b.Failure != nil || hasCandidate(quiet, b.Pkg, b.Function())
	})
	horizon := t.fitHorizon(budget, func(horizon time.Duration) time.Duration { return timeOf(quiet, horizon) })
	horizon = min(horizon, t.fitHorizon(t.beginLongRuns(others).Length(), func(horizon time.Duration) time.Duration {
		return timeOf(quiet, horizon) + t.timeFor(others, horizon)
	}))
	for len(quiet) > 0 && timeOf(quiet, horizon) > budget {
		quiet = quiet[:len(quiet)-1]
	}
	limited, cancel := span.Context(ctx)
	defer cancel()
	frame.InParallel(t.Parallelism(), len(runs), func(i int) {
		r := runs[i]
		r.quiet = slices.DeleteFunc(r.quiet, func(function string) bool { return !hasCandidate(quiet, r.pkg, function) })
		r.confirm(limited, horizon, 1)
		r.confirm(limited, leastWithTraps, starts)
	})
	if len(quiet) == 0 {
		return t.Horizon
	}
	return horizon
}

// hasCandidate reports whether a function of a package is one of the candidates.
func hasCandidate(candidates []*trapCandidate, p *listing.Package, function string) bool {
	return slices.ContainsFunc(candidates, func(c *trapCandidate) bool { return c.pkg == p && c.function == function })
}

const trapPhase = "running with traps in changed code"

// findSlow runs slow functions with traps, in a part of the time. Most others meet one soon.
// What a function does without a trap, it does on the old side, too, so it need not have ended there.
func (t *Timer) findSlow(ctx context.Context, l *listing.Listing) (runs []*trapRun) {
	slow := slices.DeleteFunc(slices.Clone(l.Slow), func(b *listing.Benchmark) bool { return !canTrap(b) })
	for _, group := range text.Groups(slow, (*listing.Benchmark).FunctionKey) {
		r := &trapRun{Builds: t.Builds, pkg: group[0].Pkg, functions: []string{group[0].Function()}, procs: procsOf(group),
			each: t.Horizon, path: t.Scratch.Path(fmt.Sprintf("traps-slow-%d", len(runs)))}
		if !l.SetsProcs {
			r.parallelProcs = t.MostProcs() // whether it calls RunParallel is not known
		}
		runs = append(runs, r)
	}
	if len(runs) == 0 || t.Sides.Use(frame.New) != nil { // later steps report it
		return nil
	}
	t.Show(trapPhase, 0)
	end := t.Begin(frame.TrapsInSlow).End
	frame.InParallel(t.Parallelism(), len(runs), func(i int) {
		share := time.Until(end) / time.Duration(1+(len(runs)-1-i)/t.Parallelism())
		limited, cancel := context.WithTimeout(ctx, share)
		defer cancel()
		runs[i].find(limited, share)
	})
	return runs
}

// canTrap reports whether traps show what a benchmark runs of the change.
func canTrap(b *listing.Benchmark) bool {
	hasTwin := b.Nth > 0 // in the external test package
	return !hasTwin && b.Pkg.Traps != nil && b.Failure == nil && b.Reach.Code == report.ChangedCode
}

// keepQuiet adds the functions of runs that have met no trap, and tells the reader how many they are.
func (t *Timer) keepQuiet(quiet map[reach.Function]time.Duration, runs []*trapRun, ran time.Duration) {
	found := 0
	for _, r := range runs {
		for _, function := range r.quiet {
			quiet[reach.Function{Path: r.pkg.Path, Name: function}] = ran
			found++
		}
	}
	if found > 0 {
		t.Note("%s can reach changed code, but ran for %.3g s without executing it", text.Plural(found, "benchmark function"), ran.Seconds())
	}
}

// timeOf is about the time of a candidate's benchmarks that run until a horizon.
func (c *trapCandidate) timeOf(horizon time.Duration) time.Duration {
	return time.Duration(len(c.procs)) * (time.Duration(c.benchmarks)*horizon*5/4 + 2*c.once)
}

// leastWithTraps and mostWithTraps are bounds of the time of a benchmark with traps at first. What meets none goes on until the
// horizon.
const leastWithTraps, mostWithTraps = time.Millisecond, 2 * time.Millisecond

// trapCandidate is a benchmark function with changed code in reach, and figures of all its benchmarks on both sides.
type trapCandidate struct {
	pkg        *listing.Package
	function   string
	benchmarks int
	procs      map[int]bool  // values of GOMAXPROCS
	once       time.Duration // duration of one iteration of all
}

// trapCandidates returns candidates for a time, without the longest ones if it does not suffice for all.
func trapCandidates(l *listing.Listing, most time.Duration) (candidates []*trapCandidate) {
	for _, group := range text.Groups(l.Benchmarks, (*listing.Benchmark).FunctionKey) {
		c := &trapCandidate{pkg: group[0].Pkg, function: group[0].Function(), benchmarks: len(group), procs: procsOf(group)}
		for _, b := range group {
			c.once += b.First[frame.New].Run + b.First[frame.New].Gap
		}
		if !slices.ContainsFunc(group, func(b *listing.Benchmark) bool {
			return !canTrap(b) || slices.Contains(l.Late, b) || slices.Contains(l.Slow, b)
		}) {
			candidates = append(candidates, c)
		}
	}
	slices.SortFunc(candidates, func(a, b *trapCandidate) int { return cmp.Compare(a.once, b.once) })
	for i, c := range candidates {
		if most -= c.once + time.Duration(c.benchmarks)*leastWithTraps; most < 0 {
			candidates = candidates[:i]
			break
		}
	}
	slices.SortFunc(candidates, func(a, b *trapCandidate) int { // the same in each run, whatever the times
		return cmp.Or(cmp.Compare(a.pkg.Path, b.pkg.Path), cmp.Compare(a.function, b.function))
	})
	return candidates
}

// procsOf is the set of the values of GOMAXPROCS of benchmarks.
func procsOf(benchmarks []*listing.Benchmark) map[int]bool {
	procs := make(map[int]bool)
	for _, b := range benchmarks {
		procs[b.Procs] = true
	}
	return procs
}

// divideTraps divides candidates among processes.
func (t *Timer) divideTraps(candidates []*trapCandidate, each time.Duration) (runs []*trapRun) {
	packages := make(map[*listing.Package][]*trapRun)
	for _, c := range candidates {
		packages[c.pkg] = nil
	}
	cores := t.CoresFor(len(packages))
	for i, c := range candidates {
		if len(packages[c.pkg]) < cores {
			r := &trapRun{Builds: t.Builds, pkg: c.pkg, procs: make(map[int]bool), each: each,
				order: t.Sides.Trees[frame.New].Functions[c.pkg.Path], path: t.Scratch.Path(fmt.Sprintf("traps-%d", i))}
			packages[c.pkg] = append(packages[c.pkg], r)
			runs = append(runs, r)
		}
		r := packages[c.pkg][i%len(packages[c.pkg])]
		r.functions = append(r.functions, c.function)
		maps.Copy(r.procs, c.procs)
	}
	return runs
}
