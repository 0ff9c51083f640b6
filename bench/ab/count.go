package ab

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
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// countSampler counts the instructions of benchmarks. All benchmarks of a package run in one process for a side and a
// seed, and the processes run on all cores at once: counts do not depend on load.
type countSampler struct {
	*job
	builds  *builds
	counter *count.Counter
	plan    *countPlan
	judges  *judges
	cache   *cache
	seeds   int // taken so far

	unseeded string // reason why seeds have no effect, or ""
}

// countBenchmarks counts the instructions of the open benchmarks on both sides, and judges them. Meanwhile it links the
// layouts of the first rounds. It returns the sampler, or nil where nothing can count.
func countBenchmarks(ctx context.Context, j *job, b *builds, links *linkPool, benchmarks []*benchmark,
	v *judges) (*countSampler, error) {
	open := slices.DeleteFunc(slices.Clone(benchmarks), func(b *benchmark) bool { return !b.isOpen() })
	if j.Judge == TimeOnly || len(open) == 0 {
		return nil, nil
	}
	if !b.canCount() {
		return nil, goWithoutCounts(j, fmt.Errorf("%s on %s cannot be counted", b.goVersion,
			b.sides.Trees[frame.New].Toolchain.GOARCH))
	}
	counter, err := findCounter(ctx, j)
	if err != nil || counter == nil {
		return nil, err
	}
	c := &countSampler{job: j, builds: b, counter: counter, judges: v, cache: links.cache}
	packages := packagesOf(open)
	j.Show("counting instructions", len(open))
	const busy = 1.5 // then links take the time of counts
	linking := time.Duration(0)
	if j.Judge == BothJudges && slowdownOf(packages) < busy {
		linking = j.Begin(frame.Links).Length()
	}
	limited, cancel := context.WithDeadline(ctx, j.End())
	defer cancel()
	done := links.begin(limited, packages, linking)
	defer done()
	costCounts(j, open, v)
	c.plan = newCountPlan(j, v, open, counter.Name() == "valgrind")
	err = c.repeat(ctx, open)
	if limited.Err() != nil {
		err = nil // what is not counted is left to time
	}
	return c, cmp.Or(ctx.Err(), err)
}

// findCounter finds a way to count on this machine. Without one, times judge alone, unless the user demands counts.
func findCounter(ctx context.Context, j *job) (*count.Counter, error) {
	counter, err := count.Find(ctx, j.Scratch.Path("tmp"))
	switch {
	case err == nil:
		return counter, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, goWithoutCounts(j, err)
}

// goWithoutCounts lets times judge alone, for a reason, unless the user demands counts.
func goWithoutCounts(j *job, why error) error {
	if j.Judge == CountOnly {
		return frame.FieldErrorf("Judge", "no instructions can be counted: %v", why)
	}
	j.Note("no counts: %v", why)
	return nil
}

// repeat counts benchmarks in stages, as long as one of them has no clear answer and time is left.
func (c *countSampler) repeat(ctx context.Context, benchmarks []*benchmark) error {
	phase := "counting instructions"
	for number := range mostStages {
		open := toCount(c.judges, benchmarks)
		end := c.plan.endOf(open)
		if claims := c.plan.claimsAmong(open); len(claims) > 0 && time.Until(end) <= 0 {
			open, end = claims, c.plan.endOf(claims)
		}
		if len(open) == 0 || number > 0 && time.Until(end) <= 0 || number >= narrowingStages && end == c.plan.enough {
			break
		}
		stage := stageOf(number)
		rows := c.reuseCounts(open, stage)
		c.plan.begin(stage, rows)
		rows = slices.DeleteFunc(rows, func(b *benchmark) bool { return !c.plan.rowOf(b).begin(b.countIterations) })
		if len(rows) == 0 {
			continue
		}
		c.Show(phase, len(rows))
		pairs, err := c.Sample(ctx, rows)
		judgeCounts(c.judges, pairs, rows)
		c.keepCounts(rows, stage)
		if err != nil {
			return err
		}
		phase = "counting again"
	}
	return nil
}

// Sample implements [Sampler]: it counts with the seeds of a stage. Until half of the time it counts the old side, and
// then the same benchmarks on the new side.
func (c *countSampler) Sample(ctx context.Context, benchmarks []*benchmark) ([]Pair, error) {
	tasks := c.plan.divide(benchmarks)
	c.seeds += c.plan.stage.seeds
	var mutex sync.Mutex
	err := c.builds.sides.Each(func(side int) error {
		end := c.job.End()
		switch {
		case c.plan.bounded && side == frame.Old:
			end = time.Now().Add(time.Until(c.plan.end) / 2)
		case c.plan.bounded:
			end = c.plan.end
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
					func(b *benchmark) bool { return !t.isComplete(b, side) && t.failure(b, side) == "" })
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
	c.plan.scale.learn(tasks)
	if c.unseeded != "" {
		c.Note("counts: %s", c.unseeded)
	}
	var pairs []Pair
	for _, t := range tasks {
		if c.builds.sides.Trees[frame.Old] == c.builds.sides.Trees[frame.New] { // one commit
			t.results[frame.Old] = t.results[frame.New]
		}
		pairs = append(pairs, t.pair()...)
	}
	return pairs, err
}

// countPackage does the work of a task on one side, whose files are in place.
func (c *countSampler) countPackage(ctx context.Context, t *countTask, side int) (count.Result, error) {
	iterations, runs, long := make(map[string]int), make(map[string]int), make(map[string]bool)
	for _, b := range t.benchmarks {
		r := c.plan.rowOf(b)
		iterations["Benchmark"+b.printed], runs["Benchmark"+b.printed] = b.countIterations, runsOf(c.plan, b)
		long[b.function()] = long[b.function()] || isLongSetUp(b.sharedSetUp)
		long["Benchmark"+b.printed] = long["Benchmark"+b.printed] || r.isLong()
	}
	maps.DeleteFunc(long, func(_ string, isLong bool) bool { return !isLong })
	if len(iterations) == 0 {
		return count.Result{}, nil
	}
	p := t.pkg
	args := func(names []string) []string {
		return slices.Concat([]string{p.binaries[side], "-test.run=^$", "-test.timeout=0"},
			build.BenchArgs(count.Pattern(names), "1x", 1), p.args[side])
	}
	return c.counter.Run(ctx, count.Job{Args: args, Dir: p.dirs[side], Env: append(slices.Clone(p.env[side]), "TMPDIR="+c.Scratch.Path("tmp")),
		Iterations: iterations, LongSetUps: slices.Sorted(maps.Keys(long)), Runs: runs, Method: t.method, Seed: t.seed,
		Timeout: c.plan.patience(t), Folder: c.Scratch.Dir})
}

// reuseCounts takes the counts of an earlier run of the same binaries. It returns the other benchmarks.
func (c *countSampler) reuseCounts(benchmarks []*benchmark, stage countStage) (rest []*benchmark) {
	for _, p := range packagesOf(benchmarks) {
		kept := c.cache.readCounts(c.cache.countKey(c.builds, p, stage, c.counter.String()))
		for _, b := range benchmarks {
			k, ok := kept[b.printed]
			switch {
			case b.pkg != p:
				continue
			case !ok || len(k.Pairs) < verdict.FewestPairs:
				rest = append(rest, b)
				continue
			}
			b.countIterations = k.Iterations
			var pairs []Pair
			for _, pair := range k.Pairs {
				var sides [2]count.Figures
				for side := range sides {
					sides[side] = count.Figures{N: k.Iterations, Instructions: pair.Sides[side],
						Memory: pair.Memory[side], Functions: k.Functions[side]}
				}
				pairs = append(pairs, pairCounts(b, pair.Seed, sides))
			}
			r := c.judges.fileOf(b).counts
			r.result.Reset()
			r.pairs = nil
			judgeCounts(c.judges, pairs, []*benchmark{b})
			c.Reuse("counts")
		}
	}
	return rest
}

// keepCounts keeps the counts of benchmarks for later runs, unless they depend on chance.
func (c *countSampler) keepCounts(benchmarks []*benchmark, stage countStage) {
	if c.unseeded != "" {
		return
	}
	for _, p := range packagesOf(benchmarks) {
		counts := make(map[string]keptCount)
		for _, b := range benchmarks {
			if r := c.judges.fileOf(b).counts; b.pkg == p && r.reason == "" && len(r.pairs) >= verdict.FewestPairs {
				counts[b.printed] = keptCount{b.countIterations, r.pairs, r.functions}
			}
		}
		c.cache.writeCounts(c.cache.countKey(c.builds, p, stage, c.counter.String()), counts)
	}
}

// costCounts learns the cost of an operation of each benchmark from its long run. The first iteration often costs several times
// as much: memory is new, and pools are empty.
func costCounts(j *job, benchmarks []*benchmark, v *judges) {
	names := make(map[string]int)
	for _, b := range benchmarks {
		names[b.pkg.Path+"\n"+b.printed]++
		f := v.fileOf(b)
		f.counts = &countRow{result: verdict.Count{Limit: j.limit(b.name)}}
		for _, s := range b.first {
			f.counts.observe(s)
		}
		if f.longRuns.N() > 0 {
			f.counts.refine(f.lastLong.sides)
		}
	}
	for _, b := range benchmarks {
		if names[b.pkg.Path+"\n"+b.printed] > 1 && len(j.procsToRun()) == 1 {
			v.fileOf(b).counts.reason = "another benchmark of the package has its name"
		}
	}
}

// toCount returns the benchmarks without a clear answer. Where all have one, it returns those with less work by one seed
// only, and then those with wide intervals, unless their change is large.
func toCount(v *judges, benchmarks []*benchmark) []*benchmark {
	var open, fewer, wide []*benchmark
	for _, b := range benchmarks {
		switch c := v.fileOf(b).counts; {
		case c == nil || c.reason != "" && c.reason != noTimeToCount || c.result.Races():
		case !c.isDecided():
			open = append(open, b)
		case c.result.LacksSeed():
			fewer = append(fewer, b)
		case c.result.Wide() && !c.isLargeChange():
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

// judgeCounts adds pairs of benchmarks, and judges them.
func judgeCounts(v *judges, pairs []Pair, benchmarks []*benchmark) {
	for i := range pairs {
		v.fileOf(pairs[i].Benchmark).counts.add(&pairs[i])
	}
	for _, b := range benchmarks {
		v.fileOf(b).counts.judge()
		b.advance(stateCounted)
	}
}
