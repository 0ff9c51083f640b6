package verdict

import (
	"math"
	"slices"
	"sort"
	"sync"
)

// maxPairs is the number of pairs that are used at most. Their mean differences are
// half its square; a change that so many do not show is of no interest.
const maxPairs = 400

// signedRankTails[n][w] is the probability that the sum of the positive ranks of n
// pairs is w or more, when each rank is positive or negative as a coin falls.
var signedRankTails sync.Map // int to []float64

// signedRankTail returns that probability for n pairs. It is exact but for the rounding of
// sums of at most 2^16 positive numbers.
func signedRankTail(n, w int) float64 {
	tails, ok := signedRankTails.Load(n)
	if !ok {
		tails, _ = signedRankTails.LoadOrStore(n, newSignedRankTails(n))
	}
	return tails.([]float64)[w]
}

// newSignedRankTails adds rank after rank: a sum w was w already, or w-rank.
func newSignedRankTails(n int) []float64 {
	most := n * (n + 1) / 2
	p := make([]float64, most+2)
	p[0] = 1
	reached := 0
	for rank := 1; rank <= n; rank++ {
		reached += rank
		for w := reached; w >= 0; w-- {
			p[w] /= 2
			if w >= rank {
				p[w] += p[w-rank] / 2
			}
		}
	}
	for w := most; w >= 0; w-- {
		p[w] += p[w+1]
	}
	return p
}

// Shift is what a number of differences say of the value around which they lie
// symmetrically. All of it comes from one test, Wilcoxon's of signed ranks ("Individual
// comparisons by ranking methods", Biometrics 1, 1945): the interval holds every value
// that the test does not reject, so it leaves 0 out exactly where p says so.
type Shift struct {
	n     int
	means []float64 // of every two differences, sorted
}

// NewShift takes the differences, of which it uses the last [maxPairs]. They must be
// numbers.
func NewShift(differences []float64) Shift {
	d := differences[max(0, len(differences)-maxPairs):]
	s := Shift{n: len(d), means: make([]float64, 0, len(d)*(len(d)+1)/2)}
	for i, x := range d {
		for _, y := range d[:i+1] {
			s.means = append(s.means, x/2+y/2)
		}
	}
	slices.Sort(s.means)
	return s
}

// Center is the median of the means (Hodges and Lehmann, "Estimates of location based
// on rank tests", Annals of Mathematical Statistics 34, 1963): the value that the test
// would reject last. Of no differences it is NaN.
func (s Shift) Center() float64 {
	n := len(s.means)
	if n == 0 {
		return math.NaN()
	}
	return s.means[(n-1)/2]/2 + s.means[n/2]/2
}

// Above is the one-sided p-value of "the differences do not lie above x".
func (s Shift) Above(x float64) float64 {
	at, _ := slices.BinarySearch(s.means, math.Nextafter(x, math.Inf(1)))
	return signedRankTail(s.n, len(s.means)-at)
}

// Below is the one-sided p-value of "the differences do not lie below x".
func (s Shift) Below(x float64) float64 {
	at, _ := slices.BinarySearch(s.means, x)
	return signedRankTail(s.n, at)
}

// P is the two-sided p-value of the differences lying around x.
func (s Shift) P(x float64) float64 { return min(1, 2*s.Above(x), 2*s.Below(x)) }

// Lower is the least value that the test of "not above" does not reject at a level: the
// lower end of an interval. It is -∞ where the differences are too few to reject any.
func (s Shift) Lower(level float64) float64 {
	k := s.fewest(level)
	if k > len(s.means) {
		return math.Inf(-1)
	}
	return s.means[len(s.means)-k]
}

// Upper is the largest value that the test of "not below" does not reject at a level.
func (s Shift) Upper(level float64) float64 {
	k := s.fewest(level)
	if k > len(s.means) {
		return math.Inf(1)
	}
	return s.means[k-1]
}

// fewest is the number of means on one side of a value from which it is rejected.
func (s Shift) fewest(level float64) int {
	return sort.Search(len(s.means)+1, func(k int) bool { return signedRankTail(s.n, k) <= level })
}
