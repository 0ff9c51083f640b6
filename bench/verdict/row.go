package verdict

import (
	"fmt"
	"math"
	"slices"
)

// minRounds is the number of constant rounds required to treat figures as free of noise.
const minRounds = 4

// mostLog bounds the logarithm of a ratio, so a ratio with 0 is a finite number.
const mostLog = 30

// Row is one benchmark in one unit, measured in turns on two sides.
type Row struct {
	Limit  float64 // largest regression that passes
	Higher bool    // more is better

	// The results of the last look. Changes are relative to old: 0.05 is 5 % more. Without a
	// round they are NaN.
	Verdict       Verdict
	Reason        string // of a verdict with a reason
	Delta, Lo, Hi float64
	P             float64 // two-sided, of the change being 0: at most 0.05 exactly if [Lo, Hi] leaves 0 out
	Family        float64 // P corrected for all looks and all rows
	Exact         bool    // no noise: every difference is significant, and the interval has no width

	old, new []float64
	worse    []float64   // of each unit: logarithm of the ratio, positive for the worse
	each     []float64   // of each round, likewise
	ofUnit   [][]float64 // likewise, by unit
	unitOf   []int       // of each round
	refined  int         // rounds behind the interval of a decided change
	early    int         // early looks so far
	next     int         // number of rounds at the next look
	part     float64     // share of the error rates spent by the last look
	least    [2]float64  // one-sided p of being worse and better, each the minimum over the looks of p divided by its spent share
	looks    int
	decided  bool
}

// Add adds a round. It returns an error for a negative figure or NaN.
func (r *Row) Add(before, after float64) error { return r.AddTo(len(r.old), before, after) }

// AddTo adds a round to a sampling unit. A unit may hold several rounds: ten layouts of a
// program measured five times each are ten units, each represented by its median. Units are
// numbered from 0, in the order of their first rounds.
func (r *Row) AddTo(unit int, before, after float64) error {
	for _, x := range []float64{before, after} {
		if !(x >= 0) || math.IsInf(x, 0) {
			return fmt.Errorf("invalid measurement %v (want a finite number of at least 0)", x)
		}
	}
	r.old, r.new = append(r.old, before), append(r.new, after)
	worse := r.sign() * LogRatio(before, after)
	r.each = append(r.each, worse)
	if unit >= len(r.worse) {
		unit = len(r.worse)
		r.worse, r.ofUnit = append(r.worse, worse), append(r.ofUnit, nil)
	}
	r.unitOf = append(r.unitOf, unit)
	r.ofUnit[unit] = append(r.ofUnit[unit], worse)
	r.worse[unit] = middle(r.ofUnit[unit])
	return nil
}

// LogRatio returns the logarithm of after over before, for figures of at least 0. It is 0 if
// both are 0, and limited to ±30.
func LogRatio(before, after float64) float64 {
	if before == after {
		return 0
	}
	return max(-mostLog, min(mostLog, math.Log(after/before)))
}

// sign is 1 where more is worse.
func (r *Row) sign() float64 {
	if r.Higher {
		return -1
	}
	return 1
}

// Rounds is the number of rounds.
func (r *Row) Rounds() int { return len(r.old) }

// Units is the number of units.
func (r *Row) Units() int { return len(r.worse) }

// AllWorse reports whether there are at least n units, and all of them changed for the worse by
// more than the limit.
func (r *Row) AllWorse(n int) bool {
	return len(r.worse) >= n && slices.Min(r.worse) > r.limit()
}

// Samples returns the figures of both sides, in the order measured.
func (r *Row) Samples() (before, after []float64) { return r.old, r.new }

// Decided reports whether the row needs no more rounds.
func (r *Row) Decided() bool { return r.decided }

// steady reports whether each side repeated one figure in all rounds. Then there is no noise,
// and every difference is real.
func (r *Row) steady() bool {
	if len(r.old) < minRounds {
		return false
	}
	for k := range r.old {
		if r.old[k] != r.old[0] || r.new[k] != r.new[0] {
			return false
		}
	}
	return true
}

// due reports whether the rounds have grown enough since the last look for another one,
// and there are enough units for a decision.
func (r *Row) due() bool {
	return r.dueEarly() || len(r.old) >= max(r.next, FirstLook) && len(r.worse) >= FirstLook
}

// dueEarly reports whether an early look is due.
func (r *Row) dueEarly() bool {
	return len(r.worse) < FirstLook && r.early < len(earlyLooks) && len(r.worse) >= earlyLooks[r.early]
}

// look computes the evidence of the rounds so far, and reports whether they have noise.
func (r *Row) look(last bool) (s evidence, noisy bool) {
	s = r.evidence()
	if r.Exact = r.steady(); r.Exact {
		return s, false
	}
	if r.looks+r.early == 0 {
		r.least = [2]float64{1, 1}
	}
	var above, below float64
	if r.part = spent(r.looks, last); r.fewLinks() {
		above, below = r.ofLinks(0)
		if !last {
			r.part = earlySpent
			for r.dueEarly() {
				r.early++
			}
		}
	} else {
		above, below = s.Above(0), s.Below(0)
		r.next = NextLook(len(r.old))
		r.looks++
	}
	r.least[0] = min(r.least[0], above/r.part)
	r.least[1] = min(r.least[1], below/r.part)
	return s, true
}

// evidence returns the test behind the interval. That of a single unit ignores the differences
// between units, but is better than none: its p decides nothing.
func (r *Row) evidence() evidence {
	switch n := len(r.worse); {
	case n == 1:
		return NewShift(r.each)
	case n < earlyLooks[0]:
		return newStudent(r.worse)
	}
	return NewShift(r.worse)
}

// fewLinks reports whether the sides are compared link by link.
func (r *Row) fewLinks() bool { return len(r.worse) < FirstLook }

// Rough reports whether a change is decided but has a wide interval. Further rounds narrow the
// interval; verdict and p stay.
func (r *Row) Rough() bool {
	const rounds, part = 3 * FirstLook, 0.1
	if r.Exact || r.Verdict != Slower && r.Verdict != Faster || len(r.old) >= rounds {
		return false
	}
	return max(r.Hi-r.Delta, r.Delta-r.Lo) > max(r.Limit, part*math.Abs(r.Delta))
}

// refine describes a decided change by all rounds so far, if these agree with the verdict.
func (r *Row) refine() {
	if r.Exact || r.refined == len(r.old) {
		return
	}
	r.refined = len(r.old)
	s := r.evidence()
	if r.Verdict == Slower && s.Lower(even.lower) > 0 && s.Center() > r.limit() || r.Verdict == Faster && s.Upper(even.upper) < 0 {
		p := r.P
		r.describe(s, even)
		r.P = min(p, r.P)
	}
}

// describe fills in the change with its interval at the given levels, and the matching p.
func (r *Row) describe(s evidence, l levels) {
	r.Delta, r.Lo, r.Hi = r.change(s.Center()), r.change(s.Lower(l.lower)), r.change(s.Upper(l.upper))
	if r.Higher {
		r.Lo, r.Hi = r.Hi, r.Lo
	}
	const both = 1 - Confidence
	r.P = min(1, both*s.Above(0)/l.lower, both*s.Below(0)/l.upper)
	r.Family = max(r.Family, r.P) // a correction does not make it less
}

// change is the relative change of a logarithm for the worse.
func (r *Row) change(worse float64) float64 { return math.Expm1(r.sign() * worse) }

// sequential is the two-sided p-value of the row, corrected for its looks.
func (r *Row) sequential() float64 {
	if r.part == 0 {
		return 1
	}
	return min(1, 2*r.least[0], 2*r.least[1])
}

// limit returns the largest passing logarithm. For a rate, where higher is better, a decrease
// of 3 % is as bad as an increase of 3 % in time.
func (r *Row) limit() float64 {
	if r.Higher {
		return -math.Log1p(-min(r.Limit, 1-1e-9))
	}
	return math.Log1p(r.Limit)
}

// decideExactly gives the verdict of figures without noise.
func (r *Row) decideExactly() {
	worse := r.worse[0]
	r.Delta = r.change(worse)
	r.Lo, r.Hi = r.Delta, r.Delta
	r.P, r.Reason, r.decided = 0, "", true
	switch {
	case worse == 0:
		r.Verdict, r.P = Identical, 1
	case worse > r.limit():
		r.Verdict = Slower
	case worse < 0:
		r.Verdict = Faster
	default:
		r.Verdict = NotSlower
	}
	r.Family = r.P
}

// decide gives the verdict of a row with noise, from its shift and its p corrected for
// looks and rows.
func (r *Row) decide(s evidence, corrected, alpha float64, last bool) {
	r.Family, r.Reason = corrected, ""
	significant := corrected <= alpha
	most, ends := r.limit(), even
	if !last {
		ends = passing(r.looks - 1)
	}
	passes := s.Upper(ends.upper) < most
	if r.fewLinks() {
		_, below := r.ofLinks(most)
		ends, passes = even, below <= even.upper*r.part && s.Upper(even.upper) < most
	}
	switch lower := s.Lower(even.lower); {
	case significant && lower > 0 && s.Lower(likely) > most:
		r.Verdict, r.decided = Slower, true
	case passes && significant && s.Upper(even.upper) < 0:
		r.Verdict, r.decided = Faster, true
	case passes && (last || s.Center() > -most):
		r.Verdict, r.decided = NotSlower, true
		r.describe(s, ends)
		return
	default:
		r.Verdict, r.decided = Undecided, last
		r.Reason = r.why(s, most)
	}
	r.describe(s, even)
}

// why returns the reason for an undecided row.
func (r *Row) why(s evidence, most float64) string {
	switch lower := s.Lower(even.lower); {
	case len(r.each) < earlyLooks[0]:
		return fmt.Sprintf("%d rounds: at least %d are needed", len(r.each), earlyLooks[0])
	case len(r.worse) < earlyLooks[0]:
		return fmt.Sprintf("only %d links of each side were measured: at least %d are needed", len(r.worse), earlyLooks[0])
	case lower > 0 && s.Lower(likely) > most:
		return "slower on its own, but not significant among this many comparisons"
	case lower > 0:
		return "slower, but it is open whether by more than the limit"
	}
	return "the noise is too large to decide"
}
