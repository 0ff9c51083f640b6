package stat

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// mostExact is the largest size of a side with an exact distribution of Mann and Whitney's
// statistic; beyond it the normal one agrees in three digits.
const mostExact = 40

// rankTails[{n1, n2}][u] is the probability that u or more of the pairs of two samples have the
// larger value on the second side, if both sides come from one distribution.
var rankTails sync.Map // [2]int to []float64

// rankTail returns that probability. For u above n1*n2 it is 0.
func rankTail(n1, n2, u int) float64 {
	if max(n1, n2) > mostExact {
		a, b := float64(n1), float64(n2)
		deviation := math.Sqrt(a * b * (a + b + 1) / 12)
		return distuv.UnitNormal.Survival((float64(u) - 0.5 - a*b/2) / deviation)
	}
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
