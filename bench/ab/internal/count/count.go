// Package count counts the instructions of benchmarks on both sides. Builds, benchmarks, and a table of judges with their
// long runs go in; pairs of counts come out, in the table, and the [Sampler] that took them. A plan chooses what fits into
// the time.
package count

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/timing"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Request has the parts of a run that counts need.
type Request struct {
	*build.Builds
	Cache      *build.Cache
	Judges     *judge.Table
	Bounds     frame.Budget // the time of the counts, and of what follows them
	OnlyCounts bool         // no times follow
	Procs      int          // values of GOMAXPROCS; with several, benchmarks share their counts
}

// Sampler counts the instructions of benchmarks. All benchmarks of a package run in one process for a side and a
// seed, and the processes run on all cores at once: counts do not depend on load.
type Sampler struct {
	Request
	Counter *count.Counter
	Plan    *plan
	Seeds   int // taken so far

	unseeded string // reason why seeds have no effect, or ""
}

// Take counts the instructions of benchmarks on both sides, and judges them. Meanwhile it links the
// layouts of the first rounds. It returns the sampler, or nil where nothing can count.
func Take(ctx context.Context, r Request, links *build.Links, benchmarks []*listing.Benchmark) (*Sampler, error) {
	c, err := NewSampler(ctx, r)
	if c == nil {
		return nil, err
	}
	packages := timing.PackagesOf(benchmarks)
	c.Show("counting instructions", len(benchmarks))
	const busy = 1.5 // then links take the time of counts
	linking := time.Duration(0)
	if !r.OnlyCounts && timing.SlowdownOf(packages) < busy {
		linking = c.Bounds.Begin(frame.Links).Length()
	}
	limited, cancel := context.WithDeadline(ctx, c.Bounds.End())
	defer cancel()
	done := links.Begin(limited, timing.ProgramsOf(packages), linking)
	defer done()
	c.Prepare(benchmarks)
	err = c.repeat(ctx, benchmarks)
	if limited.Err() != nil {
		err = nil // what is not counted is left to time
	}
	return c, cmp.Or(ctx.Err(), err)
}

// NewSampler finds a way to count on this machine; nil without one.
func NewSampler(ctx context.Context, r Request) (*Sampler, error) {
	if !r.CanCount() {
		return nil, goWithoutCounts(r.Run, r.OnlyCounts, fmt.Errorf("%s on %s cannot be counted", r.GoVersion,
			r.Sides.Trees[frame.New].Toolchain.GOARCH))
	}
	counter, err := FindCounter(ctx, r.Run, r.OnlyCounts)
	if err != nil || counter == nil {
		return nil, err
	}
	return &Sampler{Request: r, Counter: counter}, nil
}

// Prepare learns what counts of the benchmarks cost, and plans them.
func (c *Sampler) Prepare(benchmarks []*listing.Benchmark) {
	p := countTime{Run: c.Run, bounds: c.Bounds, judges: c.Judges, rows: costCounts(c.Judges, benchmarks, c.Procs == 1),
		bounded: c.Counter.Name() == "valgrind", onlyCounts: c.OnlyCounts}
	p.share(benchmarks)
	c.Plan = &plan{countTime: p, scale: make(costScale)}
}

// FindCounter finds a way to count on this machine. Without one, times judge alone, unless the user demands counts.
func FindCounter(ctx context.Context, r *frame.Run, onlyCounts bool) (*count.Counter, error) {
	counter, err := count.Find(ctx, r.Scratch.Path("tmp"))
	switch {
	case err == nil:
		return counter, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, goWithoutCounts(r, onlyCounts, err)
}

// goWithoutCounts lets times judge alone, for a reason, unless the user demands counts.
func goWithoutCounts(r *frame.Run, onlyCounts bool, why error) error {
	if onlyCounts {
		return frame.FieldErrorf("Judge", "no instructions can be counted: %v", why)
	}
	r.Note("no counts: %v", why)
	return nil
}

// repeat counts benchmarks in stages, as long as one of them has no clear answer and time is left.
func (c *Sampler) repeat(ctx context.Context, benchmarks []*listing.Benchmark) error {
	phase := "counting instructions"
	for number := range mostStages {
		open := c.Plan.toCount(benchmarks)
		end := c.Plan.endOf(open)
		if claims := c.Plan.claimsAmong(open); len(claims) > 0 && time.Until(end) <= 0 {
			open, end = claims, c.Plan.endOf(claims)
		}
		if len(open) == 0 || number > 0 && time.Until(end) <= 0 || number >= narrowingStages && end == c.Plan.enough {
			break
		}
		stage := StageOf(number)
		rows := c.reuseCounts(open, stage)
		if rows = c.Plan.Begin(stage, rows); len(rows) == 0 {
			continue
		}
		c.Show(phase, len(rows))
		err := c.Take(ctx, rows)
		c.keepCounts(rows, stage)
		if err != nil {
			return err
		}
		phase = "counting again"
	}
	return nil
}

// Take counts benchmarks with the seeds of the stage, and judges them. Until half of the time it counts the old side, and
// then the same benchmarks on the new side.
func (c *Sampler) Take(ctx context.Context, benchmarks []*listing.Benchmark) error {
	tasks := c.Plan.divide(benchmarks)
	c.Seeds += c.Plan.stage.seeds
	var mutex sync.Mutex
	err := c.Sides.Each(func(side int) error {
		end := c.Bounds.End()
		switch {
		case c.Plan.bounded && side == frame.Old:
			end = time.Now().Add(time.Until(c.Plan.end) / 2)
		case c.Plan.bounded:
			end = c.Plan.end
		}
		limited, cancel := context.WithDeadline(ctx, end)
		defer cancel()
		frame.InParallel(c.Parallelism(), len(tasks), func(i int) {
			t := tasks[i]
			result, err := c.countPackage(limited, t, side)
			if t.results[side] = result; limited.Err() == nil && len(result.Failed) == 0 {
				t.took[side] = result.CPU
			}
			if side == frame.Old { // the new side does the same work
				t.benchmarks = slices.DeleteFunc(t.benchmarks,
					func(b *listing.Benchmark) bool { return !t.isComplete(b, side) && t.failure(b, side) == "" })
			}
			why := result.Unseeded
			if err != nil {
				why = cmp.Or(why, err.Error())
			}
			if why != "" && limited.Err() == nil {
				mutex.Lock()
				c.unseeded = cmp.Or(c.unseeded, why)
				mutex.Unlock()
			}
		})
		return ctx.Err()
	})
	c.Plan.scale.learn(tasks)
	if c.unseeded != "" {
		c.Note("counts: %s", c.unseeded)
	}
	for _, t := range tasks {
		if c.Sides.Trees[frame.Old] == c.Sides.Trees[frame.New] { // one commit
			t.results[frame.Old] = t.results[frame.New]
		}
		for _, b := range t.benchmarks {
			t.addTo(b, c.Plan.RowOf(b).Counts)
		}
	}
	c.judge(benchmarks)
	return err
}

// countPackage does the work of a task on one side, whose files are in place.
func (c *Sampler) countPackage(ctx context.Context, t *task, side int) (count.Result, error) {
	iterations, runs, long := make(map[string]int), make(map[string]int), make(map[string]bool)
	for _, b := range t.benchmarks {
		r := c.Plan.RowOf(b)
		iterations["Benchmark"+b.Printed], runs["Benchmark"+b.Printed] = r.operations, runsOf(c.Plan, b)
		long[b.Function()] = long[b.Function()] || isLongSetUp(b.SharedSetUp)
		long["Benchmark"+b.Printed] = long["Benchmark"+b.Printed] || r.isLong()
	}
	maps.DeleteFunc(long, func(_ string, isLong bool) bool { return !isLong })
	if len(iterations) == 0 {
		return count.Result{}, nil
	}
	p := t.pkg
	args := func(names []string) []string {
		return slices.Concat([]string{p.Binaries[side], "-test.run=^$", "-test.timeout=0"},
			build.BenchArgs(count.Pattern(names), "1x", 1), p.Args[side])
	}
	return c.Counter.Run(ctx, count.Job{Args: args, Dir: p.Dirs[side], Env: append(slices.Clone(p.Env[side]), "TMPDIR="+c.Scratch.Path("tmp")),
		Iterations: iterations, LongSetUps: slices.Sorted(maps.Keys(long)), Runs: runs, Method: t.method, Seed: t.seed,
		Timeout: c.Plan.patience(t), Folder: c.Scratch.Dir})
}

// costCounts learns the cost of an operation of each benchmark from its long run. The first iteration often costs several times
// as much: memory is new, and pools are empty.
func costCounts(v *judge.Table, benchmarks []*listing.Benchmark, isUnique bool) map[*listing.Benchmark]*row {
	names, rows := make(map[string]int), make(map[*listing.Benchmark]*row)
	for _, b := range benchmarks {
		names[b.Pkg.Path+"\n"+b.Printed]++
		f := v.Of(b)
		f.Counts = &judge.Counts{Result: verdict.Count{Limit: v.LimitOf(b.Name)}}
		rows[b] = &row{Counts: f.Counts}
		for _, s := range b.First {
			rows[b].observe(s)
		}
		if f.LongRuns.N() > 0 {
			rows[b].refine(f.LastLong.Sides)
		}
	}
	for _, b := range benchmarks {
		if names[b.Pkg.Path+"\n"+b.Printed] > 1 && isUnique {
			rows[b].Fail("another benchmark of the package has its name")
		}
	}
	return rows
}

// toCount returns the benchmarks without a clear answer. Where all have one, it returns those with less work by one seed
// only, and then those with wide intervals, unless their change is large.
func (t *countTime) toCount(benchmarks []*listing.Benchmark) []*listing.Benchmark {
	var open, fewer, wide []*listing.Benchmark
	for _, b := range benchmarks {
		switch c := t.RowOf(b); {
		case c.Reason != "" && c.Reason != frame.NotCounted || c.Result.Races():
		case !c.IsDecided():
			open = append(open, b)
		case c.Result.LacksSeed():
			fewer = append(fewer, b)
		case c.Result.Wide() && !c.IsLargeChange():
			wide = append(wide, b)
		}
	}
	switch {
	case len(open) > 0:
		return open
	case len(fewer) > 0:
		return fewer
	}
	return wide
}

// judge judges the counts of benchmarks.
func (c *Sampler) judge(benchmarks []*listing.Benchmark) {
	for _, b := range benchmarks {
		c.Plan.RowOf(b).Judge()
		c.Judges.Of(b).Advance(judge.StateCounted)
	}
}
