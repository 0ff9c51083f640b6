package ab

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// schema is the schema of the JSON object.
const schema = "ur.ab/2"

// Report is the result of a run: the JSON object of "benchab --json".
type Report struct {
	Schema      string          `json:"schema"`
	Base        string          `json:"base"`                // commit, or command
	Head        string          `json:"head"`                // commit, or command; "" is the work tree
	WorkTree    bool            `json:"work_tree,omitempty"` // whether the head is the work tree
	Date        string          `json:"date,omitempty"`      // of the start, as in 20261121T150405Z
	Limit       float64         `json:"limit"`               // 0.03 for 3 %
	Alpha       float64         `json:"alpha"`               // largest rate of false alarms
	Seed        uint64          `json:"seed"`
	Go          string          `json:"go,omitempty"`         // version that built both sides
	CPU         string          `json:"cpu,omitempty"`        // model name
	GOMAXPROCS  int             `json:"gomaxprocs,omitempty"` // of parallel benchmarks
	Flags       []string        `json:"flags,omitempty"`      // of the builds
	Load        []float64       `json:"load,omitempty"`       // runnable processes at the start and at the end
	CPUClock    string          `json:"cpu_clock,omitempty"`  // source of CPU times; "none" if all times are wall-clock times
	BuiltWith   string          `json:"built_with,omitempty"` // version of Go that built this program
	Layouts     int             `json:"layouts"`              // links of each side
	Rounds      int             `json:"rounds"`               // of the benchmark with the most rounds
	Seconds     float64         `json:"seconds"`
	Packages    []*Package      `json:"packages"`        // one for each package
	Rows        []Row           `json:"rows"`            // one for each benchmark and unit
	Suite       *SuiteMean      `json:"suite,omitempty"` // of two benchmarks or more
	New         []string        `json:"new,omitempty"`   // benchmarks of only the new side
	Notes       []string        `json:"notes,omitempty"`
	Interrupted bool            `json:"interrupted,omitempty"`
	Verdict     verdict.Verdict `json:"verdict"` // slower, pass, undecided or nothing

	measuring  bool // there is something to report
	named      bool // the sides are commands or files
	benchmarks []*benchmark
}

// noClock is the CPU clock of reports with wall-clock times only.
const noClock = "none"

// Row is one benchmark in one unit. Changes are relative: 0.05 is 5 % more than old. Numbers that are
// not known, or not finite, are null in JSON.
type Row struct {
	Name    string          `json:"name"`
	Unit    string          `json:"unit"`
	Clock   Clock           `json:"clock,omitempty"`   // of times: cpu or wall
	Tests   Tests           `json:"tests,omitempty"`   // origin of the test files that both sides ran: head, base or own
	Code    Code            `json:"code,omitempty"`    // code that the benchmark reaches: same, changed or unknown
	Changed []string        `json:"changed,omitempty"` // functions and variables that differ
	Old     verdict.Number  `json:"old"`               // estimates whose ratio is 1+delta
	New     verdict.Number  `json:"new"`
	Delta   verdict.Number  `json:"delta"` // infinite from 0 to more
	Lo      verdict.Number  `json:"lo"`    // ends of its 95 % interval
	Hi      verdict.Number  `json:"hi"`
	Sight   verdict.Number  `json:"sight"` // smallest slowdown that would have been seen; infinite if none
	P       verdict.Number  `json:"p"`
	Family  verdict.Number  `json:"p_family"` // p-value corrected for all looks and rows
	Limit   float64         `json:"limit"`    // largest passing change
	Rounds  int             `json:"n"`
	Verdict verdict.Verdict `json:"verdict"`          // slower, faster, not-slower, undecided, identical, missing or advisory
	Reason  string          `json:"reason,omitempty"` // of a verdict with a reason
	Places  []Place         `json:"places,omitempty"` // of the sources behind a slower row
	Parts   []Part          `json:"parts,omitempty"`  // functions that account for the change, with --explain

	main bool // of its benchmark: whether it was measured well counts
}

// Place is a line of the head's sources.
type Place struct {
	Function string `json:"function"`
	File     string `json:"file"` // relative to the root of the repository, with slashes
	Line     int    `json:"line"` // number of the line
}

// Code is the result of comparing the code a benchmark reaches.
type Code string

// The results.
const (
	sameCode    Code = "same"
	changedCode Code = "changed"
	unknownCode Code = "unknown" // also of a benchmark whose data may differ
)

// SuiteMean is the geometric mean of the changes of all measured benchmarks, over their common
// rounds, with its own verdict.
type SuiteMean struct {
	Benchmarks int             `json:"benchmarks"` // number of benchmarks
	Rounds     int             `json:"rounds"`     // number of common rounds
	Delta      verdict.Number  `json:"delta"`
	Lo         verdict.Number  `json:"lo"`
	Hi         verdict.Number  `json:"hi"`
	P          verdict.Number  `json:"p"`
	Verdict    verdict.Verdict `json:"verdict"` // slower, faster, not-slower or undecided
}

// add adds the row of a benchmark without figures.
func (r *runner) add(name string, v verdict.Verdict, reason string) *Row {
	nothing := verdict.Number(math.NaN())
	r.report.Rows = append(r.report.Rows, Row{Name: name, Unit: timeUnit, Limit: r.options.limit(name), Verdict: v, Reason: reason,
		Old: nothing, New: nothing, Delta: nothing, Lo: nothing, Hi: nothing, Sight: verdict.Number(math.Inf(1)), P: 1, Family: 1})
	return &r.report.Rows[len(r.report.Rows)-1]
}

// missing reports a benchmark with figures of only one side.
func (r *runner) missing(name, reason string) { r.add(name, verdict.Missing, reason) }

// Figures are the samples of a benchmark in a unit, measured elsewhere.
type Figures struct {
	Name, Unit string
	Higher     bool      // more is better
	Old, New   []float64 // at least 0; a benchmark without new figures is missing
}

// NewReport judges figures of two named sides, such as files. If they are in turns, sample k of both sides
// was taken side by side, and every benchmark has as many on both.
func NewReport(o Options, schema string, names [2]string, inTurns bool, figures []Figures) (*Report, error) {
	r := newRunner(o, nil)
	out := r.report
	out.Schema, out.Base, out.Head, out.named = schema, names[oldSide], names[newSide], true
	for _, f := range figures {
		if len(f.New) == 0 {
			continue
		}
		if inTurns && len(f.Old) != len(f.New) {
			return nil, fmt.Errorf("benchmark %s: %d and %d samples measured in turns (want the same number on both sides)", f.Name, len(f.Old), len(f.New))
		}
		row := r.family.Add(f.Higher)
		row.Limit = o.limit(f.Name)
		err := error(nil)
		if !inTurns {
			err = row.AddSides(f.Old, f.New)
		}
		for k := 0; inTurns && err == nil && k < len(f.Old); k++ {
			err = row.Add(f.Old[k], f.New[k])
		}
		if err != nil {
			return nil, fmt.Errorf("benchmark %s: %w", f.Name, err)
		}
	}
	r.family.Look(true)
	judged := r.family.Rows
	for _, f := range figures {
		if len(f.New) == 0 {
			r.add(f.Name, verdict.Missing, "the new side does not have it").Unit = f.Unit
			continue
		}
		row := rowOf(judged[0])
		row.Name, row.Unit, row.main, judged = f.Name, f.Unit, true, judged[1:]
		out.Rows = append(out.Rows, row)
	}
	if !inTurns {
		r.note("the sides were not measured in turns: a machine that changed its speed between them looks like a change of the program")
	}
	out.decide(o.IgnoreMissing, o.Prove)
	return out, nil
}

// finish judges for the last time and fills in the report.
func (r *runner) finish() {
	suite, means := r.addSuite()
	r.family.Look(true)
	r.again.Look(true)
	out := r.report
	for _, b := range r.benchmarks {
		for i, j := range b.rows {
			row := b.row(j, &r.options)
			row.main = i == 0
			if !out.named {
				row.Tests = r.testsOf(b.pkg.Path)
			}
			if row.Verdict == verdict.Slower {
				row.Places = b.reach.places
			}
			out.Rows = append(out.Rows, row)
		}
		if b.rows == nil {
			row := r.add(b.name, verdict.Undecided, cmp.Or(b.reason, "there was no time to measure it"))
			row.Code, row.Changed, row.main = b.reach.code, b.reach.changed, true
		}
		out.Rounds = max(out.Rounds, len(b.pairs))
	}
	for _, p := range out.Packages {
		out.Layouts = max(out.Layouts, p.links)
	}
	if out.benchmarks = r.benchmarks; suite != nil {
		out.Suite = &SuiteMean{means, suite.Rounds(), verdict.Number(suite.Delta), verdict.Number(suite.Lo), verdict.Number(suite.Hi),
			verdict.Number(suite.P), suite.Verdict}
	}
	out.describeMachine(&r.options)
	out.GOMAXPROCS, out.Seconds = r.mostProcs(), math.Round(time.Since(r.begin).Seconds()*1000)/1000
	out.decide(r.options.IgnoreMissing, r.options.Prove)
}

// row is a row of the report.
func (b *benchmark) row(j *judged, o *Options) Row {
	out := rowOf(j.row)
	out.Name, out.Unit, out.Clock = b.name, j.unit, j.clock
	out.Code, out.Changed = b.reach.code, b.reach.changed
	more, hasFloor := o.floors[j.unit]
	switch {
	case j.silent != "":
		before, after := j.row.Samples()
		from, to := verdict.Median(before), verdict.Median(after)
		out.Old, out.New, out.Delta = verdict.Number(from), verdict.Number(to), verdict.Number(math.Expm1(verdict.LogRatio(from, to)))
		out.Lo, out.Hi = verdict.Number(math.NaN()), verdict.Number(math.NaN())
		out.Verdict, out.Reason = verdict.Advisory, j.silent
	case b.reason != "" && out.Verdict != verdict.Slower:
		out.Verdict, out.Reason, out.Sight = verdict.Undecided, b.reason, verdict.Number(math.Inf(1))
	case j.memory && hasFloor && out.Verdict == verdict.Slower && float64(out.New-out.Old) <= more:
		out.Verdict = verdict.NotSlower
	case j.slower() && j.again != nil:
		j.judgeAgain(&out)
	}
	return out
}

// judgeAgain compares a slower row with its second measurement. The first has proven the
// change, so the second need not: its estimate must lie above the limit as well.
func (j *judged) judgeAgain(out *Row) {
	again := j.again
	switch {
	case !j.measuredAgain():
		out.Reason = "there was no time to measure it again"
	case !again.Higher && !(again.Delta > again.Limit), again.Higher && !(-again.Delta > again.Limit):
		out.Verdict = verdict.Undecided
		out.Reason = fmt.Sprintf("slower in %d rounds, but not when measured again from new links: %s", out.Rounds, percent(again.Delta))
	}
}

// rowOf copies the results of a row.
func rowOf(row *verdict.Row) Row {
	before, after := row.Samples()
	from, to := estimates(before, after, row.Delta)
	number := func(x float64) verdict.Number { return verdict.Number(x) }
	out := Row{
		Rounds: row.Rounds(), Old: number(from), New: number(to), Limit: row.Limit, Sight: number(row.Sight), Delta: number(row.Delta),
		Lo: number(row.Lo), Hi: number(row.Hi), P: number(row.P), Family: number(row.Family), Verdict: row.Verdict, Reason: row.Reason,
	}
	switch nothing, most := number(math.NaN()), number(math.Inf(1)); {
	case out.Rounds == 0:
		out.Delta, out.Lo, out.Hi, out.P, out.Family = nothing, nothing, nothing, 1, 1
		out.Reason = cmp.Or(out.Reason, "there was no time to measure it")
	case from == 0 && to > 0: // there is no ratio to nothing
		out.Delta, out.Lo, out.Hi = most, most, most
	}
	return out
}

// addSuite adds the geometric mean of the times of all benchmarks to the family, and returns its row
// and how many they are; nil for fewer than two.
func (r *runner) addSuite() (mean *verdict.Row, benchmarks int) {
	var times []*verdict.Row
	rounds := math.MaxInt
	for _, b := range r.benchmarks {
		if len(b.rows) == 0 || b.reason != "" || !strings.HasPrefix(b.rows[0].unit, "sec/") {
			continue
		}
		row := b.rows[0].row
		if before, after := row.Samples(); len(before) > 0 && slices.Min(before) > 0 && slices.Min(after) > 0 { // 0 is an empty benchmark
			times, rounds = append(times, row), min(rounds, row.Rounds())
		}
	}
	if len(times) < 2 {
		return nil, 0
	}
	all := r.family.Add(false)
	for k := range rounds {
		var sums [2]float64
		for _, row := range times {
			before, after := row.Samples()
			sums[oldSide] += math.Log(before[k]) / float64(len(times))
			sums[newSide] += math.Log(after[k]) / float64(len(times))
		}
		if err := all.Add(math.Exp(sums[oldSide]), math.Exp(sums[newSide])); err != nil {
			panic(err) // the mean of logarithms of positive numbers is finite
		}
	}
	return all, len(times)
}

// decide gives the verdict on all.
func (r *Report) decide(ignoreMissing, prove bool) {
	var outcomes []verdict.Outcome
	open := r.Interrupted
	for _, row := range r.Rows {
		open = open || row.Verdict == verdict.Missing && !ignoreMissing || row.Verdict == verdict.Undecided && prove
		if row.Verdict == verdict.Slower || row.main {
			outcomes = append(outcomes, verdict.Outcome{Verdict: row.Verdict, Sight: float64(row.Sight), Reached: row.Code == changedCode})
		}
	}
	for _, p := range r.Packages {
		open = open || (p.State == failedState || p.State == missingState) && !ignoreMissing
	}
	r.Verdict = verdict.Decide(outcomes)
	switch {
	case r.Verdict == verdict.Slower || r.Suite != nil && r.Suite.Verdict == verdict.Slower:
		r.Verdict = verdict.Slower
	case open:
		r.Verdict = verdict.Undecided
	case r.Verdict == verdict.Pass && !r.hasFigures() && len(r.inState(identicalState)) < len(r.Packages):
		r.Verdict = verdict.Nothing
	}
}

// hasFigures reports whether any benchmark was judged, or needed no measurement.
func (r *Report) hasFigures() bool {
	return slices.ContainsFunc(r.Rows, func(row Row) bool {
		return row.Rounds > 0 && row.Verdict != verdict.Advisory || row.Verdict == verdict.Identical
	})
}

// with returns the rows of a verdict.
func (r *Report) with(v verdict.Verdict) []Row {
	return slices.DeleteFunc(slices.Clone(r.Rows), func(row Row) bool { return row.Verdict != v })
}

// inState returns the packages of a state.
func (r *Report) inState(s PackageState) []*Package {
	return slices.DeleteFunc(slices.Clone(r.Packages), func(p *Package) bool { return p.State != s })
}

// estimates returns figures of both sides whose ratio is 1+delta: their geometric mean is
// the median of those of the pairs. Where a figure is 0, they are medians; NaN of none.
func estimates(before, after []float64, delta float64) (float64, float64) {
	var logs []float64
	for k := range min(len(before), len(after)) {
		if !(before[k] > 0 && after[k] > 0) {
			logs = nil
			break
		}
		logs = append(logs, (math.Log(before[k])+math.Log(after[k]))/2)
	}
	if logs == nil {
		return verdict.Median(before), verdict.Median(after)
	}
	half := math.Sqrt(1 + delta)
	middle := math.Exp(verdict.Median(logs))
	return middle / half, middle * half
}

// describeMachine fills in where and how the report came about.
func (r *Report) describeMachine(o *Options) {
	r.CPU, r.BuiltWith = report.CPUName(), runtime.Version()
	r.Load = appendLoad(r.Load)
	if o.Tags != "" {
		r.Flags = append(r.Flags, "-tags="+o.Tags)
	}
	if flags := os.Getenv("GOFLAGS"); flags != "" {
		r.Flags = append(r.Flags, "GOFLAGS="+flags)
	}
}

// appendLoad adds the average number of runnable processes in the last minute.
func appendLoad(load []float64) []float64 { return append(load, report.Load()...) }
