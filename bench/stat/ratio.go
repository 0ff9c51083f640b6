package bench

import (
	"math"
	"math/rand/v2"
	"slices"
)

// MedianRatio compares two samples that are not paired. It returns the ratio of the
// medians, new over old, and its 95 % interval by the percentile bootstrap, for which
// each side is drawn anew (see [Ratio] for pairs). Both must have a sample at least.
// The interval follows from the seed.
func MedianRatio(old, new []float64, seed uint64) Interval {
	rng := rand.New(rand.NewPCG(seed, resamples+1))
	old, new = slices.Sorted(slices.Values(old)), slices.Sorted(slices.Values(new))
	olds, news := drawnMedians(old, rng), drawnMedians(new, rng)
	for i := range news {
		news[i] = quotient(news[i], olds[i])
	}
	slices.Sort(news)
	return Interval{
		Median: quotient(quantile(new, 0.5), quantile(old, 0.5)),
		Lo:     quantile(news, (1-confidence)/2),
		Hi:     quantile(news, (1+confidence)/2),
	}
}

// medianOfRatios is [Ratio] of new over old, where 0 over 0 is 1.
func medianOfRatios(old, new []float64, seed uint64) Interval {
	ratios := make([]float64, len(new))
	for k := range ratios {
		ratios[k] = quotient(new[k], old[k])
	}
	slices.Sort(ratios)
	medians := drawnMedians(ratios, rand.New(rand.NewPCG(seed, resamples)))
	slices.Sort(medians)
	return Interval{
		Median: quantile(ratios, 0.5),
		Lo:     quantile(medians, (1-confidence)/2),
		Hi:     quantile(medians, (1+confidence)/2),
	}
}

// quotient is a/b, and 1 where both are the same, 0 among them, as benchstat has it.
func quotient(a, b float64) float64 {
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

// ranked returns the value of a rank, from 0, in a sample that has each of the
// sorted values so many times.
func ranked(sorted []float64, counts []int, rank int) float64 {
	for i, count := range counts {
		if rank < count {
			return sorted[i]
		}
		rank -= count
	}
	return sorted[len(sorted)-1]
}
