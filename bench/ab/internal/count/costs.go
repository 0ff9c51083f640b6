package count

import (
	"cmp"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
)

// methodCosts are the costs of a method of counting. A process starts within start. Each benchmark adds each for the
// translation of its code, and two readings for a timed section. Code takes slowdown times its native time, and setUp
// times where no benchmark is counted.
type methodCosts struct {
	start, each, reading time.Duration
	slowdown, setUp      time.Duration
}

// countSwitch is the time callgrind takes to begin the instrumentation; without it, code is faster.
const countSwitch = 300 * time.Millisecond

// costsOf holds the lowest costs seen in several modules; a [costScale] corrects them. Callgrind slows user time down by
// 20 to 90, cachegrind by 9 to 20. Low costs are safe: a stage that takes longer than planned is cut off at the same
// benchmarks on both sides, while a plan with high costs leaves out benchmarks that would fit.
var costsOf = map[count.Method]methodCosts{
	count.Status: {start: 700 * time.Millisecond, each: 35 * time.Millisecond,
		slowdown: 32, setUp: 7},
	count.Forks: {start: 900 * time.Millisecond, each: 20 * time.Millisecond, reading: 15 * time.Millisecond,
		slowdown: 11, setUp: 11},
	count.Functions: {start: 700 * time.Millisecond, each: 35 * time.Millisecond, reading: 40 * time.Millisecond,
		slowdown: 32, setUp: 7},
}

// countCosts are what the counts of a benchmark cost: native CPU times, on the slower side.
type countCosts struct {
	cost     time.Duration // of an operation, inside the timers
	untimed  time.Duration // of its untimed sections
	setUp    time.Duration // of the benchmark function outside of its operations
	sections float64       // timed sections of an operation
}

// observe learns the cost of an operation from a native run. Where the timer starts once, all
// outside of the timed section is set-up.
func (c *countCosts) observe(s listing.Sample) {
	n := time.Duration(max(1, s.Iterations))
	whole, timed := s.Busy, time.Duration(1e9*s.CPU*float64(n))
	if whole == 0 {
		whole, timed = s.Run, time.Duration(1e9*s.Wall*float64(n))
	} else if user := listing.UserTime(s.Busy, s.Kernel); user < whole {
		timed = time.Duration(float64(timed) * float64(user) / float64(whole))
		whole = user
	}
	switch {
	case timed <= 0:
		timed = whole
	case s.Pairs > 1:
		c.untimed = max(c.untimed, (whole-timed)/n)
	default:
		c.setUp = max(c.setUp, whole-timed)
	}
	c.cost = max(c.cost, 1, timed/n)
	c.sections = max(c.sections, float64(s.Pairs)/float64(n))
}

// refine replaces the cost of a first iteration by that of long runs. Their set-up is a small part of them, and would get
// the disturbances of all of it.
func (c *countCosts) refine(sides [2]listing.Sample) {
	setUp := c.setUp
	*c = countCosts{}
	for _, s := range sides {
		c.observe(s)
	}
	c.setUp = setUp
}

// isLong reports whether a benchmark runs faster without instrumentation outside of its timed sections.
func (c *countCosts) isLong() bool { return isLongSetUp(max(c.setUp, c.untimed)) }

// costOf is the time of some runs of a benchmark with n iterations each. Its function runs for one iteration before.
func (c *countCosts) costOf(method count.Method, n, runs int) time.Duration {
	m, operations := costsOf[method], runs*n
	readings := 2 * time.Duration(runs) * time.Duration(max(1, c.sections*float64(n)))
	if n > 1 {
		runs, operations = runs+1, operations+1
	}
	operation := m.setUpCost(c.untimed) + m.slowdown*c.cost
	return m.each + readings*m.reading + time.Duration(runs)*m.setUpCost(c.setUp) +
		time.Duration(operations)*operation
}

// isShort reports whether one of a benchmark's runs is short beside the translation of its code.
func (c *countCosts) isShort(n int) bool {
	m := costsOf[count.Status]
	return m.setUpCost(c.setUp)+time.Duration(n)*(m.setUpCost(c.untimed)+m.slowdown*c.cost) < m.each/2
}

// isLongSetUp reports whether callgrind runs a set-up faster without instrumentation.
func isLongSetUp(native time.Duration) bool {
	m := costsOf[count.Status]
	return (m.slowdown-m.setUp)*native > countSwitch
}

// setUpCost is the time of a set-up between counted benchmarks.
func (m methodCosts) setUpCost(native time.Duration) time.Duration {
	return min(m.slowdown*native, countSwitch+m.setUp*native)
}

// setUpOf is the time of a package's process outside of its benchmarks.
func (m methodCosts) setUpOf(p *listing.Package) time.Duration {
	return m.start + m.setUp*max(0, p.Overhead-listing.ProcessTime)
}

// costScale holds the times of processes over their planned times, by method. Native times hold page faults and
// cold caches as well, and binaries take unequal times to start.
type costScale map[count.Method]float64

// of corrects a method's planned time by what its processes have taken here.
func (s costScale) of(method count.Method, planned time.Duration) time.Duration {
	return time.Duration(float64(planned) * cmp.Or(s[method], 1))
}

// learn corrects the scale by the tasks whose processes ended.
func (s costScale) learn(tasks []*task) {
	planned, taken := make(map[count.Method]time.Duration), make(map[count.Method]time.Duration)
	for _, t := range tasks {
		for _, cpu := range t.took {
			if cpu > 0 {
				planned[t.method] += t.cost
				taken[t.method] += cpu
			}
		}
	}
	for method, time := range planned {
		s[method] = min(4, max(0.25, cmp.Or(s[method], 1)*float64(taken[method])/float64(time)))
	}
}
