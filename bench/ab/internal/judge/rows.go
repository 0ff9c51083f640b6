package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// addRows chooses a benchmark's rows, from its first samples.
func (t *Table) addRows(f *Evidence, p *Pair) {
	b, first := p.Benchmark, p.Sides
	seen := append(slices.Clone(p.Earlier), first)
	add := func(unit string, clock report.Clock, higher bool, read func(s *listing.Sample) float64) *Row {
		row := t.Family.Add(higher)
		row.Limit, row.Suspected, row.Noise = t.LimitOf(b.Name), f.RepeatsLong, t.Noise
		r := &Row{Unit: unit, Clock: clock, read: read, Row: row}
		f.Rows = append(f.Rows, r)
		return r
	}
	wall := func(s *listing.Sample) float64 { return s.Wall }
	cpu := func(s *listing.Sample) float64 { return s.CPU }
	switch hasTime := first[frame.Old].HasTime() && first[frame.New].HasTime(); {
	case !hasTime:
	case b.Parallel && t.HasCPU:
		add(report.TimeUnit, report.Wall, false, wall)
		add(report.TimeUnit, report.CPU, false, cpu)
	case p.Clock == report.CPU:
		add(report.TimeUnit, report.CPU, false, cpu)
	default:
		add(report.TimeUnit, report.Wall, false, wall)
	}
	printed := slices.DeleteFunc(slices.Sorted(maps.Keys(first[frame.Old].Figures)), func(unit string) bool {
		_, both := first[frame.New].Figures[unit]
		return !both
	})
	for _, unit := range printed {
		if slices.Contains(listing.BuiltinUnits, unit) {
			continue
		}
		factor, tidied := report.Tidy(1, unit)
		better := t.Direction(unit)
		custom := func(s *listing.Sample) float64 { return factor * s.Figure(unit) }
		isTime := strings.HasPrefix(tidied, "sec/")
		last := len(f.Rows)
		switch {
		case !isTime && !t.isHigherBetter(unit) && RepeatsTime(seen, unit):
			continue
		case isTime && p.Clock == report.CPU && FollowsTimer(seen, unit):
			add(tidied, report.CPU, better > 0, func(s *listing.Sample) float64 { return custom(s) * s.CPU / s.Wall })
		case isTime:
			add(tidied, report.Wall, better > 0, custom)
		default:
			r := add(tidied, "", better > 0, custom)
			if better == 0 {
				r.makeAdvisory(&t.Family, fmt.Sprintf("the better direction of %s is unknown (%s)", unit, wantDirection(unit)))
			}
		}
		f.Rows[last].printed = unit
	}
	for _, unit := range []string{report.BytesUnit, report.AllocsUnit} {
		if !slices.Contains(printed, unit) {
			continue
		}
		r := add(unit, "", false, func(s *listing.Sample) float64 { return s.Figure(unit) })
		r.printed = unit
		r.Memory, r.Row.Repeats = true, constantRounds
		before := first[frame.Old].Figures[unit]
		r.Row.Limit, r.growth = t.rowLimit(b.Name, unit, before), t.growth(b.Name, unit, before)
	}
}

// Direction is a unit's better direction, as printed; see [report.Better]. The user's word counts most,
// then that of the program.
func (t *Table) Direction(unit string) int {
	_, tidied := report.Tidy(1, unit)
	if t.isHigherBetter(unit) || t.isHigherBetter(tidied) {
		return 1
	}
	if better, ok := t.Units[tidied]; ok {
		return better
	}
	return report.Better(unit)
}

// RepeatsTime reports whether a custom figure is a rate computed from the benchmark's time:
// both have the same product in every sample, although they vary.
func RepeatsTime(seen [][2]listing.Sample, unit string) bool {
	if !strings.HasSuffix(unit, "/s") && !strings.HasSuffix(unit, "/sec") {
		return false
	}
	var products, rates []float64
	for _, pair := range seen {
		for _, s := range pair {
			products, rates = append(products, s.Figures[unit]*s.Wall), append(rates, s.Figures[unit])
		}
	}
	return isConstant(products, 1.01) && slices.Min(rates) < slices.Max(rates)
}

// isConstant reports whether figures are positive, and the largest is at most a factor above the smallest.
func isConstant(x []float64, factor float64) bool {
	return slices.Min(x) > 0 && slices.Max(x) <= factor*slices.Min(x)
}

// FollowsTimer reports whether a custom time is computed from the benchmark's timer:
// it is then in proportion to it in every sample, and its CPU time is known as well.
func FollowsTimer(seen [][2]listing.Sample, unit string) bool {
	for side := range 2 {
		var ratios []float64
		for _, pair := range seen {
			ratios = append(ratios, pair[side].Figures[unit]/pair[side].Wall)
		}
		if !isConstant(ratios, 1.03) {
			return false
		}
	}
	return true
}

// AddSuite adds the geometric mean of the times of all benchmarks to the family, and returns its row
// and how many they are.
func (t *Table) AddSuite(benchmarks []*listing.Benchmark) (mean *verdict.Row, n int) {
	var times []*verdict.Row
	for _, b := range benchmarks {
		f := t.Of(b)
		if len(f.Rows) == 0 || f.RepeatsLong || !f.IsMeasurable() || !strings.HasPrefix(f.Rows[0].Unit, "sec/") {
			continue
		}
		times = append(times, f.Rows[0].Row)
	}
	return t.Family.AddMean(times)
}
