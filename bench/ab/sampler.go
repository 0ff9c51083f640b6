package ab

import (
	"context"

	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/report"
)

// Sampler measures benchmarks on both sides.
type Sampler interface {
	// Sample returns further samples of benchmarks, in the order taken. It abandons a benchmark that cannot be
	// measured. A benchmark without a sample in the result needs another call.
	Sample(ctx context.Context, benchmarks []*benchmark) ([]Pair, error)
}

// Pair holds a sample of each side, taken side by side or with the same seed.
type Pair struct {
	Benchmark *benchmark
	sides     [2]sample
	clock     report.Clock // judged clock; "" of a count
	earlier   [][2]sample  // shorter runs before the first pair
	functions [2][]count.Function
	failure   string // reason of a benchmark that cannot be counted
}
