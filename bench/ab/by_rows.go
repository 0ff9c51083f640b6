package ab

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// groupRow compares the implementations of a group in a unit.
type groupRow struct {
	judge.Reading
	group  *verdict.Group // nil of a row that is not judged
	reason string         // of a row that is not judged
}

// addRound adds a round to the groups all of whose open implementations have a sample.
func (t *turnSampler) addRound(pairs []judge.Pair) {
	taken := make(map[*listing.Benchmark]judge.Pair)
	for _, p := range pairs {
		taken[p.Benchmark] = p
	}
	for _, g := range t.all {
		t.dropBroken(g)
		open := t.openOf(g)
		if len(open) == 0 || slices.ContainsFunc(open, func(e *implementation) bool { _, ok := taken[e.Benchmark]; return !ok }) {
			continue
		}
		if g.rows == nil && !t.begin(g, taken) || t.dropInvalid(g, taken) {
			continue
		}
		for _, e := range open {
			g.pairs[e] = append(g.pairs[e], taken[e.Benchmark])
		}
		for _, row := range g.rows {
			row.add(g, taken)
		}
	}
}

// dropBroken excludes the implementations that cannot be measured any more.
func (c *contests) dropBroken(g *contest) {
	for i, e := range g.entries {
		for _, row := range g.rows {
			if row.group != nil && !c.judges.Of(e.Benchmark).IsMeasurable() {
				row.group.Drop(i)
			}
		}
	}
}

// dropInvalid excludes the implementations without a valid figure in the unit that decides, and reports whether it did.
func (c *contests) dropInvalid(g *contest, taken map[*listing.Benchmark]judge.Pair) (found bool) {
	row := g.rows[0]
	for _, e := range g.entries {
		p, ok := taken[e.Benchmark]
		if !ok {
			continue
		}
		if x := row.Read(&p.Sides[frame.New]); !(x >= 0) || math.IsInf(x, 1) {
			c.judges.Of(e.Benchmark).Abandon(row.invalid(x))
			found = true
		}
	}
	if found {
		c.dropBroken(g)
	}
	return found
}

// invalid returns why a figure is no measurement.
func (r *groupRow) invalid(x float64) string {
	if math.IsNaN(x) {
		return "a round has no figure in " + r.Unit
	}
	return fmt.Sprintf("a round has %v %s (want a finite number of at least 0)", x, r.Unit)
}

// begin chooses the clock and the rows of a group by its first round. It returns false where the implementations must be
// measured again, by one clock, or report nothing to judge.
func (t *turnSampler) begin(g *contest, taken map[*listing.Benchmark]judge.Pair) bool {
	g.clock = report.CPU
	for _, p := range present(g, taken) {
		if p.Clock != report.CPU {
			g.clock = report.Wall
		}
	}
	again := false
	for _, e := range g.entries {
		if z := t.Sizes[e.Benchmark]; z.Clock != g.clock && t.judges.Of(e.Benchmark).IsOpen() {
			z.Clock, z.Full, again = g.clock, false, true
		}
	}
	if again {
		return false
	}
	t.addRows(g, taken)
	t.judged.Expected -= pairsOf(len(g.entries))
	if len(g.rows) == 0 || g.rows[0].group == nil || g.rows[0].IsMemory() {
		g.rows = nil
		for _, e := range g.entries {
			t.judges.Of(e.Benchmark).Abandon(frame.NoCommonUnit)
		}
		return false
	}
	t.dropBroken(g)
	return true
}

// add adds a round of a row. What is no measurement ends a row other than that of times.
func (r *groupRow) add(g *contest, taken map[*listing.Benchmark]judge.Pair) {
	if r.group == nil {
		return
	}
	figures := make([]float64, len(g.entries))
	for i, e := range g.entries {
		p, ok := taken[e.Benchmark]
		if figures[i] = math.NaN(); !ok {
			continue
		}
		if figures[i] = r.Read(&p.Sides[frame.New]); math.IsNaN(figures[i]) {
			r.group, r.reason = nil, r.invalid(figures[i])
			return
		}
	}
	if err := r.group.Add(figures); err != nil {
		r.group, r.reason = nil, fmt.Sprintf("%s: %v", r.Unit, err)
	}
}

// addRows chooses the units of a group: those that all implementations report. Without times of an operation, another unit
// comes first.
func (c *contests) addRows(g *contest, taken map[*listing.Benchmark]judge.Pair) {
	for _, reading := range c.judges.Readings(present(g, taken), g.clock) {
		row := &groupRow{Reading: reading, reason: fmt.Sprintf(frame.NoDirection, reading.Unit)}
		if reading.Better != 0 {
			row.group = c.judged.Add(len(g.entries))
			row.group.Limit, row.group.Higher = g.limit, reading.Better > 0
		}
		g.rows = append(g.rows, row)
	}
	rank := func(r *groupRow) int {
		return slices.Index([]bool{r.Unit == report.TimeUnit, r.group != nil && r.Clock != "", r.group != nil, true}, true)
	}
	slices.SortStableFunc(g.rows, func(a, b *groupRow) int { return rank(a) - rank(b) })
}

// pairsOf is the number of comparisons among n implementations.
func pairsOf(n int) int { return n * (n - 1) / 2 }

// present lists the pairs of a group's implementations.
func present(g *contest, taken map[*listing.Benchmark]judge.Pair) (pairs []judge.Pair) {
	for _, e := range g.entries {
		if p, ok := taken[e.Benchmark]; ok {
			pairs = append(pairs, p)
		}
	}
	return pairs
}
