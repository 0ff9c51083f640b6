// Package verdict decides whether a program has become slower, from measurements on two sides.
//
// A [Family] holds a [Row] for each benchmark and unit. Rows get rounds by [Row.Add], or, from
// two files that were not measured in turns, all samples by [Row.AddSides]. [Family.Look] judges
// them. [Median], [Interval] and [Ratio] describe samples without a verdict.
//
// A [Count] judges instructions an operation, a second judge beside the time; [Combine] has the rule
// for two judges.
//
// # The model
//
// Every round measures old and new one directly after the other, in random order. The logarithm
// of new over old is then the change, plus or minus the machine's drift between the two.
// The random order makes both signs equally likely, however the machine behaves. So the
// logarithms are distributed symmetrically around the change under any noise: drift, correlated
// neighbours, lasting states, heavy tails. No distribution and no independence of rounds is
// assumed. [NewShift] is the test that needs nothing else: a signed-rank test, inverted into an
// interval and an estimate. Verdict, interval and p of a [Row] all come from it, so they cannot
// contradict each other:
//
//   - slower: p, corrected for all looks and all rows, is at most alpha; the whole
//     interval lies above 0, and its lower 70 % bound above the limit (see likely);
//   - faster: p, corrected likewise, is at most alpha, and the whole interval lies
//     below 0;
//   - not slower: the interval's upper end lies below the limit, a test for
//     non-inferiority;
//   - undecided: none of these, and [Row.Detectable] is the slowdown that would have been found.
//
// Samples from sides that were measured one after the other ([NewSides]) must be independent. A change in the
// machine between the sides looks like a change in the program.
//
// # Repeated looks
//
// A [Family] is judged after 10 rounds, and again whenever the number of rounds has grown by
// two fifths. Decided rows need no further rounds. Half the error rate is spent on
// these looks, a fifth of the rest on each. The other half is spent on the
// last look, when time is over (alpha spending: Lan and DeMets, "Discrete sequential boundaries for clinical trials",
// Biometrika 70, 1983). Bonferroni's inequality adds up the spent rates; it holds for any
// dependence between looks. Holm's method controls the errors in all rows together ("A simple
// sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979);
// it holds for any dependence between rows.
//
// # Guarantees
//
// If nothing has changed, the probability that any row in a family is called slower or faster is at
// most alpha, each half of it, whenever the rounds end. A row slower by its limit or more is called "not slower" with a
// probability of at most 4 %: 1.25 % at the looks, and 2.5 % at the upper end of a 95 %
// interval at the last. A slowdown as large as [Row.Detectable] is found in nine of ten cases.
//
// All this requires the random order, and noise that affects old and new alike: a change
// with its own noise is judged by its median.
package verdict

import (
	"encoding/json"
	"fmt"
	"math"
)

// Verdict is a comparison's result, for one benchmark or for all together.
type Verdict string

// A benchmark's verdicts.
const (
	Slower    Verdict = "slower"
	Faster    Verdict = "faster"
	NotSlower Verdict = "not-slower" // than the limit
	Undecided Verdict = "undecided"  // none of these was shown
	Identical Verdict = "identical"  // nothing differs
	Missing   Verdict = "missing"    // on the old side only
	New       Verdict = "new"        // on the new side only
	NotJudged Verdict = "not-judged" // reached by the change, and without a verdict
)

// Further verdicts on all benchmarks together.
const (
	Pass    Verdict = "pass"
	Nothing Verdict = "nothing" // no benchmark was measured although sources differ
)

// Passes reports whether a verdict proves that a change may pass.
func (v Verdict) Passes() bool {
	switch v {
	case Faster, NotSlower, Identical, Pass, LessWork, NotMoreWork:
		return true
	}
	return false
}

// Number is a figure that is null in JSON where it is not finite.
type Number float64

// MarshalJSON implements [json.Marshaler].
func (x Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(x))
}

// Confidence in every interval.
const Confidence = 0.95

// levels belong to the two one-sided tests behind an interval: for "not above its lower end"
// and for "not below its upper end".
type levels struct{ lower, upper float64 }

// even levels belong to an interval like any other.
var even = levels{(1 - Confidence) / 2, (1 - Confidence) / 2}

// passing returns the levels for a row's interval at a look that may let it pass. Stopping
// as soon as an interval lies below the limit favours intervals below it by chance. So the
// upper end decides the verdict. It has the level spent by the look and holds for any
// number of looks. The lower end decides nothing and has most of the rest.
func passing(look int) levels {
	return levels{lower: 0.06, upper: even.upper * spent(look, false)}
}

// likely is the one-sided level for a change above the limit to be called slower.
// The test at the family's level proves only a change above 0. The same rounds cannot
// distinguish a change just below the limit from one just above. So "slower" requires an
// estimate further above the limit than a change below it would often reach by chance.
const likely = 0.3

// ShouldDetect is the slowdown that a run tries to find if there is one: more rounds for a row with
// this detectable change seldom alter the answer; see [Row.Open].
const ShouldDetect = 0.10

// power is the probability to find a slowdown as large as [Row.Detectable], if the noise is the one
// estimated. Rows with a small detectable change are often those whose noise is underestimated: nine in ten
// their slowdowns are found (simulated).
const power = 0.95

// Rule sets a decision's limits and error rates. The zero value is invalid; see
// [DefaultRule].
type Rule struct {
	Limit float64 // largest regression that passes, above 0: 0.03 is 3 %
	Alpha float64 // largest probability of any false "slower" or "faster"
}

// DefaultRule lets 3 % pass, at 5 % false alarms.
func DefaultRule() Rule { return Rule{Limit: 0.03, Alpha: 0.05} }

// CheckLimit returns an error for an invalid limit.
func CheckLimit(limit float64) error {
	if !(limit > 0) || math.IsInf(limit, 0) {
		return fmt.Errorf("limit: invalid value %g %% (want a largest passing regression above 0, as in 3%%)", 100*limit)
	}
	return nil
}

// FirstLook returns how many rounds come before the first look: the smallest number where
// the signed-rank test can reject at the first look's level.
const FirstLook = 10

// nextLook returns how many rounds the look after the one due at the given number has: 10,
// 14, 20, 28, 40, 56, 79, ...
func nextLook(rounds int) int {
	if rounds < FirstLook {
		return FirstLook
	}
	return rounds + (2*rounds+4)/5
}

// spent returns what share in an error rate look k spends, from 0, or the last look, which
// spends the rest. All looks together spend 1.
func spent(k int, last bool) float64 {
	const all, each = 0.5, 0.2
	left := math.Pow(1-each, float64(k))
	if last {
		return 1 - all*(1-left)
	}
	return all * each * left
}
