package compare

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/noise"
)

// simulated returns a trial on a simulated machine, with as many samples as a run
// takes by default.
func simulated(m noise.Machine, paired bool, planted float64) Trial {
	name := m.Name + ", one after the other"
	measure := m.OneAfterTheOther
	if paired {
		name = m.Name + ", side by side"
		measure = m.SideBySide
	}
	return Trial{Name: name, Planted: planted, Source: func(_ context.Context, k int) (stat.Pair, error) {
		old, new := measure(uint64(k), experiment.DefaultCount, planted)
		return stat.Pair{Old: old, New: new, Paired: paired, Better: -1}, nil
	}}
}

// The gate must not fire on pairs that are the same, however the machine behaves,
// and must fire on a slowdown of 5 % where it can be seen.
func TestFalseAlarmsAndPower(t *testing.T) {
	trials := 120
	if testing.Short() {
		trials = 50
	}
	machines := []struct {
		machine noise.Machine
		blurred bool    // one after the other, the noise is as large as a slowdown of 5 %
		power   float64 // side by side
	}{
		{noise.Quiet(), false, GoalPower},
		{noise.Drift(0.10), true, GoalPower},
		{noise.Wave(0.08, 3), true, GoalPower},
		{noise.Spikes(0.10), true, 0.8},
		{noise.Bimodal(0.06, 2), true, 0.75}, // a pair differs by as much as what is looked for, half of the time
		{noise.Bimodal(0.06, 4), true, GoalPower},
	}
	var table []TrialRates
	for _, m := range machines {
		for _, paired := range []bool{true, false} {
			for _, planted := range []float64{0, 0.05} {
				rates, err := Trials(t.Context(), DefaultRule(), simulated(m.machine, paired, planted), trials, nil)
				if err != nil {
					t.Fatal(err)
				}
				table = append(table, rates)
				met := rates.Met() || planted > 0 && paired && rates.Rate >= m.power
				if !met && (planted == 0 || paired || !m.blurred) {
					t.Errorf("%s, planted %v: fired %d times in %d trials", rates.Name, planted, rates.Fired, rates.Trials)
				}
				if found := rates.Fired + rates.Undecided; planted > 0 && float64(found) < GoalPower*float64(trials) {
					t.Errorf("%s: a slowdown passes in %d of %d trials", rates.Name, trials-found, trials)
				}
			}
		}
	}
	var text bytes.Buffer
	WriteTrials(&text, table)
	t.Logf("\n%s", text.String())
}

// What two series cannot tell from a regression is a machine that was in another
// state when the second was taken. This is why there is [Report.Confirm]: the
// ratio to an engine measured in the same rounds is the same in either state.
func TestTwoDays(t *testing.T) {
	days := noise.Bimodal(0.06, 1000)
	trial := func(name string, source func(seed uint64) (old, new []float64)) TrialRates {
		rates, err := Trials(t.Context(), DefaultRule(), Trial{Name: name, Source: func(_ context.Context, k int) (stat.Pair, error) {
			old, new := source(uint64(k))
			return stat.Pair{Old: old, New: new, Better: -1}, nil
		}}, 60, nil)
		if err != nil {
			t.Fatal(err)
		}
		return rates
	}
	times := trial("times", func(seed uint64) (old, new []float64) {
		return days.OnTwoDays(seed, experiment.DefaultCount, 0)
	})
	if times.Lo < GoalFalseAlarms {
		t.Errorf("the limit is gone, say so in the documentation: %+v", times)
	}
	toBaseline := trial("ratios", func(seed uint64) (old, new []float64) {
		old, new = days.OnTwoDays(seed, experiment.DefaultCount, 0)
		jitter, more := noise.Quiet().OnTwoDays(seed, experiment.DefaultCount, 0)
		return stat.Ratios(multiplied(old, jitter), old), stat.Ratios(multiplied(new, more), new)
	})
	if !toBaseline.Met() {
		t.Errorf("ratios: %+v", toBaseline)
	}
}

func multiplied(x, y []float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = x[i] * y[i]
	}
	return out
}

func TestTrialsStopWithWhatTheyHave(t *testing.T) {
	broken := errors.New("the machine broke")
	source := func(_ context.Context, k int) (stat.Pair, error) {
		if k == 7 {
			return stat.Pair{}, broken
		}
		return stat.Pair{Old: []float64{1, 1.01, 1.02, 1.03, 1, 1.01}, New: []float64{2, 2.01, 2.02, 2.03, 2, 2.01}, Better: -1}, nil
	}
	calls := 0
	rates, err := Trials(t.Context(), DefaultRule(), Trial{Name: "x", Planted: 1, Source: source}, 10, func(int) { calls++ })
	if !errors.Is(err, broken) || rates.Trials != 7 || calls != 7 || rates.Fired != 7 || !rates.Met() {
		t.Errorf("%+v after %d calls, error %v", rates, calls, err)
	}
	if rates.Lo < 0.6 || rates.Lo > 0.7 || rates.Hi < 1-1e-9 {
		t.Errorf("interval of 7 in 7 is [%v, %v], want [0.646, 1]", rates.Lo, rates.Hi)
	}
}

func TestTrialsTable(t *testing.T) {
	var text bytes.Buffer
	a := TrialRates{Name: "quiet", Trials: 200, Fired: 3}
	b := TrialRates{Name: "quiet", Planted: 0.05, Trials: 200, Fired: 100, Undecided: 100}
	a.complete()
	b.complete()
	WriteTrials(&text, []TrialRates{a, b})
	want := []string{
		"noise  planted  trials  fired         rate [95 %]  undecided     goal  met",
		"quiet  nothing     200      3    1.5 % [0.5, 4.3]          0   <= 5 %  yes",
		"quiet     +5 %     200    100  50.0 % [43.1, 56.9]        100  >= 90 %   no",
	}
	if got := text.String(); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(strings.Join(want, "\n")), " ") {
		t.Errorf("got\n%swant\n%s", got, strings.Join(want, "\n"))
	}
}
