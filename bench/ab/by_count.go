package ab

import (
	"cmp"
	"context"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/count"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// countGroups counts the instructions of all implementations with two seeds, in a part of the time. It returns nil
// where nothing can count.
func countGroups(ctx context.Context, r count.Request, all *groupList) (*count.Sampler, error) {
	if !r.OnlyCounts {
		r.Bounds = frame.NewBudget(r.Bounds.Begin(frame.GroupCounts).Length(), false)
	}
	c, err := count.NewSampler(ctx, r)
	if c == nil {
		return nil, err
	}
	limited, cancel := context.WithDeadline(ctx, r.Bounds.End())
	defer cancel()
	benchmarks := all.benchmarks()
	c.Prepare(benchmarks)
	for number := range verdict.ClaimSeeds {
		rows := slices.DeleteFunc(slices.Clone(benchmarks), func(b *listing.Benchmark) bool { return c.Plan.RowOf(b).Reason != "" })
		if rows = c.Plan.Begin(count.StageOf(number), rows); len(rows) == 0 || limited.Err() != nil {
			break
		}
		c.Show("counting instructions", len(rows))
		if err := c.Take(limited, rows); err != nil && limited.Err() == nil {
			return c, err
		}
	}
	return c, ctx.Err()
}

// compareCounts compares the counts of two implementations, run by run with the same seed.
func compareCounts(limit float64, base, other *judge.Counts) verdict.Count {
	c := verdict.Count{Limit: limit}
	used := make(map[int]bool)
	for _, p := range other.Pairs {
		i := slices.IndexFunc(base.Pairs, func(q judge.CountedPair) bool { return q.Seed == p.Seed })
		for i >= 0 && i < len(base.Pairs) && used[i] {
			i++
		}
		if i < 0 || i >= len(base.Pairs) || base.Pairs[i].Seed != p.Seed {
			continue
		}
		used[i] = true
		_ = c.Add(p.Seed, base.Pairs[i].Sides[frame.New], p.Sides[frame.New]) // both were counted
	}
	c.Judge()
	return c
}

// instructions is the median count of an operation, and the number of counts.
func instructions(c *judge.Counts) (float64, int) {
	if c == nil {
		return 0, 0
	}
	var all []float64
	for _, p := range c.Pairs {
		all = append(all, p.Sides[frame.New])
	}
	return verdict.Median(all), len(all)
}

// fewestInstructions returns the index of the implementation with the fewest instructions; -1 where none is counted.
func (g *group) fewestInstructions(v *judge.Table) int {
	fewest, least := -1, 0.0
	for i, e := range g.entries {
		if x, n := instructions(v.Of(e.Benchmark).Counts); n > 0 && (fewest < 0 || cmp.Less(x, least)) {
			fewest, least = i, x
		}
	}
	return fewest
}
