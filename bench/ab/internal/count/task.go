package count

import (
	"cmp"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
)

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
	if c.Add(p); len(sides[frame.New].Functions) > 0 {
		c.Functions = [2][]count.Function{sides[frame.Old].Functions, sides[frame.New].Functions}
	}
}
