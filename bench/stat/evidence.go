package stat

import (
	"math"
	"slices"
	"sort"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Evidence describes the logarithm of the change from old to new, by samples of two sides.
// Interval, estimate and p-value come from one test, so they cannot contradict each other.
type Evidence interface {
	// Center is the value that the test would reject last.
	Center() float64
	// Above is the one-sided p-value of "the change is not above x", Below that of "not below
	// x".
	Above(x float64) float64
	Below(x float64) float64
	// Lower is the least value that the test of "not above" does not reject at a level, and
	// Upper the largest that the test of "not below" does not. They are infinite if the samples
	// are too few to reject any.
	Lower(level float64) float64
	Upper(level float64) float64
}

// Evidence returns the evidence of the samples. For pairs it is [verdict.Shift], valid under
// any noise that ignores the sides. For sides measured one after the other, two tests must
// agree on a change: the Mann-Whitney test, which needs independent samples, and the test of a
// [Step], which corrects for a steady drift. Values must not be below 0, and each side must
// have one.
func (p Pair) Evidence() Evidence {
	if p.InPairs() {
		d := make([]float64, len(p.Old))
		for k := range d {
			d[k] = verdict.LogRatio(p.Old[k], p.New[k])
		}
		return verdict.NewShift(d)
	}
	ranks := newRankShift(p.Old, p.New)
	if s, ok := StepBetween(p.Old, p.New); ok {
		return bothTests{ranks, s}
	}
	return ranks
}

// Steady reports whether each side has one constant value, at least [MinCount] times: there is
// no noise, and every difference is significant.
func (p Pair) Steady() bool {
	return p.Samples() >= MinCount && slices.Min(p.Old) == slices.Max(p.Old) && slices.Min(p.New) == slices.Max(p.New)
}

// Change is the relative change with its interval, and p: 0.05 is 5 % more. For an exact unit,
// and for steady sides, it compares the first values. Both sides must have a sample.
func (p Pair) Change() (change Interval, pValue float64) {
	if p.Exact || p.Steady() {
		delta := Quotient(Median(p.New), Median(p.Old)) - 1
		if delta == 0 {
			return Interval{}, 1
		}
		return Interval{delta, delta, delta}, 0
	}
	e := p.Evidence()
	return changeOf(e), min(1, 2*e.Above(0), 2*e.Below(0))
}

// RankChange is the relative change with the interval of the Mann-Whitney test alone, like
// benchstat's p; for pairs it equals [Pair.Change].
func (p Pair) RankChange() Interval {
	if p.InPairs() || p.Exact || p.Steady() {
		change, _ := p.Change()
		return change
	}
	return changeOf(newRankShift(p.Old, p.New))
}

// changeOf is the change shown by evidence, with its interval.
func changeOf(e Evidence) Interval {
	const level = (1 - verdict.Confidence) / 2
	return Interval{math.Expm1(e.Center()), math.Expm1(e.Lower(level)), math.Expm1(e.Upper(level))}
}

// bothTests accepts a change only if both tests do.
type bothTests struct {
	ranks rankShift
	step  Step
}

func (b bothTests) Center() float64         { return b.ranks.Center() }
func (b bothTests) Above(x float64) float64 { return max(b.ranks.Above(x), b.step.Above(x)) }
func (b bothTests) Below(x float64) float64 { return max(b.ranks.Below(x), b.step.Below(x)) }

func (b bothTests) Lower(level float64) float64 {
	return min(b.ranks.Lower(level), b.step.Size-b.step.margin(level))
}

func (b bothTests) Upper(level float64) float64 {
	return max(b.ranks.Upper(level), b.step.Size+b.step.margin(level))
}

// Above is the one-sided p-value of "the change is not above x", by Student's t.
func (s Step) Above(x float64) float64 {
	switch {
	case s.Sigma > 0:
		return s.student().Survival((s.Size - x) / s.Sigma)
	case s.Size > x:
		return 0
	}
	return 1
}

// Below is the one-sided p-value of "the change is not below x".
func (s Step) Below(x float64) float64 {
	return Step{-s.Size, s.Sigma, s.DF}.Above(-x)
}

// margin is how far the end of an interval of a one-sided level is from the estimate.
func (s Step) margin(level float64) float64 { return s.student().Quantile(1-level) * s.Sigma }

// rankShift is the test of Mann and Whitney of every shift of one side ("On a test of
// whether one of two random variables is stochastically larger than the other", Annals of
// Mathematical Statistics 18, 1947).
type rankShift struct {
	n1, n2      int
	differences []float64 // new less old, of logarithms, of every two samples, sorted
}

func newRankShift(old, new []float64) rankShift {
	r := rankShift{len(old), len(new), make([]float64, 0, len(old)*len(new))}
	for _, x := range old {
		for _, y := range new {
			r.differences = append(r.differences, verdict.LogRatio(x, y))
		}
	}
	slices.Sort(r.differences)
	return r
}

// Center is the median of the differences (Hodges and Lehmann 1963).
func (r rankShift) Center() float64 { return Quantile(r.differences, 0.5) }

func (r rankShift) Above(x float64) float64 {
	at, _ := slices.BinarySearch(r.differences, math.Nextafter(x, math.Inf(1)))
	return rankTail(r.n1, r.n2, len(r.differences)-at)
}

func (r rankShift) Below(x float64) float64 {
	at, _ := slices.BinarySearch(r.differences, x)
	return rankTail(r.n1, r.n2, at)
}

func (r rankShift) Lower(level float64) float64 {
	k := r.fewest(level)
	if k > len(r.differences) {
		return math.Inf(-1)
	}
	return r.differences[len(r.differences)-k]
}

func (r rankShift) Upper(level float64) float64 {
	k := r.fewest(level)
	if k > len(r.differences) {
		return math.Inf(1)
	}
	return r.differences[k-1]
}

// fewest is the number of differences on one side of a value that rejects it.
func (r rankShift) fewest(level float64) int {
	return sort.Search(len(r.differences)+1, func(k int) bool { return rankTail(r.n1, r.n2, k) <= level })
}
