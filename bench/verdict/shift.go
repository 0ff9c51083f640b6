package verdict

import (
	"context"
	"math"
	"slices"
	"sort"
	"sync"
)

// maxPairs bounds how many pairs are used. There are half as many mean differences as its
// square; a change invisible to them is of no interest.
const maxPairs = 400

// score is a difference's weight when its size has a rank, from 1, among n: the rank, capped
// for the largest three tenths at the first among them. Differences with an interrupted side are
// among these, and their sign carries no information. The cap costs a twentieth of the power
// without interruptions, and gains an eighth where a tenth of the samples is interrupted
// (simulated).
func score(n, rank int) int { return min(rank, (7*n+9)/10) }

// memo returns a function with another's values, each computed on first use.
func memo[K comparable](compute func(K) []float64) func(K) []float64 {
	var known sync.Map
	return func(k K) []float64 {
		values, ok := known.Load(k)
		if !ok {
			values, _ = known.LoadOrStore(k, compute(k))
		}
		return values.([]float64)
	}
}

// tails(n)[w] is the probability that the positive scores among n differences sum to at least w,
// if each sign is a fair coin. It is exact up to the rounding in sums over at most 2^16
// positive numbers.
var tails = memo(newTails)

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

// Shift is a change's evidence. Estimate, interval and p come from one test, so they
// cannot contradict each other. The test changes only at some points. The interval holds every
// value the test does not reject, so it excludes 0 exactly when p is significant.
type Shift struct {
	points       []float64                     // sorted
	above, below func(between int) (p float64) // p-values of the values between two points, with that many points below
}

// NewShift estimates the center of symmetry among differences by the signed-rank test
// (Wilcoxon, "Individual comparisons by ranking methods", Biometrics 1, 1945) with capped
// scores; see score. It uses the last 400. They must be numbers.
func NewShift(differences []float64) Shift {
	d := slices.Sorted(slices.Values(differences[max(0, len(differences)-maxPairs):]))
	means := make([]float64, 0, len(d)*(len(d)+1)/2) // where two sizes become equal, or one 0
	for i, x := range d {
		for _, y := range d[:i+1] {
			means = append(means, x/2+y/2)
		}
	}
	slices.Sort(means)
	side := func(k int, sign float64) float64 { return tails(len(d))[signedScores(d, means, k, sign)] }
	return Shift{means, func(k int) float64 { return side(k, 1) }, func(k int) float64 { return side(k, -1) }}
}

// signedScores adds the scores for the differences on one side of the gap between two means,
// where k means lie below the upper one: above for a sign of 1, below for -1.
func signedScores(sorted, means []float64, k int, sign float64) int {
	var x float64
	switch {
	case k == 0 && k == len(means):
		return 0
	case k == 0:
		x = math.Inf(-1)
	case k == len(means):
		x = math.Inf(1)
	default:
		x = means[k-1]/2 + means[k]/2
	}
	// From x outwards: the sizes on each side are in order.
	n := len(sorted)
	above := sort.SearchFloat64s(sorted, x)
	below, sum := above-1, 0
	for rank := 1; rank <= n; rank++ {
		up := below < 0 || above < n && sorted[above]-x < x-sorted[below]
		var d float64
		if up {
			d = sorted[above]
			above++
		} else {
			d = sorted[below]
			below--
		}
		if sign*(d-x) > 0 {
			sum += score(n, rank)
		}
	}
	return sum
}

// NewSides estimates how far the second of two independent samples lies above the first, by the
// test by Mann and Whitney ("On a test of whether one of two random variables is stochastically
// larger than the other", Annals of Mathematical Statistics 18, 1947). It uses the last 400 of
// each.
func NewSides(before, after []float64) Shift {
	before, after = before[max(0, len(before)-maxPairs):], after[max(0, len(after)-maxPairs):]
	differences := make([]float64, 0, len(before)*len(after))
	for _, x := range before {
		for _, y := range after {
			differences = append(differences, y-x)
		}
	}
	slices.Sort(differences)
	return Shift{differences,
		func(k int) float64 { return rankTail(len(before), len(after), len(differences)-k) },
		func(k int) float64 { return rankTail(len(before), len(after), k) }}
}

// Center returns the value that the test would reject last, the estimate by Hodges and Lehmann
// ("Estimates of location based on rank tests", Annals of Mathematical Statistics 34, 1963).
// Without differences it is NaN.
func (s Shift) Center() float64 {
	if len(s.points) == 0 {
		return math.NaN()
	}
	const half = 0.5
	return s.Lower(half)/2 + s.Upper(half)/2
}

// Above is the one-sided p-value for "the differences do not lie above x".
func (s Shift) Above(x float64) float64 {
	return s.above(sort.Search(len(s.points), func(k int) bool { return s.points[k] > x }))
}

// Below is the one-sided p-value for "the differences do not lie below x".
func (s Shift) Below(x float64) float64 { return s.below(sort.SearchFloat64s(s.points, x)) }

// Lower returns the smallest value not rejected by the test for "not above" at a level: an
// interval's lower end. It is -∞ if the differences are too few to reject any value.
func (s Shift) Lower(level float64) float64 {
	k := sort.Search(len(s.points)+1, func(k int) bool { return s.above(k) > level })
	if k == 0 {
		return math.Inf(-1)
	}
	return s.points[k-1]
}

// Upper returns the largest value not rejected by the test for "not below" at a level.
func (s Shift) Upper(level float64) float64 {
	all := len(s.points)
	k := all - sort.Search(all+1, func(k int) bool { return s.below(all-k) > level })
	if k == all {
		return math.Inf(1)
	}
	return s.points[max(0, k)]
}

// rankTails({n1, n2})[u] is the result of [rankTail].
var rankTails = memo(newRankTails)

// rankTail returns the probability that u or more among the pairs between two samples have the larger
// value on the second side, if both sides come from one distribution. It is exact for sides with
// up to 40; beyond, the normal distribution agrees in three digits.
func rankTail(n1, n2, u int) float64 {
	const mostExact = 40
	if max(n1, n2) > mostExact {
		a, b := float64(n1), float64(n2)
		deviation := math.Sqrt(a * b * (a + b + 1) / 12)
		return 0.5 * (1 - math.Erf((float64(u)-0.5-a*b/2)/(deviation*math.Sqrt2)))
	}
	if all := rankTails([2]int{n1, n2}); u < len(all) {
		return all[u]
	}
	return 0
}

// newRankTails counts the orders in which two sides' values can lie. The largest of n1+n2 values is on
// the second side with probability n2/(n1+n2), and is then above all n1 on the first.
func newRankTails(sides [2]int) []float64 {
	n1, n2 := sides[0], sides[1]
	row := make([][]float64, n2+1) // row[j][u] for the current number of values of the first side
	for j := range row {
		row[j] = []float64{1}
	}
	for i := 1; i <= n1; i++ {
		next := make([][]float64, n2+1)
		next[0] = []float64{1}
		for j := 1; j <= n2; j++ {
			next[j] = make([]float64, i*j+1)
			second := float64(j) / float64(i+j)
			for u, p := range next[j-1] {
				next[j][u+i] += float64(p * second)
			}
			for u, p := range row[j] {
				next[j][u] += float64(p * (1 - second))
			}
		}
		row = next
	}
	tails := row[n2]
	for u := len(tails) - 2; u >= 0; u-- {
		tails[u] += tails[u+1]
	}
	return tails
}

// Sampler takes samples of benchmarks: pairs on two sides by processes, commands or counts, or a suite's times
// in this process.
type Sampler[B, S any] interface {
	Sample(ctx context.Context, benchmarks []B) ([]S, error)
}

// Median returns the middle value, or the mean of the middle two; NaN for nothing.
func Median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(x))
	return sorted[(len(x)-1)/2]/2 + sorted[len(x)/2]/2
}

// Interval returns the median's interval with [Confidence], from order statistics: it holds
// for any distribution. With fewer than 6 samples none reaches the confidence; the result is then
// their range. It is NaN for nothing.
func Interval(x []float64) (lo, hi float64) {
	n := len(x)
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	sorted := slices.Sorted(slices.Values(x))
	// The median is below the k-th smallest value, from 0, if at most k of n coins show heads.
	k, sum := 0, math.Pow(2, -float64(n))
	for term := sum; ; k++ {
		term *= float64(n-k) / float64(k+1)
		if sum+term > even.lower || 2*(k+1) >= n {
			break
		}
		sum += term
	}
	if sum > even.lower {
		k = 0
	}
	return sorted[k], sorted[n-1-k]
}

// Ratio returns the ratio between the second side and the first with its [Confidence] interval.
// Sample k on both sides was measured in one round. Figures must be at least 0; NaN for nothing.
func Ratio(before, after []float64) (ratio, lo, hi float64) {
	if len(before) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	d := make([]float64, len(before))
	for k := range d {
		d[k] = LogRatio(before[k], after[k])
	}
	s := NewShift(d)
	return math.Exp(s.Center()), math.Exp(s.Lower(even.lower)), math.Exp(s.Upper(even.upper))
}

// logs returns the logarithms of both sides' figures, with a finite number for 0: further below all others than a ratio's.
func logs(before, after []float64) (x, y []float64) {
	least := math.Inf(1)
	for _, figure := range slices.Concat(before, after) {
		if figure > 0 {
			least = min(least, math.Log(figure))
		}
	}
	of := func(figures []float64) []float64 {
		out := make([]float64, len(figures))
		for k, figure := range figures {
			out[k] = max(min(least, 0)-mostLog, math.Log(figure))
		}
		return out
	}
	return of(before), of(after)
}

// mostLog bounds a ratio's logarithm, so a ratio with 0 is a finite number.
const mostLog = 30

// LogRatio returns the logarithm of after over before, for figures of at least 0. It is 0 if
// both are 0, and limited to ±30.
func LogRatio(before, after float64) float64 {
	if before == after {
		return 0
	}
	return max(-mostLog, min(mostLog, math.Log(after/before)))
}
