package stat

import (
	"math"
	"testing"

	"github.com/aclements/go-moremath/stats"
)

// The survival function equals that of an independent implementation, and the closed forms of one
// and two degrees of freedom. The quantile is its inverse.
func TestStudent(t *testing.T) {
	for _, df := range []float64{1, 2, 3.5, 10, 77, 1000} {
		for _, x := range []float64{-30, -2.5, -0.1, 0, 0.1, 1, 2.5, 30} {
			want := (stats.TDist{V: df}).CDF(-x)
			switch df {
			case 1:
				want = 0.5 - math.Atan(x)/math.Pi
			case 2:
				want = 0.5 - x/math.Sqrt(2+x*x)/2
			}
			if got := (student{df}).Survival(x); math.Abs(got-want) > 1e-12 {
				t.Errorf("%v degrees: survival of %v is %v, want %v", df, x, got, want)
			}
		}
		for _, p := range []float64{0.001, 0.05, 0.4, 0.6, 0.95, 0.975, 0.9999} {
			if got := 1 - (student{df}).Survival((student{df}).Quantile(p)); math.Abs(got-p) > 1e-12 {
				t.Errorf("%v degrees: %v below the quantile of %v", df, got, p)
			}
		}
	}
}
