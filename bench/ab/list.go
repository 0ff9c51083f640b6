package ab

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// listing holds the benchmarks reached by the change.
type listing struct {
	benchmarks []*benchmark
	added      []report.Row   // benchmarks that only the new side has or can run
	units      map[string]int // better directions of custom units, as programs declare them
	late       []*benchmark   // benchmarks of functions that took too long on the new side
	slow       []*benchmark   // benchmarks of functions that took too long on the old side
	quietFor   time.Duration  // how long functions with changed code in reach ran without executing it
}

// variant is a benchmark of a package with a value of GOMAXPROCS.
type variant struct {
	name  string // printed name
	nth   int    // number of benchmarks with this name before it
	procs int
}

// found holds the benchmarks of one side of a package.
type found struct {
	order   []variant
	ran     map[variant]sample
	failed  map[string]error  // reason without figures by function name; [frame.TimeoutError] of an iteration that takes too long
	skipped []string          // printed names
	broken  map[string]string // the same of failing benchmarks, with the reason
	units   map[string]int
}

// listBenchmarks runs each benchmark of the reached functions once on each side. It takes half
// of the time at most, and the old side half of that, so that benchmarks get equal times on the new one.
func listBenchmarks(ctx context.Context, j *job, b *builds) (*listing, error) {
	packages := b.inState(report.Measured)
	span := j.Begin(frame.Listing)
	sides := make([][2]*found, len(packages))
	if err := b.sides.Each(func(side int) error {
		j.Show("listing benchmarks of "+b.sides.Labels[side], 0)
		end := span.End
		if side == frame.Old {
			end = time.Now().Add(time.Duration(frame.Share(frame.PartOldSide) * float64(time.Until(end))))
		}
		frame.InParallel(j.Parallelism(), len(packages), func(i int) {
			l := lister{job: j, pkg: packages[i], side: side, before: sides[i][frame.Old], cores: j.CoresFor(len(packages)),
				end: end}
			f, order := l.list(ctx, len(packages)), b.sides.Trees[frame.New].Functions[packages[i].Path]
			slices.SortStableFunc(f.order, func(a, b variant) int { // as the sources have them
				at := func(v variant) int { return slices.Index(order, "Benchmark"+topLevel(v.name)) }
				return at(a) - at(b)
			})
			sides[i][side] = f
		})
		return ctx.Err()
	}); err != nil {
		return nil, err
	}
	l := &listing{units: make(map[string]int)}
	for i, p := range packages {
		l.pair(j, p, sides[i])
		l.addGone(j, p, b.removed(j, p), "the head removes it; test files of the base would measure it")
	}
	for _, p := range b.inState(report.Gone) {
		l.addGone(j, p, b.sides.Trees[frame.Old].Functions[p.Path], p.gone)
	}
	for _, p := range b.inState(report.New) {
		for _, function := range b.sides.Trees[frame.New].Functions[p.Path] {
			l.added = append(l.added, report.AddedRow(reportName(p, strings.TrimPrefix(function, "Benchmark"), 0), report.TimeUnit, math.NaN(), ""))
		}
	}
	findSharedSetUps(l.benchmarks)
	return l, nil
}

// findSharedSetUps sums up what functions do before their sub-benchmarks.
func findSharedSetUps(benchmarks []*benchmark) {
	const collection = time.Millisecond // pause before each run
	sums := make(map[processKey]time.Duration)
	for _, b := range benchmarks {
		longest := time.Duration(0)
		for _, s := range b.first {
			longest = max(longest, userTime(s.gap, s.gapKernel)-collection)
		}
		sums[b.functionKey()] += longest
	}
	for _, b := range benchmarks {
		b.sharedSetUp = sums[b.functionKey()]
	}
}

// lister lists a package's benchmarks on one side.
type lister struct {
	*job
	pkg    *testPackage
	side   int
	before *found    // of the old side, when the new one is listed
	cores  int       // for processes at once
	end    time.Time // no process begins later
	mutex  sync.Mutex
}

// list runs all benchmarks for one iteration, in a process for each core. When one of them ends its program, each
// function of it that has not run is run by itself.
func (l *lister) list(ctx context.Context, packages int) *found {
	f := &found{ran: make(map[variant]sample), failed: make(map[string]error), units: make(map[string]int),
		broken: make(map[string]string)}
	parts := divideFunctions(l.withoutSlow(f), l.cores)
	for _, procs := range l.procsToRun() {
		share := time.Until(l.end) / time.Duration(2*max(1, packages/l.Parallelism()))
		timeout := max(time.Second, min(20*time.Second, share))
		runs, errs := make([][]sample, len(parts)), make([]error, len(parts))
		frame.InParallel(l.cores, len(parts), func(i int) { runs[i], errs[i] = l.start(ctx, f, parts[i], procs, timeout) })
		var rest []string
		for i, ran := range runs {
			switch {
			case errs[i] == nil:
			case len(parts) == 1 && len(parts[0]) == 1: // it was by itself, and sub-benchmarks may have passed
				f.failed[strings.TrimPrefix(parts[0][0], "Benchmark")] = errs[i]
			default:
				ran = completeRuns(ran)
				rest = append(rest, f.unfinished(parts[i], ran)...)
			}
			f.add(ran, procs)
		}
		l.listAlone(ctx, f, rest, procs)
	}
	return f
}

// withoutSlow returns the reached functions without those that took too long on the old side: time is short. They count as
// late on this side, too.
func (l *lister) withoutSlow(f *found) []string {
	return slices.DeleteFunc(l.pkg.functions(), func(function string) bool {
		name := strings.TrimPrefix(function, "Benchmark")
		isSlow := l.before != nil && frame.IsTimeout(l.before.failed[name])
		if isSlow {
			f.failed[name] = l.before.failed[name]
		}
		return isSlow
	})
}

// completeRuns returns the runs of a process that has not run all of its functions, without those of the last one: it
// may have printed some of its figures.
func completeRuns(ran []sample) []sample {
	if len(ran) == 0 {
		return nil
	}
	last := topLevel(ran[len(ran)-1].name)
	return slices.DeleteFunc(ran, func(s sample) bool { return topLevel(s.name) == last })
}

// unfinished returns the functions without a result.
func (f *found) unfinished(functions []string, ran []sample) []string {
	return slices.DeleteFunc(slices.Clone(functions), func(function string) bool {
		name := strings.TrimPrefix(function, "Benchmark")
		return slices.ContainsFunc(ran, func(s sample) bool { return topLevel(s.name) == name }) ||
			slices.Contains(f.skipped, name)
	})
}

// listAlone runs each function in a process of its own, within what is left of the time.
func (l *lister) listAlone(ctx context.Context, f *found, functions []string, procs int) {
	const least, most = 300 * time.Millisecond, 5 * time.Second
	for i, function := range functions {
		if ctx.Err() != nil {
			return
		}
		share := time.Until(l.end) / time.Duration(len(functions)-i)
		ran, err := l.start(ctx, f, []string{function}, procs, max(least, min(most, share)))
		f.add(ran, procs)
		if err != nil {
			f.failed[strings.TrimPrefix(function, "Benchmark")] = err
		}
	}
}

// start runs functions for one iteration.
func (l *lister) start(ctx context.Context, f *found, functions []string, procs int,
	timeout time.Duration) ([]sample, error) {
	c := testRun{pkg: l.pkg, side: l.side, path: l.pkg.binaries[l.side], core: frame.NoCore,
		timeout: timeout.Round(time.Millisecond),
		args:    build.BenchArgs(build.FunctionPattern(functions, l.Bench), "1x", procs)}
	out, err := c.run(ctx, l.job)
	printed := report.Scan(out.Output)
	ran := newSamples(printed, procs)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.pkg.observe(out, ran, frame.IsTimeout(err))
	for line := range strings.Lines(string(out.Output)) {
		if name, ok := strings.CutPrefix(line, "ur-skip Benchmark"); ok {
			f.skipped = append(f.skipped, strings.TrimSpace(name))
		}
	}
	maps.Copy(f.units, printed.Directions())
	maps.Copy(f.broken, brokenBenchmarks(out.Output, procs))
	switch {
	case err != nil:
		err = frame.FailureOf(out.Output, err)
	case !passed().Match(out.Output):
		err = errors.New("the process ends before the benchmark")
	}
	return ran, err
}

// passed matches the last line of a test binary without failures.
var passed = text.Regexp(`(?m)^PASS\r?$`)

// observe learns from a run how long the process takes outside of its benchmarks, and how much other programs
// slow it down. What a function does before its sub-benchmarks belongs to these, so the process with the least counts,
// and none that was killed inside of a benchmark.
func (p *testPackage) observe(out frame.Result, ran []sample, killed bool) {
	if out.CPU <= 0 {
		return
	}
	p.slowdown = max(1, out.Wall.Seconds()/out.CPU.Seconds())
	if killed {
		return
	}
	outside := out.CPU
	for i, s := range ran {
		if outside -= s.busy; i > 0 {
			outside -= s.gap
		}
	}
	if outside = max(0, outside); !p.observed || outside < p.overhead {
		p.overhead, p.observed = outside, true
	}
}

// add adds runs with a value of GOMAXPROCS.
func (f *found) add(ran []sample, procs int) {
	for _, s := range ran {
		k := variant{s.name, s.nth, procs}
		f.order = append(f.order, k)
		f.ran[k] = s
	}
}
