package verdict

import (
	"math"
	"slices"
	"sync"
)

// Half of the first looks need fewer units than [FirstLook]. A unit is a link of each side, and
// links cost more than rounds. These looks compare the sides by the rank-sum test of Wilcoxon
// ("Individual comparisons by ranking methods", Biometrics 1, 1945): where nothing has changed,
// the links of both sides are draws from one distribution, so each order of them is equally
// likely, whatever that distribution is. Six links of one side lie above six of the other in one
// of 924 orders, but six pairs have one sign in one of 64 cases.
//
// A drift of the machine lies between the links of a side and not between the sides. It makes
// these looks less powerful, not wrong, and the later looks do not mind it.

// earlyLooks are the numbers of units of the early looks.
var earlyLooks = [...]int{6, 8}

// earlySpent is the share of an error rate that each early look spends.
const earlySpent = 0.1

// fewSpread is the least standard deviation between links that the test of very few links
// assumes: of so few, some agree by chance.
const fewSpread = 0.05

// side returns the logarithms of the figures of a side, the median of each unit.
func (r *Row) side(figures []float64) []float64 {
	units := make([][]float64, len(r.worse))
	for k, x := range figures {
		units[r.unitOf[k]] = append(units[r.unitOf[k]], r.sign()*max(-mostLog, math.Log(x)))
	}
	sides := make([]float64, len(units))
	for u, logs := range units {
		sides[u] = middle(logs)
	}
	return sides
}

// ofLinks returns the one-sided p-values of the units: of the new side being worse than the old
// one by more than a logarithm, and of its being better than that.
func (r *Row) ofLinks(by float64) (above, below float64) {
	switch n := len(r.worse); {
	case n < 2:
		return 1, 1
	case n < earlyLooks[0]:
		s := newStudent(r.worse)
		return s.Above(by), s.Below(by)
	}
	before, after := r.side(r.old), r.side(r.new)
	more, less := 0, 0
	for _, x := range before {
		for _, y := range after {
			switch {
			case y > x+by:
				more++
			case y < x+by:
				less++
			}
		}
	}
	return RankTail(len(before), len(after), more), RankTail(len(before), len(after), less)
}

// evidence is a test of the changes of units, inverted into an interval and an estimate: a
// [Shift], or a student.
type evidence interface {
	Center() float64
	Lower(level float64) float64
	Upper(level float64) float64
	Above(x float64) float64
	Below(x float64) float64
}

// student is Student's test of very few units, for the last look. It shows changes that are large
// beside those of layouts.
type student struct {
	mean, err float64
	degrees   int
}

// newStudent returns the test of at least two changes.
func newStudent(changes []float64) student {
	n := float64(len(changes))
	mean, squares := 0.0, 0.0
	for _, x := range changes {
		mean += x / n
	}
	for _, x := range changes {
		squares += (x - mean) * (x - mean)
	}
	return student{mean, max(fewSpread, math.Sqrt(squares/(n-1))) / math.Sqrt(n), len(changes) - 1}
}

func (s student) Center() float64         { return s.mean }
func (s student) Above(x float64) float64 { return studentTail((s.mean-x)/s.err, s.degrees) }
func (s student) Below(x float64) float64 { return studentTail((x-s.mean)/s.err, s.degrees) }

func (s student) Lower(level float64) float64 { return s.mean - s.err*s.quantile(level) }
func (s student) Upper(level float64) float64 { return s.mean + s.err*s.quantile(level) }

// quantile returns the value that t exceeds with a probability, by bisection.
func (s student) quantile(level float64) float64 {
	low, high := -1e4, 1e4
	for range 60 {
		if half := (low + high) / 2; studentTail(half, s.degrees) > level {
			low = half
		} else {
			high = half
		}
	}
	return low
}

// studentTail returns the probability that Student's t lies above a value (Abramowitz and
// Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4).
func studentTail(t float64, degrees int) float64 {
	angle := math.Atan(t / math.Sqrt(float64(degrees)))
	sin, cos := math.Sincos(angle)
	term, sum := 1.0, 1.0
	first := 2 + degrees%2
	for k := first; k < degrees; k += 2 {
		term *= cos * cos * float64(k-1) / float64(k)
		sum += term
	}
	inside := sin * sum
	if degrees%2 == 1 {
		if inside = angle; degrees > 1 {
			inside += sin * cos * sum
		}
		inside *= 2 / math.Pi
	}
	return max(0, (1-inside)/2)
}

// middle returns the median.
func middle(x []float64) float64 {
	sorted := slices.Sorted(slices.Values(x))
	return sorted[(len(x)-1)/2]/2 + sorted[len(x)/2]/2
}

// rankTails[{n1, n2}][u] is the result of [RankTail].
var rankTails sync.Map // [2]int to []float64

// RankTail returns the probability that u or more of the pairs of two samples have the larger
// value on the second side, if both sides come from one distribution: the exact distribution of
// Mann and Whitney's statistic. For u above n1*n2 it is 0.
func RankTail(n1, n2, u int) float64 {
	key := [2]int{n1, n2}
	tails, ok := rankTails.Load(key)
	if !ok {
		tails, _ = rankTails.LoadOrStore(key, newRankTails(n1, n2))
	}
	if all := tails.([]float64); u < len(all) {
		return all[u]
	}
	return 0
}

// newRankTails counts the orders of the values of two sides. The largest of n1+n2 values is on
// the second side with probability n2/(n1+n2), and is then above all n1 of the first.
func newRankTails(n1, n2 int) []float64 {
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
