package ab

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// countPlan shares out the time for counts.
type countPlan struct {
	*job
	bounded bool      // whether time bounds it: other counters take each benchmark's native time
	end     time.Time // the stage's end
	stage   countStage
	judges  *judges
	few     bool // benchmarks without goroutines, whose counts repeat, run as seldom as they can

	scales map[count.Method]float64 // what processes took, over what they were planned to take
}

// begin plans a stage. Times follow the counts, unless the user wants none, and need more time if some benchmarks
// cannot be counted.
func (p *countPlan) begin(stage countStage, benchmarks []*benchmark) {
	left, part := p.left(), 0.8
	long := func(b *benchmark) bool {
		_, reason := count.Iterations(p.rowOf(b).cost, 0, count.Work)
		return reason != ""
	}
	uncounted := func(b *benchmark) bool { return p.rowOf(b).result.Pairs() == 0 }
	isBusy := slowdownOf(packagesOf(benchmarks)) > 1.5 // then counts decide more than time
	switch {
	case p.stage.factor > 0 && (isBusy || slices.ContainsFunc(benchmarks, uncounted)):
		part = 0.6
	case p.stage.factor > 0: // a later one also gets what the one before has left
		left, part = max(left, time.Until(p.end)*3), 1.0/3
	case p.Judge == BothJudges && slices.ContainsFunc(benchmarks, long):
		part = 0.6
	}
	if p.Judge == CountOnly && p.stage.factor > 0 {
		part = 0.95
	}
	p.stage, p.end = stage, time.Now().Add(min(time.Duration(part*float64(left)), p.left()))
	p.fitSetUps(benchmarks)
	p.fitCounts(benchmarks)
}

// endOf is the end of a side in the stage.
func (p *countPlan) endOf(side int) time.Time {
	switch {
	case !p.bounded:
		return p.job.end
	case side == oldSide:
		return time.Now().Add(time.Until(p.end) / 2)
	}
	return p.end
}

// rowOf returns the count of a benchmark.
func (p *countPlan) rowOf(b *benchmark) *countRow { return p.judges.fileOf(b).counts }

// budget is the time for the counts of one side with one seed, if all cores count packages until the end.
func (p *countPlan) budget(packages []*testPackage) time.Duration {
	if !p.bounded {
		return math.MaxInt64
	}
	const most = 2 // times slower by other programs: they may end at any moment, and what does not fit is left out then
	all := float64(time.Until(p.end)) * float64(p.parallelism())
	return time.Duration(all / float64(2*p.stage.seeds) / min(most, slowdownOf(packages)))
}

// fitSetUps leaves packages to time whose set-ups take most of the budget. Those with the most benchmarks come first.
func (p *countPlan) fitSetUps(benchmarks []*benchmark) {
	rows := make(map[*testPackage]int)
	for _, b := range benchmarks {
		p.rowOf(b).left = ""
		rows[b.pkg]++
	}
	packages := packagesOf(benchmarks)
	slices.SortStableFunc(packages, func(a, b *testPackage) int { return cmp.Compare(rows[b], rows[a]) })
	budget, sum := p.budget(packages)/4*3, time.Duration(0)
	for _, k := range packages {
		if cost := costsOf[count.Status].setUpOf(k); sum+cost <= budget {
			sum += cost
			continue
		}
		for _, b := range benchmarks {
			if b.pkg == k {
				p.rowOf(b).left = fmt.Sprintf("there is no time to count behind a set-up of %v",
					k.overhead.Round(time.Millisecond))
			}
		}
	}
}

// fitCounts chooses the iterations of counts for the work of the stage. If that does not fit into the budget, it
// chooses as little as half of [count.Work], then the fewest runs, and then leaves the most expensive benchmarks to
// time.
func (p *countPlan) fitCounts(benchmarks []*benchmark) {
	work, budget := count.Work*time.Duration(p.stage.factor), p.budget(packagesOf(benchmarks))
	p.few = false
	rows := slices.DeleteFunc(slices.Clone(benchmarks), func(b *benchmark) bool { return p.rowOf(b).left != "" })
	sum := time.Duration(0)
	for {
		for _, b := range rows {
			r := p.rowOf(b)
			own := work
			if !r.result.Wide() {
				own = min(own, count.Work)
			}
			b.countIterations, r.left = count.Iterations(r.cost+r.untimed, r.sections, own)
		}
		if sum = p.chooseMethods(rows, budget); sum <= budget || p.few {
			break
		}
		if p.few = work <= count.Work/2; !p.few {
			work /= 2
		}
	}
	for _, decided := range []bool{true, false} {
		for _, b := range byCost(p, rows) {
			if r := p.rowOf(b); r.left == "" && sum > budget && r.isDecided() == decided {
				sum -= p.costOf(b)
				r.left = noTimeToCount
			}
		}
	}
}

// chooseMethods chooses the methods that count the benchmarks of each package in the least time. Each method needs a
// process of its own. Functions get up to half of the budget. It leaves out what does not fit into the budget alone, and
// returns the time of the others.
func (p *countPlan) chooseMethods(benchmarks []*benchmark, budget time.Duration) (all time.Duration) {
	fork := map[bool]count.Method{true: count.Forks, false: count.Status}
	functions := time.Duration(0)
	for _, k := range packagesOf(benchmarks) {
		status, forks := costsOf[count.Status].setUpOf(k), costsOf[count.Forks].setUpOf(k)
		mixed := status + forks
		var rows []*benchmark
		for _, b := range benchmarks {
			r := p.rowOf(b)
			if b.pkg != k || r.left != "" {
				continue
			}
			r.method = count.Functions
			if cost := p.costOf(b); r.wantsFunctions() && functions+cost < budget/2 {
				functions += cost
				continue
			}
			byStatus, byForks := p.costBy(count.Status, b), p.costBy(count.Forks, b)
			if r.method = fork[byForks < byStatus]; min(byForks, byStatus) > budget {
				r.left = noTimeToCount
				continue
			}
			rows = append(rows, b)
			status, forks, mixed = status+byStatus, forks+byForks, mixed+min(byStatus, byForks)
		}
		if mixed > min(status, forks) {
			for _, b := range rows {
				p.rowOf(b).method = fork[forks < status]
			}
		}
		all += min(status, forks, mixed)
	}
	return all + functions
}

// costOf is the time of a benchmark's count in the stage.
func (p *countPlan) costOf(b *benchmark) time.Duration { return p.costBy(p.rowOf(b).method, b) }

// costBy is the time with a method.
func (p *countPlan) costBy(method count.Method, b *benchmark) time.Duration {
	cost, scale := p.rowOf(b).costOf(method, b.countIterations, p.runsOf(b)), p.scales[method]
	return time.Duration(float64(cost) * cmp.Or(scale, 1))
}

// learn learns from tasks what counts cost here: native times hold page faults and cold caches as well.
func (p *countPlan) learn(tasks []*countTask) {
	planned, taken := make(map[count.Method]time.Duration), make(map[count.Method]time.Duration)
	for _, t := range tasks {
		for side, result := range t.results {
			if result.CPU == 0 || len(result.Failed) > 0 {
				continue
			}
			planned[t.method] += costsOf[t.method].setUpOf(t.pkg)
			taken[t.method] += result.CPU
			for _, b := range t.benchmarks {
				if t.isComplete(b, side) {
					planned[t.method] += p.costOf(b)
				}
			}
		}
	}
	for method := range planned {
		scale := float64(taken[method]) / float64(planned[method]) * cmp.Or(p.scales[method], 1)
		p.scales[method] = min(4, max(0.25, scale))
	}
}

// runsOf is the number of a benchmark's runs in a process of the stage. Three pairs have a much narrower interval
// than two, and a short run costs little beside the rest of the process.
func (p *countPlan) runsOf(b *benchmark) int {
	if p.few && !b.parallel {
		return verdict.FewestPairs
	}
	r, m := p.rowOf(b), costsOf[count.Status]
	each := m.setUpCost(r.setUp) + time.Duration(b.countIterations)*(m.setUpCost(r.untimed)+m.slowdown*r.cost)
	if p.stage.runs == verdict.FewestPairs && each < m.each/2 && !r.wantsFunctions() {
		return p.stage.runs + 1
	}
	return p.stage.runs
}

// longest is the longest time without progress beside other programs: of a benchmark with all set-ups before it.
func (p *countPlan) longest(benchmarks []*benchmark) time.Duration {
	most := time.Duration(0)
	for _, b := range benchmarks {
		m := costsOf[p.rowOf(b).method]
		cost := m.setUpOf(b.pkg) + m.setUpCost(p.rowOf(b).before) + p.costOf(b)
		most = max(most, time.Duration(float64(cost)*b.pkg.slowdown))
	}
	return most
}

// byCost returns benchmarks in order, the most expensive first.
func byCost(p *countPlan, benchmarks []*benchmark) []*benchmark {
	return slices.SortedStableFunc(slices.Values(benchmarks),
		func(a, b *benchmark) int { return cmp.Compare(p.costOf(b), p.costOf(a)) })
}

// divide divides benchmarks into the tasks of the stage. A package is divided among cores where it takes most of the
// time.
func (p *countPlan) divide(benchmarks []*benchmark) (tasks []*countTask) {
	type group struct {
		pkg    *testPackage
		method count.Method
	}
	groups, costs, all := make(map[group][]*benchmark), make(map[group]time.Duration), time.Duration(0)
	var order []group
	for _, b := range byCost(p, benchmarks) {
		k := group{b.pkg, p.rowOf(b).method}
		if groups[k] == nil {
			order = append(order, k)
			costs[k] = costsOf[k.method].setUpOf(k.pkg)
		}
		groups[k] = append(groups[k], b)
		costs[k] += p.costOf(b)
	}
	for _, cost := range costs {
		all += cost * time.Duration(p.stage.seeds)
	}
	for _, k := range order {
		parts := 1
		setUp := costsOf[k.method].setUpOf(k.pkg)
		if costs[k] > 3*setUp {
			parts = max(1, int(math.Round(float64(costs[k])/float64(all)*float64(p.parallelism()))))
		}
		divided, sums := make([][]*benchmark, parts), make([]time.Duration, parts)
		together := make(map[string]int) // part by function
		for _, b := range groups[k] {
			least, ok := together[b.function()]
			if !ok {
				least = slices.Index(sums, slices.Min(sums))
			}
			if isLongSetUp(p.rowOf(b).before) {
				together[b.function()] = least
			}
			divided[least] = append(divided[least], b)
			sums[least] += p.costOf(b)
		}
		for i, part := range divided {
			for seed := range p.stage.seeds {
				if len(part) > 0 {
					tasks = append(tasks, &countTask{pkg: k.pkg, method: k.method,
						seed: p.stage.first + uint64(seed), benchmarks: slices.Clone(part), cost: setUp + sums[i]})
				}
			}
		}
	}
	slices.SortStableFunc(tasks, func(a, b *countTask) int { return cmp.Compare(b.cost, a.cost) })
	return tasks
}

// countTask is the work of a process on each side.
type countTask struct {
	pkg        *testPackage
	seed       uint64
	benchmarks []*benchmark
	method     count.Method
	cost       time.Duration // CPU time a side, on an idle core
	results    [2]count.Result
}

// figures are the counted runs of a benchmark on a side.
func (t *countTask) figures(b *benchmark, side int) []count.Figures {
	return t.results[side].Benchmarks["Benchmark"+b.printed]
}

// failure is the reason of a benchmark that fails under the counter, or "".
func (t *countTask) failure(b *benchmark, side int) string {
	return t.results[side].Failed["Benchmark"+b.printed]
}

// isComplete reports whether a benchmark has figures of a side.
func (t *countTask) isComplete(b *benchmark, side int) bool { return len(t.figures(b, side)) > 0 }

// pair pairs the counts of both sides by runs. A benchmark that fails under the counter keeps the reason.
func (t *countTask) pair() (pairs []Pair) {
	for _, b := range t.benchmarks {
		if why := cmp.Or(t.failure(b, oldSide), t.failure(b, newSide)); why != "" {
			pairs = append(pairs, Pair{Benchmark: b, failure: why})
			continue
		}
		before, after := t.figures(b, oldSide), t.figures(b, newSide)
		for k := range min(len(before), len(after)) {
			pairs = append(pairs, pairCounts(b, t.seed, [2]count.Figures{before[k], after[k]}))
		}
	}
	return pairs
}

// pairCounts returns the pair of a run with a seed.
func pairCounts(b *benchmark, seed uint64, sides [2]count.Figures) Pair {
	p := Pair{Benchmark: b, seed: seed}
	for side, f := range sides {
		p.sides[side] = sample{iterations: f.N, instructions: f.Instructions}
		p.functions[side] = f.Functions
	}
	return p
}
