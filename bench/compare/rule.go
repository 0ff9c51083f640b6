package compare

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
)

// Rule says when a difference between two sides is a regression. The zero value
// is not a rule: begin with [DefaultRule].
//
// A benchmark has regressed when its change for the worse is larger than MaxRegress
// and significant. It is significant when the two-sided p-value, corrected by Holm's
// method for all benchmarks judged together, is at most Alpha. Where nothing has
// changed, the probability that a gate over a file of any number of benchmarks finds
// a regression is then at most Alpha, half of it in fact, since the other half are
// improvements.
//
// The p-value of sides measured one after the other is the larger of two: that of
// the Mann-Whitney test, as benchstat has it, which wants samples that do not depend
// on each other; and that of a step in a line through both sides, which a steady
// drift does not deceive, nor neighbours that resemble each other. That of pairs
// measured side by side is of a t-test on the logarithms of their ratios, in which
// samples far out count little: where a tenth of the samples is interrupted, it finds
// 5 % more often than the signed-rank test.
//
// What no test of two series can tell from a regression is a change of the machine
// between the last sample of one and the first of the other. Only measuring both
// sides side by side can, or [Report.Confirm].
type Rule struct {
	MaxRegress float64 // largest change for the worse that passes, 0.03 for 3 %; above 0
	Alpha      float64 // largest probability of a false alarm over all benchmarks
	Power      float64 // with which [Finding.Detectable] would be found
	Seed       uint64  // of the intervals
}

// DefaultRule lets 3 % pass, at 5 % of false alarms.
func DefaultRule() Rule {
	return Rule{MaxRegress: 0.03, Alpha: 0.05, Power: 0.9, Seed: 1}
}

// Check says what is wrong with a rule.
func (r Rule) Check() error {
	switch {
	case !(r.MaxRegress > 0) || math.IsInf(r.MaxRegress, 0):
		return errors.New("the largest regression that passes must be above 0, as in 3%")
	case !(r.Alpha > 0 && r.Alpha < 1):
		return fmt.Errorf("alpha is %v: the rate of false alarms must lie between 0 and 1", r.Alpha)
	case !(r.Power > 0 && r.Power < 1):
		return fmt.Errorf("power is %v: it must lie between 0 and 1", r.Power)
	}
	return nil
}

// Verdict is what a gate says of a benchmark.
type Verdict string

// The verdicts.
const (
	Passed    Verdict = "pass"
	Regressed Verdict = "regression"
	Undecided Verdict = "undecided" // too few or too noisy samples
)

// Finding is what a rule finds in one pair of sides. Changes are relative to old:
// 0.05 is 5 % more, which is worse for a time and better for a rate.
type Finding struct {
	Verdict Verdict
	Reason  string // of a verdict other than [Passed]

	Delta  float64 // of the medians; of pairs, the median of their changes
	Lo, Hi float64 // its 95 % interval
	P      float64 // two-sided
	Holm   float64 // P corrected for all benchmarks judged together

	// Detectable is the smallest change that would be significant with the power of
	// the rule; infinite when none would.
	Detectable float64

	// Needed is how many samples a side would make a change of MaxRegress
	// significant; 0 when these do.
	Needed int

	hidden float64 // change beside a steady drift of both sides, where it is significant; else 0
}

// Judge judges benchmarks together: the more there are, the more it takes to call
// one of them a regression.
func (r Rule) Judge(pairs []stat.Pair) []Finding {
	findings := make([]Finding, len(pairs))
	p := make([]float64, len(pairs))
	for i, pair := range pairs {
		findings[i] = r.measure(pair, len(pairs))
		p[i] = findings[i].P
	}
	for i, corrected := range stat.Holm(p) {
		findings[i].Holm = corrected
		findings[i].Verdict, findings[i].Reason = r.verdict(pairs[i], findings[i])
	}
	return findings
}

// measure fills what a finding says without its verdict. The pair is one of a
// family of so many.
func (r Rule) measure(pair stat.Pair, family int) Finding {
	f := Finding{P: 1, Detectable: math.Inf(1)}
	if len(pair.Old) == 0 || len(pair.New) == 0 {
		return f
	}
	change := pair.Change(r.Seed)
	f.Delta, f.Lo, f.Hi = change.Median, change.Lo, change.Hi
	if pair.Exact {
		f.Detectable = 0
		if f.Delta != 0 {
			f.P = 0
		}
		return f
	}
	s, ok := pair.Step()
	f.P = pair.Test(s, ok)
	if ok && !pair.InPairs() && s.P() <= r.Alpha {
		f.hidden = math.Expm1(s.Size)
	}
	r.detect(&f, pair, s, ok, family)
	return f
}

// detect finds what the pair could show, and how many samples would show a change
// of MaxRegress. Holm's method asks a level of Alpha over the size of the family of
// the first benchmark that it calls significant.
func (r Rule) detect(f *Finding, pair stat.Pair, s stat.Step, ok bool, family int) {
	level := r.Alpha / float64(family)
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

// verdict decides. What is left open is said to be.
func (r Rule) verdict(pair stat.Pair, f Finding) (Verdict, string) {
	worse, worst, hidden := f.Delta, f.Hi, f.hidden
	if pair.Better > 0 {
		worse, worst, hidden = -f.Delta, -f.Lo, -f.hidden
	}
	switch {
	case !pair.Exact && pair.Samples() < stat.MinCount || pair.Samples() == 0:
		return Undecided, fmt.Sprintf("%d and %d samples, at least %d a side are needed", len(pair.Old), len(pair.New), stat.MinCount)
	case math.IsNaN(worse) || slices.Min(pair.Old) < 0 || slices.Min(pair.New) < 0:
		return Undecided, "a change from such values has no percentage"
	case worse > r.MaxRegress && f.Holm <= r.Alpha:
		return Regressed, ""
	case worse > r.MaxRegress && !pair.InPairs() && f.P > r.Alpha && pair.RankTest() <= r.Alpha:
		return Undecided, "its samples drift, or come in runs that are alike: that would explain the change"
	case worse > r.MaxRegress:
		return Undecided, "the change is larger than what may pass, but within the noise"
	case hidden > r.MaxRegress:
		return Undecided, "its samples drift, and a change for the worse may be hidden by that"
	case worst <= r.MaxRegress || f.Detectable <= r.MaxRegress:
		return Passed, ""
	}
	return Undecided, "a regression that must not pass would be lost in the noise"
}
