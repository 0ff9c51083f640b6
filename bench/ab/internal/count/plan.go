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
	"github.com/seed-09dcdc84/ur/internal/text"
)

// plan chooses what the counts of a stage do in their time, as the package describes it.
type plan struct {
	Request
	rows    []*row    // all benchmarks
	bounded bool      // whether time bounds counts: other counters take each benchmark's native time
	last    time.Time // the end of all counts
	enough  time.Time // the end of counts that only narrow intervals

	stage      countStage
	end        time.Time // of the stage
	fewestRuns bool      // benchmarks without goroutines, whose counts repeat, run as seldom as they can
	scale      costScale
}

// begin plans the stage, and returns the rows that it counts. The first one leaves time to confirm its claims, and to
// count what it leaves out.
func (p *plan) begin(rows []*row) []*row {
	if p.end = p.endOf(rows); p.stage.first == 1 {
		p.end = time.Now().Add(time.Duration(frame.Share(frame.PartFirstCounts) * float64(time.Until(p.end))))
	}
	p.fit(rows)
	if p.bounded && !p.OnlyCounts {
		p.leaveTime(rows)
	}
	return filter(rows, (*row).begin)
}

// fit chooses what the stage counts until its end.
func (p *plan) fit(rows []*row) {
	p.fitSetUps(rows)
	p.fitCounts(rows)
}

// leaveTime ends the stage earlier, to give what it leaves out time for a first look. If it leaves out too much, the
// stage is as before.
func (p *plan) leaveTime(rows []*row) {
	planned := p.end
	for range 3 {
		end := p.Bounds.End().Add(-p.timeOfRest(rows))
		if !end.Before(p.end) {
			return
		}
		if time.Until(end) < 0 {
			break
		}
		p.end = end
		p.fit(rows)
	}
	p.end = planned
	p.fit(rows)
}

// budget is the time for the counts of one side with one seed, if all cores count the rows' packages until the end.
func (p *plan) budget(rows []*row) time.Duration {
	if !p.bounded {
		return math.MaxInt64
	}
	const most = 2 // times slower by other programs: they may end at any moment, and what does not fit is left out then
	all := float64(time.Until(p.end)) * float64(p.Parallelism())
	return time.Duration(all / float64(2*p.stage.seeds) / min(most, timing.SlowdownOf(timing.PackagesOf(benchmarksOf(rows)))))
}

// fitSetUps leaves packages to time whose set-ups take most of the budget. Those with near benchmarks come first, and then
// those with the most benchmarks.
func (p *plan) fitSetUps(rows []*row) {
	nearest := func(group []*row) int {
		return slices.MaxFunc(group, func(a, b *row) int { return cmp.Compare(a.Reach.Near, b.Reach.Near) }).Reach.Near
	}
	packages := byPackage(rows)
	slices.SortStableFunc(packages, func(a, b []*row) int {
		return cmp.Or(cmp.Compare(nearest(b), nearest(a)), cmp.Compare(len(b), len(a)))
	})
	budget, sum := p.budget(rows)/4*3, time.Duration(0)
	for _, group := range packages {
		pkg, why := group[0].Pkg, ""
		switch cost := p.startOf(pkg, false); {
		case sum+cost <= budget:
			sum += cost
		case pkg.Overhead > listing.LongSetUp:
			why = fmt.Sprintf("there is no time to count behind a set-up of %v", pkg.Overhead.Round(time.Millisecond))
		default:
			why = frame.NotCounted
		}
		for _, r := range group {
			r.leftOut = why
		}
	}
}

// fitCounts chooses the iterations of counts for the work of the stage. If that does not fit into the budget, it
// chooses as little as half of [count.Work], then the fewest runs, and then leaves the most expensive benchmarks to
// time.
func (p *plan) fitCounts(rows []*row) {
	work, budget := count.Work*time.Duration(p.stage.factor), p.budget(rows)
	p.fewestRuns = false
	rows = filter(rows, (*row).isCounted)
	for {
		for _, r := range rows {
			own := work
			if !r.Result.Wide() {
				own = min(own, count.Work)
			}
			r.operations, r.leftOut = count.Iterations(r.cost+r.untimed, r.sections, own)
		}
		if p.chooseTools(rows, budget); p.fewestRuns || p.fits(rows, budget) {
			break
		}
		if p.fewestRuns = work <= count.Work/2; !p.fewestRuns {
			work /= 2
		}
	}
	p.leaveOut(filter(rows, (*row).isCounted), budget)
}

// fits reports whether all rows not left out fit into the budget, and each of them on one core.
func (p *plan) fits(rows []*row, budget time.Duration) bool {
	sum := p.sumOf(filter(rows, (*row).isCounted))
	alone := max(1, float64(p.Parallelism())/float64(p.stage.seeds))
	return sum.cost <= budget && float64(sum.longest)*alone <= float64(budget)
}

// leaveOut leaves benchmarks to time until the others fit into the budget: first those with a verdict, then those that are
// not near, and the most expensive ones first. Then those come back that fit beside the
// others: a function's set-up is saved with its last benchmark only.
func (p *plan) leaveOut(rows []*row, budget time.Duration) {
	worth := func(r *row) int {
		if r.IsDecided() {
			return 0
		}
		return 1 + r.Reach.Near
	}
	order := p.byCost(rows)
	slices.SortStableFunc(order, func(a, b *row) int { return cmp.Compare(worth(a), worth(b)) })
	n := 0
	for ; n < len(order) && !p.fits(order, budget); n++ {
		order[n].leftOut = frame.NotCounted
	}
	for _, r := range slices.Backward(order[:n]) {
		if r.leftOut = ""; !p.fits(order, budget) {
			r.leftOut = frame.NotCounted
		}
	}
}

// chooseTools lets callgrind count the benchmarks whose functions are wanted, for up to half of the budget, and cachegrind
// the others. It leaves out what takes longer than all of the budget.
func (p *plan) chooseTools(rows []*row, budget time.Duration) {
	functions := p.sumOf(nil)
	for _, r := range filter(rows, (*row).isCounted) {
		if r.functions = r.wantsFunctions(); r.functions && functions.cost+p.costOf(r) < budget/2 {
			functions.add(r)
			continue
		}
		if r.functions = false; p.costOf(r) > budget {
			r.leftOut = frame.NotCounted
		}
	}
}

// runsOf is the number of a benchmark's runs in a process of the stage. Three pairs have a much narrower interval
// than two, and a short run costs little beside the rest of the process. Of a first count without a run before it, one
// run has warm caches.
func (p *plan) runsOf(r *row) int {
	switch {
	case p.fewestRuns && !r.Parallel && r.Result.Pairs()+r.Earlier.Pairs() > 0:
		return 1
	case p.fewestRuns && !r.Parallel:
		return verdict.FewestPairs
	case p.stage.runs > verdict.FewestPairs || !r.isShort(r.operations) || r.wantsFunctions():
		return p.stage.runs
	}
	return p.stage.runs + 1
}

// byCost returns rows in order, the most expensive first. Those of a function share what it does before.
func (p *plan) byCost(rows []*row) []*row {
	number := make(map[listing.Process]time.Duration)
	for _, r := range rows {
		number[r.FunctionKey()]++
	}
	cost := func(r *row) time.Duration {
		return p.costOf(r) + p.sharedCostOf(r)/number[r.FunctionKey()]
	}
	return slices.SortedStableFunc(slices.Values(rows), func(a, b *row) int { return cmp.Compare(cost(b), cost(a)) })
}

// divide divides rows into the tasks of the stage. A package is divided among cores where it takes most of the
// time.
func (p *plan) divide(rows []*row) (tasks []*task) {
	all := time.Duration(0)
	groups := text.Groups(p.byCost(rows), func(r *row) countPart { return countPart{pkg: r.Pkg, functions: r.functions} })
	for _, group := range groups {
		all += p.sumOf(group).cost * time.Duration(p.stage.seeds)
	}
	for _, group := range groups {
		pkg, functions, cost := group[0].Pkg, group[0].functions, p.sumOf(group).cost
		processes := []*costSum{p.sumOf(nil)}
		if cost > 3*p.startOf(pkg, functions) {
			for range int(math.Round(float64(cost)/float64(all)*float64(p.Parallelism()))) - 1 {
				processes = append(processes, p.sumOf(nil))
			}
		}
		long := make(map[string]*costSum) // process of a function with a long set-up
		for _, r := range group {
			least := cmp.Or(long[r.Function()], slices.MinFunc(processes, func(a, b *costSum) int { return cmp.Compare(a.cost, b.cost) }))
			if r.SharedSetUp > longSetUp {
				long[r.Function()] = least
			}
			least.add(r)
		}
		for _, process := range processes {
			for seed := range p.stage.seeds {
				if len(process.rows) > 0 {
					tasks = append(tasks, &task{pkg: pkg, functions: functions, seed: p.stage.first + uint64(seed),
						rows: slices.Clone(process.rows), cost: process.cost, longest: process.longest})
				}
			}
		}
	}
	slices.SortStableFunc(tasks, func(a, b *task) int { return cmp.Compare(b.cost, a.cost) })
	return tasks
}

// share shares out the time among the counts of benchmarks and their times, unless the user wants none of these.
// Times need more if some benchmarks cannot be counted: for as many rounds of these as the first look takes, if that
// leaves enough for the counts.
func (p *plan) share() {
	decided, least := frame.Share(frame.PartNarrowCounts), frame.Floor(frame.Counts)
	left, uncounted := float64(p.Bounds.Left()), 0.0
	for _, r := range p.rows {
		if _, reason := count.Iterations(r.cost, 0, count.Work); reason != "" {
			uncounted += 2 * verdict.FirstLook * float64(r.cost)
		}
	}
	part := 0.9
	switch {
	case p.OnlyCounts:
		part = frame.Share(frame.Counts)
	case uncounted > (1-least)*left:
		part = decided // they cannot be decided in time
	case uncounted > 0:
		part = max(least, part-1.2*uncounted/left)
	}
	p.last = p.Bounds.BeginWith(frame.Counts, part).End
	p.enough = time.Now().Add(time.Duration(min(part, decided) * left))
}

// timeOfRest is the time of a first look at the benchmarks left out by the stage.
func (p *plan) timeOfRest(rows []*row) time.Duration {
	rest := filter(rows, func(r *row) bool { return !r.isCounted() })
	return p.timeOfRounds(rest) / (timing.PlannedRounds + timing.SizingRounds) * (verdict.FirstLook + timing.SizingRounds)
}

// timeOfRounds is the time of all rounds of benchmarks.
func (p *plan) timeOfRounds(rows []*row) time.Duration {
	rounds := timing.Plan{Benchmarks: benchmarksOf(rows), Work: timing.Work{Duration: timing.SampleTime(len(rows), p.Bounds.Left())}}
	return rounds.RoundsTime()
}

// endOf returns the end of the counts of benchmarks. It leaves time to measure those that earlier stages have not
// decided, unless all of them are claims.
func (p *plan) endOf(rows []*row) time.Time {
	if !slices.ContainsFunc(rows, func(r *row) bool { return !r.IsDecided() }) {
		return p.enough
	}
	if !p.bounded || p.OnlyCounts || len(filter(rows, (*row).isClaim)) == len(rows) {
		return p.last
	}
	return p.Bounds.End().Add(-max(p.timeOfOpen(), p.Bounds.End().Sub(p.last)))
}

// timeOfOpen is the time for the rounds of the benchmarks that have been counted, or left out, and do not pass. Of many, it
// has only some with more memory or longer long runs: rounds alone decide these, and counts decide the others better.
func (p *plan) timeOfOpen() time.Duration {
	const most = 0.3 // of the time
	needsRounds := func(r *row) bool { return p.Judges.MoreMemory(r.Benchmark) != "" || p.Judges.IsSuspect(r.Benchmark) }
	open := filter(p.rows, func(r *row) bool {
		wasTried := r.Result.Pairs() > 0 || r.Reason != ""
		return wasTried && p.Judges.Of(r.Benchmark).IsOpen() && (!r.IsDecided() || needsRounds(r) || p.Judges.UnseenByCount(r.Benchmark) != "")
	})
	if len(open) > timing.FewOpen {
		open = filter(open, needsRounds)
		open = open[:min(len(open), timing.FewOpen)]
	}
	sum := p.timeOfRounds(open)
	for _, r := range filter(open, func(r *row) bool { return p.Judges.IsSuspect(r.Benchmark) }) {
		sum += timing.RepeatTime(r.Benchmark) * time.Duration(min(r.Procs, p.Parallelism())) / time.Duration(p.Parallelism())
	}
	return min(sum, time.Duration(most*float64(p.Total())))
}

// patience is the time without progress until a benchmark of a task counts as stuck. It takes a small part of the stage's
// time: under the counter, those with connections may wait for ever, and others wait behind them.
func (p *plan) patience(t *task) time.Duration {
	const least, most, factor = 3 * time.Second, 20 * time.Second, 3
	wait := most
	if p.bounded {
		wait = max(least, min(most, time.Until(p.end)/8))
	}
	return max(wait, time.Duration(factor*float64(t.longest)*max(1, t.pkg.Slowdown)))
}
