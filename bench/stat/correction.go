package stat

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Holm corrects the p-values of a family of tests: when every test whose corrected
// value is at most alpha is called significant, the probability that any of them is
// so by chance is at most alpha, however the tests depend on each other (Holm, "A
// simple sequentially rejective multiple test procedure", Scandinavian Journal of
// Statistics 6, 1979).
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	corrected := make([]float64, len(p))
	highest := 0.0
	for done, i := range order {
		highest = max(highest, min(1, p[i]*float64(len(p)-done)))
		corrected[i] = highest
	}
	return corrected
}

// Wilson is the 95 % interval of a rate of which hits in n trials were seen (Wilson,
// "Probable inference, the law of succession, and statistical inference", Journal of
// the American Statistical Association 22, 1927). Of no trials it is from 0 to 1.
func Wilson(hits, n int) (lo, hi float64) {
	if n == 0 {
		return 0, 1
	}
	z := distuv.UnitNormal.Quantile((1 + Confidence) / 2)
	rate, trials := float64(hits)/float64(n), float64(n)
	square := float64(z * z)
	center := rate + square/(2*trials)
	reach := float64(z * math.Sqrt(rate*(1-rate)/trials+square/(4*trials*trials)))
	scale := 1 + square/trials
	lo, hi = max(0, (center-reach)/scale), min(1, (center+reach)/scale)
	return min(lo, rate), max(hi, rate) // rounding must not leave the rate outside
}
