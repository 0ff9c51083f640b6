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

// Reading is how a figure of a benchmark is read from its samples.
type Reading struct {
	Unit    string       // in reports
	Clock   report.Clock // of a time
	Better  int          // direction of the unit; 0 if it is unknown
	Read    func(s *listing.Sample) float64
	printed string // unit as printed; "" of a time of the timers
}

// timeReading reads the time of an operation by a clock.
func timeReading(clock report.Clock) Reading {
	r := Reading{Unit: report.TimeUnit, Clock: clock, Better: -1, Read: func(s *listing.Sample) float64 { return s.Wall }}
	if clock == report.CPU {
		r.Read = func(s *listing.Sample) float64 { return s.CPU }
	}
	return r
}

// isMemory reports whether package testing computes the figure, not the benchmark, which may have its unit as well.
func (r *Reading) isMemory() bool {
	return r.printed == report.BytesUnit || r.printed == report.AllocsUnit
}

// Readings lists the figures that all samples of some pairs have: the time by a clock, the units of ReportMetric without
// rates that repeat the time, and memory.
func (t *Table) Readings(pairs []Pair, clock report.Clock) (readings []Reading) {
	have := func(has func(s *listing.Sample) bool) bool {
		return !slices.ContainsFunc(pairs, func(p Pair) bool { return !has(&p.Sides[frame.Old]) || !has(&p.Sides[frame.New]) })
	}
	if have((*listing.Sample).HasTime) {
		readings = append(readings, timeReading(clock))
	}
	printed := slices.DeleteFunc(slices.Sorted(maps.Keys(pairs[0].Sides[frame.Old].Figures)), func(unit string) bool {
		return slices.Contains(listing.BuiltinUnits, unit)
	})
	for _, unit := range append(printed, report.BytesUnit, report.AllocsUnit) {
		factor, tidied := report.Tidy(1, unit)
		r := Reading{Unit: tidied, Better: t.Direction(unit), printed: unit,
			Read: func(s *listing.Sample) float64 { return factor * s.Figure(unit) }}
		isTime := strings.HasPrefix(tidied, "sec/")
		switch {
		case !have(func(s *listing.Sample) bool { _, ok := s.Figures[unit]; return ok }):
			continue
		case r.isMemory():
			r.Better = -1
		case !isTime && !t.isHigherBetter(unit) && slices.ContainsFunc(pairs, func(p Pair) bool { return repeatsTime(p.seen(), unit) }):
			continue
		case isTime && clock == report.CPU && !slices.ContainsFunc(pairs, func(p Pair) bool { return !followsTimer(p.seen(), unit) }):
			r.Clock, r.Read = report.CPU, func(s *listing.Sample) float64 { return factor * s.Figure(unit) * s.CPU / s.Wall }
		case isTime:
			r.Clock = report.Wall
		}
		readings = append(readings, r)
	}
	return readings
}

// addRows chooses a benchmark's rows, from its first samples. One that calls RunParallel has rows of both clocks.
func (t *Table) addRows(f *Evidence, p *Pair) {
	readings := t.Readings([]Pair{*p}, p.Clock)
	if p.Benchmark.Parallel && t.HasCPU && len(readings) > 0 && readings[0].printed == "" {
		readings = append([]Reading{timeReading(report.Wall), timeReading(report.CPU)}, readings[1:]...)
	}
	for _, reading := range readings {
		r := &Row{Reading: reading, Row: t.Family.Add(reading.Better > 0)}
		r.Row.Limit, r.Row.Suspected, r.Row.Noise = t.LimitOf(p.Benchmark.Name), f.RepeatsLong, t.Noise
		f.Rows = append(f.Rows, r)
		switch before := p.Sides[frame.Old].Figures[r.Unit]; {
		case r.isMemory():
			r.Memory, r.Row.Repeats = true, constantRounds
			r.Row.Limit, r.growth = t.rowLimit(p.Benchmark.Name, r.Unit, before), t.growth(p.Benchmark.Name, r.Unit, before)
		case r.Better == 0:
			r.makeAdvisory(&t.Family, fmt.Sprintf("the better direction of %s is unknown (%s)", r.printed, wantDirection(r.printed)))
		}
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

// repeatsTime reports whether a custom figure is a rate computed from the benchmark's time:
// both have the same product in every sample, although they vary.
func repeatsTime(seen [][2]listing.Sample, unit string) bool {
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

// followsTimer reports whether a custom time is computed from the benchmark's timer:
// it is then in proportion to it in every sample, and its CPU time is known as well.
func followsTimer(seen [][2]listing.Sample, unit string) bool {
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
