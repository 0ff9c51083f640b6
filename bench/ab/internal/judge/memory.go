package judge

import (
	"fmt"
	"math"
	"slices"
	"time"

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
	if part, ok := r.Parts[unit]; ok {
		m.part = part
	}
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
	return r.IsMemory() && r.Row.Rounds() >= constantRounds && slices.Min(before) == slices.Max(before) &&
		slices.Min(after) == slices.Max(after)
}

// dropSeldom leaves out a change of memory that the medians do not show: a few rounds have more or less.
func (r *Row) dropSeldom(out *report.Row) {
	if from, to := r.Medians(); r.IsMemory() && from == to {
		out.Old, out.New, out.Delta = verdict.Number(from), verdict.Number(to), 0
		out.Lo, out.Hi = min(out.Lo, 0), max(out.Hi, 0)
	}
}

// MoreMemory describes memory that grew by more than may pass, in the counting processes or in long runs; "" without any.
func (t *Table) MoreMemory(b *listing.Benchmark) string {
	f, notJudged := t.Of(b), frame.NoTimeForThem
	if t.OnlyCounts {
		notJudged = frame.OnlyInstructions
	}
	for _, unit := range MemoryUnits {
		if from, to := f.Counts.Memory(unit); t.IsMore(b, unit, from, to) {
			return fmt.Sprintf(frame.SeenInCounts, to, unit, from, notJudged)
		}
		if f.isMoreInLongRuns[unit] {
			from, to := f.LastLong.Sides[frame.Old].Figure(unit), f.LastLong.Sides[frame.New].Figure(unit)
			return fmt.Sprintf(frame.SeenInLongRuns, to, unit, from, f.Horizon.Round(10*time.Millisecond), notJudged)
		}
	}
	return ""
}

// MemoryUnits are the units of memory.
var MemoryUnits = []string{report.AllocsUnit, report.BytesUnit}

// IsMore reports whether a benchmark's memory grew by more than may pass.
func (t *Table) IsMore(b *listing.Benchmark, unit string, from, to float64) bool {
	// Go prints whole allocations an operation, so one in many operations is none.
	whole := math.Floor(to) - math.Floor(from)
	return min(whole, to-from) > t.memoryRule(b.Name, unit).growth(from)
}

// Memory returns the memory of an operation of both sides in the counting processes; NaN without any.
func (c *Counts) Memory(unit string) (from, to float64) {
	if c == nil || len(c.Pairs) == 0 {
		return math.NaN(), math.NaN()
	}
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
	return verdict.Median(sides[frame.Old]), verdict.Median(sides[frame.New])
}

// noteLongMemory notes the units of memory that grew in all long runs, the last one included. Memory of an operation may
// depend on their number, as in a growing slice, so a run whose sides have other numbers of them shows nothing, but must be
// repeated if it seems to show more.
func (t *Table) noteLongMemory(b *listing.Benchmark) {
	f := t.Of(b)
	old, new := &f.LastLong.Sides[frame.Old], &f.LastLong.Sides[frame.New]
	isMore := func(unit string) bool { return t.IsMore(b, unit, old.Figure(unit), new.Figure(unit)) }
	f.MayGrow = old.Iterations != new.Iterations && f.isMoreInLongRuns == nil && slices.ContainsFunc(MemoryUnits, isMore)
	if old.Iterations != new.Iterations {
		return
	}
	isFirst := f.isMoreInLongRuns == nil
	if isFirst {
		f.isMoreInLongRuns = make(map[string]bool)
	}
	for _, unit := range MemoryUnits {
		f.isMoreInLongRuns[unit] = isMore(unit) && (isFirst || f.isMoreInLongRuns[unit])
	}
}

// growsInLongRuns reports whether long runs show more memory than may pass, and rounds do not judge it: these are shorter, and
// none of them fails by memory.
func (f *Evidence) growsInLongRuns() bool {
	isMore := func(unit string) bool { return f.isMoreInLongRuns[unit] }
	isSlower := func(r *Row) bool { return r.IsMemory() && r.Row.Verdict == verdict.Slower }
	if n := len(f.Pairs); n > 0 && (f.RepeatsLong || f.Pairs[n-1].Sides[frame.New].Iterations >= f.LastLong.Sides[frame.New].Iterations) {
		return false
	}
	return slices.ContainsFunc(MemoryUnits, isMore) && !slices.ContainsFunc(f.Rows, isSlower)
}
