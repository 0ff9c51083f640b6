package report

import (
	"math"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Ranges of commits with a common end describe the same change, which counts once.
func TestHistoryOfOverlappingRanges(t *testing.T) {
	step := func(base, head string, delta float64) Step {
		return Step{Base: base, Head: head, Rows: []Row{{Name: "BenchmarkF", Unit: TimeUnit, Rounds: 10,
			Delta: verdict.Number(delta), Verdict: verdict.Slower}}}
	}
	for _, test := range []struct {
		name  string
		steps []Step
		want  []float64
	}{
		{"chain", []Step{step("a", "b", 0.3), step("b", "c", 0.1)}, []float64{1.3, 1.43}},
		{"common base", []Step{step("a", "b", 0.3), step("a", "c", 0.2)}, []float64{1.3, 1.2}},
		{"common head", []Step{step("a", "c", 0.3), step("b", "c", 0.3)}, []float64{1.3, 1.3}},
		{"gap", []Step{step("a", "b", 0.3), step("c", "d", 0.1)}, []float64{1.3, 1.43}},
	} {
		h := History{Steps: test.steps}
		h.follow()
		for i, want := range test.want {
			if got := h.Series[0].Relative[i]; math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: after step %d the time is %v, want %v", test.name, i+1, got, want)
			}
		}
	}
}
