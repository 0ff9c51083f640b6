package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/rating"
	"pgregory.net/rapid"
)

// jittery returns n samples around a center with a standard deviation relative to it.
func jittery(seed uint64, n int, center, deviation float64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 6))
	x := make([]float64, n)
	for i := range x {
		x[i] = center * math.Exp(deviation*rng.NormFloat64())
	}
	return x
}

func same(n int, value float64) []float64 { return slices.Repeat([]float64{value}, n) }

func TestVerdicts(t *testing.T) {
	tests := []struct {
		name   string
		pair   stat.Pair
		want   verdict.Verdict
		reason string
	}{
		{"slower", stat.Pair{Old: jittery(1, 20, 100, 0.01), New: jittery(2, 20, 106, 0.01), Better: -1}, verdict.Regression, ""},
		{"slower by less", stat.Pair{Old: jittery(1, 20, 100, 0.005), New: jittery(2, 20, 102, 0.005), Better: -1}, verdict.Pass, ""},
		{"faster", stat.Pair{Old: jittery(1, 20, 100, 0.01), New: jittery(2, 20, 90, 0.01), Better: -1}, verdict.Pass, ""},
		{"fewer in a second", stat.Pair{Old: jittery(1, 20, 100, 0.01), New: jittery(2, 20, 90, 0.01), Better: 1}, verdict.Regression, ""},
		{"more in a second", stat.Pair{Old: jittery(1, 20, 100, 0.01), New: jittery(2, 20, 106, 0.01), Better: 1}, verdict.Pass, ""},
		{"slower pairs", stat.Pair{Old: jittery(1, 20, 100, 0.01), New: jittery(2, 20, 106, 0.01), Better: -1, Paired: true}, verdict.Regression, ""},
		{"noise", stat.Pair{Old: jittery(1, 20, 100, 0.2), New: jittery(9, 20, 100, 0.2), Better: -1}, verdict.Undecided, "noise"},
		{"few", stat.Pair{Old: same(3, 100), New: same(20, 200), Better: -1}, verdict.Undecided, "3 and 20 samples, at least 4 a side are needed"},
		{"none", stat.Pair{Old: same(9, 1), Better: -1}, verdict.Undecided, "9 and 0 samples"},
		{"none of an exact unit", stat.Pair{New: same(9, 1), Better: -1, Exact: true}, verdict.Undecided, "0 and 9 samples"},
		{"no pairs", stat.Pair{Old: jittery(1, 20, 100, 0.01), New: jittery(2, 19, 106, 0.01), Better: -1, Paired: true}, verdict.Regression, ""},
		{"more allocations", stat.Pair{Old: same(10, 2), New: same(10, 3), Better: -1}, verdict.Regression, ""},
		{"allocations as before", stat.Pair{Old: same(10, 2), New: same(10, 2), Better: -1}, verdict.Pass, ""},
		{"no allocations", stat.Pair{Old: same(10, 0), New: same(10, 0), Better: -1}, verdict.Pass, ""},
		{"first allocations", stat.Pair{Old: same(10, 0), New: same(10, 1), Better: -1}, verdict.Regression, ""},
		{"exact", stat.Pair{Old: same(1, 100), New: same(1, 104), Better: -1, Exact: true}, verdict.Regression, ""},
		{"exact and small", stat.Pair{Old: same(1, 100), New: same(1, 102), Better: -1, Exact: true}, verdict.Pass, ""},
		{"below zero", stat.Pair{Old: same(9, -1), New: same(9, -2), Better: -1}, verdict.Undecided, "no percentage"},
		{"slower by as much as the machine becomes faster", stat.Pair{Old: ramp(20, 120, -0.005), New: ramp(20, 120, -0.005), Better: -1}, verdict.Undecided, "hide one"},
		{"drift", stat.Pair{Old: ramp(20, 100, 0.01), New: ramp(20, 120, 0.01), Better: -1}, verdict.Undecided, "drift"},
	}
	for _, test := range tests {
		f := DefaultRule().Judge([]stat.Pair{test.pair})[0]
		if f.Verdict != test.want || !strings.Contains(f.Reason, test.reason) {
			t.Errorf("%s: %+v, want %s", test.name, f, test.want)
		}
	}
}

// ramp becomes slower with every sample.
func ramp(n int, start, part float64) []float64 {
	x := jittery(7, n, start, 0.002)
	for i := range x {
		x[i] *= 1 + part*float64(i)
	}
	return x
}

// What is said to be detectable is found as often as the power says, and what is said
// to be needed makes the threshold detectable.
func TestDetectableIsDetected(t *testing.T) {
	rule := DefaultRule()
	rule.MaxRegress = 0.001 // so that only significance decides
	for _, paired := range []bool{false, true} {
		for _, n := range []int{8, 20} {
			found, planted := 0, 0.0
			const trials = 200
			for k := range uint64(trials) {
				pair := stat.Pair{Old: jittery(2*k, n, 100, 0.01), New: jittery(2*k+1, n, 100, 0.01), Better: -1, Paired: paired}
				planted += rule.Judge([]stat.Pair{pair})[0].Detectable / trials
			}
			for k := range uint64(trials) {
				pair := stat.Pair{Old: jittery(2*k, n, 100, 0.01), New: jittery(2*k+1, n, 100*(1+planted), 0.01), Better: -1, Paired: paired}
				if rule.Judge([]stat.Pair{pair})[0].Verdict == verdict.Regression {
					found++
				}
			}
			if lo, hi := rating.Wilson(int64(found), int64(trials)); hi < 0.85 || lo > 0.97 {
				t.Errorf("%d samples, paired %v: a change of %.2f %% was found %d times in %d", n, paired, 100*planted, found, trials)
			}
		}
	}
}

func TestNeededSamples(t *testing.T) {
	rule := DefaultRule()
	few := rule.Judge([]stat.Pair{{Old: jittery(1, 10, 100, 0.05), New: jittery(2, 10, 100, 0.05), Better: -1}})[0]
	if few.Detectable < 0.1 || few.Needed < 50 || few.Needed > 500 {
		t.Fatalf("%+v", few)
	}
	many := rule.Judge([]stat.Pair{{Old: jittery(3, 2*few.Needed, 100, 0.05), New: jittery(4, 2*few.Needed, 100, 0.05), Better: -1}})[0]
	if many.Detectable > rule.MaxRegress || many.Needed != 0 || many.Verdict != verdict.Pass {
		t.Errorf("with twice %d samples: %+v", few.Needed, many)
	}
	none := rule.Judge([]stat.Pair{{Old: same(1, 1), New: same(1, 1), Better: -1}})[0]
	if none.Needed < experiment.DefaultCount || !math.IsInf(none.Detectable, 1) {
		t.Errorf("of one sample: %+v", none)
	}
	// 4 samples cannot be significant at 0.05 over 20, however far apart.
	family := slices.Repeat([]stat.Pair{{Old: []float64{1, 1.01, 1.02, 1.03}, New: []float64{2, 2.01, 2.02, 2.03}, Better: -1}}, 20)
	for _, f := range rule.Judge(family) {
		if f.Verdict != verdict.Undecided || !math.IsInf(f.Detectable, 1) || f.Needed < 6 {
			t.Errorf("of four samples of twenty benchmarks: %+v", f)
		}
	}
}

func TestRuleCheck(t *testing.T) {
	for _, change := range []func(*GateRule){
		func(r *GateRule) { r.MaxRegress = 0 },
		func(r *GateRule) { r.MaxRegress = math.NaN() },
		func(r *GateRule) { r.MaxRegress = math.Inf(1) },
		func(r *GateRule) { r.Alpha = 0 },
		func(r *GateRule) { r.Alpha = 1 },
		func(r *GateRule) { r.Power = 1 },
	} {
		rule := DefaultRule()
		if err := rule.Check(); err != nil {
			t.Fatal(err)
		}
		change(&rule)
		if rule.Check() == nil {
			t.Errorf("%+v is taken for a rule", rule)
		}
	}
}

// A finding does not depend on the scale of a unit, and no series has regressed
// against itself.
func TestJudgeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sample := rapid.SliceOfN(rapid.Float64Range(1, 1000), 1, 12)
		pair := stat.Pair{
			Old: sample.Draw(t, "old"), New: sample.Draw(t, "new"),
			Paired: rapid.Bool().Draw(t, "paired"), Better: rapid.SampledFrom([]int{-1, 1}).Draw(t, "better"),
		}
		rule := DefaultRule()
		finding := rule.Judge([]stat.Pair{pair})[0]
		if finding.Lo > finding.Hi || finding.P < 0 || finding.P > 1 || finding.Holm != finding.P {
			t.Fatalf("%+v", finding)
		}
		scaled := pair
		scaled.Old, scaled.New = scale(pair.Old, 1024), scale(pair.New, 1024)
		if got := rule.Judge([]stat.Pair{scaled})[0]; got.Delta != finding.Delta || math.Abs(got.P-finding.P) > 1e-6 {
			t.Fatalf("%+v, and scaled %+v", finding, got)
		}
		self := rule.Judge([]stat.Pair{{Old: pair.Old, New: pair.Old, Better: pair.Better, Paired: pair.Paired}})[0]
		if self.Verdict == verdict.Regression || self.Delta != 0 {
			t.Fatalf("against itself: %+v", self)
		}
	})
}

func scale(x []float64, factor float64) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = x[i] * factor
	}
	return y
}
