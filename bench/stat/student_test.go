package stat

import (
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The distribution has the numbers of gonum's, to the last bit.
func TestStudentEqualsGonum(t *testing.T) {
	for _, df := range []float64{1, 2, 3.5, 10, 77, 1000} {
		want := distuv.StudentsT{Nu: df, Sigma: 1}
		for _, x := range []float64{-30, -2.5, -0.1, 0, 0.1, 1, 2.5, 30} {
			if got := (student{df}).Survival(x); got != want.Survival(x) {
				t.Errorf("%v degrees: survival of %v is %v, want %v", df, x, got, want.Survival(x))
			}
		}
		for _, p := range []float64{0.001, 0.05, 0.4, 0.6, 0.95, 0.975, 0.9999} {
			if got := (student{df}).Quantile(p); got != want.Quantile(p) {
				t.Errorf("%v degrees: quantile of %v is %v, want %v", df, p, got, want.Quantile(p))
			}
		}
	}
}
