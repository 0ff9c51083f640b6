package judge

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// memoryRule is the rule on a benchmark's B/op or allocs/op: how much of it may grow and pass. Times, files and counts all
// use it. In other units nothing but the limit counts.
type memoryRule struct {
	part    float64 // of the old figure that may be added
	least   float64 // what may be added, in the unit, where the part is smaller
	isFloor bool    // the user gives least, and no part
}

// wholeByte is the most by which B/op may seem to grow without doing so: package testing prints whole bytes an operation, so
// 3.99 and 4.01 are 3 and 4.
const wholeByte = 1

// memoryRule returns the rule on a benchmark in a unit.
func (r *Rules) memoryRule(name, unit string) memoryRule {
	if more, ok := r.Floors[unit]; ok {
		return memoryRule{least: more, isFloor: true}
	}
	m := memoryRule{part: r.LimitOf(name)}
	if unit == report.BytesUnit {
		m.least = wholeByte
	}
	return m
}

// growth is the largest increase that passes, in the unit.
func (m memoryRule) growth(before float64) float64 { return max(m.part*before, m.least) }

// limit is the same as a part of the old figure, for the test of a row.
func (m memoryRule) limit(before float64) float64 {
	switch {
	case m.isFloor:
		return max(1e-9, m.least/max(1, before))
	case m.least > 0 && before > 0:
		return m.growth(before) / before
	}
	return m.part
}

// passes reports whether a slower row passes, since its increase in the unit is small.
func (m memoryRule) passes(row *report.Row) bool {
	return (m.isFloor || m.least > 0) && row.Verdict == verdict.Slower && float64(row.New-row.Old) <= m.growth(float64(row.Old))
}

// constantRounds are enough to decide memory that was the same in all of them.
const constantRounds = 3

// isConstant reports whether memory was the same in three rounds, on each side.
func (r *Row) isConstant() bool {
	before, after := r.Row.Samples()
	return r.isMemory() && r.Row.Rounds() >= constantRounds && slices.Min(before) == slices.Max(before) &&
		slices.Min(after) == slices.Max(after)
}

// dropSeldom leaves out a change of memory that the medians do not show: a few rounds have more or less.
func (r *Row) dropSeldom(out *report.Row) {
	if from, to := r.Medians(); r.isMemory() && from == to {
		out.Old, out.New, out.Delta = verdict.Number(from), verdict.Number(to), 0
		out.Lo, out.Hi = min(out.Lo, 0), max(out.Hi, 0)
	}
}

// moreInCounts describes memory that grew in the counting processes by more than may pass; "" without any.
func (t *Table) moreInCounts(b *listing.Benchmark) string {
	c := t.Of(b).Counts
	if c == nil {
		return ""
	}
	for _, unit := range []string{report.AllocsUnit, report.BytesUnit} {
		var sides [2][]float64
		for _, p := range c.Pairs {
			for side, m := range p.Memory {
				x := m.Allocs
				if unit == report.BytesUnit {
					x = m.Bytes
				}
				sides[side] = append(sides[side], x)
			}
		}
		from, to := verdict.Median(sides[frame.Old]), verdict.Median(sides[frame.New])
		// Go prints whole allocations an operation, so one in many operations is none.
		whole := math.Floor(to) - math.Floor(from)
		if min(whole, to-from) > t.memoryRule(b.Name, unit).growth(from) {
			return fmt.Sprintf(frame.SeenInCounts, to, unit, from)
		}
	}
	return ""
}
