package bench

import (
	"math"
	"math/rand/v2"
	"slices"

	"golang.org/x/perf/benchmath"
)

// confidence of every interval reported.
const confidence = 0.95

// resamples of the bootstrap: enough for the ends of a 95 % interval to be stable
// in the digits printed.
const resamples = 2000

// Interval is an estimate with its confidence interval, all in one unit.
type Interval struct {
	Median, Lo, Hi float64
}

// Estimate returns the median of samples and its non-parametric 95 % confidence
// interval, from order statistics, as benchstat has it. Of fewer than 6 samples no
// order statistics reach 95 %; the interval is then the range of the samples. There
// must be one sample at least.
func Estimate(samples []float64) Interval {
	sample := benchmath.NewSample(slices.Clone(samples), &benchmath.DefaultThresholds)
	s := benchmath.AssumeNothing.Summary(sample, confidence)
	i := Interval{s.Center, s.Lo, s.Hi}
	if math.IsInf(i.Lo, 0) || math.IsInf(i.Hi, 0) {
		i.Lo, i.Hi = slices.Min(samples), slices.Max(samples)
	}
	return i
}

// Ratio compares paired samples: element k of both was taken in the same round, so
// that what disturbed one disturbed the other. It returns the median of the ratios
// samples[k]/base[k] and its 95 % interval by the percentile bootstrap (Efron and
// Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13) over rounds.
// Both must have the same length, one at least. The interval follows from the seed.
func Ratio(samples, base []float64, seed uint64) Interval {
	ratios := make([]float64, len(samples))
	for k := range samples {
		ratios[k] = samples[k] / base[k]
	}
	rng := rand.New(rand.NewPCG(seed, resamples))
	medians := make([]float64, resamples)
	drawn := make([]float64, len(ratios))
	for i := range medians {
		for k := range drawn {
			drawn[k] = ratios[rng.IntN(len(ratios))]
		}
		medians[i] = median(drawn)
	}
	slices.Sort(medians)
	return Interval{
		Median: median(ratios),
		Lo:     quantile(medians, (1-confidence)/2),
		Hi:     quantile(medians, (1+confidence)/2),
	}
}

// Covers reports whether the interval has x inside or at its ends.
func (i Interval) Covers(x float64) bool { return i.Lo <= x && x <= i.Hi }

// median sorts its argument and returns the middle, or the mean of the middle two.
func median(x []float64) float64 {
	slices.Sort(x)
	return quantile(x, 0.5)
}

// quantile returns the q-quantile, 0 <= q <= 1, of sorted numbers, with linear
// interpolation between neighbours.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	if low+1 == len(sorted) {
		return sorted[low]
	}
	part := at - float64(low)
	return sorted[low]*(1-part) + sorted[low+1]*part
}
