package count

import (
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// NoTimeToCount is the reason of a benchmark left to time.
const NoTimeToCount = "there is no time to count it"

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
