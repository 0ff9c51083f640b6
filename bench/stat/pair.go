package stat

import "golang.org/x/perf/benchmath"

// Pair is one benchmark in one unit on two sides, in the order measured.
type Pair struct {
	Old, New []float64

	// Paired says that Old[k] and New[k] were measured side by side, so that what
	// disturbed one disturbed the other. It counts only where both are as long.
	Paired bool

	// Better is the direction of the unit that is better: +1 higher, as benchfmt
	// has it, and lower for anything else.
	Better int

	// Exact says that the unit has no noise, such as the size of a file: every
	// difference is significant.
	Exact bool
}

// InPairs reports whether the samples can be compared pair by pair.
func (p Pair) InPairs() bool { return p.Paired && len(p.Old) == len(p.New) }

// Samples is the size of the smaller side.
func (p Pair) Samples() int { return min(len(p.Old), len(p.New)) }

// Change is the relative change with its interval: 0.05 is 5 % more. Both sides must
// have a sample.
func (p Pair) Change(seed uint64) Interval {
	ratio := RatioOfMedians
	if p.InPairs() {
		ratio = RatioOfPairs
	}
	i := ratio(p.Old, p.New, seed)
	return Interval{i.Median - 1, i.Lo - 1, i.Hi - 1}
}

// Step estimates the change by means of logarithms.
func (p Pair) Step() (s Step, ok bool) {
	if p.InPairs() {
		return StepOfPairs(p.Old, p.New)
	}
	return StepBetween(p.Old, p.New)
}

// Test returns the p-value of there being no change: of pairs, that of their step; of
// two sides measured one after the other, the larger of that and of the Mann-Whitney
// test. The step is the one that [Pair.Step] returned.
func (p Pair) Test(s Step, ok bool) float64 {
	switch {
	case p.InPairs() && !ok:
		return 1
	case p.InPairs():
		return s.P()
	case !ok:
		return p.RankTest()
	}
	return max(p.RankTest(), s.P())
}

// RankTest is the p-value of the Mann-Whitney test.
func (p Pair) RankTest() float64 {
	return CompareRanks(benchmath.AssumeNothing, p.Old, p.New).P
}
