package ab

import (
	"cmp"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
)

// countTask is the work of a process on each side.
type countTask struct {
	pkg        *testPackage
	seed       uint64
	benchmarks []*benchmark
	method     count.Method
	cost       time.Duration    // planned CPU time a side, on an idle core
	longest    time.Duration    // part of it for the most expensive benchmark, with the start of the process
	took       [2]time.Duration // CPU time of each side; 0 of one that was cut off
	results    [2]count.Result
}

// figures are the counted runs of a benchmark on a side.
func (t *countTask) figures(b *benchmark, side int) []count.Figures {
	return t.results[side].Benchmarks["Benchmark"+b.printed]
}

// failure is the reason of a benchmark failing under the counter, or "".
func (t *countTask) failure(b *benchmark, side int) string {
	return t.results[side].Failed["Benchmark"+b.printed]
}

// isComplete reports whether a benchmark has figures of a side.
func (t *countTask) isComplete(b *benchmark, side int) bool { return len(t.figures(b, side)) > 0 }

// pair pairs the counts of both sides by runs. A benchmark failing under the counter keeps the reason.
func (t *countTask) pair() (pairs []Pair) {
	for _, b := range t.benchmarks {
		if why := cmp.Or(t.failure(b, frame.Old), t.failure(b, frame.New)); why != "" {
			pairs = append(pairs, Pair{Benchmark: b, failure: why})
			continue
		}
		before, after := t.figures(b, frame.Old), t.figures(b, frame.New)
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
		p.memory[side], p.functions[side] = f.Memory, f.Functions
	}
	return p
}
