package ab

import (
	"cmp"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// noTimeToCount is the reason of a benchmark left to time.
const noTimeToCount = "there is no time to count it"

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

// countRow is the count of a benchmark.
type countRow struct {
	result       verdict.Count
	earlier      verdict.Count       // result with less work, while more is counted
	pairs        []keptPair          // pairs in the result
	earlierPairs []keptPair          // in the earlier one
	functions    [2][]count.Function // costs of both sides with the last seed
	reason       string              // reason of a benchmark without a count
	leftOut      string              // reason why the next count leaves it out
	method       count.Method        // in the stage
	iterations   int                 // of the pairs

	countCosts
}

// isDecided reports whether the count has a verdict.
func (c *countRow) isDecided() bool {
	return c != nil && (c.result.Verdict == verdict.MoreWork || c.result.Verdict == verdict.LessWork ||
		c.result.Verdict == verdict.NotMoreWork)
}

// isClaim reports whether another seed alone may decide the benchmark.
func (c *countRow) isClaim() bool { return !c.isDecided() && c.result.LacksSeed() }

// worksMore reports whether the benchmark works more, by more than the limit.
func (c *countRow) worksMore() bool { return c.isDecided() && c.result.Verdict == verdict.MoreWork }

// passes reports whether the benchmark does not work more.
func (c *countRow) passes() bool {
	return c.isDecided() && c.result.Verdict.Passes()
}

// isLargeChange reports whether the benchmark works much more, or much less: short samples show it.
func (c *countRow) isLargeChange() bool {
	return c.isDecided() && (c.result.Lo > verdict.ShouldDetect || c.result.Hi < -verdict.ShouldDetect)
}

// wantsFunctions reports whether the functions of more work may have to be named.
func (c *countRow) wantsFunctions() bool {
	return c.result.LacksSeed() && c.result.Lo > 0
}

// begin begins a stage with n iterations, and reports whether it counts the benchmark. Much more work replaces a wide
// count when it is complete, otherwise pairs are added to it.
func (c *countRow) begin(n int) bool {
	if c.leftOut != "" {
		if c.result.Pairs() == 0 {
			c.reason = c.leftOut
		}
		return false
	}
	c.reason = ""
	switch c.earlier = (verdict.Count{}); {
	case c.result.Pairs() == 0:
		c.iterations = n
	case n >= 2*c.iterations && c.result.Wide():
		c.iterations = n
		c.earlier, c.earlierPairs, c.pairs = c.result, c.pairs, nil
		c.result.Reset()
	}
	return true
}

// add adds a pair.
func (c *countRow) add(p *Pair) {
	if p.failure != "" {
		c.reason = cmp.Or(c.reason, p.failure)
		return
	}
	before, after := p.sides[frame.Old].instructions, p.sides[frame.New].instructions
	if err := c.result.Add(p.seed, before, after); err != nil {
		c.reason = cmp.Or(c.reason, err.Error())
		return
	}
	c.pairs = append(c.pairs, keptPair{p.seed, [2]float64{before, after}, p.memory})
	if len(p.functions[frame.New]) > 0 {
		c.functions = p.functions
	}
}

// judge judges the pairs so far. If the time has ended before more work was counted with enough seeds, its pairs come
// to the earlier ones.
func (c *countRow) judge() {
	c.result.Judge()
	if c.earlier.Pairs() > 0 && (c.result.Pairs() < verdict.FewestPairs || c.result.LacksSeed()) {
		for _, p := range c.pairs {
			_ = c.earlier.Add(p.Seed, p.Sides[frame.Old], p.Sides[frame.New]) // as before
		}
		c.result, c.pairs = c.earlier, append(c.earlierPairs, c.pairs...)
		c.result.Judge()
	}
	if c.isDecided() {
		c.reason = ""
	}
}

// functionsBehind lists the functions with more work.
func (c *countRow) functionsBehind(most int) []report.Function {
	functions := count.Compare(c.functions[frame.Old], c.functions[frame.New])
	return functions[:min(most, len(functions))]
}
