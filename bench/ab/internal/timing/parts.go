package timing

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
)

// Divide divides benchmarks among processes. They share one when there are too many for a
// process each, when a process of the package takes long to start, or when their function does.
func (t *Sampler) Divide(benchmarks []*listing.Benchmark) [][]*listing.Benchmark {
	var parts [][]*listing.Benchmark
	type key struct {
		procs    int
		depth    int
		function string
	}
	shared := make(map[key]int)   // part with room left
	work := make(map[key]float64) // its work in seconds
	overhead := benchmarks[0].Pkg.Overhead
	share := t.Share || overhead > listing.LongSetUp && t.hasCPU
	for _, b := range benchmarks {
		z, ofFunction := t.Sizes[b], t.hasCPU && b.HasLongSetUp()
		budget := max(processWork, 2*overhead).Seconds()
		if ofFunction {
			budget = max(budget, 2*b.SharedSetUp.Seconds())
		}
		cost := max(z.cost[frame.Old], z.cost[frame.New]) * float64(max(1, z.iterations))
		k := key{procs: b.Procs, depth: strings.Count(b.Printed, "/")}
		switch {
		case z.WithSiblings:
			k.depth, k.function = 0, listing.TopLevel(b.Printed)
		case !share && !ofFunction || cost > budget/4 || z.long > 0 && !ofFunction && overhead <= listing.LongSetUp || t.hasNamesake(b) || t.Judges.Of(b).Alone && !ofFunction:
			parts = append(parts, []*listing.Benchmark{b})
			continue
		case ofFunction:
			k.function = listing.TopLevel(b.Printed)
		}
		at, ok := shared[k]
		if !ok || work[k] > budget && !z.WithSiblings {
			at = len(parts)
			parts = append(parts, nil)
			shared[k], work[k] = at, 0
		}
		parts[at] = append(parts[at], b)
		work[k] += max(cost, SmallSample.Seconds())
	}
	return parts
}

// batch divides parts into those that run at the same time, on a core each. Those of like duration run together, since
// the longest one of them holds the others up.
func (t *Sampler) batch(parts [][]*listing.Benchmark) (batches [][][]*listing.Benchmark) {
	slices.SortStableFunc(parts, func(a, b []*listing.Benchmark) int {
		return cmp.Compare(t.Judges.TimeOfRound(b), t.Judges.TimeOfRound(a))
	})
	room := 0 // in the last batch
	for _, part := range parts {
		lanes := t.lanes
		if t.Sizes[part[0]].long > 0 {
			lanes = max(lanes, t.Lanes())
		}
		if needsMachine := slices.ContainsFunc(part, t.Judges.NeedsMachine); needsMachine || lanes <= 1 {
			batches = append([][][]*listing.Benchmark{{part}}, batches...)
			continue
		}
		if room == 0 {
			batches, room = append(batches, nil), lanes
		}
		last := len(batches) - 1
		batches[last] = append(batches[last], part)
		room--
	}
	return batches
}
