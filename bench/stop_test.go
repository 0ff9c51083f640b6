package bench

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/engine"
)

func TestLooksAreSeldom(t *testing.T) {
	o := Options{Within: 0.01}
	var looks []int
	for round := range 101 {
		if o.looksAfter(round) {
			looks = append(looks, round)
		}
	}
	if want := []int{10, 13, 17, 22, 28, 35, 44, 55, 69, 87}; !slices.Equal(looks, want) {
		t.Errorf("looks after rounds %v, want %v", looks, want)
	}
	if (Options{}).looksAfter(10) {
		t.Error("a run that is to spend its count looks at its intervals")
	}
}

// noisyClock lets every sample of bits/scalar take up to so much longer or shorter.
func noisyClock(noise float64) func(*Case, int) (time.Duration, error) {
	rng := rand.New(rand.NewPCG(1, 2))
	exact := fakeClock(nil)
	return func(c *Case, passes int) (time.Duration, error) {
		elapsed, err := exact(c, passes)
		if c.Engine.Name() != Baseline {
			elapsed = time.Duration(float64(elapsed) * (1 + noise*(2*rng.Float64()-1)))
		}
		return elapsed, err
	}
}

func TestRunEndsWhenIntervalsAreNarrow(t *testing.T) {
	tests := []struct {
		noise  float64
		narrow bool
		rounds func(int) bool
	}{
		{0.001, true, func(n int) bool { return n == 13 }},
		{0.03, true, func(n int) bool { return n > 13 && n < 120 }},
		{0.5, false, func(n int) bool { return n == 120 }},
	}
	for _, test := range tests {
		o := fakeOptions(t, "bits/scalar")
		o.Levels, o.Count, o.Within, o.Clock = []Level{Game}, 120, 0.01, noisyClock(test.noise)
		run, err := Measure(t.Context(), testWorkload(t), o)
		if err != nil {
			t.Fatal(err)
		}
		if run.Narrow != test.narrow || !test.rounds(run.Rounds) || run.Interrupted {
			t.Errorf("noise %v: %d rounds, narrow %v, interrupted %v", test.noise, run.Rounds, run.Narrow, run.Interrupted)
		}
		row, _ := run.Results(Environment{}, nil).Find("bits/scalar", Game)
		if test.narrow && row.reach() > 0.01+1e-4 { // figures are rounded
			t.Errorf("noise %v: the interval reaches %v of the ratio", test.noise, row.reach())
		}
	}
}

func TestStopSaysHowItEnded(t *testing.T) {
	results := exampleResults()
	results.Within, results.Narrow = 0.01, true
	if got, want := results.stopped(), "Every ratio is within ±1 % after 20 rounds."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	results.Narrow = false
	if got, want := results.stopped(), "that of lanes/avx2 at the level value is within ±2.6 %."; !strings.HasSuffix(got, want) {
		t.Errorf("%q does not end in %q", got, want)
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
		stop := stopper{options: Options{Within: 0.018}}
		var samples, base []float64
		narrow := func() bool { return stat.RatioOfPairs(base, samples, 1).Reach() <= stop.options.Within }
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

func TestOptionsCheckWithin(t *testing.T) {
	for within, want := range map[float64]string{0: "", 0.01: "", 1: "below 100 %", -0.1: "above 0"} {
		o := Options{Levels: Levels(), Count: 20, BenchTime: 1, Within: within, Engines: []ur.Engine{engine.Oracle()}}
		err := o.Check()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("within %v: error %v, want %q in it", within, err, want)
		}
	}
	o := Options{Levels: Levels(), Count: 9, BenchTime: 1, Within: 0.01}
	if err := o.Check(); err == nil || !strings.Contains(err.Error(), "at least 10") {
		t.Errorf("9 samples at most: %v", err)
	}
}
