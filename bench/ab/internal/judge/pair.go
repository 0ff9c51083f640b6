package judge

import (
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Sampler measures benchmarks on both sides. It returns pairs in the order taken, and abandons a benchmark that cannot
// be measured. A benchmark without a pair in the result needs another call.
type Sampler = verdict.Sampler[*listing.Benchmark, Pair]

// Pair holds a sample of each side, taken side by side or with the same seed.
type Pair struct {
	Benchmark *listing.Benchmark
	Sides     [2]listing.Sample
	Clock     report.Clock        // judged clock
	Earlier   [][2]listing.Sample // shorter runs before the first pair
}
