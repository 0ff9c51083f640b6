package ab

import (
	"time"
)

// Costs of callgrind: a process of a Go program starts within countStart, each benchmark adds countEach for its code
// and countDump for the functions of a timed section, and code takes countSlowdown times its native time. Without
// instrumentation, which takes countSwitch to begin, it takes setUpSlowdown times as long.
const (
	countStart    = time.Second
	countEach     = 50 * time.Millisecond
	countDump     = 80 * time.Millisecond
	countSwitch   = 300 * time.Millisecond
	countSlowdown = 30
	setUpSlowdown = 8
)

// countCosts are what the counts of a benchmark cost: native CPU times, on the slower side.
type countCosts struct {
	cost     time.Duration // of an operation, inside the timers
	untimed  time.Duration // of its untimed sections
	setUp    time.Duration // of the benchmark function outside of its operations
	before   time.Duration // of a function before its sub-benchmarks
	share    time.Duration // its part for this benchmark: a process runs the function once
	sections float64       // timed sections of an operation
}

// observe learns the cost of an operation from a native run of one iteration. Where the timer starts once, all
// outside of the timed section is set-up.
func (c *countCosts) observe(s sample) {
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
func (c *countCosts) sizingRuns(side int) int {
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
func (c *countCosts) refine(s sample, first bool) {
	if first {
		c.cost, c.untimed, c.setUp, c.sections = 0, 0, 0, 0
	}
	c.observe(s)
}

// isLong reports whether a benchmark runs faster without instrumentation outside of its timed sections.
func (c *countCosts) isLong() bool { return isLongSetUp(max(c.setUp, c.untimed)) }

// countCost is the time of an operation under valgrind.
func (c *countCosts) countCost() time.Duration { return setUpCost(c.untimed) + countSlowdown*c.cost }

// isLongSetUp reports whether a set-up is faster without instrumentation.
func isLongSetUp(native time.Duration) bool {
	return (countSlowdown-setUpSlowdown)*native > countSwitch
}

// setUpCost is the time of a set-up under valgrind.
func setUpCost(native time.Duration) time.Duration {
	if isLongSetUp(native) {
		return countSwitch + setUpSlowdown*native
	}
	return countSlowdown * native
}
