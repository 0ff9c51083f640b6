package ab

import (
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Sampler measures benchmarks on both sides. It returns pairs in the order taken, and abandons a benchmark that cannot
// be measured. A benchmark without a pair in the result needs another call.
type Sampler = verdict.Sampler[*benchmark, Pair]

// Pair holds a sample of each side, taken side by side or with the same seed.
type Pair struct {
	Benchmark *benchmark
	sides     [2]sample
	clock     report.Clock // judged clock; "" of a count
	earlier   [][2]sample  // shorter runs before the first pair
	seed      uint64       // a count's seed
	memory    [2]count.Memory
	functions [2][]count.Function
	failure   string // reason of a benchmark that cannot be counted
}
