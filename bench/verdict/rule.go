package verdict

import (
	"fmt"
	"math"
)

// Confidence of every interval.
const Confidence = 0.95

// levels are those of the one-sided tests of which an interval holds what they do not
// reject: of "not above its lower end" and of "not below its upper end".
type levels struct{ lower, upper float64 }

// even levels are those of an interval like any other.
var even = levels{(1 - Confidence) / 2, (1 - Confidence) / 2}

// passing returns the levels of the interval of a row that may pass at a look. Who
// stops as soon as an interval lies below the limit stops more often when it does so by
// chance. So the upper end, on which the verdict stands, has the level that the look
// spends, and is as far away as it must be to hold however often one looks; and the
// lower end, on which nothing stands, has most of the rest.
func passing(look int) levels {
	return levels{lower: 0.06, upper: even.upper * spent(look, false)}
}

// likely is the one-sided level at which a change must be above the limit to be called
// slower. That it is above 0 is proven at the level of the family; which of two changes
// it is, one just below the limit or one above, cannot be in the rounds that this
// takes. So "slower" asks that the estimate is above the limit by more than a change
// below it would often reach by chance.
const likely = 0.3

// Rule says when a row is decided. The zero value is no rule; see [DefaultRule].
type Rule struct {
	Limit float64 // largest change for the worse that passes: 0.03 is 3 %; above 0
	Alpha float64 // largest probability that any row is called slower or faster by chance
}

// DefaultRule lets 3 % pass, at 5 % of false alarms.
func DefaultRule() Rule { return Rule{Limit: 0.03, Alpha: 0.05} }

// Check says what is wrong with a rule.
func (r Rule) Check() error {
	if err := CheckLimit(r.Limit); err != nil {
		return err
	}
	if !(r.Alpha > 0 && r.Alpha < 1) {
		return fmt.Errorf("alpha is %v: the rate of false alarms must lie between 0 and 1", r.Alpha)
	}
	return nil
}

// CheckLimit says what is wrong with a limit.
func CheckLimit(limit float64) error {
	if !(limit > 0) || math.IsInf(limit, 0) {
		return fmt.Errorf("the limit is %g %%: the largest change for the worse that passes must be above 0, as in 3%%", 100*limit)
	}
	return nil
}

// FirstLook is the number of rounds after which a family is looked at for the first
// time: as many as the signed ranks need to reject at the level of that look.
const FirstLook = 10

// NextLook returns the rounds after which the look follows that was due after so many:
// 10, 14, 20, 28, 40, 56, 79, ...
func NextLook(rounds int) int {
	if rounds < FirstLook {
		return FirstLook
	}
	return rounds + (2*rounds+4)/5
}

// spent is the part of an error rate that a look has: look number k, from 0, or the
// last, after which nothing more is measured. The last has what those before it left;
// all looks together have 1.
func spent(k int, last bool) float64 {
	const all, each = 0.5, 0.2
	left := math.Pow(1-each, float64(k))
	if last {
		return 1 - all*(1-left)
	}
	return all * each * left
}
