package stat_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/bench/stat"
)

// Samples measured side by side are compared in pairs.
func ExamplePair() {
	p := stat.Pair{
		Old:    []float64{10, 11, 10, 12, 10, 11, 10, 11},
		New:    []float64{12, 13.2, 12.1, 14.4, 12, 13.1, 12, 13.3},
		Paired: true,
	}
	change, pValue := p.Change()
	fmt.Printf("%+.1f %%, p < 0.05: %t\n", 100*change.Median, pValue < 0.05)
	// Output: +20.0 %, p < 0.05: true
}

// The ratio of medians has a bootstrap interval that follows from the seed.
func ExampleRatioOfMedians() {
	r := stat.RatioOfMedians([]float64{10, 10.1, 9.9, 10}, []float64{5, 5.1, 4.9, 5}, 1)
	fmt.Printf("%.2f [%.2f, %.2f]\n", r.Median, r.Lo, r.Hi)
	// Output: 0.50 [0.49, 0.51]
}

// Evidence gives the p-value of any hypothetical change.
func ExampleEvidence() {
	var e stat.Evidence = stat.Pair{Old: []float64{1, 1, 1, 1, 1, 1}, New: []float64{2, 2.1, 2, 1.9, 2, 2.2}, Paired: true}.Evidence()
	fmt.Printf("%.3f\n", e.Above(0))
	// Output: 0.016
}
