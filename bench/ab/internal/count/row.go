package count

import (
	"cmp"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// countStage is a pass over benchmarks. Each process has a seed, and runs each benchmark some times.
type countStage struct {
	factor int    // factor on the work
	first  uint64 // seed
	seeds  int
	runs   int
}

// mostStages bounds the stages for benchmarks without an answer, and narrowingStages those for others: more pairs than
// they take do not help.
const (
	mostStages      = 10
	narrowingStages = 4
)

// StageOf returns a stage by its number. The first ones have one process for all benchmarks of a package, since it takes
// as long to start as several benchmarks take. Pairs of another seed confirm claims, and narrow intervals more than
// anything else. Later stages count more work where that is possible, and more pairs.
func StageOf(number int) countStage {
	switch number {
	case 0:
		return countStage{1, 1, 1, verdict.FewestPairs}
	case 1:
		return countStage{1, 2, 1, verdict.FewestPairs + 1}
	}
	return countStage{10, uint64(number)*verdict.ClaimSeeds - 1, verdict.ClaimSeeds, verdict.FewestPairs}
}

// row is the count of a benchmark, with the plan of its next stage.
type row struct {
	*judge.Counts
	leftOut    string       // reason why the stage leaves it out
	method     count.Method // in the stage
	operations int          // iterations of a run in the stage, the same on both sides

	countCosts
}

// isClaim reports whether another seed alone may decide the benchmark.
func (c *row) isClaim() bool { return !c.IsDecided() && c.Result.LacksSeed() }

// wantsFunctions reports whether the functions of more work may have to be named.
func (c *row) wantsFunctions() bool {
	return c.Result.LacksSeed() && c.Result.Lo > 0
}

// begin begins a stage, and reports whether it counts the benchmark.
func (c *row) begin() bool {
	if c.leftOut != "" {
		if c.Result.Pairs() == 0 {
			c.Reason = c.leftOut
		}
		return false
	}
	c.Restart(c.operations)
	return true
}

// task is the work of a process on each side.
type task struct {
	pkg        *listing.Package
	seed       uint64
	benchmarks []*listing.Benchmark
	method     count.Method
	cost       time.Duration    // planned CPU time a side, on an idle core
	longest    time.Duration    // part of it for the most expensive benchmark, with the start of the process
	took       [2]time.Duration // CPU time of each side; 0 of one that was cut off
	results    [2]count.Result
}

// figures are the counted runs of a benchmark on a side.
func (t *task) figures(b *listing.Benchmark, side int) []count.Figures {
	return t.results[side].Benchmarks["Benchmark"+b.Printed]
}

// failure is the reason of a benchmark failing under the counter, or "".
func (t *task) failure(b *listing.Benchmark, side int) string {
	return t.results[side].Failed["Benchmark"+b.Printed]
}

// isComplete reports whether a benchmark has figures of a side.
func (t *task) isComplete(b *listing.Benchmark, side int) bool { return len(t.figures(b, side)) > 0 }

// addTo adds the counts of both sides, run by run. A benchmark failing under the counter keeps the reason.
func (t *task) addTo(b *listing.Benchmark, c *judge.Counts) {
	if why := cmp.Or(t.failure(b, frame.Old), t.failure(b, frame.New)); why != "" {
		c.Fail(why)
		return
	}
	before, after := t.figures(b, frame.Old), t.figures(b, frame.New)
	for k := range min(len(before), len(after)) {
		addRun(c, t.seed, [2]count.Figures{before[k], after[k]})
	}
}

// addRun adds a run with a seed, and the functions of the last one that has them.
func addRun(c *judge.Counts, seed uint64, sides [2]count.Figures) {
	p := judge.CountedPair{Seed: seed}
	for side, f := range sides {
		p.Sides[side], p.Memory[side] = f.Instructions, f.Memory
	}
	if c.Add(p) && len(sides[frame.New].Functions) > 0 {
		c.Functions = [2][]count.Function{sides[frame.Old].Functions, sides[frame.New].Functions}
	}
}
