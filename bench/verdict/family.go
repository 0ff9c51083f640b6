package verdict

import (
	"cmp"
	"math"
	"slices"
)

// Family is the set of rows judged together: twenty rows should not produce a false alarm more
// often than one.
type Family struct {
	Rule
	Rows     []*Row
	Expected int // rows with noise that the last look will have, if known: [Row.Detectable] must hold among them
}

// Add adds a row with the rule's limit.
func (f *Family) Add(higherIsBetter bool) *Row {
	r := &Row{Limit: f.Limit, Higher: higherIsBetter, Verdict: Undecided, Detectable: math.Inf(1)}
	f.Rows = append(f.Rows, r)
	return r
}

// AddMean adds the geometric mean of rows, over their common rounds or samples, and returns how many they are. Rows with a 0
// are left out, as of an empty benchmark; fewer than two have no mean.
func (f *Family) AddMean(rows []*Row) (mean *Row, n int) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r *Row) bool {
		return r.Rounds() == 0 || !(slices.Min(r.old) > 0 && slices.Min(r.new) > 0)
	})
	if len(rows) < 2 {
		return nil, 0
	}
	mean = f.Add(false)
	before := meanOf(rows, func(r *Row) []float64 { return r.old })
	after := meanOf(rows, func(r *Row) []float64 { return r.new })
	if rows[0].sides {
		mean.sides, mean.old, mean.new = true, before, after
		return mean, len(rows)
	}
	for k := range before {
		if err := mean.Add(before[k], after[k]); err != nil {
			panic(err) // the mean of logarithms of positive numbers is finite
		}
	}
	return mean, len(rows)
}

// meanOf returns the geometric means of the figures of rows that all have.
func meanOf(rows []*Row, figures func(*Row) []float64) []float64 {
	n := len(figures(slices.MinFunc(rows, func(a, b *Row) int { return cmp.Compare(len(figures(a)), len(figures(b))) })))
	means := make([]float64, n)
	for k := range means {
		for _, r := range rows {
			means[k] += math.Log(figures(r)[k]) / float64(len(rows))
		}
		means[k] = math.Exp(means[k])
	}
	return means
}

// Look judges the undecided rows whose look is due. The last look judges all rows, and its
// verdicts are final. Rows without noise are compared exactly and take no part in the
// correction: chance cannot make them slower. A row without rounds is left unchanged and counts
// in the correction.
func (f *Family) Look(last bool) {
	shifts := make(map[*Row]Shift)
	var noisy []*Row
	for _, r := range f.Rows {
		switch {
		case r.decided && r.Exact:
			continue
		case r.Suspected && r.Rounds() > 0 && !r.steady():
			r.repeat(last)
			continue
		case r.decided || r.Rounds() == 0 || !last && (r.sides || !r.due()):
			if r.decided {
				r.refine()
			}
			noisy = append(noisy, r)
			continue
		}
		if s, ok := r.look(last); ok {
			shifts[r] = s
			noisy = append(noisy, r)
		} else {
			r.decideExactly()
		}
	}
	p := make([]float64, len(noisy))
	for i, r := range noisy {
		p[i] = r.sequential()
	}
	for i, corrected := range Holm(p) {
		r := noisy[i]
		s, looked := shifts[r]
		if !looked {
			r.Family = max(r.P, min(r.Family, corrected))
			continue
		}
		size := len(noisy)
		if !last {
			size = max(size, f.Expected)
		}
		r.Family = corrected
		r.decide(s, f.Alpha, size, last)
	}
}

// WouldFail reports whether a row that was looked at would be called slower if its last look came now.
func (f *Family) WouldFail(r *Row) bool {
	return r.looks > 0 && r.LikelyAbove && r.P/spent(r.looks, true)*float64(len(f.Rows)) <= f.Alpha
}

// MustDetect is the slowdown that a run should not miss: a benchmark that would have hidden it stays undecided.
const MustDetect = 0.25

// Holm corrects the p-values in a family of tests: if every test with a corrected value of at
// most alpha is called significant, the probability of any false alarm is at most alpha, for
// any dependence between the tests.
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	corrected := make([]float64, len(p))
	highest := 0.0
	for done, i := range order {
		highest = max(highest, min(1, p[i]*float64(len(p)-done)))
		corrected[i] = highest
	}
	return corrected
}

// MayHide is the largest slowdown that a row may hide and pass without a proof: [MustDetect], or twice a larger limit. Of a
// rate, it is the part by which it falls in an operation that takes so much longer.
func MayHide(limit float64, higher bool) float64 {
	if higher {
		limit /= 1 + limit
	}
	return max(MustDetect, 2*limit)
}
