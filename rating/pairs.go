package rating

import (
	"math"

	"github.com/seed-09dcdc84/ur/internal/samebits"
)

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

// moments returns mean and variance for a game's score in a pair, with the
// imaginary pair among the others.
func (p Pairs) moments() (mean, variance float64) {
	n := float64(p.N())
	mean = (float64(n*p.Score()) + 0.5) / (n + 1)
	return mean, p.VarianceRatio() * mean * (1 - mean) / 2
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
func (p Pairs) StdErr() float64 {
	_, variance := p.moments()
	return math.Sqrt(variance / float64(p.N()))
}

// Superiority returns the likelihood that the first player is the stronger one: the
// probability, in the normal approximation and with a flat prior, for an expected score above
// 1/2.
func (p Pairs) Superiority() float64 {
	if p.N() == 0 {
		return 0.5
	}
	_, variance := p.moments()
	deviations := (p.Score() - 0.5) / math.Sqrt(variance/float64(p.N()))
	return samebits.Normal(deviations)
}
