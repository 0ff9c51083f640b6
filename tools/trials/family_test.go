package trials

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// rate returns a part of a whole, NaN of nothing.
func (c Counts) rate(part, whole string) float64 { return c[part] / c[whole] }

// A part of what "records trials" finds with a thousand trials each. The
// bounds leave room for the chance of fewer trials, four standard errors.
func TestVerdictsAreRight(t *testing.T) {
	trials := testkit.Trials(60, 1000)
	within := func(rate float64) bool {
		const bar, errors = 0.05, 4
		return rate <= bar+errors*0.218/math.Sqrt(float64(trials)) // 0.218 is that of a rate of 5 %
	}
	for _, machine := range machines() {
		unchanged := Family{machine, 20, 0, 20, verdict.DefaultRule()}.Run(trials)
		rate := unchanged.rate("alarms", "trials")
		testkit.ErrorIf(t, !within(rate), "%s: false alarms in %.1f %% of families of 20", machine.Name, 100*rate)
		more := Family{machine, 1, 0.035, 20, verdict.DefaultRule()}.Run(trials)
		rate = more.rate("passed", "trials")
		testkit.ErrorIf(t, !within(rate), "%s: +3.5 %% passes in %.1f %%", machine.Name, 100*rate)
		sum := maps.Clone(unchanged)
		sum.add(more)
		rate = sum.rate("covered", "rows")
		testkit.ErrorIf(t, rate < 0.93-0.02 || rate > 0.98,
			"%s: intervals hold the truth in %.1f %%", machine.Name, 100*rate)
		large := Family{machine, 1, 0.10, 20, verdict.DefaultRule()}.Run(trials)
		rate = large.rate("missed", "seen")
		testkit.ErrorIf(t, large["seen"] > 20 && rate > 0.1+0.1,
			"%s: %.0f %% of %g detectable slowdowns are missed", machine.Name, 100*rate, large["seen"])
		few := Family{machine, 1, verdict.MustDetect, fewRounds, verdict.DefaultRule()}.Run(trials)
		rate = few.rate("escaped", "trials")
		testkit.ErrorIf(t, rate > 0.02, "%s: %.1f %% of +25 %% pass after few rounds", machine.Name, 100*rate)
		testkit.Equal(t, sum["contradicts"], 0, "%s: rows that contradict themselves", machine.Name)
	}
	slower := Family{normal(0.02), 20, 0.05, 20, verdict.DefaultRule()}.Run(trials)
	rate := slower.rate("slower", "trials")
	testkit.ErrorIf(t, rate < 0.95, "+5 %% is found in %.1f %% within 20 rounds", 100*rate)
}

// Late work is found on all machines but two, whose noise in runs of a second exceeds a tenth: there the page shows how
// often it passes.
func TestLateWork(t *testing.T) {
	trials := testkit.Trials(60, 1000)
	const bar, errors = 0.05, 4
	most := bar + errors*0.218/math.Sqrt(float64(trials))
	for _, size := range [][2]int{{3, 3}, {20, 1}} {
		for _, machine := range machines() {
			isWild := machine.Name == "spikes in 10 %" || machine.Name == "bimodal, 15 % for 2 samples"
			rate := func(part float64, period time.Duration, count string) float64 {
				c := run(Late{machine, size[0], size[1], part, period}.trial, trials)
				return c.rate(count, "trials")
			}
			if alarms := rate(0, horizon, "alarms"); alarms > most {
				t.Errorf("%s, %d benchmarks: false alarms in %.1f %%", machine.Name, size[0], 100*alarms)
			}
			for _, period := range []time.Duration{time.Millisecond, 100 * time.Millisecond, time.Second} {
				if passed := rate(verdict.MustDetect, period, "passed"); passed > most && !isWild {
					t.Errorf("%s, %d benchmarks: +25 %% each %v passes in %.1f %%", machine.Name, size[0], period, 100*passed)
				}
				if missed := rate(0.1, period, "missed"); missed > 2*most {
					t.Errorf("%s, %d benchmarks: +10 %% each %v passes, although detectable, in %.1f %%", machine.Name, size[0], period, 100*missed)
				}
			}
		}
	}
}

// Counts do not depend on the number of threads.
func TestRun(t *testing.T) {
	c := Family{each("quiet", jitter, func(*rand.Rand) float64 { return 0 }), 3, 0.05, 20, verdict.DefaultRule()}
	one := make(Counts)
	for seed := range uint64(5) {
		one.add(c.trial(seed))
	}
	testkit.Equal(t, c.Run(5), one, "counts of all threads")
}

// What contradicts is seen.
func TestContradicts(t *testing.T) {
	for _, r := range []verdict.Row{
		{Verdict: verdict.Slower, Delta: 0.05, Lo: -0.01, Hi: 0.1, P: 0.2, Family: 0.2, Limit: 0.03},
		{Verdict: verdict.NotSlower, Delta: 0.01, Lo: -0.01, Hi: 0.04, P: 0.5, Family: 0.5, Limit: 0.03},
		{Verdict: verdict.Undecided, Delta: 0, Lo: -0.01, Hi: 0.01, P: 1, Family: 1, Limit: 0.03},
		{Verdict: verdict.NotSlower, Delta: 0.01, Lo: 0.005, Hi: 0.02, P: 0.5, Family: 0.5, Limit: 0.03},
		{Verdict: verdict.Faster, Delta: -0.01, Lo: -0.02, Hi: -0.005, P: 0.01, Family: 0.005, Limit: 0.03},
	} {
		testkit.Equal(t, contradicts(&r), true, "%+v contradicts", r)
	}
}

func TestMeasure(t *testing.T) {
	var names []string
	Measure(1, func(name string, counts Counts) {
		names = append(names, name)
		testkit.Equal(t, counts["trials"], 1, "trials of %s", name)
	})
	testkit.Equal(t, names[0], experiments()[0].Name(), "name")
	testkit.Equal(t, len(names), len(experiments())+len(lateExperiments()), "experiments")
}
