package ab

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// addRound adds a round to the groups all of whose open implementations have a sample.
func (c *groupList) addRound(t *turnSampler, pairs []judge.Pair) {
	taken := make(map[*listing.Benchmark]judge.Pair)
	for _, p := range pairs {
		taken[p.Benchmark] = p
	}
	for _, g := range c.groups {
		g.dropBroken(c.judges)
		open := c.openOf(g)
		if len(open) == 0 || slices.ContainsFunc(open, func(e *implementation) bool { _, ok := taken[e.Benchmark]; return !ok }) {
			continue
		}
		if g.rows == nil && !g.begin(c, t, taken) || g.dropInvalid(c.judges, taken) {
			continue
		}
		for _, e := range open {
			e.pairs = append(e.pairs, taken[e.Benchmark])
		}
		for _, row := range g.rows {
			row.add(g, taken)
		}
	}
}

// dropBroken excludes the implementations that cannot be measured any more.
func (g *group) dropBroken(v *judge.Table) {
	for i, e := range g.entries {
		for _, row := range g.rows {
			if row.group != nil && !v.Of(e.Benchmark).IsMeasurable() {
				row.group.Drop(i)
			}
		}
	}
}

// dropInvalid excludes the implementations without a valid figure in the unit that decides, and reports whether it did.
func (g *group) dropInvalid(v *judge.Table, taken map[*listing.Benchmark]judge.Pair) (found bool) {
	row := g.rows[0]
	for _, e := range g.entries {
		p, ok := taken[e.Benchmark]
		if !ok {
			continue
		}
		if x := row.read(&p.Sides[frame.New]); !(x >= 0) || math.IsInf(x, 1) {
			v.Of(e.Benchmark).Abandon(verdict.NotJudged, row.invalid(x))
			found = true
		}
	}
	if found {
		g.dropBroken(v)
	}
	return found
}

// invalid returns why a figure is no measurement.
func (r *groupRow) invalid(x float64) string {
	if math.IsNaN(x) {
		return "a round has no figure in " + r.unit
	}
	return fmt.Sprintf("a round has %v %s (want a finite number of at least 0)", x, r.unit)
}

// begin chooses the clock and the rows of a group by its first round. It returns false where the implementations must be
// measured again, by one clock, or report nothing to judge.
func (g *group) begin(c *groupList, t *turnSampler, taken map[*listing.Benchmark]judge.Pair) bool {
	g.clock = report.CPU
	for _, p := range present(g, taken) {
		if p.Clock != report.CPU {
			g.clock = report.Wall
		}
	}
	again := false
	for _, e := range g.entries {
		if z := t.Sizes[e.Benchmark]; z.Clock != g.clock && c.judges.Of(e.Benchmark).IsOpen() {
			z.Clock, z.Full, again = g.clock, false, true
		}
	}
	if again {
		return false
	}
	g.addRows(c, taken)
	c.judged.Expected -= pairsOf(len(g.entries))
	if len(g.rows) == 0 || g.rows[0].group == nil {
		g.rows = nil
		for _, e := range g.entries {
			c.judges.Of(e.Benchmark).Abandon(verdict.NotJudged, "the implementations report neither a time nor another unit that all of them have")
		}
		return false
	}
	g.dropBroken(c.judges)
	return true
}

// add adds a round of a row. What is no measurement ends a row other than that of times.
func (r *groupRow) add(g *group, taken map[*listing.Benchmark]judge.Pair) {
	if r.group == nil {
		return
	}
	figures := make([]float64, len(g.entries))
	for i, e := range g.entries {
		p, ok := taken[e.Benchmark]
		if figures[i] = math.NaN(); !ok {
			continue
		}
		if figures[i] = r.read(&p.Sides[frame.New]); math.IsNaN(figures[i]) {
			r.group, r.reason = nil, r.invalid(figures[i])
			return
		}
	}
	if err := r.group.Add(figures); err != nil {
		r.group, r.reason = nil, fmt.Sprintf("%s: %v", r.unit, err)
	}
}

// addRows chooses the units of a group: times, those of ReportMetric that all implementations report, and memory.
func (g *group) addRows(c *groupList, taken map[*listing.Benchmark]judge.Pair) {
	add := func(unit string, clock report.Clock, better int, read func(s *listing.Sample) float64) {
		row := &groupRow{unit: unit, clock: clock, read: read, reason: "the better direction of " + unit + " is unknown"}
		if better != 0 {
			row.group = c.judged.Add(len(g.entries))
			row.group.Limit, row.group.Higher = g.limit, better > 0
		}
		g.rows = append(g.rows, row)
	}
	switch hasTime := !slices.ContainsFunc(present(g, taken), func(p judge.Pair) bool { return !p.Sides[frame.New].HasTime() }); {
	case hasTime && g.clock == report.CPU:
		add(report.TimeUnit, g.clock, -1, func(s *listing.Sample) float64 { return s.CPU })
	case hasTime:
		add(report.TimeUnit, g.clock, -1, func(s *listing.Sample) float64 { return s.Wall })
	}
	for _, unit := range g.units(taken) {
		factor, tidied := report.Tidy(1, unit)
		better := c.judges.Direction(unit)
		follows := !slices.ContainsFunc(present(g, taken), func(p judge.Pair) bool { return !judge.FollowsTimer(seenOf(p), unit) })
		switch isTime := strings.HasPrefix(tidied, "sec/"); {
		case slices.Contains(listing.BuiltinUnits, unit):
			add(unit, "", -1, func(s *listing.Sample) float64 { return s.Figure(unit) })
		case isTime && g.clock == report.CPU && follows:
			add(tidied, report.CPU, better, func(s *listing.Sample) float64 { return factor * s.Figure(unit) * s.CPU / s.Wall })
		case isTime:
			add(tidied, report.Wall, better, func(s *listing.Sample) float64 { return factor * s.Figure(unit) })
		default:
			add(tidied, "", better, func(s *listing.Sample) float64 { return factor * s.Figure(unit) })
		}
	}
	rank := func(r *groupRow) int { // of a group without times of an operation
		return slices.Index([]bool{r.unit == report.TimeUnit, r.group != nil && r.clock != "", r.group != nil, true}, true)
	}
	slices.SortStableFunc(g.rows, func(a, b *groupRow) int { return rank(a) - rank(b) })
}

// units lists the units that all implementations report beside the time, without rates that repeat it; memory comes last.
func (g *group) units(taken map[*listing.Benchmark]judge.Pair) (units []string) {
	pairs := present(g, taken)
	for _, unit := range append(slices.Sorted(maps.Keys(pairs[0].Sides[frame.New].Figures)), report.BytesUnit, report.AllocsUnit) {
		isMissing := slices.ContainsFunc(pairs, func(p judge.Pair) bool {
			_, ok := p.Sides[frame.New].Figures[unit]
			return !ok || !slices.Contains(listing.BuiltinUnits, unit) && judge.RepeatsTime(seenOf(p), unit)
		})
		if unit == listing.TimePrinted || unit == "MB/s" || isMissing {
			continue
		}
		units = slices.DeleteFunc(units, func(u string) bool { return u == unit })
		units = append(units, unit)
	}
	return units
}

// pairsOf is the number of comparisons among n implementations.
func pairsOf(n int) int { return n * (n - 1) / 2 }

// present lists the pairs of a group's implementations.
func present(g *group, taken map[*listing.Benchmark]judge.Pair) (pairs []judge.Pair) {
	for _, e := range g.entries {
		if p, ok := taken[e.Benchmark]; ok {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// seenOf returns the runs of a pair, and those before it.
func seenOf(p judge.Pair) [][2]listing.Sample { return append(slices.Clone(p.Earlier), p.Sides) }
