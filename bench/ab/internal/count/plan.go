package count

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/timing"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// plan chooses what counts do in their time.
type plan struct {
	countTime
	stage      countStage
	fewestRuns bool // benchmarks without goroutines, whose counts repeat, run as seldom as they can
	scale      costScale
}

// Begin plans a stage, and returns the benchmarks that it counts. The first one leaves time to confirm its claims, and to
// count what it leaves out.
func (p *plan) Begin(stage countStage, benchmarks []*listing.Benchmark) []*listing.Benchmark {
	p.stage, p.end = stage, p.endOf(benchmarks)
	if stage.first == 1 {
		p.end = time.Now().Add(time.Duration(frame.Share(frame.PartFirstCounts) * float64(time.Until(p.end))))
	}
	p.fit(benchmarks)
	if p.bounded && !p.onlyCounts {
		p.leaveTime(benchmarks)
	}
	return slices.DeleteFunc(slices.Clone(benchmarks), func(b *listing.Benchmark) bool { return !p.RowOf(b).begin() })
}

// fit chooses what the stage counts until its end.
func (p *plan) fit(benchmarks []*listing.Benchmark) {
	p.fitSetUps(benchmarks)
	p.fitCounts(benchmarks)
}

// leaveTime ends the stage earlier, to give what it leaves out time for a first look. If it leaves out too much, the
// stage is as before.
func (p *plan) leaveTime(benchmarks []*listing.Benchmark) {
	planned := p.end
	for range 3 {
		end := p.bounds.End().Add(-p.timeOfRest(benchmarks))
		if !end.Before(p.end) {
			return
		}
		if time.Until(end) < 0 {
			break
		}
		p.end = end
		p.fit(benchmarks)
	}
	p.end = planned
	p.fit(benchmarks)
}

// budget is the time for the counts of one side with one seed, if all cores count packages until the end.
func (p *plan) budget(packages []*listing.Package) time.Duration {
	if !p.bounded {
		return math.MaxInt64
	}
	const most = 2 // times slower by other programs: they may end at any moment, and what does not fit is left out then
	all := float64(time.Until(p.end)) * float64(p.Parallelism())
	return time.Duration(all / float64(2*p.stage.seeds) / min(most, timing.SlowdownOf(packages)))
}

// fitSetUps leaves packages to time whose set-ups take most of the budget. Those with near benchmarks come first, and then
// those with the most benchmarks.
func (p *plan) fitSetUps(benchmarks []*listing.Benchmark) {
	rows, near := make(map[*listing.Package]int), make(map[*listing.Package]int)
	for _, b := range benchmarks {
		p.RowOf(b).leftOut = ""
		rows[b.Pkg]++
		near[b.Pkg] = max(near[b.Pkg], b.Reach.Near)
	}
	packages := timing.PackagesOf(benchmarks)
	slices.SortStableFunc(packages, func(a, b *listing.Package) int {
		return cmp.Or(cmp.Compare(near[b], near[a]), cmp.Compare(rows[b], rows[a]))
	})
	budget, sum := p.budget(packages)/4*3, time.Duration(0)
	for _, k := range packages {
		if cost := p.scale.of(count.Status, costsOf[count.Status].setUpOf(k)); sum+cost <= budget {
			sum += cost
			continue
		}
		why := frame.NotCounted
		if k.Overhead > listing.LongSetUp {
			why = fmt.Sprintf("there is no time to count behind a set-up of %v", k.Overhead.Round(time.Millisecond))
		}
		for _, b := range benchmarks {
			if b.Pkg == k {
				p.RowOf(b).leftOut = why
			}
		}
	}
}

// fitCounts chooses the iterations of counts for the work of the stage. If that does not fit into the budget, it
// chooses as little as half of [count.Work], then the fewest runs, and then leaves the most expensive benchmarks to
// time.
func (p *plan) fitCounts(benchmarks []*listing.Benchmark) {
	work, budget := count.Work*time.Duration(p.stage.factor), p.budget(timing.PackagesOf(benchmarks))
	p.fewestRuns = false
	rows := slices.DeleteFunc(slices.Clone(benchmarks), func(b *listing.Benchmark) bool { return p.RowOf(b).leftOut != "" })
	for {
		for _, b := range rows {
			r := p.RowOf(b)
			own := work
			if !r.Result.Wide() {
				own = min(own, count.Work)
			}
			r.operations, r.leftOut = count.Iterations(r.cost+r.untimed, r.sections, own)
		}
		if p.chooseMethods(rows, budget); p.fewestRuns || p.fits(rows, budget) {
			break
		}
		if p.fewestRuns = work <= count.Work/2; !p.fewestRuns {
			work /= 2
		}
	}
	leaveOut(p, slices.DeleteFunc(rows, func(b *listing.Benchmark) bool { return p.RowOf(b).leftOut != "" }), budget)
}

// fits reports whether all benchmarks not left out fit into the budget. A function with a long set-up is in one
// process, and so on one core.
func (p *plan) fits(benchmarks []*listing.Benchmark, budget time.Duration) bool {
	sum := newCostSum(p)
	for _, b := range benchmarks {
		if r := p.RowOf(b); r.leftOut == "" {
			sum.add(b, r.method)
		}
	}
	alone := max(1, float64(p.Parallelism())/float64(p.stage.seeds))
	return sum.cost <= budget && float64(sum.longest())*alone <= float64(budget)
}

// leaveOut leaves benchmarks to time until the others fit into the budget: first those with a verdict, then those that are
// not near, and the most expensive ones first. Then those come back that fit beside the
// others: a function's set-up is saved with its last benchmark only.
func leaveOut(p *plan, benchmarks []*listing.Benchmark, budget time.Duration) {
	worth := func(b *listing.Benchmark) int {
		if p.RowOf(b).IsDecided() {
			return 0
		}
		return 1 + b.Reach.Near
	}
	order := byCost(p, benchmarks)
	slices.SortStableFunc(order, func(a, b *listing.Benchmark) int { return cmp.Compare(worth(a), worth(b)) })
	n := 0
	for ; n < len(order) && !p.fits(order, budget); n++ {
		p.RowOf(order[n]).leftOut = frame.NotCounted
	}
	for _, b := range slices.Backward(order[:n]) {
		if p.RowOf(b).leftOut = ""; !p.fits(order, budget) {
			p.RowOf(b).leftOut = frame.NotCounted
		}
	}
}

// chooseMethods chooses the methods that count the benchmarks of each package in the least time. Each method needs a
// process of its own. Functions get up to half of the budget. It leaves out what takes longer than all of the budget.
func (p *plan) chooseMethods(benchmarks []*listing.Benchmark, budget time.Duration) {
	fork := map[bool]count.Method{true: count.Forks, false: count.Status}
	functions := newCostSum(p)
	for _, k := range timing.PackagesOf(benchmarks) {
		status, forks, mixed := newCostSum(p), newCostSum(p), newCostSum(p)
		var rows []*listing.Benchmark
		for _, b := range benchmarks {
			r := p.RowOf(b)
			if b.Pkg != k || r.leftOut != "" {
				continue
			}
			r.method = count.Functions
			if r.wantsFunctions() && functions.cost+p.costBy(r.method, b) < budget/2 {
				functions.add(b, count.Functions)
				continue
			}
			byStatus, byForks := p.costBy(count.Status, b), p.costBy(count.Forks, b)
			if r.method = fork[byForks < byStatus]; min(byForks, byStatus) > budget {
				r.leftOut = frame.NotCounted
				continue
			}
			rows = append(rows, b)
			status.add(b, count.Status)
			forks.add(b, count.Forks)
			mixed.add(b, r.method)
		}
		if mixed.cost > min(status.cost, forks.cost) {
			for _, b := range rows {
				p.RowOf(b).method = fork[forks.cost < status.cost]
			}
		}
	}
}

// costBy is the time of a benchmark's count by a method in the stage, outside of what its function does before.
func (p *plan) costBy(method count.Method, b *listing.Benchmark) time.Duration {
	return p.scale.of(method, p.RowOf(b).costOf(method, p.RowOf(b).operations, runsOf(p, b)))
}

// runsOf is the number of a benchmark's runs in a process of the stage. Three pairs have a much narrower interval
// than two, and a short run costs little beside the rest of the process. Of a first count without a run before it, one
// run has warm caches.
func runsOf(p *plan, b *listing.Benchmark) int {
	r := p.RowOf(b)
	switch {
	case p.fewestRuns && !b.Parallel && r.Result.Pairs()+r.Earlier.Pairs() > 0:
		return 1
	case p.fewestRuns && !b.Parallel:
		return verdict.FewestPairs
	case p.stage.runs > verdict.FewestPairs || !r.isShort(r.operations) || r.wantsFunctions():
		return p.stage.runs
	}
	return p.stage.runs + 1
}

// byCost returns benchmarks in order, the most expensive first. Those of a function share what it does before.
func byCost(p *plan, benchmarks []*listing.Benchmark) []*listing.Benchmark {
	number := make(map[listing.Process]time.Duration)
	for _, b := range benchmarks {
		number[b.FunctionKey()]++
	}
	cost := func(b *listing.Benchmark) time.Duration {
		method := p.RowOf(b).method
		shared := p.scale.of(method, costsOf[method].setUpCost(b.SharedSetUp))
		return p.costBy(method, b) + shared/number[b.FunctionKey()]
	}
	return slices.SortedStableFunc(slices.Values(benchmarks),
		func(a, b *listing.Benchmark) int { return cmp.Compare(cost(b), cost(a)) })
}

// divide divides benchmarks into the tasks of the stage. A package is divided among cores where it takes most of the
// time.
func (p *plan) divide(benchmarks []*listing.Benchmark) (tasks []*task) {
	groups, costs, all := make(map[countPart][]*listing.Benchmark), make(map[countPart]*costSum), time.Duration(0)
	var order []countPart
	for _, b := range byCost(p, benchmarks) {
		k := countPart{pkg: b.Pkg, method: p.RowOf(b).method}
		if groups[k] == nil {
			order, costs[k] = append(order, k), newCostSum(p)
		}
		groups[k] = append(groups[k], b)
		costs[k].add(b, k.method)
	}
	for _, sum := range costs {
		all += sum.cost * time.Duration(p.stage.seeds)
	}
	for _, k := range order {
		parts := 1
		if cost := costs[k].cost; cost > 3*p.scale.of(k.method, costsOf[k.method].setUpOf(k.pkg)) {
			parts = max(1, int(math.Round(float64(cost)/float64(all)*float64(p.Parallelism()))))
		}
		divided, sums := make([][]*listing.Benchmark, parts), make([]*costSum, parts)
		for i := range sums {
			sums[i] = newCostSum(p)
		}
		together := make(map[string]int) // part by function
		for _, b := range groups[k] {
			least, ok := together[b.Function()]
			if !ok {
				least = slices.Index(sums, slices.MinFunc(sums, func(a, b *costSum) int { return cmp.Compare(a.cost, b.cost) }))
			}
			if isLongSetUp(b.SharedSetUp) {
				together[b.Function()] = least
			}
			divided[least] = append(divided[least], b)
			sums[least].add(b, k.method)
		}
		for i, part := range divided {
			for seed := range p.stage.seeds {
				if len(part) > 0 {
					tasks = append(tasks, &task{pkg: k.pkg, method: k.method,
						seed: p.stage.first + uint64(seed), benchmarks: slices.Clone(part), cost: sums[i].cost,
						longest: sums[i].longest()})
				}
			}
		}
	}
	slices.SortStableFunc(tasks, func(a, b *task) int { return cmp.Compare(b.cost, a.cost) })
	return tasks
}

// countPart is a process counting benchmarks of a package, or a function it runs.
type countPart struct {
	pkg      *listing.Package
	method   count.Method
	function string // or a benchmark; "" is all
}

// costSum sums up what counts of benchmarks take on one side with one seed. A process starts once, and runs a function
// once.
type costSum struct {
	plan  *plan
	cost  time.Duration
	parts map[countPart]time.Duration // what one core does
}

// newCostSum returns a sum of nothing.
func newCostSum(p *plan) *costSum {
	return &costSum{plan: p, parts: make(map[countPart]time.Duration)}
}

// add adds the count of a benchmark by a method.
func (s *costSum) add(b *listing.Benchmark, method count.Method) {
	cost := s.plan.costBy(method, b)
	start, function := countPart{b.Pkg, method, ""}, countPart{b.Pkg, method, b.Function()}
	if _, ok := s.parts[start]; !ok {
		s.parts[start] = s.plan.scale.of(method, costsOf[method].setUpOf(b.Pkg))
		s.cost += s.parts[start]
	}
	if _, ok := s.parts[function]; !ok {
		cost += s.plan.scale.of(method, costsOf[method].setUpCost(b.SharedSetUp))
	}
	s.cost += cost
	if s.parts[function] += cost; !isLongSetUp(b.SharedSetUp) {
		s.parts[function] = 0 // processes may divide it
		s.parts[countPart{b.Pkg, method, b.Printed + "/"}] = cost
	}
}

// longest is the time of a process with the most expensive part alone.
func (s *costSum) longest() time.Duration {
	most := time.Duration(0)
	for part, cost := range s.parts {
		if part.function != "" {
			cost += s.parts[countPart{part.pkg, part.method, ""}]
		}
		most = max(most, cost)
	}
	return most
}
