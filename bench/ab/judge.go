package ab

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// judged is a row of a benchmark.
type judged struct {
	unit   string // as reports have it
	clock  Clock  // of a time
	read   func(s *sample) float64
	row    *verdict.Row
	again  *verdict.Row // of the links for the second measurement
	fresh  map[int]int  // from the units of the package to those of again
	silent string       // why the row is shown and not judged
}

// open reports whether the row needs more rounds.
func (j *judged) open() bool {
	if j.silent != "" {
		return false
	}
	return !j.row.Decided() || j.row.Rough() || j.again != nil && !j.measuredAgain()
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
		family := &r.family
		if b.code == SameCode {
			family = &r.same
		}
		row := family.Add(higher)
		row.Limit = r.options.limit(b.name)
		j := &judged{unit: unit, clock: clock, read: read, row: row}
		b.rows = append(b.rows, j)
		return j
	}
	wall := func(s *sample) float64 { return s.wall }
	cpu := func(s *sample) float64 { return s.cpu }
	switch hasTime := first[oldSide].hasTime() && first[newSide].hasTime(); {
	case !hasTime:
	case b.parallel && r.options.Clock == AutoClock && r.noCPU == "":
		add(units[timeRow], Wall, false, wall)
		add(units[timeRow], CPU, false, cpu)
	case b.clock == CPU:
		add(units[timeRow], CPU, false, cpu)
	default:
		add(units[timeRow], Wall, false, wall)
	}
	custom := slices.Collect(maps.Keys(first[oldSide].custom))
	slices.SortFunc(custom, func(a, b string) int { // times first: a rate beside one repeats it
		_, tidyA := tidy(1, a)
		_, tidyB := tidy(1, b)
		if rateA, rateB := isRate(tidyA), isRate(tidyB); rateA != rateB {
			if rateA {
				return 1
			}
			return -1
		}
		return cmp.Compare(a, b)
	})
	for _, unit := range custom {
		if _, ok := first[newSide].custom[unit]; !ok {
			continue
		}
		_, tidied := tidy(1, unit)
		factor, _ := tidy(1, unit)
		better := r.better(unit, tidied)
		isTime := strings.HasPrefix(tidied, "sec/")
		switch {
		case better > 0 && isRate(tidied) && b.hasTimeRow():
			continue
		case isTime && b.clock == CPU && followsTimer(seen, unit):
			add(tidied, CPU, false, func(s *sample) float64 { return factor * s.custom[unit] * s.cpu / s.wall })
		case isTime:
			add(tidied, Wall, false, func(s *sample) float64 { return factor * s.custom[unit] })
		default:
			j := add(tidied, "", better > 0, func(s *sample) float64 { return factor * s.custom[unit] })
			if better == 0 {
				j.silent = fmt.Sprintf("no direction of %s is known", unit)
				r.forget(j.row)
			}
		}
	}
}

// forget takes a row out of its family.
func (r *runner) forget(row *verdict.Row) {
	for _, family := range []*verdict.Family{&r.family, &r.same} {
		family.Rows = slices.DeleteFunc(family.Rows, func(other *verdict.Row) bool { return other == row })
	}
}

// isRate reports whether a unit counts work in a second.
func isRate(unit string) bool {
	return strings.HasSuffix(unit, "/s") || strings.HasSuffix(unit, "/sec")
}

// hasTimeRow reports whether a row of the benchmark is a time.
func (b *benchmark) hasTimeRow() bool {
	return slices.ContainsFunc(b.rows, func(j *judged) bool { return strings.HasPrefix(j.unit, "sec/") })
}

// better returns the better direction of a custom unit, as given by the user or the program, or
// derived from its name.
func (r *runner) better(unit, tidied string) int {
	if r.options.isHigherBetter(unit) {
		return 1
	}
	if better, ok := r.units[unit]; ok {
		return better
	}
	return betterDirection(tidied)
}

// followsTimer reports whether a custom time is computed from the timer of the benchmark:
// it is then in proportion to it in every sample, and its CPU time is known as well.
func followsTimer(seen [][2]sample, unit string) bool {
	const tolerance = 1.03
	for side := range 2 {
		least, most := math.Inf(1), 0.0
		for _, pair := range seen {
			s := pair[side]
			ratio := s.custom[unit] / s.wall
			least, most = min(least, ratio), max(most, ratio)
		}
		if !(most <= tolerance*least) || least <= 0 {
			return false
		}
	}
	return true
}

// clockOf chooses the clock of a benchmark: CPU time if it keeps the CPU busy. On a shared
// machine, a program waiting for a core resembles a program waiting for anything else. Time in
// the run queue and samples without interruption distinguish the two.
func (r *runner) clockOf(b *benchmark, seen [][2]sample) Clock {
	switch {
	case r.noCPU != "" || r.options.Clock == Wall:
		return Wall
	case r.options.Clock == CPU:
		return CPU
	case b.procs > 1:
		return Wall
	}
	const part = 0.6
	for side := range 2 {
		most, timed := 0.0, false
		var busy, awake time.Duration // awake: not in the queue
		for _, pair := range seen {
			s := pair[side]
			if s.wall*float64(s.line.iterations) < shortestCPU {
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
	return !slices.ContainsFunc(pair[:], func(s sample) bool { return s.wall*float64(s.line.iterations) < shortestCPU })
}

// shortestCPU is the shortest section, in seconds, whose CPU time can be distinguished from the
// cost of reading the clock.
const shortestCPU = 5e-6

// clockNote explains a row whose clocks disagree by more than one busy thread does.
func (b *benchmark) clockNote() string {
	var wall, cpu float64
	var busy, awake time.Duration
	for _, pair := range b.pairs {
		for _, s := range pair {
			n := float64(s.line.iterations)
			wall, cpu = wall+n*s.wall, cpu+n*s.cpu
			busy, awake = busy+s.busy, awake+s.run-s.queued
		}
	}
	switch {
	case !(wall > 0) || math.IsNaN(cpu) || b.procs > 1:
		return ""
	case cpu > 1.1*wall:
		return fmt.Sprintf("CPU time is %.3g times the wall-clock time: threads outside of GOMAXPROCS work for it", cpu/wall)
	case b.clock == CPU && busy.Seconds() < 0.7*awake.Seconds():
		return fmt.Sprintf("waits for %.0f %% of its time, which the CPU time leaves out", 100*(1-busy.Seconds()/awake.Seconds()))
	}
	return ""
}

// memory holds the allocations of a benchmark, as Go prints them: integers. A row of memory
// never keeps a benchmark running.
type memory struct{ sides [2][]float64 }

// units maps the units of package testing in reports to those that Go prints.
const (
	timeRow = iota
	bytesRow
	allocsRow
)

var (
	units        = [3]string{"sec/op", "B/op", "allocs/op"}
	printedUnits = [3]string{"ns/op", "B/op", "allocs/op"}
)

// row judges memory. Figures are compared exactly if they are constant, or if one side is above
// the other in all rounds. Other figures depend on chance, the contents of a pool and the
// number of iterations: they are slower if nearly all rounds agree.
func (m *memory) row(r *runner, b *benchmark, unit string) (Row, bool) {
	before, after := m.sides[oldSide], m.sides[newSide]
	if len(before) == 0 {
		return Row{}, false
	}
	row := Row{Name: b.name, Unit: unit, Rounds: len(before), Old: median(before), New: median(after), Limit: r.options.limit(b.name), P: 1, Family: 1}
	row.Delta = math.Expm1(verdict.LogRatio(row.Old, row.New))
	row.Lo, row.Hi = row.Delta, row.Delta
	most, more := row.Old*row.Limit, row.New-row.Old
	if floor, ok := r.options.floor(unit); ok {
		most = floor
	}
	certain := slices.Max(before) < slices.Min(after) || slices.Max(after) < slices.Min(before)
	if !certain && more != 0 {
		var logs []float64
		for k := range before {
			logs = append(logs, verdict.LogRatio(before[k], after[k]))
		}
		const rarely = 0.001
		s := verdict.NewShift(logs)
		certain = s.Above(0) < rarely || s.Below(0) < rarely
	}
	switch {
	case more == 0:
		row.Verdict = verdict.Identical
	case !certain:
		row.Verdict = verdict.NotSlower
	case more > most && b.code == SameCode:
		row.Verdict, row.Reason = verdict.Layout, sameCodeReason
	case more > most:
		row.Verdict = verdict.Slower
	case more < 0:
		row.Verdict = verdict.Faster
	default:
		row.Verdict = verdict.NotSlower
	}
	return row, true
}

// sameCodeReason explains the verdict [verdict.Layout].
const sameCodeReason = "its machine code is the same: the difference is of layouts and chance"

// take adds a round of a benchmark, or learns from it how many iterations fill a sample.
func (r *runner) take(b *benchmark, pair [2]sample, unit int) {
	elapsed := pair[oldSide].elapsed + pair[newSide].elapsed
	if b.expected == 0 {
		b.expected = elapsed
	}
	b.expected = (4*b.expected + elapsed) / 5
	counts := b.full && unit >= 0
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
	at, ok := b.units[unit]
	if !ok {
		at = len(b.units)
		b.units[unit] = at
	}
	for _, j := range b.rows {
		before, after := j.read(&pair[oldSide]), j.read(&pair[newSide])
		if err := j.row.AddTo(at, before, after); err != nil {
			b.reason = cmp.Or(b.reason, err.Error())
		}
		if j.again == nil {
			continue
		}
		again, ok := j.fresh[unit]
		if !ok {
			again = j.again.Units()
			j.fresh[unit] = again
		}
		if err := j.again.AddTo(again, before, after); err != nil {
			b.reason = cmp.Or(b.reason, err.Error())
		}
	}
	for i := range b.memory {
		before, ok := pair[oldSide].line.figure(printedUnits[bytesRow+i])
		after, also := pair[newSide].line.figure(printedUnits[bytesRow+i])
		if ok && also {
			m := &b.memory[i]
			m.sides[oldSide] = append(m.sides[oldSide], before)
			m.sides[newSide] = append(m.sides[newSide], after)
		}
	}
}
