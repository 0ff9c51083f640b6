package judge

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Row is a benchmark in one unit.
type Row struct {
	Reading
	Row      *verdict.Row
	Confirm  *verdict.Row // confirmation run
	Advisory string       // reason of a row that is shown and not judged
	dropped  int          // rounds without a measurement
	memory   memoryRule   // of a row of memory
}

// has reports whether a sample has the figure, which may be no measurement.
func (r *Row) has(s *listing.Sample) bool {
	_, ok := s.Figures[r.printed]
	return ok || r.printed == ""
}

// makeAdvisory makes a row one that is shown and not judged.
func (r *Row) makeAdvisory(family *verdict.Family, reason string) {
	r.Advisory = reason
	family.Rows = slices.DeleteFunc(family.Rows, func(row *verdict.Row) bool { return row == r.Row })
}

// IsOpen reports whether the row needs more rounds, to see a slowdown of a size. Memory keeps a
// benchmark running only while it looks worse. Where a count is more exact, a decided change may have a wide interval.
func (r *Row) IsOpen(target float64) bool {
	switch {
	case r.Advisory != "" || r.isConstant():
		return false
	case r.IsMemory():
		target = math.Inf(1)
	}
	if r.Confirm != nil {
		if _, open := r.Confirm.Confirms(); open {
			return true
		}
	}
	return r.Row.Open(target) || r.Row.Rough() && target < verdict.MustDetect
}

// IsSlower reports whether the row is about to fail.
func (r *Row) IsSlower() bool {
	return r.Advisory == "" && r.Row.Verdict == verdict.Slower && !r.Row.Exact
}

// isSurelySlower reports whether the row fails: memory without noise, or a time that was slower again, by far more than
// the limit where not in each round.
func (r *Row) isSurelySlower() bool {
	switch {
	case r.Row.Exact:
		before, after := r.Medians()
		return r.Row.Verdict == verdict.Slower && math.Abs(after-before) > r.memory.growth(before)
	case !r.IsSlower():
		return false
	case r.Confirm == nil:
		return true
	}
	if worse, _ := r.Confirm.Confirms(); !worse {
		return false
	}
	before, after := r.Confirm.Samples()
	return r.Confirm.AllWorse() || !r.Row.Higher && verdict.Median(after) > (1+2*r.Row.Limit)*verdict.Median(before)
}

// RoundsLeft is how many rounds a row is likely to need: until its interval leaves out the limit,
// or until it detects a slowdown of a size.
func (r *Row) RoundsLeft(target float64) int {
	row := r.Row
	ratio := row.Detectable / max(target, row.Limit)
	if target == 0 || row.LikelyAbove {
		width, room := row.Hi-row.Delta, math.Abs(row.Limit-row.Delta)
		ratio = 1.5 * width / max(room, row.Limit/8)
	}
	if math.IsInf(ratio, 0) || math.IsNaN(ratio) {
		return 1000
	}
	return int(max(4, min(1000, float64(row.Rounds())*(ratio*ratio-1))))
}

// Medians returns the medians of both sides.
func (r *Row) Medians() (from, to float64) {
	before, after := r.Row.Samples()
	return verdict.Median(before), verdict.Median(after)
}

// confirmRow compares a slower row with its confirmation run, which must show the change by itself: what runs before a
// benchmark in its process, or beside it, may have changed the first one.
func (r *Row) confirmRow(out *report.Row) {
	again := r.Confirm
	switch worse, open := again.Confirms(); {
	case worse:
	case open && again.Rounds() < verdict.FirstLook:
		out.Reason = frame.NotMeasuredAgain
	default:
		out.Verdict = verdict.Undecided
		out.Reason = fmt.Sprintf(frame.NotConfirmed, out.Rounds, again.Rounds(), report.Percent(again.Delta))
	}
}

// copyRow copies the results of a row.
func copyRow(row *verdict.Row) report.Row {
	before, after := row.Samples()
	from, to := estimateSides(before, after, row.Delta)
	number := func(x float64) verdict.Number { return verdict.Number(x) }
	out := report.Row{
		Rounds: row.Rounds(), Old: number(from), New: number(to), Limit: row.Limit, Detectable: number(row.RuledOut()), Delta: number(row.Delta),
		Lo: number(row.Lo), Hi: number(row.Hi), P: number(row.P), Family: number(row.Family), Verdict: row.Verdict, Reason: row.Reason,
		Higher: row.Higher,
	}
	switch nothing, most := number(math.NaN()), number(math.Inf(1)); {
	case out.Rounds == 0:
		out.Delta, out.Lo, out.Hi, out.P, out.Family = nothing, nothing, nothing, 1, 1
		out.Reason = cmp.Or(out.Reason, frame.NotMeasured)
	case from == 0 && to > 0: // there is no ratio to nothing
		out.Delta, out.Lo, out.Hi = most, most, most
	}
	return out
}

// estimateSides returns figures of both sides whose ratio is 1+delta: their geometric mean is
// the median over the pairs. Where a figure is 0, or the medians have that ratio, as constants
// have, they are medians; NaN of none.
func estimateSides(before, after []float64, delta float64) (float64, float64) {
	from, to := verdict.Median(before), verdict.Median(after)
	if math.Abs(from*(1+delta)-to) <= 1e-9*to {
		return from, to
	}
	var logs []float64
	for k := range min(len(before), len(after)) {
		if !(before[k] > 0 && after[k] > 0) {
			logs = nil
			break
		}
		logs = append(logs, (math.Log(before[k])+math.Log(after[k]))/2)
	}
	if logs == nil {
		return from, to
	}
	half := math.Sqrt(1 + delta)
	middle := math.Exp(verdict.Median(logs))
	return middle / half, middle * half
}

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
	return Reading{Unit: report.TimeUnit, Clock: clock, Better: -1, Read: func(s *listing.Sample) float64 { return s.Time(clock) }}
}

// IsMemory reports whether package testing computes the figure. A benchmark may report another one in its unit.
func (r *Reading) IsMemory() bool {
	return report.IsMemory(r.printed)
}

// Readings lists the figures that all samples of some pairs have: the time by a clock, the units of ReportMetric without
// rates that repeat the time beside it, and memory.
func (t *Table) Readings(pairs []Pair, clock report.Clock) (readings []Reading) {
	have := func(has func(s *listing.Sample) bool) bool {
		return !slices.ContainsFunc(pairs, func(p Pair) bool { return !has(&p.Sides[frame.Old]) || !has(&p.Sides[frame.New]) })
	}
	hasTime := have((*listing.Sample).HasTime)
	if hasTime {
		readings = append(readings, timeReading(clock))
	}
	printed := slices.DeleteFunc(slices.Sorted(maps.Keys(pairs[0].Sides[frame.Old].Figures)), func(unit string) bool {
		return slices.Contains(report.BuiltinUnits, unit)
	})
	all := slices.Sorted(maps.Keys(pairs[0].Sides[frame.Old].Figures))
	for _, unit := range append(printed, report.BytesUnit, report.AllocsUnit) {
		factor, tidied := report.TidyBeside(1, unit, all)
		r := Reading{Unit: tidied, Better: t.direction(unit, t.Units), printed: unit,
			Read: func(s *listing.Sample) float64 { return factor * s.Figure(unit) }}
		isTime := report.Nanoseconds(unit) > 0
		switch {
		case !have(func(s *listing.Sample) bool { _, ok := s.Figures[unit]; return ok }):
			continue
		case r.IsMemory():
			r.Better = -1
		case hasTime && !isTime && !t.isHigherBetter(unit) && slices.ContainsFunc(pairs, func(p Pair) bool { return repeatsTime(p.seen(), unit) }):
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
		switch {
		case r.IsMemory():
			r.memory, r.Row.Repeats = t.memoryRule(p.Benchmark.Name, r.Unit), constantRounds
			r.Row.Limit = r.memory.limit(p.Sides[frame.Old].Figures[r.Unit])
		case r.Better == 0:
			r.makeAdvisory(&t.Family, unknownDirection(r.printed))
		}
	}
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

// AddSuite adds the geometric mean of the times of the benchmarks under the common limit to the family, and returns its
// row and how many they are.
func (t *Table) AddSuite(benchmarks []*listing.Benchmark) (mean *verdict.Row, n int) {
	var times []*verdict.Row
	for _, b := range benchmarks {
		f := t.Of(b)
		if len(f.Rows) == 0 || t.hasOwnLimit(b.Name) || f.RepeatsLong || !f.IsMeasurable() || !strings.HasPrefix(f.Rows[0].Unit, "sec/") {
			continue
		}
		times = append(times, f.Rows[0].Row)
	}
	return t.Family.AddMean(times)
}
