package stat

import (
	"slices"

	"golang.org/x/perf/benchmath"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// CompareRanks is the comparison of benchmath, for most units the Mann-Whitney test,
// with a p-value of at most 1: of very few samples with ties, its exact distribution
// gives more.
func CompareRanks(assumption benchmath.Assumption, old, new []float64) benchmath.Comparison {
	comparison := assumption.Compare(newSample(old), newSample(new))
	comparison.P = min(1, comparison.P)
	return comparison
}

// Summary is that of benchmath: the center of samples and its interval of [verdict.Confidence].
func Summary(assumption benchmath.Assumption, samples []float64) benchmath.Summary {
	return assumption.Summary(newSample(samples), verdict.Confidence)
}

// newSample leaves the order of the values as it is.
func newSample(values []float64) *benchmath.Sample {
	return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
}

// FewestRanked is the number of samples a side at which the smallest possible p-value of the
// Mann-Whitney test, that of sides without overlap, reaches a level: 2/C(2n,n).
func FewestRanked(level float64) int {
	p := 2.0
	for n := 1; ; n++ {
		p *= float64(n) / float64(2*(2*n-1))
		if p <= level && n >= MinCount {
			return n
		}
	}
}

// RankTest is the p-value of the Mann-Whitney test.
func (p Pair) RankTest() float64 {
	return CompareRanks(benchmath.AssumeNothing, p.Old, p.New).P
}
