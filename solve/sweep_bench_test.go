package solve

import (
	"slices"
	"testing"
)

// BenchmarkSweep measures the sweep of some rows of the layers of 4 and 7 pieces of Finkel's rules:
// rows as long as those of the whole game, and values that fit in memory.
func BenchmarkSweep(b *testing.B) {
	x, light, dark := finkel, 4, 7
	p := &pair{
		Index: x, a: light, b: dark,
		light:     make([]float64, x.size[light][dark]),
		dark:      make([]float64, x.size[light][dark]),
		lightHome: make([]float64, x.size[light-1][dark]),
		darkHome:  make([]float64, x.size[light][dark-1]),
		ones:      slices.Repeat([]float64{1}, 1<<x.safe),
		programs:  x.newPrograms(light, dark, 1),
		residuals: &residuals{},
	}
	for i := range p.light {
		p.light[i], p.dark[i] = float64(i%1000)/1000, float64(i%999)/1000
	}
	s := newSolver(x, 1, Options{Threads: 1}).sweepers[0]
	for i := range s.lanes {
		s.lanes[i].sum = make([]float64, x.maxRowSize(dark))
	}
	var groups [][]row
	positions := 0
	for _, level := range x.newLevels(light, dark) {
		for i, group := range level {
			if i%16 < 2 {
				groups = append(groups, group)
				positions += len(group) * int(x.rowSize[dark][x.sharedOf(group[0])])
			}
		}
	}
	b.ResetTimer()
	for b.Loop() {
		for _, group := range groups {
			p.sweepGroup(group, s)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(positions), "ns/position")
}
