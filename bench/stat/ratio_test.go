package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/rating"
)

func TestRatioOfMedians(t *testing.T) {
	tests := []struct{ old, new, want []float64 }{ // want: median, lo, hi
		{[]float64{2, 1, 3}, []float64{4}, []float64{2, 4.0 / 3, 4}},
		{[]float64{5}, []float64{10}, []float64{2, 2, 2}},
		{[]float64{0, 0}, []float64{0, 0}, []float64{1, 1, 1}},
		{[]float64{1, 2, 3, 4}, []float64{5, 5, 5, 5}, []float64{2, 1.25, 5}},
	}
	for _, test := range tests {
		got := RatioOfMedians(test.old, test.new, 1)
		if got != (Interval{test.want[0], test.want[1], test.want[2]}) {
			t.Errorf("%v to %v: %+v, want %v", test.old, test.new, got, test.want)
		}
	}
	if got := RatioOfMedians([]float64{0}, []float64{1}, 1); !math.IsInf(got.Median, 1) {
		t.Errorf("from 0 to 1: %+v", got)
	}
}

// The interval holds the true ratio in about 95 % of the cases.
func TestMedianRatioCovers(t *testing.T) {
	const trials = 300
	unpaired, paired := 0, 0
	for k := range uint64(trials) {
		old, new := jittery(2*k, 20, 100, 0.05), jittery(2*k+1, 20, 110, 0.05)
		if RatioOfMedians(old, new, k).Covers(1.1) {
			unpaired++
		}
		if RatioOfPairs(old, new, k).Covers(1.1) {
			paired++
		}
	}
	for name, hits := range map[string]int{"unpaired": unpaired, "paired": paired} {
		if lo, hi := rating.Wilson(int64(hits), int64(trials)); hi < 0.92 || lo > 0.98 {
			t.Errorf("%s: %d of %d intervals hold the ratio", name, hits, trials)
		}
	}
}

// jittery returns n samples around a center, whose logarithms deviate by so much.
func jittery(seed uint64, n int, center, deviation float64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 6))
	x := make([]float64, n)
	for i := range x {
		x[i] = center * math.Exp(deviation*rng.NormFloat64())
	}
	return x
}
