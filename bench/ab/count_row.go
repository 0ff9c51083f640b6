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

	// Native CPU times, on the slower side.
	cost     time.Duration // of an operation, inside the timers
	untimed  time.Duration // of its untimed sections
	setUp    time.Duration // of the benchmark function outside of its operations
	before   time.Duration // of a function before its sub-benchmarks
	share    time.Duration // its part for this benchmark: a process runs the function once
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
	switch {
	case timed <= 0:
		timed = whole
	case s.pairs > 1:
		c.untimed = max(c.untimed, (whole-timed)/n)
	default:
		c.setUp = max(c.setUp, whole-timed)
	}
	c.cost = max(c.cost, 1, timed/n)
	c.sections = max(c.sections, float64(s.pairs)/float64(n))
}

// sizingRuns returns the iterations of a native run that finds the cost of an operation. Longer operations run on
// the old side alone, the longest not at all. A time instead of iterations would end early on a busy machine.
func (c *countRow) sizingRuns(side int) int {
	const short, long, few = time.Millisecond, 200 * time.Millisecond, 20
	switch whole := c.cost + c.untimed + c.setUp; {
	case whole <= short:
		return max(few, int(short/whole))
	case whole <= long && side == oldSide:
		return 2
	}
	return 0
}

// refine replaces the cost of a first iteration by that of a longer run.
func (c *countRow) refine(s sample, first bool) {
	if first {
		c.cost, c.untimed, c.setUp, c.sections = 0, 0, 0, 0
	}
	c.observe(s)
}

// isLong reports whether a benchmark runs faster without instrumentation outside of its timed sections.
func (c *countRow) isLong() bool { return isLongSetUp(max(c.setUp, c.untimed)) }

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
