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

// Evidence gives the p-value of any hypothetical change.
func ExampleEvidence() {
	var e stat.Evidence = stat.Pair{Old: []float64{1, 1, 1, 1, 1, 1}, New: []float64{2, 2.1, 2, 1.9, 2, 2.2}, Paired: true}.Evidence()
	fmt.Printf("%.3f\n", e.Above(0))
	// Output: 0.016
}
