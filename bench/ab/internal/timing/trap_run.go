package timing

import (
	"context"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
)

// trapRun is a run of some functions of a package's test program with traps.
type trapRun struct {
	*build.Builds
	pkg       *listing.Package
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
	if t.each = each; len(t.quiet) == 0 || build.SetTraps(t.pkg.Binaries[frame.New], t.path, t.pkg.Traps) != nil {
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
	if build.SetTraps(t.pkg.Binaries[frame.New], t.path, t.pkg.Traps) != nil {
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
			name := "Benchmark" + listing.TopLevel(s.Name)
			if slices.Contains(ran, name) && !has[name] {
				has[name], inOrder = true, append(inOrder, name)
			}
			startsOthers[name] = startsOthers[name] || s.Children // which may meet a trap, or be programs of the module
			if s.Parallel && t.parallelProcs > 0 && !slices.Contains(values, t.parallelProcs) {
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
func (t *trapRun) runWith(ctx context.Context, functions []string, procs int) (samples []listing.Sample, ended bool) {
	c := build.TestRun{Pkg: t.pkg.TestPackage, Side: frame.New, Path: t.path, Core: frame.NoCore, Env: []string{"GOTRACEBACK=none"},
		Args: build.BenchArgs(build.FunctionPattern(functions, t.Bench), t.each.String(), procs)}
	if t.each >= judge.LeastHorizon {
		c.Env = append(c.Env, "UR_AB_CLEANUP=1")
	}
	out, err := t.RunTest(ctx, c)
	samples = listing.ParseSamples(out.Output, procs)
	if ended = err == nil && listing.Passed().Match(out.Output); !ended {
		samples = listing.CompleteRuns(samples)
	}
	return samples, ended
}
