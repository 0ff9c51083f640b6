package rating

import "math"

// quantile is how many standard deviations from the mean 97.5 % of the normal
// distribution end: an interval from -quantile to quantile has 95 %.
const quantile = 1.959963984540054

// Wilson returns the 95 % confidence interval of a rate, given hits in n trials, as fractions
// of 1. It is Wilson's score interval ("Probable inference, the law of succession, and
// statistical inference", JASA 1927), which stays inside 0..1, always contains hits/trials, and
// holds for few trials and lopsided rates too. Without a trial it is 0 to 1. The trials must be
// independent; for games in pairs with the same dice use [Pairs.Interval].
func Wilson(hits, trials int64) (low, high float64) {
	if trials <= 0 {
		return 0, 1
	}
	return wilson(float64(hits)/float64(trials), float64(trials))
}

// wilson is Wilson for a rate in n trials, not necessarily a whole number.
func wilson(rate, n float64) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	const z, square = quantile, quantile * quantile
	scale := 1 + square/n
	centre := (rate + square/(2*n)) / scale
	spread := float64(z * math.Sqrt(rate*(1-rate)/n+square/(4*n*n)) / scale)
	// Where the interval ends at the rate itself, rounding could leave it outside.
	return max(0, min(rate, centre-spread)), min(1, max(rate, centre+spread))
}
