package verdict

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Row is one benchmark in one unit, measured in turns on two sides, or on one after the other.
type Row struct {
	Limit  float64 // largest regression that passes
	Higher bool    // more is better

	// Suspected is set where something else has shown a slowdown, and the rounds repeat it: then a few decide, by Student's
	// interval for their mean, outside of the family's correction.
	Suspected bool
	Noise     float64 // standard deviation of a suspected row's changes, if known: a logarithm

	// Repeats is after how many rounds figures that repeat on each side have no noise; 0 is [FirstLook].
	Repeats int

	// The results at the last look. Changes are relative to old: 0.05 is 5 % more. Without a
	// round they are NaN.
	Verdict       Verdict
	Reason        string // reason for a verdict that has one
	Delta, Lo, Hi float64
	P             float64 // two-sided, of the change being 0: at most 0.05 exactly if [Lo, Hi] leaves 0 out
	Family        float64 // P corrected for all looks and all rows
	Exact         bool    // no noise: every difference is significant, and the interval has no width

	// Detectable is the smallest change for the worse that a row with this noise shows in nine of
	// ten runs: 0.07 is 7 %. It is infinite if the rounds are too few to show any.
	Detectable float64

	LikelyAbove bool // the lower 70 % bound of the change lies above the limit

	excluded  float64 // logarithm of the smallest change for the worse that the family's test excludes
	old, new  []float64
	sides     bool       // measured one after the other
	worse     []float64  // logarithms of the ratio by round, positive for the worse
	refined   int        // rounds behind the interval of a decided change
	next      int        // number of rounds at the next look
	spentPart float64    // share of the error rates spent by the last look
	smallestP [2]float64 // one-sided p of being worse and better, each the minimum over the looks of p divided by its spent share
	looks     int
	mayExceed bool // the upper 70 % bound of the change lies above the limit
	decided   bool
}

// Add adds a round. It returns an error for a negative figure or NaN.
func (r *Row) Add(before, after float64) error {
	if err := checkFigures(before, after); err != nil {
		return err
	}
	r.old, r.new = append(r.old, before), append(r.new, after)
	r.worse = append(r.worse, r.sign()*LogRatio(before, after))
	return nil
}

// AddSides adds samples from two sides that were not measured in turns. The verdict is weaker
// than from rounds: no test distinguishes a change in the program from one in the machine
// between the two. A row has either rounds or sides.
func (r *Row) AddSides(before, after []float64) error {
	if err := checkFigures(slices.Concat(before, after)...); err != nil {
		return err
	}
	r.sides = true
	r.old, r.new = append(r.old, before...), append(r.new, after...)
	return nil
}

// checkFigures returns an error for a figure that is no measurement.
func checkFigures(figures ...float64) error {
	for _, x := range figures {
		if !(x >= 0) || math.IsInf(x, 0) {
			return fmt.Errorf("invalid measurement %v (want a finite number of at least 0)", x)
		}
	}
	return nil
}

// sign is 1 where more is worse.
func (r *Row) sign() float64 {
	if r.Higher {
		return -1
	}
	return 1
}

// Rounds is the number of rounds, or of samples on the side with fewer.
func (r *Row) Rounds() int { return min(len(r.old), len(r.new)) }

// AllWorse reports whether all rounds, at least one, changed for the worse by more than the limit.
func (r *Row) AllWorse() bool { return len(r.worse) > 0 && slices.Min(r.worse) > r.limit() }

// Confirms reports whether the rounds show a change for the worse by themselves, and estimate it above the limit, or
// else whether further rounds may. The evidence is the test behind the interval, or, if all of at least three rounds lie
// above the limit, Student's for their mean, both at the level of an interval's end.
func (r *Row) Confirms() (worse, open bool) {
	const fewest, most = 3, 4 * FirstLook
	switch n := len(r.worse); {
	case n < fewest:
		return false, true
	case r.AllWorse():
		mean, half := studentInterval(r.worse, studentQuantiles)
		worse = mean > half
	case n >= FirstLook:
		s := r.evidence()
		worse = s.Center() > r.limit() && s.Lower(even.lower) > 0
	}
	return worse, !worse && len(r.worse) < most && (len(r.worse) < FirstLook || Median(r.worse) > r.limit())
}

// Samples returns both sides' figures, in the order measured.
func (r *Row) Samples() (before, after []float64) { return r.old, r.new }

// Open reports whether more rounds may change the answer: until the first look, while the
// change may well be above the limit, and while its detectable change is above the target.
func (r *Row) Open(target float64) bool {
	return !r.decided && (r.looks == 0 || r.mayExceed || !(r.Detectable <= target))
}

// steady reports whether each side repeated one figure in all rounds. Then there is no noise,
// and every difference is real.
func (r *Row) steady() bool {
	if r.Rounds() < cmp.Or(r.Repeats, FirstLook) {
		return false
	}
	isOther := func(x []float64) bool { return slices.ContainsFunc(x, func(y float64) bool { return y != x[0] }) }
	return !isOther(r.old) && !isOther(r.new)
}

// due reports whether the rounds have grown enough since the last look for another one.
func (r *Row) due() bool { return len(r.old) >= max(r.next, FirstLook) }

// look computes the evidence from the rounds so far, and reports whether they have noise.
func (r *Row) look(last bool) (s Shift, noisy bool) {
	s = r.evidence()
	if r.Exact = r.steady(); r.Exact {
		return s, false
	}
	if r.looks == 0 {
		r.smallestP = [2]float64{1, 1}
	}
	r.spentPart = spent(r.looks, last)
	r.next = nextLook(len(r.old))
	r.looks++
	r.smallestP[0] = min(r.smallestP[0], s.Above(0)/r.spentPart)
	r.smallestP[1] = min(r.smallestP[1], s.Below(0)/r.spentPart)
	return s, true
}

// evidence returns the test behind the interval, for the change to the worse.
func (r *Row) evidence() Shift {
	if !r.sides {
		return NewShift(r.worse)
	}
	before, after := logs(r.old, r.new)
	if r.Higher {
		return NewSides(after, before)
	}
	return NewSides(before, after)
}

// Rough reports whether a change is decided but has a wide interval. Further rounds narrow the
// interval; verdict and p stay.
func (r *Row) Rough() bool {
	const rounds, part = 3 * FirstLook, 0.1
	if r.Exact || r.Suspected || r.Verdict != Slower && r.Verdict != Faster || len(r.old) >= rounds {
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
	if r.Verdict == Slower && s.Lower(even.lower) > 0 && s.Center() > r.limit() || r.Verdict == Faster &&
		s.Upper(even.upper) < 0 {
		p := r.P
		r.describe(s, even)
		r.P = min(p, r.P)
	}
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

// change is a logarithm's relative change for the worse.
func (r *Row) change(worse float64) float64 { return math.Expm1(r.sign() * worse) }

// sequential is the row's two-sided p-value, corrected for its looks.
func (r *Row) sequential() float64 {
	if r.spentPart == 0 {
		return 1
	}
	return min(1, 2*r.smallestP[0], 2*r.smallestP[1])
}

// limit returns the largest passing logarithm. For a rate, where higher is better, a decrease
// by 3 % is as bad as an increase by 3 % in time.
func (r *Row) limit() float64 {
	if r.Higher {
		return -math.Log1p(-min(r.Limit, 1-1e-9))
	}
	return math.Log1p(r.Limit)
}

// decideExactly gives the verdict on figures without noise.
func (r *Row) decideExactly() {
	worse := r.sign() * LogRatio(r.old[0], r.new[0])
	r.Delta = r.change(worse)
	r.Lo, r.Hi = r.Delta, r.Delta
	r.P, r.Reason, r.decided, r.Detectable = 0, "", true, r.Limit
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

// decide gives the verdict on a row with noise, from its shift and its p corrected for
// looks and rows. It belongs to a family with the given size.
func (r *Row) decide(s Shift, alpha float64, family int, last bool) {
	r.Reason = ""
	significant := r.Family <= alpha
	most, ends := r.limit(), even
	if !last {
		ends = passing(r.looks - 1)
	}
	r.LikelyAbove, r.mayExceed = s.Lower(likely) > most, s.Upper(likely) > most
	level := alpha / 2 / float64(family) * spent(r.looks-1, true)
	r.Detectable, r.excluded = r.smallestDetectable(s, level), s.Upper(level)
	passes := s.Upper(ends.upper) < most
	switch lower := s.Lower(even.lower); {
	case significant && lower > 0 && r.LikelyAbove:
		r.Verdict, r.decided = Slower, true
	case significant && s.Upper(even.upper) < 0:
		r.Verdict, r.decided = Faster, true
	case passes && (last || s.Center() > -most):
		r.Verdict, r.decided = NotSlower, true
		r.describe(s, ends)
		return
	default:
		r.Verdict, r.decided = Undecided, last
		r.Reason = r.why(s, level, family)
	}
	r.describe(s, even)
}

// smallestDetectable returns the smallest change for the worse that is found with the probability power by a
// test at a one-sided level: the distance from the estimate to the end of the test's
// interval, and the distance that the estimate lies too low by chance. With a two-state machine
// the interval is lopsided, and its longer side counts for the latter.
func (r *Row) smallestDetectable(s Shift, level float64) float64 {
	center := s.Center()
	chance := max(center-s.Lower(1-power), s.Upper(1-power)-center)
	worse := max(center-s.Lower(level), r.limit()+center-s.Lower(likely)) + chance
	if r.Higher && !math.IsInf(worse, 1) {
		return -math.Expm1(-worse)
	}
	return math.Expm1(worse)
}

// RuledOut is the smallest change for the worse that the rounds leave no doubt about: [Row.Detectable], or where that is
// above [MustDetect] and the median is below the limit, what the rounds exclude: the upper end of the family's test, or a
// change above the mean by as much as one of 20,000 samples with normal noise shows.
func (r *Row) RuledOut() float64 {
	const fewest = 5 // that hardly lie close together by chance
	if r.Detectable <= MustDetect || len(r.worse) < fewest || Median(r.worse) > r.limit() {
		return r.Detectable
	}
	mean, half := studentInterval(r.worse, claimQuantiles)
	excluded := max(mean, 0) + half
	if r.looks > 0 {
		excluded = min(excluded, max(r.excluded, r.limit()))
	}
	return min(r.Detectable, max(r.Limit, math.Abs(r.change(excluded))))
}

// why returns the reason for an undecided row of a family with the given size, whose test has a one-sided level.
func (r *Row) why(s Shift, level float64, family int) string {
	isSlower := s.Lower(even.lower) > 0 // on its own
	switch least := s.above(0); {
	case least > even.lower, least > level && (r.LikelyAbove || !isSlower):
		return r.describeNeed(level, family)
	case isSlower && r.LikelyAbove:
		return "slower on its own, but not significant among this many comparisons"
	case isSlower:
		return "slower, but it is open whether by more than the limit"
	}
	return "the noise is too large to exclude a change of the limit"
}

// describeNeed describes the number of rounds, or samples of each side, that the test needs to be significant at a
// one-sided level: with fewer, not even the most extreme ones are.
func (r *Row) describeNeed(level float64, family int) string {
	n, noun, where := 0, "rounds", ""
	for p := 1.0; p > level; n++ {
		if r.sides {
			p *= float64(n+1) / float64(4*n+2) // of all orders of n+1 samples on each side
		} else {
			p /= 2
		}
	}
	if r.sides {
		noun, where = "samples", " on each side"
	}
	if family > 1 {
		where += fmt.Sprintf(" among %d comparisons", family)
	}
	return fmt.Sprintf("too few %s: at least %d%s are needed", noun, n, where)
}

// A suspected row has at least fewestRepeats rounds before it is called slower, and fewestToPass before it passes; it has
// mostRepeats at most.
const (
	fewestRepeats = 5
	fewestToPass  = 3
	mostRepeats   = 12
)

// repeat judges a suspected row, by the rounds so far.
func (r *Row) repeat(last bool) {
	n := len(r.worse)
	mean, half := r.worse[0], math.Inf(1)
	if n > 1 {
		mean, half = studentInterval(r.worse, studentQuantiles)
	}
	r.Delta, r.Lo, r.Hi = r.change(mean), r.change(mean-half), r.change(mean+half)
	if r.Higher {
		r.Lo, r.Hi = r.Hi, r.Lo
	}
	r.P, r.Family = math.NaN(), math.NaN()
	excluded := half
	if n >= fewestToPass && r.Noise > 0 {
		deviation := half / studentQuantiles[min(n-1, len(studentQuantiles))-1] * math.Sqrt(float64(n))
		excluded = min(half, normal95*max(r.Noise, deviation)/math.Sqrt(float64(n)))
	}
	r.Detectable = max(r.Limit, math.Abs(r.change(max(mean, 0)+excluded)))
	if r.decided {
		return // further rounds narrow the interval
	}
	r.Verdict, r.Reason = Undecided, ""
	r.LikelyAbove = mean > r.limit()
	if n < fewestToPass || n < fewestRepeats && r.LikelyAbove {
		r.Reason, r.Detectable = fmt.Sprintf("too few rounds repeat a suspicion: at least %d are needed", fewestRepeats), math.Inf(1)
		return
	}
	_, claim := studentInterval(r.worse, claimQuantiles) // the mean that chance hardly explains
	switch {
	case mean > max(r.limit(), claim):
		r.Verdict, r.decided, r.Detectable = Slower, true, max(r.Limit, math.Abs(r.change(half)))
	case mean+half < r.limit():
		r.Verdict, r.decided = NotSlower, true
	case last || n >= mostRepeats:
		if r.decided = true; r.LikelyAbove {
			r.Detectable = math.Inf(1)
		}
	}
	r.looks, r.mayExceed = 1, r.LikelyAbove
}
