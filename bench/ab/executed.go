package ab

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
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
		return timeOf(quiet, horizon) + j.timeForLongRuns(others, horizon)
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

// timeOf is about the time of a candidate's benchmarks that run until a horizon.
func (c *trapCandidate) timeOf(horizon time.Duration) time.Duration {
	return time.Duration(len(c.procs)) * (time.Duration(c.benchmarks)*horizon*5/4 + 2*c.once)
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

// leastWithTraps and mostWithTraps are bounds of the time of a benchmark with traps at first. What meets none goes on until the
// horizon.
const leastWithTraps, mostWithTraps = time.Millisecond, 2 * time.Millisecond

// trapCandidate is a benchmark function with changed code in reach, and figures of all its benchmarks on both sides.
type trapCandidate struct {
	pkg        *testPackage
	function   string
	benchmarks int
	procs      map[int]bool  // values of GOMAXPROCS
	once       time.Duration // duration of one iteration of all
}

// trapCandidates returns candidates for a time, without the longest ones if it does not suffice for all.
func (l *listing) trapCandidates(most time.Duration) (candidates []*trapCandidate) {
	all, without := make(map[processKey]*trapCandidate), make(map[processKey]bool)
	for _, b := range l.benchmarks {
		key := b.functionKey()
		c := all[key]
		if c == nil {
			c = &trapCandidate{pkg: b.pkg, function: b.function(), procs: make(map[int]bool)}
			all[key] = c
		}
		c.benchmarks++
		c.procs[b.procs] = true
		c.once += b.first[frame.New].run + b.first[frame.New].gap
		without[key] = without[key] || !canTrap(b) || slices.Contains(l.late, b) || slices.Contains(l.slow, b)
	}
	maps.DeleteFunc(all, func(key processKey, _ *trapCandidate) bool { return without[key] })
	for _, c := range slices.SortedFunc(maps.Values(all), func(a, b *trapCandidate) int {
		return cmp.Compare(a.once, b.once)
	}) {
		if most -= c.once + time.Duration(c.benchmarks)*leastWithTraps; most < 0 {
			break
		}
		candidates = append(candidates, c)
	}
	slices.SortFunc(candidates, func(a, b *trapCandidate) int { // the same in each run, whatever the times
		return cmp.Or(cmp.Compare(a.pkg.Path, b.pkg.Path), cmp.Compare(a.function, b.function))
	})
	return candidates
}

// trapRuns divides candidates among processes.
func trapRuns(j *job, candidates []*trapCandidate, each time.Duration) (runs []*trapRun) {
	packages := make(map[*testPackage][]*trapRun)
	for _, c := range candidates {
		packages[c.pkg] = nil
	}
	cores := j.CoresFor(len(packages))
	for i, c := range candidates {
		if len(packages[c.pkg]) < cores {
			t := &trapRun{job: j, pkg: c.pkg, procs: make(map[int]bool), each: each,
				path: j.Scratch.Path(fmt.Sprintf("traps-%d", i))}
			packages[c.pkg] = append(packages[c.pkg], t)
			runs = append(runs, t)
		}
		t := packages[c.pkg][i%len(packages[c.pkg])]
		t.functions = append(t.functions, c.function)
		maps.Copy(t.procs, c.procs)
	}
	return runs
}

// trapRun is a run of some functions of a package's test program with traps.
type trapRun struct {
	*job
	pkg       *testPackage
	path      string // program with traps
	functions []string
	order     []string      // benchmark functions of the package as the sources have them
	procs     map[int]bool  // values of GOMAXPROCS
	each      time.Duration // how long a benchmark runs
	quiet     []string      // functions without a trap

	parallelProcs int // one more value, if a benchmark turns out to call RunParallel
}

// confirm runs the quiet functions for some time, in a number of processes one after the other. One that meets a trap is
// quiet no longer, nor is one without an end.
func (t *trapRun) confirm(ctx context.Context, each time.Duration, processes int) {
	if t.each = each; len(t.quiet) == 0 || build.SetTraps(t.pkg.binaries[frame.New], t.path, t.pkg.traps) != nil {
		t.quiet = nil
		return
	}
	defer os.Remove(t.path)
	for range processes {
		ran, ok := t.run(ctx, t.quiet)
		switch {
		case processes > 1 && ctx.Err() != nil:
			return // the processes so far have to do
		case ok:
			t.quiet = ran
		case len(ran) == 0:
			t.quiet = nil // the trap may be in what runs before all of them
			return
		default:
			t.quiet = t.withoutMet(ctx, ran, processes == 1)
		}
	}
}

// withoutMet returns the quiet functions without the two behind those that have run: one met the trap, and the figures of
// the one before it may be incomplete. The others may have to run by themselves.
func (t *trapRun) withoutMet(ctx context.Context, ran []string, all bool) (quiet []string) {
	const doubtful = 2
	met := 0
	for _, function := range t.order {
		switch {
		case !slices.Contains(t.quiet, function):
		case slices.Contains(ran, function):
			quiet = append(quiet, function)
		case met < doubtful:
			met++
		case !all:
			quiet = append(quiet, function)
		default:
			alone, ended := t.run(ctx, []string{function})
			if ended {
				quiet = append(quiet, alone...)
			}
		}
	}
	return quiet
}

// find finds the functions that meet no trap. Those behind the first trap run by themselves, unless the first few
// find none.
func (t *trapRun) find(ctx context.Context, most time.Duration) {
	const (
		enough   = 5 // functions with a trap
		patience = 4 // part of the time for them
	)
	begin := time.Now()
	defer os.Remove(t.path)
	if build.SetTraps(t.pkg.binaries[frame.New], t.path, t.pkg.traps) != nil {
		return
	}
	ran, ok := t.run(ctx, t.functions)
	switch {
	case ok:
		t.quiet = ran
		return
	case len(t.functions) == 1:
		return
	}
	t.quiet = ran
	met := 0
	for _, function := range t.functions {
		if slices.Contains(t.quiet, function) {
			continue
		}
		if alone, ok := t.run(ctx, []string{function}); ok && len(alone) > 0 {
			t.quiet = append(t.quiet, function)
		} else if met++; ctx.Err() != nil || len(t.quiet) == 0 && (met == enough || time.Since(begin) > most/patience) {
			return
		}
	}
}

// run runs functions, and returns those run to their ends, and whether the program ended well.
func (t *trapRun) run(ctx context.Context, functions []string) (ran []string, ok bool) {
	ran = functions
	values := slices.Sorted(maps.Keys(t.procs))
	for i := 0; i < len(values); i++ {
		samples, ended := t.runWith(ctx, ran, values[i])
		has, startsOthers := make(map[string]bool), make(map[string]bool)
		var inOrder []string
		for _, s := range samples {
			name := "Benchmark" + topLevel(s.name)
			if slices.Contains(ran, name) && !has[name] {
				has[name], inOrder = true, append(inOrder, name)
			}
			startsOthers[name] = startsOthers[name] || s.children // which may meet a trap, or be programs of the module
			if s.parallel && t.parallelProcs > 0 && !slices.Contains(values, t.parallelProcs) {
				values = append(values, t.parallelProcs)
			}
		}
		if ran = slices.DeleteFunc(inOrder, func(name string) bool { return startsOthers[name] }); !ended {
			if i < len(values)-1 {
				ran = nil // with more processors they have not run
			}
			return ran, false
		}
	}
	return ran, true
}

// runWith runs functions with a value of GOMAXPROCS. It returns the samples of the functions that have ended, and whether
// the program ended well.
func (t *trapRun) runWith(ctx context.Context, functions []string, procs int) (samples []sample, ended bool) {
	c := testRun{pkg: t.pkg, side: frame.New, path: t.path, core: frame.NoCore, env: []string{"GOTRACEBACK=none"},
		args: build.BenchArgs(build.FunctionPattern(functions, t.Bench), t.each.String(), procs)}
	if t.each >= leastHorizon {
		c.env = append(c.env, "UR_AB_CLEANUP=1")
	}
	out, err := c.run(ctx, t.job)
	samples = parseSamples(out.Output, procs)
	if ended = err == nil && passed().Match(out.Output); !ended {
		samples = completeRuns(samples)
	}
	return samples, ended
}
