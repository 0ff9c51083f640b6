package compare

import (
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// Benchmarks often report one measurement in two units: us/game and games/s, ns/op and MB/s.
// Judging both would count it twice, and tighten the level for all.

// judgedPair is a benchmark judged by a gate.
type judgedPair struct {
	configuration []experiment.Configuration
	name, unit    string
	better        int
	pair          stat.Pair
}

// withoutDerived leaves out benchmarks that only repeat an earlier one in another unit, and
// notes these units.
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

// derivesFrom reports whether every sample of p is that of q times a constant, or a constant
// divided by that of q, and has the same meaning.
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

// isSteady reports whether a figure is the same in all samples up to the rounding of files,
// which have four digits or more.
func isSteady(samples []float64, figure func(k int) float64) bool {
	const rounding = 5e-4
	least, most := figure(0), figure(0)
	for k := range samples {
		least, most = min(least, figure(k)), max(most, figure(k))
	}
	return most-least <= rounding*most
}
