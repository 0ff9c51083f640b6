package ab

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// countSampler counts the instructions of benchmarks. All benchmarks of a package run in one process for a side and a
// seed, and the processes run on all cores at once: counts do not depend on load.
type countSampler struct {
	*job
	builds  *builds
	counter *count.Counter
	cache   *cache

	work  time.Duration // native time of a count
	seeds uint64        // taken so far
}

// leastSeeds is the number of counts of each side.
const leastSeeds = verdict.FewestSeeds

// countBenchmarks counts the instructions of the open benchmarks on both sides, and judges them. Meanwhile it links the
// layouts of the first rounds. It returns the sampler, or nil where nothing can count.
func countBenchmarks(ctx context.Context, j *job, b *builds, links *linkPool, benchmarks []*benchmark, v *judges) (*countSampler, error) {
	if j.Judge == TimeOnly {
		return nil, nil
	}
	counter, err := findCounter(ctx, j, b)
	if err != nil || counter == nil {
		return nil, err
	}
	const part = 3 // of the time is for counts, if times follow
	limited, cancel := context.WithTimeout(ctx, j.left())
	if j.Judge == BothJudges {
		limited, cancel = context.WithTimeout(ctx, min(j.left(), max(j.left()/2, j.Time/part)))
	}
	defer cancel()
	c := &countSampler{job: j, builds: b, counter: counter, cache: links.cache, work: count.Work}
	open := slices.DeleteFunc(slices.Clone(benchmarks), func(b *benchmark) bool { return !b.isOpen() || b.atLeast > 0 })
	j.show(Progress{Phase: "counting instructions", Rows: len(open)})
	done := links.begin(limited, packagesOf(open), j.Judge == BothJudges)
	defer done()
	if err = sizeCounts(limited, j, b, open, v); err == nil {
		err = c.repeat(limited, open, v)
	}
	if limited.Err() != nil {
		err = nil // what is not counted is left to time
	}
	return c, cmp.Or(ctx.Err(), err)
}

// findCounter finds a way to count on this machine. Without one, times judge alone, unless the user demands counts.
func findCounter(ctx context.Context, j *job, b *builds) (*count.Counter, error) {
	counter, err := count.Find(ctx)
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
func (c *countSampler) repeat(ctx context.Context, benchmarks []*benchmark, v *judges) error {
	for _, factor := range []int{1, 10} {
		c.work = count.Work * time.Duration(factor)
		rows := slices.DeleteFunc(slices.Clone(benchmarks), func(b *benchmark) bool { return !v.wantsCount(b, factor) })
		if len(rows) == 0 {
			continue
		}
		if factor > 1 {
			c.show(Progress{Phase: "counting more instructions", Rows: len(rows)})
			sizeIterations(rows, v, c.work)
		}
		for taken := 0; taken < leastSeeds; {
			before := c.seeds
			pairs, err := c.Sample(ctx, rows)
			v.addCounts(pairs)
			if err != nil || c.seeds == before {
				return err
			}
			taken += int(c.seeds - before)
			c.show(Progress{Phase: "counting instructions", Round: int(c.seeds), Rows: len(rows)})
		}
		v.lookAtCounts(rows)
	}
	return nil
}

// Sample implements [Sampler]: it counts with the next seeds, as many as keep all cores busy.
func (c *countSampler) Sample(ctx context.Context, benchmarks []*benchmark) ([]Pair, error) {
	packages := packagesOf(benchmarks)
	seeds := max(1, c.parallelism()/len(packages))
	type task struct {
		pkg  *testPackage
		seed uint64
	}
	var tasks []task
	for k := range seeds {
		for _, p := range packages {
			tasks = append(tasks, task{p, c.seeds + uint64(k) + 1})
		}
	}
	results := make(map[task]*[2]count.Result)
	for _, t := range tasks {
		results[t] = &[2]count.Result{}
	}
	var unseeded sync.Once
	err := c.builds.sides.each(func(side int) error {
		inParallel(c.parallelism(), len(tasks), func(i int) {
			t := tasks[i]
			result, err := c.countPackage(ctx, t.pkg, side, t.seed, benchmarks)
			results[t][side] = result
			if why := cmp.Or(result.Unseeded, errorText(err)); why != "" && ctx.Err() == nil {
				unseeded.Do(func() { c.note("counts: %s", why) })
			}
		})
		return nil
	})
	var pairs []Pair
	for _, t := range tasks {
		pairs = append(pairs, pairCounts(t.pkg, benchmarks, results[t])...)
	}
	c.seeds += uint64(seeds)
	return pairs, cmp.Or(ctx.Err(), err)
}

// pairCounts pairs the counts of one seed. A benchmark that fails under the counter keeps the reason.
func pairCounts(p *testPackage, benchmarks []*benchmark, sides *[2]count.Result) (pairs []Pair) {
	for _, b := range benchmarks {
		if b.pkg != p {
			continue
		}
		pair := Pair{Benchmark: b}
		complete := true
		for side := range sides {
			f, ok := sides[side].Benchmarks["Benchmark"+b.printed]
			if why := sides[side].Failed["Benchmark"+b.printed]; why != "" {
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

// countPackage counts the benchmarks of a package on one side, whose files are in place.
func (c *countSampler) countPackage(ctx context.Context, p *testPackage, side int, seed uint64, benchmarks []*benchmark) (count.Result, error) {
	iterations := make(map[string]int)
	for _, b := range benchmarks {
		if b.pkg == p {
			iterations["Benchmark"+b.printed] = b.countIterations
		}
	}
	key := c.cache.countKey(c.builds, p, side, seed, iterations, c.counter.String())
	if result, ok := c.cache.readCounts(key); ok {
		c.reuse("counts")
		return result, nil
	}
	args := func(names []string) []string {
		printed := text.List(names, func(name string) string { return strings.TrimPrefix(name, "Benchmark") })
		return append([]string{p.binaries[side], "-test.run=^$", "-test.timeout=0"}, benchArgs(joinPatterns(printed, false), "1x", 1)...)
	}
	const patience = 20 * time.Second
	result, err := c.counter.Run(ctx, count.Job{Args: args, Dir: p.dirs[side], Env: []string{"TMPDIR=" + c.scratch.path("tmp")},
		Iterations: iterations, Seed: seed, Timeout: min(patience, max(time.Second, c.left()/4)), Folder: c.scratch.dir})
	if err == nil {
		c.cache.writeCounts(key, result)
	}
	return result, err
}

// sizeCounts chooses the iterations of counts, the same on both sides, by a short native run of each benchmark.
func sizeCounts(ctx context.Context, j *job, b *builds, benchmarks []*benchmark, v *judges) error {
	names := make(map[string]int)
	for _, k := range benchmarks {
		names[k.pkg.Path+"\n"+k.printed]++
		v.fileOf(k).counts = &countRow{result: verdict.Count{Limit: j.limit(k.name)}}
		for _, s := range k.first {
			v.fileOf(k).counts.observe(s)
		}
	}
	packages := packagesOf(benchmarks)
	err := b.sides.each(func(side int) error {
		inParallel(j.parallelism(), len(packages), func(i int) {
			p := packages[i]
			short := slices.DeleteFunc(slices.Clone(benchmarks), func(k *benchmark) bool {
				return k.pkg != p || k.first[side].run > count.Work || k.first[side].pairs > 1
			})
			if len(short) == 0 {
				return
			}
			patterns := make([]string, len(short))
			for i, k := range short {
				patterns[i] = k.printed
			}
			run := testRun{pkg: p, side: side, path: p.binaries[side], core: noCore, timeout: max(2*time.Second, j.left()/8),
				args: benchArgs(joinPatterns(patterns, false), count.Work.String(), 1)}
			out, _ := run.run(ctx, j) // without figures, the first iteration counts
			for _, s := range parseSamples(out.out, 1) {
				if at := slices.IndexFunc(short, func(k *benchmark) bool { return k.printed == s.name && k.nth == s.nth }); at >= 0 {
					v.fileOf(short[at]).counts.refine(side, s)
				}
			}
		})
		return ctx.Err()
	})
	sizeIterations(benchmarks, v, count.Work)
	for _, k := range benchmarks {
		if names[k.pkg.Path+"\n"+k.printed] > 1 && len(j.procsToRun()) == 1 {
			v.fileOf(k).counts.reason = "another benchmark of the package has its name"
		}
	}
	return err
}

// sizeIterations chooses the iterations of counts for some native work.
func sizeIterations(benchmarks []*benchmark, v *judges, work time.Duration) {
	for _, b := range benchmarks {
		c := v.fileOf(b).counts
		b.countIterations, c.reason = count.Iterations(c.cost, c.sections, work)
		c.result.Reset()
	}
}

// errorText is the text of an error, or "".
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// countRow is the count of a benchmark.
type countRow struct {
	result    verdict.Count
	functions [2][]count.Function // costs of both sides with the last seed
	reason    string              // reason of a benchmark without a count

	cost     time.Duration // native CPU time of an operation, on the slower side
	sections float64       // timed sections of an operation
}

// observe learns the cost of an operation from a native run.
func (c *countRow) observe(s sample) {
	c.cost = max(c.cost, operationTime(s))
	c.sections = max(c.sections, float64(s.pairs)/float64(max(1, s.iterations)))
}

// refine replaces the cost of a first iteration by that of a longer run.
func (c *countRow) refine(side int, s sample) {
	if side == oldSide {
		c.cost, c.sections = 0, 0
	}
	c.observe(s)
}

// operationTime is the native CPU time of an operation with its untimed sections.
func operationTime(s sample) time.Duration {
	whole := max(s.busy, s.run)
	if s.busy > 0 {
		whole = s.busy
	}
	return max(1, whole/time.Duration(max(1, s.iterations)))
}

// isDecided reports whether the count has a verdict.
func (c *countRow) isDecided() bool {
	return c != nil && (c.result.Verdict == verdict.MoreWork || c.result.Verdict == verdict.LessWork || c.result.Verdict == verdict.NotMoreWork)
}

// wantsCount reports whether a benchmark is to be counted, at first or with more work.
func (j *judges) wantsCount(b *benchmark, factor int) bool {
	c := j.fileOf(b).counts
	return c != nil && c.reason == "" && (factor == 1 || c.result.Wide())
}

// addCounts adds the counts of seeds.
func (j *judges) addCounts(pairs []Pair) {
	for i := range pairs {
		p := &pairs[i]
		c := j.fileOf(p.Benchmark).counts
		if p.failure != "" {
			c.reason = cmp.Or(c.reason, p.failure)
			continue
		}
		if err := c.result.Add(p.sides[oldSide].instructions, p.sides[newSide].instructions); err != nil {
			c.reason = cmp.Or(c.reason, err.Error())
		}
		c.functions = p.functions
	}
}

// lookAtCounts judges the counts of benchmarks.
func (j *judges) lookAtCounts(benchmarks []*benchmark) {
	for _, b := range benchmarks {
		c := j.fileOf(b).counts
		c.result.Judge()
		if b.advance(stateCounted); c.isDecided() {
			c.reason = ""
		}
	}
}

// functionsBehind lists the functions with more work.
func (c *countRow) functionsBehind(most int) (functions []report.Function) {
	for _, f := range count.Compare(c.functions[oldSide], c.functions[newSide]) {
		if len(functions) == most {
			break
		}
		functions = append(functions, report.Function{Name: f.Name, More: f.New - f.Old, Calls: [2]float64{f.OldCalls, f.NewCalls}})
	}
	return functions
}
