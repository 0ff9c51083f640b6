package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/rating"
)

// The p-values of steady noise are even: of all of them, the part at most p is p.
func TestStepIsCalibrated(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	draw := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Exp(0.02 * rng.NormFloat64())
		}
		return x
	}
	const trials = 2000
	for _, n := range []int{4, 6, 10, 20, 40} {
		between, pairs := 0, 0
		for range trials {
			old, new := draw(n), draw(n)
			if s, ok := StepBetween(old, new); ok && s.P() <= 0.05 {
				between++
			}
			if s, ok := StepOfPairs(old, new); ok && s.P() <= 0.05 {
				pairs++
			}
		}
		for name, hits := range map[string]int{"between": between, "of pairs": pairs} {
			if lo, _ := rating.Wilson(int64(hits), int64(trials)); lo > 0.05 || hits < trials/200 {
				t.Errorf("step %s of %d samples: %d of %d p-values are at most 0.05", name, n, hits, trials)
			}
		}
	}
}

func TestStepTakesDriftAway(t *testing.T) {
	var old, new, jitter []float64
	rng := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		jitter = append(jitter, math.Exp(0.001*rng.NormFloat64()))
	}
	for i := range 20 {
		old = append(old, jitter[i]*math.Exp(0.01*float64(i)))
		new = append(new, jitter[20+i]*math.Exp(0.01*float64(20+i))*1.05)
	}
	s, ok := StepBetween(old, new)
	if want := math.Log(1.05); !ok || math.Abs(s.Size-want) > 4*s.Sigma || s.Sigma > 0.002 || s.P() > 1e-6 {
		t.Errorf("step %+v, p %v, want a size of %v", s, s.P(), want)
	}
}

func TestStepNeedsPositiveSamples(t *testing.T) {
	good := []float64{1, 2, 3, 4}
	for _, bad := range [][]float64{{1, 2, 3}, {0, 1, 2, 3}, {-1, 1, 2, 3}, nil} {
		_, between := StepBetween(good, bad)
		_, pairs := StepOfPairs(bad, bad)
		if between || pairs {
			t.Errorf("%v gives a step", bad)
		}
	}
}

func TestSpikesArePulledIn(t *testing.T) {
	got, inside := pulledIn([]float64{1, 1.1, 0.9, 1.05, 0.95, 100})
	if inside != 5 || got[5] > 2 || got[0] != 1 {
		t.Errorf("%v, %d inside", got, inside)
	}
	if got, inside := pulledIn([]float64{1, 1, 1, 7}); inside != 4 || got[3] != 7 {
		t.Errorf("of samples that are mostly the same: %v, %d inside", got, inside)
	}
}

func TestNeighbours(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for _, r := range []float64{0, 0.5, 0.8} {
		mean := 0.0
		const trials = 500
		for range trials {
			x := []float64{rng.NormFloat64()}
			for range 39 {
				x = append(x, r*x[len(x)-1]+math.Sqrt(1-r*r)*rng.NormFloat64())
			}
			slope, _ := commonSlope(x, nil)
			mean += neighbours(residuals(x, slope)) / trials
		}
		if math.Abs(mean-r) > 0.06 {
			t.Errorf("estimated %v on average, want %v", mean, r)
		}
	}
	if got := neighbours([]float64{1, -1, 1, -1}); got != 0 {
		t.Errorf("of four samples %v, want 0", got)
	}
}

func TestWilson(t *testing.T) {
	tests := []struct {
		hits, n int
		lo, hi  float64
	}{
		{0, 10, 0, 0.2775}, {5, 10, 0.2366, 0.7634}, {10, 10, 0.7225, 1}, {0, 0, 0, 1},
	}
	for _, test := range tests {
		lo, hi := rating.Wilson(int64(test.hits), int64(test.n))
		if math.Abs(lo-test.lo) > 5e-5 || math.Abs(hi-test.hi) > 5e-5 {
			t.Errorf("%d of %d: [%.4f, %.4f], want [%.4f, %.4f]", test.hits, test.n, lo, hi, test.lo, test.hi)
		}
	}
}

// The smallest p-value of the Mann-Whitney test is 2/C(2n,n).
func TestFewestRanked(t *testing.T) {
	for level, want := range map[float64]int{0.05: 4, 0.01: 5, 0.001: 7, 0.0001: 9, 0.5: MinCount} {
		if got := FewestRanked(level); got != want {
			t.Errorf("level %v: %d samples, want %d", level, got, want)
		}
	}
}
