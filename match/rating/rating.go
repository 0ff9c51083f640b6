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

// Pairs counts game pairs by the first player's score in both together, in half points:
// Pairs[k] is the number of pairs with a score of k/2 points, k = 0..4. This is the pentanomial
// distribution in engine testing. Without draws, three of its five categories are
// populated: 0, 2 and 4.
//
// The two games in a pair have the same dice with the sides exchanged, so their results are not
// independent. The pair distribution includes their correlation, positive or negative. Intervals
// and tests from it hold; those from single games would not.
type Pairs [5]int64

// AddPair counts a pair with 0, 1 or 2 wins by the first player.
func (p *Pairs) AddPair(wins int) { p[2*wins]++ }

// Add adds another count.
func (p *Pairs) Add(q Pairs) {
	for i, n := range q {
		p[i] += n
	}
}

// N returns the number of pairs.
func (p Pairs) N() int64 { return p[0] + p[1] + p[2] + p[3] + p[4] }

// Wins returns how many games the first player won, in a game without draws.
func (p Pairs) Wins() int64 { return p[2] + 2*p[4] }

// HalfPoints returns the first player's points, times two.
func (p Pairs) HalfPoints() int64 { return p[1] + 2*p[2] + 3*p[3] + 4*p[4] }

// Score returns a game's mean score, 0 to 1; without a pair it is 1/2.
func (p Pairs) Score() float64 {
	if p.N() == 0 {
		return 0.5
	}
	return float64(p.HalfPoints()) / float64(4*p.N())
}

// pairScore is a game's score in pair category i.
func pairScore(i int) float64 { return float64(i) / 4 }

// VarianceRatio returns the score's variance relative to independent games: 1 plus the
// correlation within pairs. Below 1, sharing the dice saves games; a ratio of 0.9 saves
// a tenth.
//
// One imaginary pair with two independent fair games is counted among the others. A few pairs
// that happen to agree are then not taken for certainty, and the ratio is 1 if the pairs carry
// no information about it, as when one player wins all games.
func (p Pairs) VarianceRatio() float64 {
	n, score := float64(p.N()), p.Score()
	squares := 0.0
	for i, count := range p {
		d := pairScore(i) - score
		squares += float64(float64(count) * d * d)
	}
	// Of a fair pair, 8 times the variance and 4*s*(1-s) are 1.
	return (float64(8*squares) + 1) / (float64(4*n*score*(1-score)) + 1)
}

// variance returns the variance of a game's score in a pair, with the imaginary pair among the
// others.
func (p Pairs) variance() float64 {
	n := float64(p.N())
	mean := (float64(n*p.Score()) + 0.5) / (n + 1)
	return p.VarianceRatio() * mean * (1 - mean) / 2
}

// Interval returns the 95 % confidence interval for a game's score. It is
// Wilson's score interval for the effective number of games: the games divided by
// [Pairs.VarianceRatio], as for proportions in cluster surveys (Franco, Little,
// Louis and Slud, "Comparative study of confidence intervals for proportions in
// complex sample surveys", Journal of Survey Statistics and Methodology 2019). It
// stays inside 0..1. Without a pair it is 0 to 1.
func (p Pairs) Interval() (low, high float64) {
	return wilsonInterval(p.Score(), float64(2*p.N())/p.VarianceRatio())
}

// StdErr returns the standard error of [Pairs.Score].
func (p Pairs) StdErr() float64 { return math.Sqrt(p.variance() / float64(p.N())) }

// Superiority returns the likelihood that the first player is the stronger one: the
// probability, in the normal approximation and with a flat prior, for an expected score above
// 1/2.
func (p Pairs) Superiority() float64 {
	if p.N() == 0 {
		return 0.5
	}
	return samebits.Normal((p.Score() - 0.5) / p.StdErr())
}
