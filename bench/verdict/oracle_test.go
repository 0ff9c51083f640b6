package verdict

import (
	"math"
	"math/rand/v2"
	"testing"

	"golang.org/x/perf/benchmath"
)

// The evidence of two independent samples is that of benchstat: the same test with the same p-value.
func TestSidesAgainstBenchmath(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	sample := func(n int, shift float64) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = 100 + shift + rng.NormFloat64()
		}
		return values
	}
	for range 300 {
		before, after := sample(4+rng.IntN(12), 0), sample(4+rng.IntN(12), 2*rng.Float64())
		thresholds := benchmath.DefaultThresholds
		want := benchmath.AssumeNothing.Compare(benchmath.NewSample(before, &thresholds), benchmath.NewSample(after, &thresholds)).P
		s := NewSides(before, after)
		got := min(1, 2*min(s.Above(0), s.Below(0)))
		if math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v and %v: p = %v, want %v as benchmath has it", before, after, got, want)
		}
	}
}
