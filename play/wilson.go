package play

import "math"

// Wilson returns the 95 % confidence interval of a win rate after the given wins in
// so many games, as fractions of 1. It is Wilson's score interval ("Probable
// inference, the law of succession, and statistical inference", JASA 1927), which
// stays inside 0..1 and holds for few games and lopsided results too. Without a
// game it is 0 to 1. The games must be independent: for those of a match, which come
// in pairs of the same dice, there is [Pairs.Interval].
func Wilson(wins, games int64) (low, high float64) {
	if games <= 0 {
		return 0, 1
	}
	return wilson(float64(wins)/float64(games), float64(games))
}

// wilson is Wilson for a rate in n games, which need not be a whole number.
func wilson(rate, n float64) (low, high float64) {
	if n <= 0 {
		return 0, 1
	}
	const z = 1.959963984540054 // 97.5 % of the normal distribution lie below
	centre := (rate + z*z/(2*n)) / (1 + z*z/n)
	spread := z / (1 + z*z/n) * math.Sqrt(rate*(1-rate)/n+z*z/(4*n*n))
	return max(0, centre-spread), min(1, centre+spread)
}
