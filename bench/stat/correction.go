package stat

import (
	"cmp"
	"slices"

	"github.com/seed-09dcdc84/ur/rating"
)

// Holm corrects the p-values of a family of tests: when every test whose corrected
// value is at most alpha is called significant, the probability that any of them is
// so by chance is at most alpha, however the tests depend on each other (Holm, "A
// simple sequentially rejective multiple test procedure", Scandinavian Journal of
// Statistics 6, 1979).
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	corrected := make([]float64, len(p))
	highest := 0.0
	for done, i := range order {
		highest = max(highest, min(1, p[i]*float64(len(p)-done)))
		corrected[i] = highest
	}
	return corrected
}

// Wilson is the 95 % interval of a rate of which hits in n trials were seen; see
// [rating.Wilson].
func Wilson(hits, n int) (lo, hi float64) { return rating.Wilson(int64(hits), int64(n)) }
