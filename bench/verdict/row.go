package verdict

import (
	"fmt"
	"math"
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
	worse    []float64  // of each unit: logarithm of the ratio, positive for the worse
	each     []float64  // of each round, likewise
	rounds   []int      // of each unit
	next     int        // number of rounds at the next look
	least    [2]float64 // one-sided p of being worse and better, each the minimum over the looks of p divided by its spent share
	looks    int
	decided  bool
}

// Add adds a round. It returns an error for a negative figure or NaN.
func (r *Row) Add(before, after float64) error { return r.AddTo(len(r.old), before, after) }

// AddTo adds a round to a sampling unit, which may hold several rounds: ten layouts of a
// program measured five times each are ten units, each represented by its mean. Units are
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
		r.worse, r.rounds = append(r.worse, worse), append(r.rounds, 1)
		return nil
	}
	r.rounds[unit]++
	r.worse[unit] += (worse - r.worse[unit]) / float64(r.rounds[unit])
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

// Samples returns the figures of both sides, in the order measured.
func (r *Row) Samples() (before, after []float64) { return r.old, r.new }

// Decided reports whether the row needs no more rounds.
func (r *Row) Decided() bool { return r.decided }

// Steady reports whether each side repeated one figure in all rounds. Then there is no noise,
// and every difference is real.
func (r *Row) Steady() bool {
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

// Due reports whether the rounds have grown enough since the last look for another one,
// and there are enough units for a decision.
func (r *Row) Due() bool {
	return len(r.old) >= max(r.next, FirstLook) && len(r.worse) >= FirstLook
}

// Few reports whether there are enough rounds, but of fewer units than a decision needs.
func (r *Row) Few() bool { return len(r.worse) < FirstLook && len(r.each) >= FirstLook }

// look computes the evidence of the rounds so far, and reports whether they have noise. With
// too few units, the rounds are the sample: an interval that ignores the differences between
// units is better than none, and no verdict rests on it (see decide).
func (r *Row) look(last bool) (s Shift, noisy bool) {
	s = NewShift(r.worse)
	if r.Few() {
		s = NewShift(r.each)
	}
	r.next = NextLook(len(r.old))
	if r.Exact = r.Steady(); r.Exact {
		return s, false
	}
	if r.looks == 0 {
		r.least = [2]float64{1, 1}
	}
	part := spent(r.looks, last)
	r.least[0] = min(r.least[0], s.Above(0)/part)
	r.least[1] = min(r.least[1], s.Below(0)/part)
	r.looks++
	return s, true
}

// describe fills in the change with its interval at the given levels, and the matching p.
func (r *Row) describe(s Shift, l levels) {
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
	if r.looks == 0 {
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
func (r *Row) decide(s Shift, corrected, alpha float64, last bool) {
	r.Family, r.Reason = corrected, ""
	significant := corrected <= alpha
	most, ends := r.limit(), even
	if !last {
		ends = passing(r.looks - 1)
	}
	passes := s.Upper(ends.upper) < most
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
		r.Reason = why(s, most)
	}
	if r.Few() && r.Verdict != Undecided {
		r.Verdict, r.Reason = Undecided, fmt.Sprintf("only %d links of each side were measured: at least %d are needed", len(r.worse), FirstLook)
	}
	r.describe(s, even)
}

// why returns the reason for an undecided row.
func why(s Shift, most float64) string {
	switch lower := s.Lower(even.lower); {
	case s.n() < FirstLook:
		return fmt.Sprintf("%d rounds: at least %d are needed", s.n(), FirstLook)
	case lower > 0 && s.Lower(likely) > most:
		return "slower when looked at alone, but not beyond what chance does among so many"
	case lower > 0:
		return "slower, but it is open whether by more than the limit"
	}
	return "the noise is too large to tell"
}
