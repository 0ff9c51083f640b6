// Package count counts the instructions of benchmarks on both sides. Builds, benchmarks, and a table of judges with their
// long runs go in; pairs of counts come out, in the table, and the [Sampler] that took them.
//
// Counts are taken in stages. A stage is a pass over the benchmarks without a clear answer, with other seeds than before,
// and from the third on with more work. A plan chooses what a stage does in its time:
//   - The stage ends when the times of what it does not decide must begin.
//   - Packages whose set-ups take most of this time are left to time.
//   - Each benchmark gets the operations for the work of the stage. Callgrind counts those with more work, to name their
//     functions, and cachegrind the others.
//   - What does not fit gets half of the work, then the fewest runs; then the most expensive benchmarks are left to time.
//   - If these lack the time for a first look, the stage ends earlier.
//   - The benchmarks of a package and a tool share a process, or a process on each core if they take most of the time.
//   - The times that processes took correct the costs of the next stage.
package count

import (
	"cmp"
	"context"
	"fmt"
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
	"github.com/seed-09dcdc84/ur/internal/text"
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
	*plan
	Counter *count.Counter
	Seeds   int // taken so far

	unseeded string // reason why seeds have no effect, or ""
}

// Take counts the instructions of benchmarks on both sides, and judges them. Meanwhile it links the
// layouts of the first rounds. It returns the sampler, or nil where nothing can count.
func Take(ctx context.Context, r Request, links *build.Links, benchmarks []*listing.Benchmark) (*Sampler, error) {
	c, err := newSampler(ctx, r, benchmarks)
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
	done := links.MakeAhead(limited, timing.ProgramsOf(packages), linking)
	defer done()
	err = c.repeat(ctx)
	if limited.Err() != nil {
		err = nil // what is not counted is left to time
	}
	return c, cmp.Or(ctx.Err(), err)
}

// TakeGroups counts the benchmarks of one commit with the seeds that a claim needs, in a part of the time. It returns the
// sampler, or nil where nothing can count.
func TakeGroups(ctx context.Context, r Request, benchmarks []*listing.Benchmark) (*Sampler, error) {
	if !r.OnlyCounts {
		r.Bounds = frame.NewBudget(r.Bounds.Begin(frame.GroupCounts).Length(), false)
	}
	c, err := newSampler(ctx, r, benchmarks)
	if c == nil {
		return nil, err
	}
	limited, cancel := context.WithDeadline(ctx, r.Bounds.End())
	defer cancel()
	for number := range verdict.ClaimSeeds {
		c.stage = stageOf(number)
		rows := c.begin(filter(c.rows, func(r *row) bool { return r.Reason == "" }))
		if len(rows) == 0 || limited.Err() != nil {
			break
		}
		c.Show("counting instructions", len(rows))
		if err := c.countRows(limited, rows); err != nil && limited.Err() == nil {
			return c, err
		}
	}
	return c, ctx.Err()
}

// newSampler finds a way to count on this machine, and learns what counts of the benchmarks cost; nil without a way.
func newSampler(ctx context.Context, r Request, benchmarks []*listing.Benchmark) (*Sampler, error) {
	if !r.CanCount() {
		return nil, goWithoutCounts(r.Run, r.OnlyCounts, fmt.Errorf("%s on %s cannot be counted", r.GoVersion,
			r.Sides.Trees[frame.New].Toolchain.GOARCH))
	}
	counter, err := FindCounter(ctx, r.Run, r.OnlyCounts)
	if err != nil || counter == nil {
		return nil, err
	}
	p := &plan{Request: r, rows: newRows(r.Judges, benchmarks, r.Procs == 1), bounded: counter.Name() == "valgrind",
		scale: make(costScale)}
	p.share()
	return &Sampler{plan: p, Counter: counter}, nil
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

// repeat counts benchmarks in stages, as long as one of them has no clear answer and time is left. If a slow benchmark has
// taken the time of counts, those that need only another seed take some time of the rounds: one more count confirms more
// work, which rounds hardly find.
func (c *Sampler) repeat(ctx context.Context) error {
	phase := "counting instructions"
	for number := range mostStages {
		open := c.toCount()
		end := c.endOf(open)
		if claims := filter(open, (*row).isClaim); len(claims) > 0 && time.Until(end) <= 0 {
			open, end = claims, c.endOf(claims)
		}
		if len(open) == 0 || number > 0 && time.Until(end) <= 0 || number >= narrowingStages && end == c.enough {
			break
		}
		c.stage = stageOf(number)
		rows := c.begin(c.reuseCounts(open))
		if len(rows) == 0 {
			continue
		}
		c.Show(phase, len(rows))
		err := c.countRows(ctx, rows)
		c.keepCounts(rows)
		if err != nil {
			return err
		}
		phase = "counting again"
	}
	return nil
}

// countRows counts rows with the seeds of the stage, and judges them. Until half of the time it counts the old side, and
// then the same benchmarks on the new side.
func (c *Sampler) countRows(ctx context.Context, rows []*row) error {
	tasks := c.divide(rows)
	c.Seeds += c.stage.seeds
	var mutex sync.Mutex
	err := c.Sides.Each(func(side int) error {
		end := c.Bounds.End()
		switch {
		case c.bounded && side == frame.Old:
			end = time.Now().Add(time.Until(c.end) / 2)
		case c.bounded:
			end = c.end
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
				t.rows = filter(t.rows, func(r *row) bool { return len(t.figures(r, side)) > 0 || t.failure(r, side) != "" })
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
	c.scale.learn(tasks)
	if c.unseeded != "" {
		c.Note("counts: %s", c.unseeded)
	}
	for _, t := range tasks {
		if c.Sides.Trees[frame.Old] == c.Sides.Trees[frame.New] { // one commit
			t.results[frame.Old] = t.results[frame.New]
		}
		for _, r := range t.rows {
			t.addTo(r)
		}
	}
	c.judge(rows)
	return err
}

// countPackage does the work of a task on one side, whose files are in place.
func (c *Sampler) countPackage(ctx context.Context, t *task, side int) (count.Result, error) {
	iterations, runs := make(map[string]int), make(map[string]int)
	for _, r := range t.rows {
		iterations["Benchmark"+r.Printed], runs["Benchmark"+r.Printed] = r.operations, c.runsOf(r)
	}
	if len(iterations) == 0 {
		return count.Result{}, nil
	}
	p := t.pkg
	args := func(names []string) []string {
		return slices.Concat([]string{p.Binaries[side], "-test.run=^$", "-test.timeout=0"},
			build.BenchArgs(count.Pattern(names), "1x", 1), p.Args[side])
	}
	return c.Counter.Run(ctx, count.Job{Args: args, Dir: p.Dirs[side], Env: append(slices.Clone(p.Env[side]), "TMPDIR="+c.Scratch.Path("tmp")),
		Iterations: iterations, Runs: runs, Functions: t.functions, Seed: t.seed,
		Timeout: c.patience(t), Folder: c.Scratch.Dir})
}

// newRows learns the cost of an operation of each benchmark from its long run. The first iteration often costs several times
// as much: memory is new, and pools are empty.
func newRows(v *judge.Table, benchmarks []*listing.Benchmark, isUnique bool) (rows []*row) {
	for _, b := range benchmarks {
		f := v.Of(b)
		f.Counts = &judge.Counts{Result: verdict.Count{Limit: v.LimitOf(b.Name)}}
		r := &row{Benchmark: b, Counts: f.Counts}
		for _, s := range b.First {
			r.observe(s)
		}
		if f.LongRuns.N() > 0 {
			r.refine(f.LastLong.Sides)
		}
		rows = append(rows, r)
	}
	for _, same := range text.Groups(rows, func(r *row) string { return r.Pkg.Path + "\n" + r.Printed }) {
		for _, r := range same {
			if len(same) > 1 && isUnique {
				r.Fail("another benchmark of the package has its name")
			}
		}
	}
	return rows
}

// toCount returns the rows without a clear answer. Where all have one, it returns those with less work by one seed
// only, and then those with wide intervals, unless their change is large.
func (p *plan) toCount() []*row {
	var open, fewer, wide []*row
	for _, r := range p.rows {
		switch {
		case r.Reason != "" && r.Reason != frame.NotCounted || r.Result.Races():
		case !r.IsDecided():
			open = append(open, r)
		case r.Result.LacksSeed():
			fewer = append(fewer, r)
		case r.Result.Wide() && !r.IsLargeChange():
			wide = append(wide, r)
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

// judge judges the counts of rows.
func (c *Sampler) judge(rows []*row) {
	for _, r := range rows {
		r.Judge()
		c.Judges.Of(r.Benchmark).Advance(judge.StateCounted)
	}
}
