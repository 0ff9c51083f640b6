package ab

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// addRound adds a round to the groups all of whose open implementations have a sample.
func (c *groupList) addRound(t *turnSampler, pairs []Pair) {
	taken := make(map[*benchmark]Pair)
	for _, p := range pairs {
		taken[p.Benchmark] = p
	}
	for _, g := range c.groups {
		g.dropBroken()
		open := g.open()
		if len(open) == 0 || slices.ContainsFunc(open, func(e *implementation) bool { _, ok := taken[e.benchmark]; return !ok }) {
			continue
		}
		if g.rows == nil && !g.begin(c, t, taken) || g.dropInvalid(taken) {
			continue
		}
		for _, e := range open {
			e.pairs = append(e.pairs, taken[e.benchmark])
		}
		for _, row := range g.rows {
			row.add(g, taken)
		}
	}
}

// dropBroken excludes the implementations that cannot be measured any more.
func (g *group) dropBroken() {
	for i, e := range g.entries {
		for _, row := range g.rows {
			if row.group != nil && e.state == stateNotJudged {
				row.group.Drop(i)
			}
		}
	}
}

// dropInvalid excludes the implementations without a valid figure in the unit that decides, and reports whether it did.
func (g *group) dropInvalid(taken map[*benchmark]Pair) (found bool) {
	row := g.rows[0]
	for _, e := range g.entries {
		p, ok := taken[e.benchmark]
		if !ok {
			continue
		}
		if x := row.read(&p.sides[frame.New]); !(x >= 0) || math.IsInf(x, 1) {
			e.abandon(verdict.NotJudged, row.invalid(x))
			found = true
		}
	}
	if found {
		g.dropBroken()
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
func (g *group) begin(c *groupList, t *turnSampler, taken map[*benchmark]Pair) bool {
	g.clock = report.CPU
	for _, p := range present(g, taken) {
		if p.clock != report.CPU {
			g.clock = report.Wall
		}
	}
	again := false
	for _, e := range g.entries {
		if z := t.sizes[e.benchmark]; z.clock != g.clock && e.isOpen() {
			z.clock, z.full, again = g.clock, false, true
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
			e.abandon(verdict.NotJudged, "the implementations report neither a time nor another unit that all of them have")
		}
		return false
	}
	g.dropBroken()
	return true
}

// add adds a round of a row. What is no measurement ends a row other than that of times.
func (r *groupRow) add(g *group, taken map[*benchmark]Pair) {
	if r.group == nil {
		return
	}
	figures := make([]float64, len(g.entries))
	for i, e := range g.entries {
		p, ok := taken[e.benchmark]
		if figures[i] = math.NaN(); !ok {
			continue
		}
		if figures[i] = r.read(&p.sides[frame.New]); math.IsNaN(figures[i]) {
			r.group, r.reason = nil, r.invalid(figures[i])
			return
		}
	}
	if err := r.group.Add(figures); err != nil {
		r.group, r.reason = nil, fmt.Sprintf("%s: %v", r.unit, err)
	}
}

// addRows chooses the units of a group: times, those of ReportMetric that all implementations report, and memory.
func (g *group) addRows(c *groupList, taken map[*benchmark]Pair) {
	add := func(unit string, clock report.Clock, better int, read func(s *sample) float64) {
		row := &groupRow{unit: unit, clock: clock, read: read, reason: "the better direction of " + unit + " is unknown"}
		if better != 0 {
			row.group = c.judged.Add(len(g.entries))
			row.group.Limit, row.group.Higher = g.limit, better > 0
		}
		g.rows = append(g.rows, row)
	}
	switch hasTime := !slices.ContainsFunc(present(g, taken), func(p Pair) bool { return !p.sides[frame.New].hasTime() }); {
	case hasTime && g.clock == report.CPU:
		add(report.TimeUnit, g.clock, -1, func(s *sample) float64 { return s.cpu })
	case hasTime:
		add(report.TimeUnit, g.clock, -1, func(s *sample) float64 { return s.wall })
	}
	for _, unit := range g.units(taken) {
		factor, tidied := report.Tidy(1, unit)
		better := c.judges.direction(unit)
		follows := !slices.ContainsFunc(present(g, taken), func(p Pair) bool { return !followsTimer(seenOf(p), unit) })
		switch isTime := strings.HasPrefix(tidied, "sec/"); {
		case slices.Contains(builtinUnits, unit):
			add(unit, "", -1, func(s *sample) float64 { return s.figure(unit) })
		case isTime && g.clock == report.CPU && follows:
			add(tidied, report.CPU, better, func(s *sample) float64 { return factor * s.figure(unit) * s.cpu / s.wall })
		case isTime:
			add(tidied, report.Wall, better, func(s *sample) float64 { return factor * s.figure(unit) })
		default:
			add(tidied, "", better, func(s *sample) float64 { return factor * s.figure(unit) })
		}
	}
	rank := func(r *groupRow) int { // of a group without times of an operation
		return slices.Index([]bool{r.unit == report.TimeUnit, r.group != nil && r.clock != "", r.group != nil, true}, true)
	}
	slices.SortStableFunc(g.rows, func(a, b *groupRow) int { return rank(a) - rank(b) })
}

// units lists the units that all implementations report beside the time, without rates that repeat it; memory comes last.
func (g *group) units(taken map[*benchmark]Pair) (units []string) {
	pairs := present(g, taken)
	for _, unit := range append(slices.Sorted(maps.Keys(pairs[0].sides[frame.New].figures)), report.BytesUnit, report.AllocsUnit) {
		isMissing := slices.ContainsFunc(pairs, func(p Pair) bool {
			_, ok := p.sides[frame.New].figures[unit]
			return !ok || !slices.Contains(builtinUnits, unit) && repeatsTime(seenOf(p), unit)
		})
		if unit == timePrinted || unit == "MB/s" || isMissing {
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
func present(g *group, taken map[*benchmark]Pair) (pairs []Pair) {
	for _, e := range g.entries {
		if p, ok := taken[e.benchmark]; ok {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// seenOf returns the runs of a pair, and those before it.
func seenOf(p Pair) [][2]sample { return append(slices.Clone(p.earlier), p.sides) }
