package ab

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// judges hold the rows of all benchmarks, and judge them.
type judges struct {
	options *Options
	units   map[string]int // better directions of custom units, tidied, as programs declare them
	hasCPU  bool           // samples have CPU times

	needsHorizon bool    // benchmarks pass only after a long run
	noise        float64 // of long runs

	family  verdict.Family // times, memory and custom units
	confirm verdict.Family // rows measured again
	files   map[*benchmark]*file
}

// file holds what is known of a benchmark.
type file struct {
	rows   []*judgedRow
	counts *countRow
	pairs  []Pair

	longRuns    verdict.LongRuns
	lastLong    Pair          // the last long run
	length      time.Duration // planned for them
	horizon     time.Duration // timed work in the last one
	repeatsLong bool          // its rounds are long runs
	operation   float64       // seconds of an operation in the fastest short run; 0 if unknown
	chance      string        // reason of a benchmark that chance makes slower in some processes
}

// rounds counts the rounds of times.
func (f *file) rounds() int { return len(f.pairs) }

// hasLooked reports whether the benchmark has had its first look.
func (f *file) hasLooked() bool { return f.rounds() >= verdict.FirstLook }

// newJudges returns judges without rows.
func newJudges(o *Options, units map[string]int, hasCPU bool) *judges {
	rule := verdict.DefaultRule()
	rule.Limit = o.Limit
	return &judges{options: o, units: units, hasCPU: hasCPU, family: verdict.Family{Rule: rule},
		confirm: verdict.Family{Rule: rule},
		files:   make(map[*benchmark]*file)}
}

// fileOf returns a benchmark's file.
func (j *judges) fileOf(b *benchmark) *file {
	if j.files[b] == nil {
		j.files[b] = &file{}
	}
	return j.files[b]
}

// addTimes adds a round of times.
func (j *judges) addTimes(pairs []Pair) {
	for i := range pairs {
		p := &pairs[i]
		f := j.fileOf(p.Benchmark)
		if f.rows == nil {
			j.addRows(f, p)
		}
		if f.rows == nil {
			p.Benchmark.abandon(verdict.NotJudged, errNoFigures.Error())
			continue
		}
		f.pairs = append(f.pairs, *p)
		for _, r := range f.rows {
			before, after := r.read(&p.sides[frame.Old]), r.read(&p.sides[frame.New])
			err := r.row.Add(before, after)
			if err == nil && r.confirm != nil {
				err = r.confirm.Add(before, after)
			}
			switch {
			case err == nil || r.advisory != "":
			case j.options.Old != "" && !(r.has(&p.sides[frame.Old]) && r.has(&p.sides[frame.New])):
				p.Benchmark.both = true
				p.Benchmark.abandon(verdict.NotJudged, "a round does not print it in "+r.unit)
			case r.unit != report.TimeUnit:
				if r.dropped++; r.dropped == constantRounds && r.row.Rounds() == 0 {
					r.makeAdvisory(&j.family, fmt.Sprintf("%s: %v", r.unit, err))
				}
			default:
				p.Benchmark.abandon(verdict.NotJudged, err.Error())
			}
		}
		if !slices.ContainsFunc(f.rows, func(r *judgedRow) bool { return r.advisory == "" || r.row.Rounds() > 0 }) {
			p.Benchmark.abandon(verdict.NotJudged, f.rows[0].advisory)
		}
	}
}

// look judges the rows whose look is due, and lets failing rows be measured again. Where the count works more, both
// judges have shown the change.
func (j *judges) look(benchmarks []*benchmark) {
	j.family.Look(false)
	for _, b := range benchmarks {
		f := j.fileOf(b)
		again := j.options.confirm && b.state < stateNotJudged && !f.counts.worksMore() && !f.repeatsLong
		for _, r := range f.rows {
			if again && r.isSlower() && r.confirm == nil {
				r.confirm = j.confirm.Add(r.row.Higher)
				r.confirm.Limit = r.row.Limit
				b.alone = true // a neighbour that changed may have changed it
			}
		}
		switch {
		case !b.isOpen() || !j.isDecided(b):
		case j.needsHorizon && !slices.ContainsFunc(f.rows, (*judgedRow).isSlower) && j.differsInLongRuns(b):
			j.repeatLongRuns(b)
		default:
			b.advance(stateJudged)
		}
	}
}

// isDecided reports whether times need no further rounds. Where the count works more, they need not confirm it.
func (j *judges) isDecided(b *benchmark) bool {
	f := j.fileOf(b)
	target, agree := j.target(b), !j.options.Prove && f.counts.worksMore()
	return f.rows != nil && !slices.ContainsFunc(f.rows, func(r *judgedRow) bool {
		return r.isOpen(target) && !(agree && j.family.WouldFail(r.row))
	})
}

// target is the slowdown that a benchmark's times must show: 0 goes on until every row is decided. Where
// the count has decided, they need not see more than [verdict.MustDetect].
func (j *judges) target(b *benchmark) float64 {
	limit := j.options.limit(b.name)
	switch {
	case j.options.Prove:
		return 0
	case j.fileOf(b).counts.isDecided():
		return max(verdict.MustDetect, 2*limit)
	}
	return max(verdict.ShouldDetect, 2*limit)
}

// isEnough reports whether an open benchmark would pass as it is: no slowdown is likely, and a large one would have been
// seen.
func (j *judges) isEnough(b *benchmark) bool {
	target, rows := j.target(b), j.fileOf(b).rows
	return target > 0 && len(rows) > 0 && !slices.ContainsFunc(rows, func(r *judgedRow) bool {
		return r.isOpen(target) && (r.row.Suspect || r.row.RuledOut() > verdict.MustDetect)
	})
}

// passesByCount reports whether a benchmark's count passes, and no more memory than the limit was seen with it.
func (j *judges) passesByCount(b *benchmark) bool {
	return j.fileOf(b).counts.passes() && j.unseenByCount(b) == "" && !j.isSuspect(b)
}

// unseenByCount describes a change for the worse beyond the limit that no count sees; "" without one: more memory in
// the counting processes, or another unit of the first operation. It is no verdict: later operations may differ.
func (j *judges) unseenByCount(b *benchmark) string {
	units := map[string]func(m count.Memory) float64{
		report.BytesUnit:  func(m count.Memory) float64 { return m.Bytes },
		report.AllocsUnit: func(m count.Memory) float64 { return m.Allocs },
	}
	for _, unit := range []string{report.AllocsUnit, report.BytesUnit} {
		var sides [2][]float64
		if c := j.fileOf(b).counts; c != nil {
			for _, p := range c.pairs {
				for side := range sides {
					sides[side] = append(sides[side], units[unit](p.Memory[side]))
				}
			}
		}
		from, to := verdict.Median(sides[frame.Old]), verdict.Median(sides[frame.New])
		passing, ok := j.options.floors[unit]
		if !ok {
			passing = j.options.limit(b.name) * from
		}
		// Go prints whole allocations an operation, so one in many operations is none.
		whole := math.Floor(to) - math.Floor(from)
		if min(whole, to-from) > passing {
			return fmt.Sprintf("%.4g %s after %.4g were seen in counting, and there was no time to measure them", to, unit,
				from)
		}
	}
	for _, unit := range slices.Sorted(maps.Keys(b.first[frame.Old].figures)) {
		from, to := b.first[frame.Old].figures[unit], b.first[frame.New].figures[unit]
		_, tidied := report.Tidy(1, unit)
		if strings.Contains(tidied, "sec") || strings.HasSuffix(tidied, "/s") || slices.Contains(builtinUnits, unit) ||
			!report.IsMeasurement(from) || !report.IsMeasurement(to) {
			continue
		}
		if worse := float64(j.direction(unit)) * (from - to); worse > j.options.limit(b.name)*math.Abs(from) {
			return fmt.Sprintf("%v %s after %v were seen in one operation, and there was no time to measure them",
				to, unit, from)
		}
	}
	return ""
}

// addRows chooses a benchmark's rows, from its first samples.
func (j *judges) addRows(f *file, p *Pair) {
	b, first := p.Benchmark, p.sides
	seen := append(slices.Clone(p.earlier), first)
	add := func(unit string, clock report.Clock, higher bool, read func(s *sample) float64) *judgedRow {
		row := j.family.Add(higher)
		row.Limit, row.Suspected, row.Noise = j.options.limit(b.name), f.repeatsLong, j.noise
		r := &judgedRow{unit: unit, clock: clock, read: read, row: row}
		f.rows = append(f.rows, r)
		return r
	}
	wall := func(s *sample) float64 { return s.wall }
	cpu := func(s *sample) float64 { return s.cpu }
	switch hasTime := first[frame.Old].hasTime() && first[frame.New].hasTime(); {
	case !hasTime:
	case b.parallel && j.hasCPU:
		add(report.TimeUnit, report.Wall, false, wall)
		add(report.TimeUnit, report.CPU, false, cpu)
	case p.clock == report.CPU:
		add(report.TimeUnit, report.CPU, false, cpu)
	default:
		add(report.TimeUnit, report.Wall, false, wall)
	}
	printed := slices.DeleteFunc(slices.Sorted(maps.Keys(first[frame.Old].figures)), func(unit string) bool {
		_, both := first[frame.New].figures[unit]
		return !both
	})
	for _, unit := range printed {
		if slices.Contains(builtinUnits, unit) {
			continue
		}
		factor, tidied := report.Tidy(1, unit)
		better := j.direction(unit)
		custom := func(s *sample) float64 { return factor * s.figure(unit) }
		isTime := strings.HasPrefix(tidied, "sec/")
		last := len(f.rows)
		switch {
		case !isTime && !j.options.isHigherBetter(unit) && repeatsTime(seen, unit):
			continue
		case isTime && p.clock == report.CPU && followsTimer(seen, unit):
			add(tidied, report.CPU, better > 0, func(s *sample) float64 { return custom(s) * s.cpu / s.wall })
		case isTime:
			add(tidied, report.Wall, better > 0, custom)
		default:
			r := add(tidied, "", better > 0, custom)
			if better == 0 {
				r.makeAdvisory(&j.family, fmt.Sprintf("the better direction of %s is unknown (%s)", unit, wantDirection(unit)))
			}
		}
		f.rows[last].printed = unit
	}
	for _, unit := range []string{report.BytesUnit, report.AllocsUnit} {
		if !slices.Contains(printed, unit) {
			continue
		}
		r := add(unit, "", false, func(s *sample) float64 { return s.figure(unit) })
		r.printed = unit
		r.memory, r.row.Repeats = true, constantRounds
		r.row.Limit = j.options.rowLimit(b.name, unit, first[frame.Old].figures[unit])
	}
}

// direction is a unit's better direction, as printed; see [report.Better]. The user's word counts most,
// then that of the program.
func (j *judges) direction(unit string) int {
	_, tidied := report.Tidy(1, unit)
	if j.options.isHigherBetter(unit) || j.options.isHigherBetter(tidied) {
		return 1
	}
	if better, ok := j.units[tidied]; ok {
		return better
	}
	return report.Better(unit)
}

// repeatsTime reports whether a custom figure is a rate computed from the benchmark's time:
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

// followsTimer reports whether a custom time is computed from the benchmark's timer:
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

// addSuite adds the geometric mean of the times of all benchmarks to the family, and returns its row
// and how many they are.
func addSuite(j *judges, benchmarks []*benchmark) (mean *verdict.Row, n int) {
	var times []*verdict.Row
	for _, b := range benchmarks {
		f := j.fileOf(b)
		if len(f.rows) == 0 || f.repeatsLong || b.state == stateNotJudged || !strings.HasPrefix(f.rows[0].unit, "sec/") {
			continue
		}
		times = append(times, f.rows[0].row)
	}
	return j.family.AddMean(times)
}
