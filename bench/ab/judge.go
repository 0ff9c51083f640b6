package ab

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// judged is a row of a benchmark.
type judged struct {
	unit   string // as reports have it
	clock  Clock  // of a time
	read   func(s *sample) float64
	row    *verdict.Row
	memory bool
	again  *verdict.Row // of the second measurement
	silent string       // why the row is shown and not judged
}

// open reports whether the row needs more rounds, to see a slowdown of a size. Memory keeps a
// benchmark running only while it looks worse.
func (j *judged) open(sight float64) bool {
	if j.silent != "" {
		return false
	}
	if j.memory {
		sight = math.Inf(1)
	}
	return j.row.Open(sight) || j.row.Rough() || j.again != nil && !j.measuredAgain()
}

// measuredAgain reports whether the second measurement is complete: three fresh links suffice if
// all of them are slower by more than the limit.
func (j *judged) measuredAgain() bool {
	return j.again.AllWorse(3) || j.again.Rounds() >= verdict.FirstLook
}

// slower reports whether the row is about to fail.
func (j *judged) slower() bool {
	return j.silent == "" && j.row.Verdict == verdict.Slower && !j.row.Exact
}

// addRows chooses the clock and the rows of a benchmark, from its first samples.
func (r *runner) addRows(b *benchmark, first [2]sample) {
	seen := append(slices.Clone(b.evidence), first)
	b.clock = r.clockOf(b, seen)
	add := func(unit string, clock Clock, higher bool, read func(s *sample) float64) *judged {
		row := r.family.Add(higher)
		row.Limit = r.options.limit(b.name)
		j := &judged{unit: unit, clock: clock, read: read, row: row}
		b.rows = append(b.rows, j)
		return j
	}
	wall := func(s *sample) float64 { return s.wall }
	cpu := func(s *sample) float64 { return s.cpu }
	switch hasTime := first[oldSide].hasTime() && first[newSide].hasTime(); {
	case !hasTime:
	case b.parallel && r.noCPU == "":
		add(timeUnit, Wall, false, wall)
		add(timeUnit, CPU, false, cpu)
	case b.clock == CPU:
		add(timeUnit, CPU, false, cpu)
	default:
		add(timeUnit, Wall, false, wall)
	}
	printed := slices.DeleteFunc(slices.Sorted(maps.Keys(first[oldSide].figures)), func(unit string) bool {
		_, both := first[newSide].figures[unit]
		return !both
	})
	for _, unit := range printed {
		if slices.Contains(builtinUnits, unit) {
			continue
		}
		factor, tidied := Tidy(1, unit)
		better := r.direction(unit)
		custom := func(s *sample) float64 { return factor * s.figures[unit] }
		isTime := strings.HasPrefix(tidied, "sec/")
		switch {
		case !isTime && !r.options.isHigherBetter(unit) && repeatsTime(seen, unit):
			continue
		case isTime && b.clock == CPU && followsTimer(seen, unit):
			add(tidied, CPU, better > 0, func(s *sample) float64 { return custom(s) * s.cpu / s.wall })
		case isTime:
			add(tidied, Wall, better > 0, custom)
		default:
			j := add(tidied, "", better > 0, custom)
			if better == 0 {
				j.silent = fmt.Sprintf("the better direction of %s is unknown (want --higher-better, or a line such as \"Unit %s better=lower\")", unit, unit)
				r.family.Rows = slices.DeleteFunc(r.family.Rows, func(row *verdict.Row) bool { return row == j.row })
			}
		}
	}
	for _, unit := range []string{bytesUnit, allocsUnit} {
		if !slices.Contains(printed, unit) {
			continue
		}
		j := add(unit, "", false, func(s *sample) float64 { return s.figures[unit] })
		j.memory = true
		if more, ok := r.options.floors[unit]; ok {
			j.row.Limit = max(1e-9, more/max(1, first[oldSide].figures[unit]))
		}
	}
}

// direction is the better direction of a unit, as printed; see [Better]. The user's word counts most,
// then that of the program.
func (r *runner) direction(unit string) int {
	if r.options.isHigherBetter(unit) {
		return 1
	}
	if better, ok := r.units[unit]; ok {
		return better
	}
	return Better(unit)
}

// Better returns the better direction of a unit by its name: 1 if more is better, -1 if less is, 0 if
// it is unknown.
func Better(unit string) int { return report.Better(unit) }

// Tidy gives times of something in seconds and data in bytes, so that ns/op compares with us/op.
func Tidy(value float64, unit string) (float64, string) { return report.Tidy(value, unit) }

// repeatsTime reports whether a custom figure is a rate computed from the time of the benchmark:
// both have the same product in every sample, although they vary.
func repeatsTime(seen [][2]sample, unit string) bool {
	if !strings.HasSuffix(unit, "/s") && !strings.HasSuffix(unit, "/sec") {
		return false
	}
	var products, rates []float64
	for _, pair := range seen {
		for _, s := range pair {
			products, rates = append(products, s.figures[unit]*s.wall), append(rates, s.figures[unit])
		}
	}
	return isConstant(products, 1.01) && slices.Min(rates) < slices.Max(rates)
}

// isConstant reports whether figures are positive, and the largest is at most a factor above the smallest.
func isConstant(x []float64, factor float64) bool {
	return slices.Min(x) > 0 && slices.Max(x) <= factor*slices.Min(x)
}

// followsTimer reports whether a custom time is computed from the timer of the benchmark:
// it is then in proportion to it in every sample, and its CPU time is known as well.
func followsTimer(seen [][2]sample, unit string) bool {
	for side := range 2 {
		var ratios []float64
		for _, pair := range seen {
			ratios = append(ratios, pair[side].figures[unit]/pair[side].wall)
		}
		if !isConstant(ratios, 1.03) {
			return false
		}
	}
	return true
}

// clockOf chooses the clock of a benchmark: CPU time if it keeps the CPU busy. On a shared
// machine, a program waiting for a core resembles a program waiting for anything else. Time in
// the run queue and samples without interruption distinguish the two.
func (r *runner) clockOf(b *benchmark, seen [][2]sample) Clock {
	if r.noCPU != "" || b.procs > 1 {
		return Wall
	}
	const part = 0.6
	for side := range 2 {
		most, timed := 0.0, false
		var busy, awake time.Duration // awake: not in the queue
		for _, pair := range seen {
			s := pair[side]
			if s.wall*float64(s.iterations) < shortestCPU {
				continue
			}
			timed = true
			most = max(most, s.cpu/s.wall)
			busy, awake = busy+s.busy, awake+s.run-s.queued
		}
		if !timed || most < part && busy.Seconds() < part*awake.Seconds() {
			return Wall
		}
	}
	return CPU
}

// mostEvidence is the number of runs after which a benchmark is measured as it is.
const mostEvidence = 12

// isLong reports whether the timed sections of both sides are long enough for the CPU clock.
func isLong(pair [2]sample) bool {
	return !slices.ContainsFunc(pair[:], func(s sample) bool { return s.wall*float64(s.iterations) < shortestCPU })
}

// shortestCPU is the shortest section, in seconds, whose CPU time can be distinguished from the
// cost of reading the clock.
const shortestCPU = 5e-6

// The units of package testing, in reports.
const (
	timeUnit   = "sec/op"
	bytesUnit  = "B/op"
	allocsUnit = "allocs/op"
)

// take adds a round of a benchmark, or learns from it how many iterations fill a sample.
func (r *runner) take(b *benchmark, pair [2]sample, counts bool) {
	elapsed := pair[oldSide].elapsed + pair[newSide].elapsed
	if b.expected == 0 {
		b.expected = elapsed
	}
	b.expected = (4*b.expected + elapsed) / 5
	counts = counts && b.full
	if !counts {
		b.evidence = append(b.evidence, pair)
	}
	r.resize(b, pair)
	switch {
	case b.reason != "" || !counts:
		return
	case b.rows == nil && r.noCPU == "" && !isLong(pair) && len(b.evidence) < mostEvidence:
		b.evidence, b.full = append(b.evidence, pair), false // too short to choose a clock
		return
	case b.rows == nil:
		r.addRows(b, pair)
		if b.rows == nil {
			b.reason = errNoFigures.Error()
			return
		}
	}
	b.pairs = append(b.pairs, pair)
	for _, j := range b.rows {
		before, after := j.read(&pair[oldSide]), j.read(&pair[newSide])
		err := j.row.Add(before, after)
		if err == nil && j.again != nil {
			err = j.again.Add(before, after)
		}
		if err != nil {
			b.reason = cmp.Or(b.reason, err.Error())
		}
	}
}
