package ab

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
)

// divide divides benchmarks among processes. They share one when there are too many for a
// process each, when a process of the package takes long to start, or when their function does.
func (t *timeSampler) divide(benchmarks []*benchmark) [][]*benchmark {
	var parts [][]*benchmark
	type key struct {
		procs    int
		depth    int
		function string
	}
	shared := make(map[key]int)   // part with room left
	work := make(map[key]float64) // its work in seconds
	overhead := benchmarks[0].pkg.overhead
	share := t.share || overhead > longSetUp && t.hasCPU
	for _, b := range benchmarks {
		z, ofFunction := t.sizes[b], t.hasCPU && b.hasLongSetUp()
		budget := max(processWork, 2*overhead).Seconds()
		if ofFunction {
			budget = max(budget, 2*b.sharedSetUp.Seconds())
		}
		cost := max(z.cost[frame.Old], z.cost[frame.New]) * float64(max(1, z.iterations))
		k := key{procs: b.procs, depth: strings.Count(b.printed, "/")}
		switch {
		case z.withSiblings:
			k.depth, k.function = 0, topLevel(b.printed)
		case !share && !ofFunction || cost > budget/4 || z.long > 0 && !ofFunction && overhead <= longSetUp || t.hasNamesake(b) || b.alone && !ofFunction:
			parts = append(parts, []*benchmark{b})
			continue
		case ofFunction:
			k.function = topLevel(b.printed)
		}
		at, ok := shared[k]
		if !ok || work[k] > budget && !z.withSiblings {
			at = len(parts)
			parts = append(parts, nil)
			shared[k], work[k] = at, 0
		}
		parts[at] = append(parts[at], b)
		work[k] += max(cost, smallSample.Seconds())
	}
	return parts
}

// batch divides parts into those that run at the same time, on a core each. Those of like duration run together, since
// the longest one of them holds the others up.
func (t *timeSampler) batch(parts [][]*benchmark) (batches [][][]*benchmark) {
	slices.SortStableFunc(parts, func(a, b []*benchmark) int { return cmp.Compare(expectedTime(b), expectedTime(a)) })
	room := 0 // in the last batch
	for _, part := range parts {
		lanes := t.lanes
		if t.sizes[part[0]].long > 0 {
			lanes = max(lanes, t.job.Lanes())
		}
		if needsMachine := slices.ContainsFunc(part, (*benchmark).needsMachine); needsMachine || lanes <= 1 {
			batches = append([][][]*benchmark{{part}}, batches...)
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

// expectedTime is that of a process with benchmarks.
func expectedTime(benchmarks []*benchmark) (sum time.Duration) {
	for _, b := range benchmarks {
		sum += b.expected
	}
	return sum
}
