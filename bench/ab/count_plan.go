package ab

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/internal/count"
)

// Costs of callgrind: a process of a Go program starts within countStart, each benchmark with its dump adds
// countEach, and code takes countSlowdown times its native time.
const (
	countStart    = time.Second
	countEach     = 40 * time.Millisecond
	countSlowdown = 40
)

// noTimeToCount is the reason of a benchmark that is left to time.
const noTimeToCount = "there is no time to count it"

// countPlan shares out the time for counts.
type countPlan struct {
	end       time.Time // of the counts; zero where each takes its native time
	processes int       // at once
	judges    *judges
}

// newCountPlan returns the plan of a context.
func newCountPlan(ctx context.Context, processes int, counter *count.Counter, v *judges) *countPlan {
	p := &countPlan{processes: processes, judges: v}
	if end, ok := ctx.Deadline(); ok && counter.Name() == "valgrind" {
		p.end = end
	}
	return p
}

// rowOf returns the count of a benchmark.
func (p *countPlan) rowOf(b *benchmark) *countRow { return p.judges.fileOf(b).counts }

// budget is the time for the counts of one side with one seed, if all cores count until the end.
func (p *countPlan) budget() time.Duration {
	if p.end.IsZero() {
		return math.MaxInt64
	}
	return time.Duration(int64(time.Until(p.end)) * int64(p.processes) / (2 * leastSeeds))
}

// setUp is the time of a package's process under valgrind outside of its benchmarks.
func setUp(p *testPackage) time.Duration {
	return countStart + countSlowdown*max(0, p.overhead-processTime)
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
	budget, sum := p.budget()/4*3, time.Duration(0)
	for _, k := range packages {
		if sum+setUp(k) <= budget {
			sum += setUp(k)
			continue
		}
		for _, b := range benchmarks {
			if b.pkg == k {
				p.rowOf(b).left = fmt.Sprintf("there is no time to count behind a set-up of %v", k.overhead.Round(time.Millisecond))
			}
		}
	}
}

// fitCounts chooses the iterations of counts for some native work, or for as little as an eighth of [count.Work]
// if more does not fit into the budget, and then leaves the most expensive benchmarks to time.
func (p *countPlan) fitCounts(benchmarks []*benchmark, work time.Duration) {
	budget := p.budget()
	rows := slices.DeleteFunc(slices.Clone(benchmarks), func(b *benchmark) bool { return p.rowOf(b).left != "" })
	for _, k := range packagesOf(rows) {
		budget -= setUp(k)
	}
	sum := time.Duration(0)
	for {
		sum = 0
		for _, b := range rows {
			r := p.rowOf(b)
			b.countIterations, r.left = count.Iterations(r.cost, r.sections, work)
			switch each := p.costOf(b); {
			case r.left != "":
			case each > budget:
				r.left = noTimeToCount
			default:
				sum += each
			}
		}
		if sum <= budget || work <= count.Work/8 {
			break
		}
		work /= 2
	}
	for _, b := range p.byCost(rows) {
		if r := p.rowOf(b); r.left == "" && sum > budget {
			sum -= p.costOf(b)
			r.left = noTimeToCount
		}
	}
}

// costOf is the time of a benchmark's count. Its function runs for one iteration, and then for those that are counted.
func (p *countPlan) costOf(b *benchmark) time.Duration {
	r, n := p.rowOf(b), time.Duration(b.countIterations)
	if n == 1 {
		return countEach + countSlowdown*(r.setUp+r.cost)
	}
	return countEach + countSlowdown*(2*r.setUp+(n+1)*r.cost)
}

// byCost returns benchmarks in order, the most expensive first.
func (p *countPlan) byCost(benchmarks []*benchmark) []*benchmark {
	return slices.SortedStableFunc(slices.Values(benchmarks), func(a, b *benchmark) int { return cmp.Compare(p.costOf(b), p.costOf(a)) })
}

// fitSeeds leaves the most expensive benchmarks to time if further seeds take longer than there is time. It returns
// the others.
func (p *countPlan) fitSeeds(benchmarks []*benchmark, need time.Duration) []*benchmark {
	const part = 0.9 // of the time, since the next seeds may take longer
	left := time.Duration(part * float64(time.Until(p.end)))
	if p.end.IsZero() || need <= left {
		return benchmarks
	}
	rows, sum := p.byCost(benchmarks), time.Duration(0)
	for _, b := range rows {
		sum += p.costOf(b)
	}
	most := float64(sum) * max(0, float64(left)) / float64(need)
	for len(rows) > 0 && float64(sum) > most {
		sum -= p.costOf(rows[0])
		p.rowOf(rows[0]).reason = noTimeToCount
		rows = rows[1:]
	}
	return rows
}

// divide divides the benchmarks of a package into parts that take equally long.
func (p *countPlan) divide(benchmarks []*benchmark, parts int) [][]*benchmark {
	divided, sums := make([][]*benchmark, parts), make([]time.Duration, parts)
	for _, b := range p.byCost(benchmarks) {
		least := slices.Index(sums, slices.Min(sums))
		divided[least] = append(divided[least], b)
		sums[least] += p.costOf(b)
	}
	return slices.DeleteFunc(divided, func(part []*benchmark) bool { return len(part) == 0 })
}
