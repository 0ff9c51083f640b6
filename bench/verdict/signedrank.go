package verdict

import (
	"math"
	"slices"
	"sort"
	"sync"
)

// maxPairs bounds the number of pairs used. There are half as many mean differences as its
// square; a change invisible to them is of no interest.
const maxPairs = 400

// score is the weight of a difference whose size has a rank, from 1, among n: the rank, capped
// for the largest three tenths at the first of them. Differences with an interrupted side are
// among these, and their sign carries no information. The cap costs a twentieth of the power
// without interruptions, and gains an eighth where a tenth of the samples is interrupted
// (simulated).
func score(n, rank int) int { return min(rank, (7*n+9)/10) }

// tails[n][w] is the probability of a sum of at least w for the positive scores of n
// differences, if each sign is a fair coin.
var tails sync.Map // int to []float64

// tail returns tails[n][w], computed on first use. It is exact up to the rounding of sums of at
// most 2^16 positive numbers.
func tail(n, w int) float64 {
	all, ok := tails.Load(n)
	if !ok {
		all, _ = tails.LoadOrStore(n, newTails(n))
	}
	return all.([]float64)[w]
}

// newTails adds score after score: a sum w was w already, or less by the score.
func newTails(n int) []float64 {
	most := 0
	for rank := 1; rank <= n; rank++ {
		most += score(n, rank)
	}
	p := make([]float64, most+2)
	p[0] = 1
	reached := 0
	for rank := 1; rank <= n; rank++ {
		points := score(n, rank)
		reached += points
		for w := reached; w >= 0; w-- {
			p[w] /= 2
			if w >= points {
				p[w] += p[w-points] / 2
			}
		}
	}
	for w := most; w >= 0; w-- {
		p[w] += p[w+1]
	}
	return p
}

// Shift estimates the center of symmetry of a number of differences. Estimate, interval and p
// come from one test, of signed ranks (Wilcoxon, "Individual comparisons by ranking methods",
// Biometrics 1, 1945) with capped scores; see score. The interval holds every value the test
// does not reject, so it excludes 0 exactly when p is significant.
type Shift struct {
	differences []float64
	sorted      []float64 // differences
	means       []float64 // of every two differences, sorted: where the test changes
}

// NewShift uses the last [maxPairs] differences. They must be numbers.
func NewShift(differences []float64) Shift {
	d := differences[max(0, len(differences)-maxPairs):]
	s := Shift{d, slices.Sorted(slices.Values(d)), make([]float64, 0, len(d)*(len(d)+1)/2)}
	for i, x := range d {
		for _, y := range d[:i+1] {
			s.means = append(s.means, x/2+y/2)
		}
	}
	slices.Sort(s.means)
	return s
}

// n is the number of differences.
func (s Shift) n() int { return len(s.differences) }

// Center returns the value that the test would reject last, the estimate of Hodges and Lehmann
// ("Estimates of location based on rank tests", Annals of Mathematical Statistics 34, 1963).
// Without differences it is NaN.
func (s Shift) Center() float64 {
	if s.n() == 0 {
		return math.NaN()
	}
	const half = 0.5
	return s.Lower(half)/2 + s.Upper(half)/2
}

// Above is the one-sided p-value of "the differences do not lie above x".
func (s Shift) Above(x float64) float64 {
	return s.above(sort.Search(len(s.means), func(k int) bool { return s.means[k] > x }))
}

// Below is the one-sided p-value of "the differences do not lie below x".
func (s Shift) Below(x float64) float64 {
	return s.below(sort.SearchFloat64s(s.means, x))
}

// above returns the p-value of every x with k means at or below it, and below the p-value of
// every x with k means below it. The test changes only at the means: only there do the sizes of
// two differences from x become equal, or one of them 0.
func (s Shift) above(k int) float64 { return tail(s.n(), s.sum(k, 1)) }
func (s Shift) below(k int) float64 { return tail(s.n(), s.sum(k, -1)) }

// sum adds the scores of the differences on one side of the gap between two means, where k
// means lie below the upper one: above for a sign of 1, below for -1.
func (s Shift) sum(k int, sign float64) int {
	var x float64
	switch {
	case k == 0 && k == len(s.means):
		return 0
	case k == 0:
		x = math.Inf(-1)
	case k == len(s.means):
		x = math.Inf(1)
	default:
		x = s.means[k-1]/2 + s.means[k]/2
	}
	// From x outwards: the sizes of the differences on each side of it are in order.
	n := len(s.sorted)
	above := sort.SearchFloat64s(s.sorted, x)
	below, sum := above-1, 0
	for rank := 1; rank <= n; rank++ {
		up := below < 0 || above < n && s.sorted[above]-x < x-s.sorted[below]
		var d float64
		if up {
			d = s.sorted[above]
			above++
		} else {
			d = s.sorted[below]
			below--
		}
		if sign*(d-x) > 0 {
			sum += score(n, rank)
		}
	}
	return sum
}

// Lower returns the smallest value not rejected by the test of "not above" at a level: the
// lower end of an interval. It is -∞ if the differences are too few to reject any value.
func (s Shift) Lower(level float64) float64 {
	k := sort.Search(len(s.means)+1, func(k int) bool { return s.above(k) > level })
	if k == 0 {
		return math.Inf(-1)
	}
	return s.means[k-1]
}

// Upper returns the largest value not rejected by the test of "not below" at a level.
func (s Shift) Upper(level float64) float64 {
	all := len(s.means)
	k := all - sort.Search(all+1, func(k int) bool { return s.below(all-k) > level })
	if k == all {
		return math.Inf(1)
	}
	return s.means[max(0, k)]
}
