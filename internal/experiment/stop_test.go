package experiment

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/stat"
)

func TestLooksAreSeldom(t *testing.T) {
	stop := stopper{within: 0.01}
	var looks []int
	for round := range 101 {
		if stop.looksAfter(round) {
			looks = append(looks, round)
		}
	}
	if want := []int{10, 13, 17, 22, 28, 35, 44, 55, 69, 87}; !slices.Equal(looks, want) {
		t.Errorf("looks after rounds %v, want %v", looks, want)
	}
	if (&stopper{}).looksAfter(10) {
		t.Error("a run that is to spend its count looks at its intervals")
	}
}

// What is lost by stopping when it fits: of simulated runs, with noise like that of a
// machine with other guests, the intervals must cover the true ratio about as often
// as those of runs that spend a count.
func TestStoppingKeepsTheCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates 200 runs")
	}
	const runs, most, truth = 200, 28, 0.25
	rng := rand.New(rand.NewPCG(3, 4))
	covered, early := 0, 0
	for range runs {
		stop := stopper{within: 0.018}
		var samples, base []float64
		narrow := func() bool { return stat.RatioOfPairs(base, samples, 1).Reach() <= stop.within }
		for range most {
			disturbance := func() float64 { // most are near 1, one in ten is slower
				x := 1 + 0.02*rng.NormFloat64()
				if rng.IntN(10) == 0 {
					x += 0.1 * rng.ExpFloat64()
				}
				return x
			}
			samples, base = append(samples, truth*disturbance()), append(base, disturbance())
			if stop.ends(len(samples), narrow) {
				early++
				break
			}
		}
		if stat.RatioOfPairs(base, samples, 1).Covers(truth) {
			covered++
		}
	}
	t.Logf("%d of %d intervals cover the ratio; %d runs ended early", covered, runs, early)
	if covered < runs*91/100 {
		t.Errorf("%d of %d intervals cover the ratio, want 91 %% at least", covered, runs)
	}
	if early < runs/4 || early > runs*9/10 {
		t.Errorf("%d of %d runs ended early: the simulation says nothing", early, runs)
	}
}
