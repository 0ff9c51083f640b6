package ab

import (
	"cmp"
	"time"

	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// countRow is the count of a benchmark.
type countRow struct {
	result    verdict.Count
	earlier   verdict.Count       // result with less work, while more is counted
	pairs     []keptPair          // pairs in the result
	functions [2][]count.Function // costs of both sides with the last seed
	reason    string              // reason of a benchmark without a count
	left      string              // reason why the next count leaves it out

	cost     time.Duration // native CPU time of an operation with its untimed sections, on the slower side
	setUp    time.Duration // native CPU time of the benchmark function outside of its operations
	sections float64       // timed sections of an operation
}

// observe learns the cost of an operation from a native run of one iteration. Where the timer starts once, all
// outside of the timed section is set-up.
func (c *countRow) observe(s sample) {
	n := time.Duration(max(1, s.iterations))
	whole, timed := s.busy, time.Duration(1e9*s.cpu*float64(n))
	if whole == 0 {
		whole, timed = s.run, time.Duration(1e9*s.wall*float64(n))
	}
	if s.pairs > 1 || timed <= 0 {
		timed = whole
	}
	c.cost = max(c.cost, 1, timed/n)
	c.setUp = max(c.setUp, whole-timed)
	c.sections = max(c.sections, float64(s.pairs)/float64(n))
}

// isShort reports whether a longer run finds the cost of an operation within a moment.
func (c *countRow) isShort() bool { return c.cost+c.setUp <= sizingWork && c.sections <= 1 }

// refine replaces the cost of a first iteration by that of a longer run.
func (c *countRow) refine(s sample, first bool) {
	if first {
		c.cost, c.setUp, c.sections = 0, 0, 0
	}
	c.observe(s)
}

// isDecided reports whether the count has a verdict.
func (c *countRow) isDecided() bool {
	return c != nil && (c.result.Verdict == verdict.MoreWork || c.result.Verdict == verdict.LessWork || c.result.Verdict == verdict.NotMoreWork)
}

// passesByCount reports whether a benchmark does not work more.
func (j *judges) passesByCount(b *benchmark) bool {
	c := j.fileOf(b).counts
	return c.isDecided() && c.result.Verdict.Passes()
}

// wantsFunctions reports whether the functions of more work may have to be named.
func (c *countRow) wantsFunctions() bool {
	return c.result.LacksSeed() && c.result.Lo > 0
}

// toCount returns the benchmarks without a clear answer. Where all have one, it returns those with wide intervals.
func (j *judges) toCount(benchmarks []*benchmark) []*benchmark {
	var open, wide []*benchmark
	for _, b := range benchmarks {
		switch c := j.fileOf(b).counts; {
		case c == nil || c.reason != "" && c.reason != noTimeToCount:
		case !c.isDecided() || c.result.LacksSeed():
			open = append(open, b)
		case c.result.Wide():
			wide = append(wide, b)
		}
	}
	if len(open) > 0 {
		return open
	}
	return wide
}

// beginCounts returns the benchmarks to count in a stage, without those left out. More work replaces a count when it is
// complete, and other seeds are added to it.
func (j *judges) beginCounts(benchmarks []*benchmark, stage countStage) (rows []*benchmark) {
	for _, b := range benchmarks {
		c := j.fileOf(b).counts
		if c.left != "" {
			if c.result.Pairs() == 0 {
				c.reason = c.left
			}
			continue
		}
		c.reason = ""
		if c.earlier = (verdict.Count{}); stage.factor > 1 && c.result.Wide() {
			c.earlier, c.pairs = c.result, nil
			c.result.Reset()
		}
		rows = append(rows, b)
	}
	return rows
}

// addCounts adds counts.
func (j *judges) addCounts(pairs []Pair) {
	for i := range pairs {
		p := &pairs[i]
		c := j.fileOf(p.Benchmark).counts
		if p.failure != "" {
			c.reason = cmp.Or(c.reason, p.failure)
			continue
		}
		before, after := p.sides[oldSide].instructions, p.sides[newSide].instructions
		if err := c.result.Add(p.seed, before, after); err != nil {
			c.reason = cmp.Or(c.reason, err.Error())
			continue
		}
		c.pairs = append(c.pairs, keptPair{p.seed, [2]float64{before, after}})
		if len(p.functions[newSide]) > 0 {
			c.functions = p.functions
		}
	}
}

// lookAtCounts judges the counts of benchmarks.
func (j *judges) lookAtCounts(benchmarks []*benchmark) {
	for _, b := range benchmarks {
		c := j.fileOf(b).counts
		if c.result.Pairs() < verdict.FewestPairs && c.earlier.Pairs() > 0 {
			for _, p := range c.pairs { // there was no time for more
				_ = c.earlier.Add(p.Seed, p.Sides[oldSide], p.Sides[newSide]) // as before
			}
			c.result = c.earlier
		}
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
