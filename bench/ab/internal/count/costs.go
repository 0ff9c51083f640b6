package count

import (
	"cmp"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
)

// toolCosts are the costs of a tool of valgrind. A process starts within start. Each benchmark adds each for the
// translation of its code, and two readings for a timed section. Code takes slowdown times its native time, and before
// the first benchmark start-up times.
type toolCosts struct {
	start, each, reading time.Duration
	slowdown, startUp    time.Duration
}

// The lowest costs seen in several modules; a [costScale] corrects them. Callgrind, which counts functions, slows user time
// down by 20 to 90, cachegrind by 9 to 20. Low costs are safe: a stage that takes longer than planned is cut off at the
// same benchmarks on both sides, while a plan with high costs leaves out benchmarks that would fit.
var (
	callgrind  = toolCosts{start: 700 * time.Millisecond, each: 35 * time.Millisecond, reading: 40 * time.Millisecond, slowdown: 32, startUp: 7}
	cachegrind = toolCosts{start: 900 * time.Millisecond, each: 20 * time.Millisecond, reading: 15 * time.Millisecond, slowdown: 11, startUp: 11}
)

// costsOf returns the costs of the tool that counts functions, or of the one that does not.
func costsOf(functions bool) toolCosts {
	if functions {
		return callgrind
	}
	return cachegrind
}

// countCosts are what the counts of a benchmark cost: native CPU times, on the slower side.
type countCosts struct {
	cost     time.Duration // of an operation, inside the timers
	untimed  time.Duration // of its untimed sections
	setUp    time.Duration // of the benchmark function outside of its operations
	sections float64       // further timed sections of an operation
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
	c.sections = max(c.sections, float64(s.Pairs-1)/float64(n)) // any run has one
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

// costOf is the time of some runs of a benchmark with n iterations each. Its function runs for one iteration before.
func (c *countCosts) costOf(m toolCosts, n, runs int) time.Duration {
	operations, readings := runs*n, 2*time.Duration(runs)*time.Duration(1+c.sections*float64(n))
	if n > 1 {
		runs, operations = runs+1, operations+1
	}
	return m.each + readings*m.reading + m.slowdown*(time.Duration(runs)*c.setUp+time.Duration(operations)*(c.untimed+c.cost))
}

// isShort reports whether one of a benchmark's runs is short beside the translation of its code.
func (c *countCosts) isShort(n int) bool {
	return cachegrind.slowdown*(c.setUp+time.Duration(n)*(c.untimed+c.cost)) < cachegrind.each/2
}

// setUpOf is the time of a package's process outside of its benchmarks.
func (m toolCosts) setUpOf(p *listing.Package) time.Duration {
	return m.start + m.startUp*max(0, p.Overhead-listing.ProcessTime)
}

// costScale holds the times of processes over their planned times, by whether they count functions. Native times hold page
// faults and cold caches as well, and binaries take unequal times to start.
type costScale map[bool]float64

// of corrects a tool's planned time by what its processes have taken here.
func (s costScale) of(functions bool, planned time.Duration) time.Duration {
	return time.Duration(float64(planned) * cmp.Or(s[functions], 1))
}

// learn corrects the scale by the tasks whose processes ended.
func (s costScale) learn(tasks []*task) {
	planned, taken := make(map[bool]time.Duration), make(map[bool]time.Duration)
	for _, t := range tasks {
		for _, cpu := range t.took {
			if cpu > 0 {
				planned[t.functions] += t.cost
				taken[t.functions] += cpu
			}
		}
	}
	for functions, time := range planned {
		s[functions] = min(4, max(0.25, cmp.Or(s[functions], 1)*float64(taken[functions])/float64(time)))
	}
}

// costOf is the time of a benchmark's count in the stage, outside of what its function does before.
func (p *plan) costOf(r *row) time.Duration {
	return p.scale.of(r.functions, r.costOf(costsOf(r.functions), r.operations, p.runsOf(r)))
}

// sharedCostOf is the time of what a benchmark's function does before, once in a process.
func (p *plan) sharedCostOf(r *row) time.Duration {
	return p.scale.of(r.functions, costsOf(r.functions).slowdown*r.SharedSetUp)
}

// startOf is the time of a process of a package outside of its benchmarks.
func (p *plan) startOf(pkg *listing.Package, functions bool) time.Duration {
	return p.scale.of(functions, costsOf(functions).setUpOf(pkg))
}

// countPart is a process that counts benchmarks of a package, or the set-up of a function in it.
type countPart struct {
	pkg       *listing.Package
	functions bool
	function  string // "" of a process
}

// longSetUp is a set-up that takes a counter as long as several benchmarks: those of its function share a process.
const longSetUp = 30 * time.Millisecond

// costSum sums up what counts of rows take on one side with one seed. A process starts once, and runs a function
// once.
type costSum struct {
	plan    *plan
	rows    []*row
	cost    time.Duration
	longest time.Duration // of a process with the most expensive benchmark alone
	paid    map[countPart]bool
}

// sumOf sums up rows.
func (p *plan) sumOf(rows []*row) *costSum {
	s := &costSum{plan: p, paid: make(map[countPart]bool)}
	for _, r := range rows {
		s.add(r)
	}
	return s
}

// add adds the count of a benchmark.
func (s *costSum) add(r *row) {
	start, shared, own := s.plan.startOf(r.Pkg, r.functions), s.plan.sharedCostOf(r), s.plan.costOf(r)
	s.rows, s.cost, s.longest = append(s.rows, r), s.cost+own, max(s.longest, start+shared+own)
	pay := func(function string, cost time.Duration) {
		if part := (countPart{r.Pkg, r.functions, function}); !s.paid[part] {
			s.paid[part] = true
			s.cost += cost
		}
	}
	pay("", start)
	pay(r.Function(), shared)
}
