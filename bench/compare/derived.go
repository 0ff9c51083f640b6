package compare

import (
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
)

// Benchmarks often tell one measurement in two units: us/game and games/s, ns/op and
// MB/s. To judge both would count it twice, and ask more of all.

// judgedPair is a benchmark that a gate judges.
type judgedPair struct {
	configuration []experiment.Configuration
	name, unit    string
	better        int
	pair          stat.Pair
}

// withoutDerived leaves out what only repeats a benchmark before it in another unit,
// and notes which units these are.
func withoutDerived(all []judgedPair) (judged []judgedPair, notes []string) {
	for _, p := range all {
		first := slices.IndexFunc(judged, func(q judgedPair) bool { return p.derivesFrom(q) })
		if first < 0 {
			judged = append(judged, p)
			continue
		}
		note := fmt.Sprintf("%s is %s in another unit, and was not judged beside it", p.unit, judged[first].unit)
		if !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return judged, notes
}

// derivesFrom reports whether every sample of p is that of q times a constant, or a
// constant over that of q, and means the same.
func (p judgedPair) derivesFrom(q judgedPair) bool {
	if p.name != q.name || !slices.Equal(p.configuration, q.configuration) || p.pair.Exact != q.pair.Exact {
		return false
	}
	a, b := slices.Concat(p.pair.Old, p.pair.New), slices.Concat(q.pair.Old, q.pair.New)
	if len(a) != len(b) || len(p.pair.Old) != len(q.pair.Old) || slices.Min(a) <= 0 || slices.Min(b) <= 0 {
		return false
	}
	if p.better == q.better {
		return isSteady(a, func(k int) float64 { return a[k] / b[k] })
	}
	return isSteady(a, func(k int) float64 { return a[k] * b[k] })
}

// isSteady reports whether a figure of all samples is the same but for the rounding
// of files, which have four digits or more.
func isSteady(samples []float64, figure func(k int) float64) bool {
	const rounding = 5e-4
	least, most := figure(0), figure(0)
	for k := range samples {
		least, most = min(least, figure(k)), max(most, figure(k))
	}
	return most-least <= rounding*most
}
