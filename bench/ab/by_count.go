package ab

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// countGroups counts the instructions of all implementations with two seeds, in a part of the time. It returns nil
// where nothing can count, or need not.
func countGroups(ctx context.Context, j *job, b *builds, links *linkPool, all *groupList, v *judges) (*countSampler, error) {
	if j.Judge == TimeOnly {
		return nil, nil
	}
	if !b.canCount() {
		return nil, goWithoutCounts(j, fmt.Errorf("%s on %s cannot be counted", b.goVersion, b.sides.Trees[frame.New].Toolchain.GOARCH))
	}
	counter, err := findCounter(ctx, j)
	if err != nil || counter == nil {
		return nil, err
	}
	whole := j.Budget
	defer func() { j.Budget = whole }()
	if j.Judge != CountOnly {
		j.Budget = frame.NewBudget(j.Begin(frame.GroupCounts).Length(), false)
	}
	limited, cancel := context.WithDeadline(ctx, j.End())
	defer cancel()
	c := &countSampler{job: j, builds: b, counter: counter, judges: v, cache: links.cache}
	benchmarks := all.benchmarks()
	costCounts(j, benchmarks, v)
	c.plan = newCountPlan(j, v, benchmarks, counter.Name() == "valgrind")
	for number := range verdict.ClaimSeeds {
		rows := slices.DeleteFunc(slices.Clone(benchmarks), func(b *benchmark) bool { return v.fileOf(b).counts.reason != "" })
		c.plan.begin(stageOf(number), rows)
		rows = slices.DeleteFunc(rows, func(b *benchmark) bool { return !c.plan.rowOf(b).begin(b.countIterations) })
		if len(rows) == 0 || limited.Err() != nil {
			break
		}
		j.Show("counting instructions", len(rows))
		pairs, err := c.Sample(limited, rows)
		judgeCounts(v, pairs, rows)
		if err != nil && limited.Err() == nil {
			return c, err
		}
	}
	return c, ctx.Err()
}

// compareCounts compares the counts of two implementations, run by run with the same seed.
func compareCounts(limit float64, base, other *countRow) verdict.Count {
	c := verdict.Count{Limit: limit}
	used := make(map[int]bool)
	for _, p := range other.pairs {
		i := slices.IndexFunc(base.pairs, func(q keptPair) bool { return q.Seed == p.Seed })
		for i >= 0 && i < len(base.pairs) && used[i] {
			i++
		}
		if i < 0 || i >= len(base.pairs) || base.pairs[i].Seed != p.Seed {
			continue
		}
		used[i] = true
		_ = c.Add(p.Seed, base.pairs[i].Sides[frame.New], p.Sides[frame.New]) // both were counted
	}
	c.Judge()
	return c
}

// instructions is the median count of an operation, and the number of counts.
func instructions(c *countRow) (float64, int) {
	if c == nil {
		return 0, 0
	}
	var all []float64
	for _, p := range c.pairs {
		all = append(all, p.Sides[frame.New])
	}
	return verdict.Median(all), len(all)
}

// fewestInstructions returns the index of the implementation with the fewest instructions; -1 where none is counted.
func (g *group) fewestInstructions(v *judges) int {
	fewest, least := -1, 0.0
	for i, e := range g.entries {
		if x, n := instructions(v.fileOf(e.benchmark).counts); n > 0 && (fewest < 0 || cmp.Less(x, least)) {
			fewest, least = i, x
		}
	}
	return fewest
}
