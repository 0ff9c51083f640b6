package ab

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
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
	seeds   uint64 // taken so far

	unseeded string // reason why seeds have no effect, or ""
}

// leastSeeds is the number of counts of each side.
const leastSeeds = verdict.FewestSeeds

// countBenchmarks counts the instructions of the open benchmarks on both sides, and judges them. Meanwhile it links the
// layouts of the first rounds. It returns the sampler, or nil where nothing can count.
func countBenchmarks(ctx context.Context, j *job, b *builds, links *linkPool, benchmarks []*benchmark, v *judges) (*countSampler, error) {
	open := slices.DeleteFunc(slices.Clone(benchmarks), func(b *benchmark) bool { return !b.isOpen() || b.atLeast > 0 })
	if j.Judge == TimeOnly || len(open) == 0 {
		return nil, nil
	}
	counter, err := findCounter(ctx, j, b)
	if err != nil || counter == nil {
		return nil, err
	}
	limit, linking := j.left(), time.Duration(0)
	if j.Judge == BothJudges { // times follow
		limit = min(limit, max(limit*6/10, j.Time/3))
		linking = j.left() / 8
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c := &countSampler{job: j, builds: b, counter: counter, plan: newCountPlan(limited, j.parallelism(), counter, v), judges: v, cache: links.cache}
	j.show(Progress{Phase: "counting instructions", Rows: len(open)})
	done := links.begin(limited, packagesOf(open), linking)
	defer done()
	if err = sizeCounts(limited, j, b, open, v); err == nil {
		err = c.repeat(limited, open)
	}
	if limited.Err() != nil {
		err = nil // what is not counted is left to time
	}
	return c, cmp.Or(ctx.Err(), err)
}

// findCounter finds a way to count on this machine. Without one, times judge alone, unless the user demands counts.
func findCounter(ctx context.Context, j *job, b *builds) (*count.Counter, error) {
	counter, err := count.Find(ctx, j.scratch.path("tmp"))
	switch {
	case err == nil && b.canCount():
		return counter, nil
	case err == nil:
		err = fmt.Errorf("%s on %s cannot be counted", b.goVersion, b.sides.trees[newSide].toolchain.GOARCH)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	if j.Judge == CountOnly {
		return nil, fieldError("Judge", "no instructions can be counted: %v", err)
	}
	j.note("no counts: %v", err)
	return nil, nil
}

// repeat counts with several seeds, and the benchmarks whose counts are wide again with ten times the work.
func (c *countSampler) repeat(ctx context.Context, benchmarks []*benchmark) error {
	for _, factor := range []int{1, 10} {
		rows := slices.DeleteFunc(slices.Clone(benchmarks), func(b *benchmark) bool { return !c.judges.wantsCount(b, factor) })
		rows = c.reuseCounts(rows, factor)
		c.plan.fitSetUps(rows)
		c.plan.fitCounts(rows, count.Work*time.Duration(factor))
		rows = c.judges.beginCounts(rows)
		if len(rows) == 0 {
			continue
		}
		phase := "counting instructions"
		if factor > 1 {
			phase = "counting more instructions"
		}
		c.show(Progress{Phase: phase, Rows: len(rows)})
		err := c.takeSeeds(ctx, rows, phase)
		c.judges.lookAtCounts(rows)
		c.keepCounts(rows, factor)
		if err != nil {
			return err
		}
	}
	return nil
}

// takeSeeds counts benchmarks with the least number of seeds.
func (c *countSampler) takeSeeds(ctx context.Context, rows []*benchmark, phase string) error {
	for taken := 0; taken < leastSeeds && len(rows) > 0; {
		before, begin := c.seeds, time.Now()
		pairs, err := c.Sample(ctx, rows)
		c.judges.addCounts(pairs)
		if err != nil || c.seeds == before {
			return err
		}
		seeds := int(c.seeds - before)
		taken += seeds
		rounds := (leastSeeds - taken + seeds - 1) / seeds
		rows = c.plan.fitSeeds(rows, time.Since(begin)*time.Duration(rounds))
		c.show(Progress{Phase: phase, Round: int(c.seeds), Rows: len(rows)})
	}
	return nil
}

// countTask is the work of a process on each side.
type countTask struct {
	pkg        *testPackage
	seed       uint64
	benchmarks []*benchmark
	results    [2]count.Result
}

// Sample implements [Sampler]: it counts with the next seeds, as many as keep all cores busy. Large packages are
// divided among the cores instead.
func (c *countSampler) Sample(ctx context.Context, benchmarks []*benchmark) ([]Pair, error) {
	const large = 16
	packages := packagesOf(benchmarks)
	seeds := max(1, c.parallelism()/len(packages))
	parts := 1
	if len(benchmarks) >= large*len(packages) {
		seeds, parts = 1, seeds
	}
	var tasks []*countTask
	for _, p := range packages {
		own := slices.DeleteFunc(slices.Clone(benchmarks), func(b *benchmark) bool { return b.pkg != p })
		for _, part := range c.plan.divide(own, parts) {
			for k := range seeds {
				tasks = append(tasks, &countTask{pkg: p, seed: c.seeds + uint64(k) + 1, benchmarks: part})
			}
		}
	}
	slices.SortStableFunc(tasks, func(a, b *countTask) int { return cmp.Compare(len(b.benchmarks), len(a.benchmarks)) })
	var mutex sync.Mutex
	err := c.builds.sides.each(func(side int) error {
		inParallel(c.parallelism(), len(tasks), func(i int) {
			result, err := c.countPackage(ctx, tasks[i], side)
			tasks[i].results[side] = result
			if why := cmp.Or(result.Unseeded, errorText(err)); why != "" && ctx.Err() == nil {
				mutex.Lock()
				c.unseeded = cmp.Or(c.unseeded, why)
				mutex.Unlock()
			}
		})
		return nil
	})
	if c.unseeded != "" {
		c.note("counts: %s", c.unseeded)
	}
	var pairs []Pair
	for _, t := range tasks {
		pairs = append(pairs, t.pair()...)
	}
	c.seeds += uint64(seeds)
	return pairs, cmp.Or(ctx.Err(), err)
}

// pair pairs the counts of both sides. A benchmark that fails under the counter keeps the reason.
func (t *countTask) pair() (pairs []Pair) {
	for _, b := range t.benchmarks {
		pair := Pair{Benchmark: b}
		complete := true
		for side := range t.results {
			f, ok := t.results[side].Benchmarks["Benchmark"+b.printed]
			if why := t.results[side].Failed["Benchmark"+b.printed]; why != "" {
				pair.failure = why
			}
			complete = complete && ok
			pair.sides[side] = sample{iterations: f.N, instructions: f.Instructions}
			pair.functions[side] = f.Functions
		}
		if complete || pair.failure != "" {
			pairs = append(pairs, pair)
		}
	}
	return pairs
}

// countPackage does the work of a task on one side, whose files are in place.
func (c *countSampler) countPackage(ctx context.Context, t *countTask, side int) (count.Result, error) {
	iterations := make(map[string]int)
	for _, b := range t.benchmarks {
		iterations["Benchmark"+b.printed] = b.countIterations
	}
	p := t.pkg
	args := func(names []string) []string {
		return append([]string{p.binaries[side], "-test.run=^$", "-test.timeout=0"}, benchArgs(count.Pattern(names), "1x", 1)...)
	}
	const patience = 20 * time.Second
	return c.counter.Run(ctx, count.Job{Args: args, Dir: p.dirs[side], Env: []string{"TMPDIR=" + c.scratch.path("tmp")},
		Iterations: iterations, Seed: t.seed, Timeout: patience, Folder: c.scratch.dir})
}

// reuseCounts takes the counts of an earlier run of the same binaries. It returns the other benchmarks.
func (c *countSampler) reuseCounts(benchmarks []*benchmark, factor int) (rest []*benchmark) {
	for _, p := range packagesOf(benchmarks) {
		kept := c.cache.readCounts(c.cache.countKey(c.builds, p, factor, c.counter.String()))
		for _, b := range benchmarks {
			k, ok := kept[b.printed]
			switch {
			case b.pkg != p:
				continue
			case !ok || len(k.Pairs) < leastSeeds:
				rest = append(rest, b)
				continue
			}
			b.countIterations = k.Iterations
			var pairs []Pair
			for _, pair := range k.Pairs {
				sides := [2]sample{{iterations: k.Iterations, instructions: pair[oldSide]}, {iterations: k.Iterations, instructions: pair[newSide]}}
				pairs = append(pairs, Pair{Benchmark: b, sides: sides, functions: k.Functions})
			}
			c.judges.beginCounts([]*benchmark{b})
			c.judges.addCounts(pairs)
			c.judges.lookAtCounts([]*benchmark{b})
			c.reuse("counts")
		}
	}
	return rest
}

// keepCounts keeps the counts of benchmarks for later runs, unless they depend on chance.
func (c *countSampler) keepCounts(benchmarks []*benchmark, factor int) {
	if c.unseeded != "" {
		return
	}
	for _, p := range packagesOf(benchmarks) {
		counts := make(map[string]keptCount)
		for _, b := range benchmarks {
			if r := c.judges.fileOf(b).counts; b.pkg == p && r.reason == "" && len(r.pairs) >= leastSeeds {
				counts[b.printed] = keptCount{b.countIterations, r.pairs, r.functions}
			}
		}
		c.cache.writeCounts(c.cache.countKey(c.builds, p, factor, c.counter.String()), counts)
	}
}

// sizeCounts learns the cost of an operation of each benchmark by a short native run.
func sizeCounts(ctx context.Context, j *job, b *builds, benchmarks []*benchmark, v *judges) error {
	names := make(map[string]int)
	for _, k := range benchmarks {
		names[k.pkg.Path+"\n"+k.printed]++
		v.fileOf(k).counts = &countRow{result: verdict.Count{Limit: j.limit(k.name)}}
		for _, s := range k.first {
			v.fileOf(k).counts.observe(s)
		}
	}
	all := slices.DeleteFunc(slices.Clone(benchmarks), func(k *benchmark) bool { return !v.fileOf(k).counts.isShort() })
	packages := packagesOf(all)
	err := b.sides.each(func(side int) error {
		inParallel(j.parallelism(), len(packages), func(i int) {
			p := packages[i]
			short := slices.DeleteFunc(slices.Clone(all), func(k *benchmark) bool { return k.pkg != p })
			patterns := text.List(short, func(k *benchmark) string { return "Benchmark" + k.printed })
			run := testRun{pkg: p, side: side, path: p.binaries[side], core: noCore, timeout: max(2*time.Second, j.left()/8),
				args: benchArgs(count.Pattern(patterns), count.Work.String(), 1)}
			out, _ := run.run(ctx, j) // without figures, the first iteration counts
			for _, s := range parseSamples(out.out, 1) {
				if at := slices.IndexFunc(short, func(k *benchmark) bool { return k.printed == s.name && k.nth == s.nth }); at >= 0 {
					v.fileOf(short[at]).counts.refine(s, side == oldSide)
				}
			}
		})
		return ctx.Err()
	})
	for _, k := range benchmarks {
		if names[k.pkg.Path+"\n"+k.printed] > 1 && len(j.procsToRun()) == 1 {
			v.fileOf(k).counts.reason = "another benchmark of the package has its name"
		}
	}
	shareGaps(benchmarks, v)
	return err
}

// shareGaps adds what functions do before their sub-benchmarks to the set-ups of these, in equal parts: a function
// runs for any of them.
func shareGaps(benchmarks []*benchmark, v *judges) {
	const collection = time.Millisecond // before each run, and not under a counter
	type function struct {
		pkg  *testPackage
		name string
	}
	sums, numbers := make(map[function]time.Duration), make(map[function]int)
	of := func(b *benchmark) function { return function{b.pkg, b.function()} }
	for _, b := range benchmarks {
		sums[of(b)] += max(0, max(b.first[oldSide].gap, b.first[newSide].gap)-collection)
		numbers[of(b)]++
	}
	for _, b := range benchmarks {
		v.fileOf(b).counts.setUp += sums[of(b)] / time.Duration(numbers[of(b)])
	}
}

// errorText is the text of an error, or "".
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
