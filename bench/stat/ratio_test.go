package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/rating"
)

// The interval holds the true ratio in about 95 % of the cases.
func TestMedianRatioCovers(t *testing.T) {
	const trials = 300
	hits := 0
	for k := range uint64(trials) {
		if RatioOfPairs(jittery(2*k, 20, 100, 0.05), jittery(2*k+1, 20, 110, 0.05), k).Covers(1.1) {
			hits++
		}
	}
	if lo, hi := rating.Wilson(int64(hits), int64(trials)); hi < 0.92 || lo > 0.98 {
		t.Errorf("%d of %d intervals hold the ratio", hits, trials)
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
