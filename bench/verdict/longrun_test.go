package verdict

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The noise of long runs is that of equal benchmarks, also where all of them change by unequal amounts and few are repeated.
func TestLongRunNoise(t *testing.T) {
	const families = 400
	for _, c := range []struct {
		name       string
		benchmarks int
		repeated   int     // how many of them have two runs
		spread     float64 // of the true changes, logarithms
		sd         float64
		least      float64 // of nine in ten estimates
		most       float64
	}{
		{"five, once", 5, 0, 0, 0.2, UsualNoise, UsualNoise},
		{"unchanged, once", 20, 0, 0, 0.2, 0.12, 0.3},
		{"unchanged, quiet", 20, 0, 0, 0.01, UsualNoise, UsualNoise},
		{"unequal, once", 15, 0, 0.8, 0.03, 0.15, 0.5},
		{"unequal, four repeated", 15, 4, 0.8, 0.03, 0.03, 0.12},
		{"unequal, four repeated, noisy", 15, 4, 0.8, 0.15, 0.13, 0.45},
		{"unequal, all repeated", 15, 15, 0.8, 0.03, 0.028, 0.055},
	} {
		random := rand.New(rand.NewPCG(1, 2))
		inside := 0
		for range families {
			var all []*LongRuns
			for i := range c.benchmarks {
				l, change := &LongRuns{}, -c.spread*random.Float64()
				for n := 1 + min(1, max(0, c.repeated-i)); n > 0; n-- {
					testkit.NoError(t, l.Add(1, math.Exp(change+c.sd*random.NormFloat64())))
				}
				all = append(all, l)
			}
			if x := LongRunNoise(all); x >= c.least && x <= c.most {
				inside++
			}
		}
		testkit.ErrorIf(t, inside < families*9/10, "%s: %d of %d estimates lie in %v to %v", c.name, inside, families, c.least, c.most)
	}
}

// Without differences there is no estimate from them, and nothing is no number.
func TestLongRunNoiseOfNothing(t *testing.T) {
	testkit.Equal(t, LongRunNoise(nil), UsualNoise, "noise of no run")
	l := &LongRuns{}
	testkit.NoError(t, l.Add(1, 1))
	testkit.Equal(t, LongRunNoise([]*LongRuns{l, {}, l, l, l, l, l}), UsualNoise, "noise of equal runs")
}
