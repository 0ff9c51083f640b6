package count

import (
	"cmp"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
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

// stageOf returns a stage by its number. The first ones have one process for all benchmarks of a package, since it takes
// as long to start as several benchmarks take. Pairs of another seed confirm claims, and narrow intervals more than
// anything else. Later stages count more work where that is possible, and more pairs.
func stageOf(number int) countStage {
	switch number {
	case 0:
		return countStage{1, 1, 1, verdict.FewestPairs}
	case 1:
		return countStage{1, 2, 1, verdict.FewestPairs + 1}
	}
	return countStage{10, uint64(number)*verdict.ClaimSeeds - 1, verdict.ClaimSeeds, verdict.FewestPairs}
}

// row is a benchmark with its count, and the plan of its next stage.
type row struct {
	*listing.Benchmark
	*judge.Counts
	leftOut    string // reason why the stage leaves it out
	functions  bool   // the stage counts functions
	operations int    // iterations of a run in the stage, the same on both sides

	countCosts
}

// filter returns the rows to keep.
func filter(rows []*row, keep func(r *row) bool) []*row {
	return slices.DeleteFunc(slices.Clone(rows), func(r *row) bool { return !keep(r) })
}

// byPackage groups rows by their packages.
func byPackage(rows []*row) [][]*row {
	return text.Groups(rows, func(r *row) *listing.Package { return r.Pkg })
}

// benchmarksOf lists the benchmarks of rows.
func benchmarksOf(rows []*row) (benchmarks []*listing.Benchmark) {
	for _, r := range rows {
		benchmarks = append(benchmarks, r.Benchmark)
	}
	return benchmarks
}

// isClaim reports whether another seed alone may decide the benchmark.
func (r *row) isClaim() bool { return !r.IsDecided() && r.Result.LacksSeed() }

// isCounted reports whether the stage counts the benchmark.
func (r *row) isCounted() bool { return r.leftOut == "" }

// wantsFunctions reports whether the functions of more work may have to be named.
func (r *row) wantsFunctions() bool { return r.Result.LacksSeed() && r.Result.Lo > 0 }

// begin begins a stage, and reports whether it counts the benchmark.
func (r *row) begin() bool {
	switch {
	case r.isCounted():
		r.Restart(r.operations)
	case r.Result.Pairs() == 0:
		r.Reason = r.leftOut
	}
	return r.isCounted()
}

// task is the work of a process on each side.
type task struct {
	pkg       *listing.Package
	seed      uint64
	rows      []*row
	functions bool
	cost      time.Duration    // planned CPU time a side, on an idle core
	longest   time.Duration    // part of it for the most expensive benchmark, with the start of the process
	took      [2]time.Duration // CPU time of each side; 0 of one that was cut off
	results   [2]count.Result
}

// figures are the counted runs of a benchmark on a side.
func (t *task) figures(r *row, side int) []count.Figures {
	return t.results[side].Benchmarks["Benchmark"+r.Printed]
}

// failure is the reason of a benchmark failing under the counter, or "".
func (t *task) failure(r *row, side int) string { return t.results[side].Failed["Benchmark"+r.Printed] }

// addTo adds the counts of both sides to a row, run by run, and the functions of the last run that has them. A benchmark
// failing under the counter keeps the reason.
func (t *task) addTo(r *row) {
	if why := cmp.Or(t.failure(r, frame.Old), t.failure(r, frame.New)); why != "" {
		r.Fail(why)
		return
	}
	before, after := t.figures(r, frame.Old), t.figures(r, frame.New)
	for k := range min(len(before), len(after)) {
		old, new := &before[k], &after[k]
		p := judge.CountedPair{Seed: t.seed, Sides: [2]float64{old.Instructions, new.Instructions},
			Memory: [2]count.Memory{old.Memory, new.Memory}}
		if r.Add(p) && len(new.Functions) > 0 {
			r.Functions = [2][]count.Function{old.Functions, new.Functions}
		}
	}
}
