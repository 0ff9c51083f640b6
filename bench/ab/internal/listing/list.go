// Package listing finds the benchmarks of both sides. Built packages go in, with what their benchmarks reach of the change; a
// [Listing] comes out: benchmarks with a sample of one iteration on each side, or with the reason why they have none.
package listing

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/reach"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Selection selects the benchmarks that the user wants.
type Selection struct {
	Procs      []int // values of GOMAXPROCS
	MostProcs  int   // of a benchmark that calls RunParallel
	SetsProcs  bool  // the user wants these values, also for benchmarks that call RunParallel
	IsExcluded func(name string) bool
}

// Suffix is the end of the name of a benchmark with the number of processors, or "".
func (s *Selection) Suffix(procs int) string {
	if len(s.Procs) > 1 || s.SetsProcs && procs != 1 {
		return "-" + strconv.Itoa(procs)
	}
	return ""
}

// Listing holds the benchmarks reached by the change. Nothing changes it: what leaves benchmarks out returns another one.
type Listing struct {
	*Selection
	Benchmarks []*Benchmark
	Added      []report.Row   // benchmarks that only the new side has or can run
	Units      map[string]int // better directions of custom units, as programs declare them
	Late       []*Benchmark   // benchmarks of functions that took too long on the new side
	Slow       []*Benchmark   // benchmarks of functions that took too long on the old side
}

// Fast returns the benchmarks that do not wait for the end of others.
func (l *Listing) Fast() []*Benchmark {
	return slices.DeleteFunc(slices.Clone(l.Benchmarks), func(b *Benchmark) bool { return slices.Contains(l.Slow, b) })
}

// Without returns the listing without benchmark functions that do not execute the change.
func (l *Listing) Without(quiet map[reach.Function]time.Duration) *Listing {
	now := *l
	for _, rows := range []*[]*Benchmark{&now.Benchmarks, &now.Slow} {
		*rows = slices.DeleteFunc(slices.Clone(*rows), func(b *Benchmark) bool {
			_, ok := quiet[reach.Function{Path: b.Pkg.Path, Name: b.Function()}]
			return ok
		})
	}
	return &now
}

// Replace returns the listing with other benchmarks in the place of some of its own.
func (l *Listing) Replace(by map[*Benchmark]*Benchmark) *Listing {
	now := *l
	for _, rows := range []*[]*Benchmark{&now.Benchmarks, &now.Late, &now.Slow} {
		*rows = slices.Clone(*rows)
		for i, b := range *rows {
			(*rows)[i] = cmp.Or(by[b], b)
		}
	}
	return &now
}

// Variant is a benchmark of a package with a value of GOMAXPROCS.
type Variant struct {
	Name  string // printed name
	Nth   int    // number of benchmarks with this name before it
	Procs int
}

// Found holds the benchmarks of one side of a package.
type Found struct {
	Order   []Variant
	Ran     map[Variant]Sample
	Failed  map[string]error  // reason without figures by function name; [frame.TimeoutError] of an iteration that takes too long
	Exits   map[string]Exit   // of processes that ended badly, by the name of their functions
	Skipped []string          // printed names
	Broken  map[string]string // the same of failing benchmarks, with the reason
	Units   map[string]int
}

// Exit is how a process ended badly.
type Exit struct {
	Err    error
	Passed bool // its benchmarks passed, so TestMain or what it calls has failed
}

// failsAtEnd returns why the last process of a function fails after its benchmarks, if none of the old side does so, and
// that of the function ends well there.
func (f *Found) failsAtEnd(function string, old *Found) error {
	_, alsoOld := old.Exits[function]
	if e := f.Exits[function]; e.Passed && !alsoOld &&
		!slices.ContainsFunc(slices.Collect(maps.Values(old.Exits)), func(e Exit) bool { return e.Passed }) {
		return e.Err
	}
	return nil
}

// List runs each benchmark of the reached functions once on each side.
func List(ctx context.Context, b *build.Builds, reached reach.Packages, s *Selection) (*Listing, error) {
	packages, sides, err := FindAll(ctx, b, reached, s)
	if err != nil {
		return nil, err
	}
	for i, p := range packages {
		order := b.Sides.Trees[frame.New].Functions[p.Path]
		at := func(v Variant) int { return slices.Index(order, "Benchmark"+TopLevel(v.Name)) }
		for _, f := range sides[i] { // as the sources have them
			slices.SortStableFunc(f.Order, func(a, b Variant) int { return at(a) - at(b) })
		}
	}
	l := &Listing{Selection: s, Units: make(map[string]int)}
	for i, p := range packages {
		l.pair(p, sides[i])
		l.addGone(p.TestPackage, p.Removed, frame.RemovedByHead)
	}
	for _, p := range b.InState(report.Gone) {
		l.addGone(p, b.Sides.Trees[frame.Old].Functions[p.Path], p.Gone)
	}
	for _, p := range b.InState(report.New) {
		for _, function := range b.Sides.Trees[frame.New].Functions[p.Path] {
			l.Added = append(l.Added, report.AddedRow(p.ReportName(strings.TrimPrefix(function, "Benchmark"), 0), report.TimeUnit, math.NaN(), ""))
		}
	}
	FindSharedSetUps(l.Benchmarks)
	return l, nil
}

// FindAll runs each benchmark of the reached functions once on each side, or on the new one of a head alone. It takes half
// of the time at most, and the old side half of that, so that benchmarks get equal times on the new one.
func FindAll(ctx context.Context, b *build.Builds, reached reach.Packages, s *Selection) ([]*Package, [][2]*Found, error) {
	var packages []*Package
	for _, p := range reached.InState(report.Measured) {
		packages = append(packages, &Package{Package: p})
	}
	span := b.Begin(frame.Listing)
	sides := make([][2]*Found, len(packages))
	err := b.Sides.Each(func(side int) error {
		b.Show("listing benchmarks of "+b.Sides.Labels[side], 0)
		end := span.End
		if side == frame.Old {
			end = time.Now().Add(time.Duration(frame.Share(frame.PartOldSide) * float64(time.Until(end))))
		}
		frame.InParallel(b.Parallelism(), len(packages), func(i int) {
			l := lister{Builds: b, Selection: s, pkg: packages[i], side: side, before: sides[i][frame.Old],
				cores: b.CoresFor(len(packages)), end: end}
			sides[i][side] = l.list(ctx, len(packages))
		})
		return ctx.Err()
	})
	return packages, sides, err
}

// FindSharedSetUps sums up what functions do before their sub-benchmarks.
func FindSharedSetUps(benchmarks []*Benchmark) {
	const collection = time.Millisecond // pause before each run
	for _, group := range text.Groups(benchmarks, (*Benchmark).FunctionKey) {
		sum := time.Duration(0)
		for _, b := range group {
			old, new := &b.First[frame.Old], &b.First[frame.New]
			sum += max(0, UserTime(old.Gap, old.gapKernel)-collection, UserTime(new.Gap, new.gapKernel)-collection)
		}
		for _, b := range group {
			b.SharedSetUp = sum
		}
	}
}

// lister lists a package's benchmarks on one side.
type lister struct {
	*build.Builds
	*Selection
	pkg    *Package
	side   int
	before *Found    // of the old side, when the new one is listed
	cores  int       // for processes at once
	end    time.Time // no process begins later
	found  *Found
	mutex  sync.Mutex
}

// list runs all benchmarks for one iteration, in a process for each core. When one of them ends its program, each
// function of it that has not run is run by itself.
func (l *lister) list(ctx context.Context, packages int) *Found {
	l.found = &Found{Ran: make(map[Variant]Sample), Failed: make(map[string]error), Exits: make(map[string]Exit), Units: make(map[string]int),
		Broken: make(map[string]string)}
	f := l.found
	functions := l.withoutSlow()
	parts := slices.Collect(slices.Chunk(functions, max(1, (len(functions)+l.cores-1)/l.cores)))
	for _, procs := range l.Procs {
		share := time.Until(l.end) / time.Duration(2*max(1, packages/l.Parallelism()))
		timeout := max(time.Second, min(20*time.Second, share))
		runs, errs := make([][]Sample, len(parts)), make([]error, len(parts))
		frame.InParallel(l.cores, len(parts), func(i int) { runs[i], errs[i] = l.start(ctx, parts[i], procs, timeout) })
		var rest []string
		for i, ran := range runs {
			switch {
			case errs[i] == nil:
			case len(parts) == 1 && len(parts[0]) == 1: // it was by itself, and sub-benchmarks may have passed
				f.Failed[strings.TrimPrefix(parts[0][0], "Benchmark")] = errs[i]
			default:
				ran = CompleteRuns(ran)
				rest = append(rest, f.unfinished(parts[i], ran)...)
			}
			f.add(ran, procs)
		}
		l.listAlone(ctx, rest, procs)
	}
	return f
}

// withoutSlow returns the reached functions without those that took too long on the old side: time is short. They count as
// late on this side, too.
func (l *lister) withoutSlow() []string {
	return slices.DeleteFunc(l.pkg.Functions(), func(function string) bool {
		name := strings.TrimPrefix(function, "Benchmark")
		isSlow := l.before != nil && frame.IsTimeout(l.before.Failed[name])
		if isSlow {
			l.found.Failed[name] = l.before.Failed[name]
		}
		return isSlow
	})
}

// CompleteRuns returns the runs of a process that has not run all of its functions, without those of the last one: it
// may have printed some of its figures.
func CompleteRuns(ran []Sample) []Sample {
	if len(ran) == 0 {
		return nil
	}
	last := TopLevel(ran[len(ran)-1].Name)
	return slices.DeleteFunc(ran, func(s Sample) bool { return TopLevel(s.Name) == last })
}

// unfinished returns the functions without a result.
func (f *Found) unfinished(functions []string, ran []Sample) []string {
	return slices.DeleteFunc(slices.Clone(functions), func(function string) bool {
		name := strings.TrimPrefix(function, "Benchmark")
		return slices.ContainsFunc(ran, func(s Sample) bool { return TopLevel(s.Name) == name }) ||
			slices.Contains(f.Skipped, name)
	})
}

// listAlone runs each function in a process of its own, within what is left of the time.
func (l *lister) listAlone(ctx context.Context, functions []string, procs int) {
	const least, most = 300 * time.Millisecond, 5 * time.Second
	for i, function := range functions {
		if ctx.Err() != nil {
			return
		}
		share := time.Until(l.end) / time.Duration(len(functions)-i)
		ran, err := l.start(ctx, []string{function}, procs, max(least, min(most, share)))
		l.found.add(ran, procs)
		if err != nil {
			l.found.Failed[strings.TrimPrefix(function, "Benchmark")] = err
		}
	}
}

// start runs functions for one iteration.
func (l *lister) start(ctx context.Context, functions []string, procs int, timeout time.Duration) ([]Sample, error) {
	f := l.found
	c := build.TestRun{Pkg: l.pkg.TestPackage, Side: l.side, Core: frame.NoCore,
		Timeout: timeout.Round(time.Millisecond),
		Args:    build.BenchArgs(build.FunctionPattern(functions, l.Bench), "1x", procs)}
	out, err := l.RunTest(ctx, c)
	printed := report.Scan(out.Output)
	ran := NewSamples(printed, procs)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.pkg.observe(out, ran, frame.IsTimeout(err))
	f.Skipped = append(f.Skipped, SkippedIn(out.Output)...)
	maps.Copy(f.Units, printed.Directions())
	maps.Copy(f.Broken, brokenBenchmarks(out.Output, procs))
	_, isExit := errors.AsType[*frame.ProgramError](err)
	passed := Passed().Match(out.Output)
	switch {
	case err != nil:
		err = frame.FailureOf(out.Output, err)
	case !passed:
		err = errors.New("the process ends before the benchmark")
	}
	for _, function := range functions {
		if name := strings.TrimPrefix(function, "Benchmark"); isExit {
			f.Exits[name] = Exit{err, passed}
		} else {
			delete(f.Exits, name)
		}
	}
	return ran, err
}

// SkippedIn returns the printed names of the benchmarks that called Skip, by the output of a binary with the overlay.
func SkippedIn(out []byte) (names []string) {
	for line := range strings.Lines(string(out)) {
		if name, ok := strings.CutPrefix(line, "ur-skip Benchmark"); ok {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}

// Passed matches the last line of a test binary without failures.
var Passed = text.Regexp(`(?m)^PASS\r?$`)

// observe learns from a run how long the process takes outside of its benchmarks, and how much other programs
// slow it down. What a function does before its sub-benchmarks belongs to these, so the process with the least counts,
// and none that was killed inside of a benchmark.
func (p *Package) observe(out frame.Result, ran []Sample, killed bool) {
	if out.CPU <= 0 {
		return
	}
	p.Slowdown = max(1, out.Wall.Seconds()/out.CPU.Seconds())
	if killed {
		return
	}
	outside := out.CPU
	for i, s := range ran {
		if outside -= s.Busy; i > 0 {
			outside -= s.Gap
		}
	}
	if outside = max(0, outside); !p.observed || outside < p.Overhead {
		p.Overhead, p.observed = outside, true
	}
}

// add adds runs with a value of GOMAXPROCS.
func (f *Found) add(ran []Sample, procs int) {
	for _, s := range ran {
		k := Variant{s.Name, s.Nth, procs}
		f.Order = append(f.Order, k)
		f.Ran[k] = s
	}
}

// failedBenchmark matches the line of a failing benchmark.
var failedBenchmark = text.Regexp(`(?m)^\s*--- FAIL: Benchmark(\S+)`)

// brokenBenchmarks returns the failing benchmarks in the output of a program, without functions that fail by others below
// them, and what they print.
func brokenBenchmarks(out []byte, procs int) map[string]string {
	broken := make(map[string]string)
	printed := string(out)
	places := failedBenchmark().FindAllStringSubmatchIndex(printed, -1)
	for i, at := range places {
		end := len(printed)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		name := printed[at[2]:at[3]]
		if procs > 1 {
			name = strings.TrimSuffix(name, "-"+strconv.Itoa(procs))
		}
		why := frame.LastLogged(printed[at[1]:end])
		if why == "" {
			why = "it prints no reason"
		}
		broken[name] = why
	}
	maps.DeleteFunc(broken, func(name, _ string) bool {
		return slices.ContainsFunc(slices.Collect(maps.Keys(broken)), func(other string) bool { return strings.HasPrefix(other, name+"/") })
	})
	return broken
}
