package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestEstimateIsTheMedianWithOrderStatistics(t *testing.T) {
	tests := []struct {
		name    string
		samples []float64
		want    Interval
	}{
		{"one sample", []float64{7}, Interval{7, 7, 7}},
		{"too few for 95 %: the range", []float64{4, 1, 3, 2}, Interval{2.5, 1, 4}},
		{"six: the range is 97 %", []float64{6, 5, 4, 3, 2, 1}, Interval{3.5, 1, 6}},
		// Of 10 samples the second and the ninth hold the median in 97.9 % of cases.
		{"ten", []float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, Interval{5.5, 2, 9}},
		{"an outlier moves nothing", []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1000}, Interval{1, 1, 1}},
	}
	for _, test := range tests {
		if got := Estimate(test.samples); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestRatioIsPaired(t *testing.T) {
	// The machine slows down fourfold in the middle of the run. Unpaired, the
	// samples overlap; paired, each round says exactly one half.
	base := []float64{100, 100, 110, 400, 420, 400, 100, 105}
	samples := make([]float64, len(base))
	for i := range base {
		samples[i] = base[i] / 2
	}
	if got, want := RatioOfPairs(base, samples, 1), (Interval{0.5, 0.5, 0.5}); got != want {
		t.Errorf("ratio %v, want %v", got, want)
	}
}

func TestRatioFollowsFromTheSeed(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	samples, base := noisy(rng, 200, 1), noisy(rng, 200, 2)
	a, again, b := RatioOfPairs(base, samples, 1), RatioOfPairs(base, samples, 1), RatioOfPairs(base, samples, 2)
	if a != again {
		t.Errorf("one seed gives %v and %v", a, again)
	}
	if a.Median != b.Median {
		t.Errorf("the seed moves the median from %v to %v", a.Median, b.Median)
	}
	if a == b {
		t.Error("two seeds resample alike")
	}
}

// The interval of a 95 % bootstrap must hold the truth in about 95 % of runs, and
// must not do so by being wide.
func TestRatioCoversTheTruth(t *testing.T) {
	const runs, truth = 300, 0.5
	rng := rand.New(rand.NewPCG(7, 7))
	covered, width := 0, 0.0
	for run := range runs {
		ratio := RatioOfPairs(noisy(rng, 20, 1), noisy(rng, 20, truth), uint64(run))
		if ratio.Covers(truth) {
			covered++
		}
		width += (ratio.Hi - ratio.Lo) / runs
	}
	if share := float64(covered) / runs; share < 0.90 {
		t.Errorf("%.1f %% of the intervals hold the truth, want about 95 %%", 100*share)
	}
	if width > 0.05 {
		t.Errorf("the intervals are %.3f wide, want less than 0.05 at 5 %% noise", width)
	}
}

// noisy returns n samples around a centre with 5 % of noise.
func noisy(rng *rand.Rand, n int, centre float64) []float64 {
	samples := make([]float64, n)
	for i := range samples {
		samples[i] = centre * math.Exp(0.05*rng.NormFloat64())
	}
	return samples
}

func TestQuantileInterpolates(t *testing.T) {
	sorted := []float64{0, 10, 20, 30}
	for _, test := range []struct{ q, want float64 }{{0, 0}, {1, 30}, {0.5, 15}, {1.0 / 3, 10}, {0.25, 7.5}} {
		if got := Quantile(sorted, test.q); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("quantile %v is %v, want %v", test.q, got, test.want)
		}
	}
}
