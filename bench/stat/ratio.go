package stat

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// resamples of the bootstrap: enough for the ends of a 95 % interval to be stable
// in the digits printed.
const resamples = 2000

// RatioOfPairs compares two sides measured side by side: element k of both was taken in the
// same round, so a disturbance affects both. It returns the median of the ratios new[k]/old[k],
// with 0 over 0 as 1, and its 95 % interval by the percentile bootstrap over rounds. Both must
// have the same length, one at least. The seed determines the interval.
func RatioOfPairs(old, new []float64, seed uint64) Interval {
	ratios := make([]float64, len(new))
	for k := range ratios {
		ratios[k] = Quotient(new[k], old[k])
	}
	slices.Sort(ratios)
	medians := drawnMedians(ratios, rand.New(rand.NewPCG(seed, resamples)))
	return percentiles(Quantile(ratios, 0.5), medians)
}

// percentiles is the interval of the middle of resampled estimates.
func percentiles(estimate float64, drawn []float64) Interval {
	slices.Sort(drawn)
	return Interval{
		Median: estimate,
		Lo:     Quantile(drawn, (1-verdict.Confidence)/2),
		Hi:     Quantile(drawn, (1+verdict.Confidence)/2),
	}
}

// Quotient is a/b, and 1 where both are the same, 0 among them, as benchstat has it.
func Quotient(a, b float64) float64 {
	if a == b {
		return 1
	}
	return a / b
}

// drawnMedians returns the medians of as many samples as the bootstrap takes, each
// drawn from sorted values. To count how often each value is drawn is to sort them.
func drawnMedians(sorted []float64, rng *rand.Rand) []float64 {
	n := len(sorted)
	counts := make([]int, n)
	medians := make([]float64, resamples)
	for i := range medians {
		clear(counts)
		for k := 0; k < n; k += 2 { // two numbers from the halves of one, even to one part in 2^32/n
			random := rng.Uint64()
			counts[random>>32*uint64(n)>>32]++
			if k+1 < n {
				counts[random&math.MaxUint32*uint64(n)>>32]++
			}
		}
		medians[i] = (ranked(sorted, counts, (n-1)/2) + ranked(sorted, counts, n/2)) / 2
	}
	return medians
}

// ranked returns the value of a rank, from 0, in a sample with the given multiplicity of each
// sorted value.
func ranked(sorted []float64, counts []int, rank int) float64 {
	for i, count := range counts {
		if rank < count {
			return sorted[i]
		}
		rank -= count
	}
	return sorted[len(sorted)-1]
}
