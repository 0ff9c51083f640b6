// Package rating provides statistics on results between players: strengths, differences in
// strength, and their uncertainty. It knows no game.
//
// [Pairs] counts games in pairs with equal luck, with the sides exchanged, and computes
// scores and intervals from them. An [SPRT] decides between two hypotheses about a difference
// as early as it can. [Rate] places many players on one scale by the model from Bradley and
// Terry. [Elo] and [Expected] convert between scores and Elo points, and [Wilson] is the
// interval for a share among independent events.
//
// All results have the same bits on every machine.
package rating

import (
	"math"

	"github.com/seed-09dcdc84/ur/internal/samebits"
)

// perNeper is the Elo points for odds of e to 1.
const perNeper = 400 / math.Ln10

// Elo returns the Elo difference for an expected score, 0 to 1, by the logistic curve: 400
// points are odds of 10 to 1. Scores of 0 and 1 have no finite difference: the result is
// infinite.
func Elo(score float64) float64 { return float64(perNeper * samebits.Log(score/(1-score))) }

// Expected returns the expected score, 0 to 1, for a player who is the given number of Elo
// points stronger: the inverse of [Elo].
func Expected(elo float64) float64 { return expectedScore(elo / perNeper) }

// expectedScore is the expected score at a difference in natural log odds.
func expectedScore(difference float64) float64 { return 1 / (1 + samebits.Exp(-difference)) }

// quantile is how many standard deviations from the mean 97.5 % of the normal
// distribution end: an interval from -quantile to quantile has 95 %.
const quantile = 1.959963984540054

// Wilson returns the 95 % confidence interval for a rate, given hits in n trials, as fractions
// of 1. It is Wilson's score interval ("Probable inference, the law of succession, and
// statistical inference", JASA 1927), which stays inside 0..1, always contains hits/trials, and
// holds for few trials and lopsided rates too. Without a trial it is 0 to 1. The trials must be
// independent; for games in pairs with the same dice use [Pairs.Interval].
func Wilson(hits, trials int64) (low, high float64) {
	if trials <= 0 {
		return 0, 1
	}
	return wilsonInterval(float64(hits)/float64(trials), float64(trials))
}

// wilsonInterval is Wilson for a rate in n trials, not necessarily a whole number.
func wilsonInterval(rate, n float64) (low, high float64) {
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
