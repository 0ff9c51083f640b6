package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// GateRule defines a regression: a difference between two sides. The zero value is not a rule:
// begin with [DefaultRule].
//
// A benchmark has regressed when its change for the worse is significant, the whole interval of
// it lies above 0, and most of it above MaxRegress. It is significant when the two-sided
// p-value is at most Alpha, corrected by Holm's method for all benchmarks judged together that
// can vary. It passes when the upper end of the interval lies below MaxRegress.
// [stat.Pair.Evidence] returns interval, p and estimate from one test, so a finding does not
// contradict itself.
//
// If nothing has changed, the probability of any false regression in a file is at most Alpha/2,
// for any number of benchmarks. For sides measured in turns this holds for every noise. For
// sides measured one after the other, this requires independent samples and at most a steady
// drift.
//
// No test of two series can distinguish a regression from a change of the machine between the
// last sample of one and the first of the other. Only measuring both sides side by side can.
type GateRule struct {
	MaxRegress float64 // largest change for the worse that passes, 0.03 for 3 %; above 0
	Alpha      float64 // largest probability of a false alarm over all benchmarks
	Power      float64 // probability of finding a change of [Finding.Detectable]

	IgnoreMissing bool // ignore benchmarks present on the old side only
}

// DefaultRule lets 3 % pass, at 5 % of false alarms.
func DefaultRule() GateRule {
	return GateRule{MaxRegress: 0.03, Alpha: 0.05, Power: 0.9}
}

// Check returns an error for an invalid rule.
func (r GateRule) Check() error {
	switch {
	case !(r.MaxRegress > 0) || math.IsInf(r.MaxRegress, 0):
		return errors.New("MaxRegress is not above 0 (want a percentage, as in 3%)")
	case !(r.Alpha > 0 && r.Alpha < 1):
		return fmt.Errorf("alpha is %v (want a rate of false alarms above 0 and below 1)", r.Alpha)
	case !(r.Power > 0 && r.Power < 1):
		return fmt.Errorf("power is %v (want a probability above 0 and below 1)", r.Power)
	}
	return nil
}

// Finding is the result of a rule for one pair of sides. Changes are relative to old:
// 0.05 is 5 % more, worse for a time and better for a rate.
type Finding struct {
	Verdict verdict.Verdict // [verdict.Pass], [verdict.Regression] or [verdict.Undecided]
	Reason  string          // of a verdict other than [verdict.Pass]

	Delta  float64 // the estimate of Hodges and Lehmann
	Lo, Hi float64 // its 95 % interval
	P      float64 // two-sided, of no change: at most 0.05 exactly where [Lo, Hi] leaves 0 out
	Holm   float64 // P corrected for all benchmarks judged together that can vary

	// Detectable is the smallest change that would be significant with the power of the rule,
	// infinite if none would.
	Detectable float64

	// Needed is how many samples a side would make a change of MaxRegress
	// significant; 0 when these do.
	Needed int

	atLeast float64 // likely size of the change for the worse
	drifts  bool    // a steady drift, or correlated neighbours, would explain the change, or hide one
}

// likely is the one-sided level for a change above MaxRegress to be a regression:
// a change whose estimate just reaches MaxRegress is smaller half of the time.
const likely = 0.3

// Judge judges benchmarks together: the more of them can vary, the stronger the evidence needed
// to call one a regression.
func (r GateRule) Judge(pairs []stat.Pair) []Finding {
	findings := make([]Finding, len(pairs))
	var noisy []int
	var p []float64
	for i, pair := range pairs {
		if pair.Samples() > 0 && !pair.Exact && !pair.Steady() {
			noisy = append(noisy, i)
		}
	}
	for i, pair := range pairs {
		findings[i] = r.measure(pair, len(noisy))
		findings[i].Holm = findings[i].P
	}
	for _, i := range noisy {
		p = append(p, findings[i].P)
	}
	for k, corrected := range verdict.Holm(p) {
		findings[noisy[k]].Holm = corrected
	}
	for i := range findings {
		findings[i].Verdict, findings[i].Reason = r.verdict(pairs[i], findings[i])
	}
	return findings
}

// measure fills in a finding except its verdict. The pair is one of a family of the given
// number of pairs that can vary.
func (r GateRule) measure(pair stat.Pair, family int) Finding {
	f := Finding{P: 1, Detectable: math.Inf(1)}
	if pair.Samples() == 0 {
		return f
	}
	var change stat.Interval
	change, f.P = pair.Change()
	f.Delta, f.Lo, f.Hi = change.Median, change.Lo, change.Hi
	if pair.Exact || pair.Steady() {
		f.Detectable = 0
		f.atLeast = worsening(f.Delta, pair.Better)
		return f
	}
	evidence := pair.Evidence()
	f.atLeast = math.Expm1(evidence.Lower(likely))
	if pair.Better > 0 {
		f.atLeast = -math.Expm1(evidence.Upper(likely))
	}
	s, ok := pair.Step()
	f.drifts = ok && !pair.InPairs() && (s.P() <= r.Alpha) != (pair.RankTest() <= r.Alpha)
	r.detect(&f, pair, s, ok, family)
	return f
}

// detect computes the smallest detectable change of the pair, and the number of samples needed
// for a change of MaxRegress. Holm's method requires a level of Alpha over the size of the
// family for the first benchmark it calls significant.
func (r GateRule) detect(f *Finding, pair stat.Pair, s stat.Step, ok bool, family int) {
	level := r.Alpha / float64(max(1, family))
	few := stat.MinCount
	if !pair.InPairs() {
		few = stat.FewestRanked(level)
	}
	if !ok {
		f.Needed = max(few, experiment.DefaultCount)
		return
	}
	reach := s.Reach(level, r.Power)
	asked := math.Log1p(r.MaxRegress)
	if n := float64(pair.Samples()); reach > asked {
		f.Needed = int(min(1e6, math.Ceil(n*reach*reach/(asked*asked))))
	}
	if pair.Samples() < few {
		f.Needed = max(f.Needed, few)
		return
	}
	f.Detectable = math.Expm1(reach)
}

// verdict decides. Open questions become undecided.
func (r GateRule) verdict(pair stat.Pair, f Finding) (verdict.Verdict, string) {
	least, worst := f.Lo, f.Hi
	if pair.Better > 0 {
		least, worst = -f.Hi, -f.Lo
	}
	switch {
	case !pair.Exact && pair.Samples() < stat.MinCount || pair.Samples() == 0:
		return verdict.Undecided, fmt.Sprintf("%d and %d samples, at least %d a side are needed", len(pair.Old), len(pair.New), stat.MinCount)
	case math.IsNaN(f.Delta) || slices.Min(pair.Old) < 0 || slices.Min(pair.New) < 0:
		return verdict.Undecided, "a change from such values has no percentage"
	case f.Holm <= r.Alpha && least > 0 && f.atLeast > r.MaxRegress:
		return verdict.Regression, ""
	case worst < r.MaxRegress:
		return verdict.Pass, ""
	case f.drifts:
		return verdict.Undecided, "its samples drift, or come in runs that are alike: that would explain a change, or hide one"
	case least > 0 && f.atLeast > r.MaxRegress:
		return verdict.Undecided, "the change exceeds the limit, but is not significant among this many comparisons"
	case least > 0:
		return verdict.Undecided, "it is worse, but the change may be within the limit"
	}
	return verdict.Undecided, "a regression that must not pass would be lost in the noise"
}
