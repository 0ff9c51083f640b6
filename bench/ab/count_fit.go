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
	countStart    = 1200 * time.Millisecond
	countEach     = 90 * time.Millisecond
	countSlowdown = 40
)

// budget is the time for the counts of one side with one seed, if all cores count until the context ends.
func (c *countSampler) budget(ctx context.Context) time.Duration {
	end, ok := ctx.Deadline()
	if !ok || c.counter.Name() != "valgrind" {
		return math.MaxInt64
	}
	return time.Duration(int64(time.Until(end)) * int64(c.parallelism()) / (2 * leastSeeds))
}

// setUp is the time of a package's process under valgrind outside of its benchmarks.
func setUp(p *testPackage) time.Duration {
	return countStart + countSlowdown*max(0, p.overhead-processTime)
}

// fitSetUps leaves packages to time whose set-ups take more than half of the budget. Those with the most benchmarks
// come first.
func (c *countSampler) fitSetUps(ctx context.Context, benchmarks []*benchmark, v *judges) {
	rows := make(map[*testPackage]int)
	for _, b := range benchmarks {
		rows[b.pkg]++
	}
	packages := packagesOf(benchmarks)
	slices.SortStableFunc(packages, func(a, b *testPackage) int { return cmp.Compare(rows[b], rows[a]) })
	budget, sum := c.budget(ctx)/2, time.Duration(0)
	for _, p := range packages {
		if sum+setUp(p) <= budget {
			sum += setUp(p)
			continue
		}
		for _, b := range benchmarks {
			if b.pkg == p {
				v.fileOf(b).counts.left = fmt.Sprintf("there is no time to count behind a set-up of %v", p.overhead.Round(time.Millisecond))
			}
		}
	}
}

// fitCounts chooses the iterations of counts for some native work, or for as little as an eighth of [count.Work]
// if more does not fit into the budget, and then leaves the most expensive benchmarks to time.
func (c *countSampler) fitCounts(ctx context.Context, benchmarks []*benchmark, v *judges, work time.Duration) {
	budget := c.budget(ctx)
	rows := slices.DeleteFunc(slices.Clone(benchmarks), func(b *benchmark) bool { return v.fileOf(b).counts.left != "" })
	for _, p := range packagesOf(rows) {
		budget -= setUp(p)
	}
	sum := time.Duration(0)
	for {
		sum = 0
		for _, b := range rows {
			r := v.fileOf(b).counts
			if b.countIterations, r.left = count.Iterations(r.cost, r.sections, work); r.left == "" {
				sum += c.costOf(b, r)
			}
		}
		if sum <= budget || work <= count.Work/8 {
			break
		}
		work /= 2
	}
	slices.SortStableFunc(rows, func(a, b *benchmark) int {
		return cmp.Compare(c.costOf(b, v.fileOf(b).counts), c.costOf(a, v.fileOf(a).counts))
	})
	for _, b := range rows {
		if r := v.fileOf(b).counts; r.left == "" && sum > budget {
			sum -= c.costOf(b, r)
			r.left = "there is no time to count it"
		}
	}
}

// costOf is the time of a benchmark's count.
func (c *countSampler) costOf(b *benchmark, r *countRow) time.Duration {
	return countEach + countSlowdown*r.cost*time.Duration(b.countIterations+1)
}
