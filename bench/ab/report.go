package ab

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// schema is the schema of the JSON object.
const schema = "ur.ab/2"

// Report is the result of a run: the JSON object of "ur bench ab --json".
type Report struct {
	Schema      string          `json:"schema"`
	Base        string          `json:"base"`                // commit, or command
	Head        string          `json:"head"`                // commit, or command; "" is the work tree
	WorkTree    bool            `json:"work_tree,omitempty"` // whether the head is the work tree
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

	started    time.Time
	measuring  bool // there is something to report
	benchmarks []*benchmark
	labels     [2]string
	printed    [2]string // of commands: their output
}

// noClock is the CPU clock of reports with wall-clock times only.
const noClock = "none"

// Row is one benchmark in one unit. Changes are relative: 0.05 is 5 % more than old.
type Row struct {
	Name    string
	Unit    string
	Clock   Clock    // of times: CPU or Wall; "" where it is not known
	Tests   Tests    // whose test files both sides were measured with
	Code    Code     // whether the machine code of the benchmark differs
	Changed []string // functions whose machine code differs
	Rounds  int

	Old, New      float64 // estimates whose ratio is 1+Delta; NaN without
	Delta, Lo, Hi float64
	Bytes         float64 // bytes of an operation, by SetBytes; 0 without
	P, Family     float64
	Limit         float64
	Verdict       verdict.Verdict
	Reason        string       // of a verdict with a reason
	Note          string       // remarks on the figures
	Places        []Place      // of the sources behind a slower row
	Parts         []Part       // functions that account for the change, if profiles explain it
	Events        []EventCount // hardware events, if the system counts them
}

// Code is the result of comparing the machine code of a benchmark.
type Code string

// The results.
const (
	SameCode    Code = "same"
	ChangedCode Code = "changed"
	UnknownCode Code = "unknown"
)

// SuiteMean is the geometric mean of the changes of all measured benchmarks, over their common
// rounds.
type SuiteMean struct {
	Benchmarks    int             `json:"benchmarks"`
	Rounds        int             `json:"rounds"`
	Delta, Lo, Hi float64         `json:"-"`
	P             float64         `json:"p"`
	Verdict       verdict.Verdict `json:"verdict"`
}

// MarshalJSON omits NaN and infinities.
func (r Row) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Name    string          `json:"name"`
		Unit    string          `json:"unit"`
		Clock   Clock           `json:"clock,omitempty"`   // of times: cpu or wall
		Tests   Tests           `json:"tests,omitempty"`   // origin of the test files that both sides ran: head, base or own
		Code    Code            `json:"code,omitempty"`    // machine code of the benchmark: same, changed or unknown
		Changed []string        `json:"changed,omitempty"` // functions whose machine code differs
		Old     *float64        `json:"old"`               // estimate of the old side
		New     *float64        `json:"new"`               // estimate of the new side
		Delta   *float64        `json:"delta"`
		Lo      *float64        `json:"lo"`
		Hi      *float64        `json:"hi"`
		Bytes   float64         `json:"bytes,omitempty"` // bytes of an operation
		P       float64         `json:"p"`
		Family  float64         `json:"p_family"` // p-value corrected for all looks and rows
		Limit   float64         `json:"limit"`    // largest passing change
		N       int             `json:"n"`
		Verdict verdict.Verdict `json:"verdict"`          // slower, faster, not-slower, undecided, identical, layout, missing or advisory
		Reason  string          `json:"reason,omitempty"` // reason of the verdict
		Note    string          `json:"note,omitempty"`   // remarks on the figures
		Places  []Place         `json:"places,omitempty"` // places of the sources behind a slower row
		Parts   []Part          `json:"parts,omitempty"`  // functions that account for the change, with --explain
		Events  []EventCount    `json:"events,omitempty"` // hardware events in an operation, with --explain
	}{
		r.Name, r.Unit, r.Clock, r.Tests, r.Code, r.Changed, number(r.Old), number(r.New), number(r.Delta), number(r.Lo), number(r.Hi), r.Bytes,
		r.P, r.Family, r.Limit, r.Rounds, r.Verdict, r.Reason, r.Note, r.Places, r.Parts, r.Events,
	})
}

// MarshalJSON omits NaN and infinities.
func (s SuiteMean) MarshalJSON() ([]byte, error) {
	type plain SuiteMean
	return json.Marshal(struct {
		plain
		Delta *float64 `json:"delta"`
		Lo    *float64 `json:"lo"`
		Hi    *float64 `json:"hi"`
	}{plain(s), number(s.Delta), number(s.Lo), number(s.Hi)})
}

// number returns nil for numbers without a form in JSON.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// finish judges for the last time and fills in the report.
func (r *runner) finish() {
	suite := r.addSuite()
	r.family.Look(true)
	r.same.Look(true)
	r.again.Look(true)
	for _, b := range r.benchmarks {
		for _, j := range b.rows {
			r.report.Rows = append(r.report.Rows, b.row(j))
		}
		if b.rows == nil {
			r.report.Rows = append(r.report.Rows, r.rowless(b))
		}
		for i := range b.memory {
			if row, ok := b.memory[i].row(r, b, units[bytesRow+i]); ok {
				row.Code, row.Changed = b.code, b.changed
				r.report.Rows = append(r.report.Rows, row)
			}
		}
		r.report.Rounds = max(r.report.Rounds, len(b.pairs))
	}
	for i, at := range r.places {
		row := rowOf(r.placeRows[i])
		row.Name, row.Unit = at.name, at.unit
		r.report.Rows = append(r.report.Rows, row)
	}
	for _, p := range r.report.Packages {
		r.report.Layouts = max(r.report.Layouts, len(p.units))
	}
	r.report.GOMAXPROCS = r.mostProcs()
	r.report.benchmarks, r.report.labels = r.benchmarks, r.labels
	r.report.Seconds = math.Round(time.Since(r.begin).Seconds()*1000) / 1000
	if suite != nil {
		r.report.Suite = suite()
	}
	r.completeRows()
	r.addPlaces()
	r.report.describeMachine(&r.options)
	r.report.decide(r.options.IgnoreMissing)
	if r.report.Rows == nil {
		r.report.Rows = []Row{} // not null
	}
	if r.report.Packages == nil {
		r.report.Packages = []*Package{}
	}
}

// rowless returns the row of a benchmark without rounds. One with the same machine code needs
// none.
func (r *runner) rowless(b *benchmark) Row {
	reason, v := cmp.Or(b.reason, "there was no time to measure it"), verdict.Undecided
	if b.code == SameCode && b.reason == "" {
		reason, v = "its machine code is the same: it was not measured", verdict.Identical
	}
	row := unmeasured(b.name, v, reason, r.options.limit(b.name))
	row.Code, row.Changed = b.code, b.changed
	return row
}

// row is a row of the report.
func (b *benchmark) row(j *judged) Row {
	out := rowOf(j.row)
	out.Name, out.Unit, out.Clock = b.name, j.unit, j.clock
	out.Code, out.Changed = b.code, b.changed
	if j.clock == CPU {
		out.Note = b.clockNote()
	}
	switch {
	case j.silent != "":
		before, after := j.row.Samples()
		out.Old, out.New = median(before), median(after)
		out.Delta = math.Expm1(verdict.LogRatio(out.Old, out.New))
		out.Lo, out.Hi = math.NaN(), math.NaN()
		out.Verdict, out.Reason = verdict.Advisory, j.silent
	case b.reason != "" && out.Verdict != verdict.Slower:
		out.Verdict, out.Reason = verdict.Undecided, b.reason
	case b.code == SameCode && !out.Verdict.Passes():
		out.Verdict, out.Reason = verdict.Layout, sameCodeReason
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
	case !again.Higher && again.Delta > again.Limit, again.Higher && -again.Delta > again.Limit:
		out.Note = strings.Trim(out.Note+"; measured again from fresh links: "+percent(again.Delta), "; ")
	default:
		out.Verdict = verdict.Undecided
		out.Reason = fmt.Sprintf("slower in %d rounds, but not when measured again from fresh links: %s", out.Rounds, percent(again.Delta))
	}
}

// unmeasured is the row of a benchmark without figures.
func unmeasured(name string, v verdict.Verdict, reason string, limit float64) Row {
	nothing := math.NaN()
	return Row{Name: name, Unit: units[timeRow], Limit: limit, Verdict: v, Reason: reason,
		Old: nothing, New: nothing, Delta: nothing, Lo: nothing, Hi: nothing, P: 1, Family: 1}
}

// rowOf copies the results of a row.
func rowOf(row *verdict.Row) Row {
	before, after := row.Samples()
	out := Row{
		Rounds: row.Rounds(), Old: median(before), New: median(after), Limit: row.Limit,
		Delta: row.Delta, Lo: row.Lo, Hi: row.Hi, P: row.P, Family: row.Family, Verdict: row.Verdict, Reason: row.Reason,
	}
	if row.Rounds() == 0 {
		out.Delta, out.Lo, out.Hi, out.P, out.Family = out.Old, out.Old, out.Old, 1, 1
		out.Reason = cmp.Or(out.Reason, "there was no time to measure it")
	}
	if before, after := estimates(before, after, row.Delta); !math.IsNaN(before) {
		out.Old, out.New = before, after
	}
	return out
}

// addSuite adds the geometric mean of all benchmarks to the family. It returns a function that
// reads the mean after the last look, or nil for fewer than two benchmarks.
func (r *runner) addSuite() func() *SuiteMean {
	var times []*verdict.Row
	add := func(row *verdict.Row) {
		before, after := row.Samples()
		isZero := func(x float64) bool { return x == 0 } // an empty benchmark
		if len(before) > 0 && !slices.ContainsFunc(before, isZero) && !slices.ContainsFunc(after, isZero) {
			times = append(times, row)
		}
	}
	for _, b := range r.benchmarks {
		if len(b.rows) > 0 && b.code != SameCode && b.reason == "" && b.rows[0].silent == "" {
			add(b.rows[0].row)
		}
	}
	for i, at := range r.places {
		if strings.HasPrefix(at.unit, "sec/") {
			add(r.placeRows[i])
		}
	}
	rounds := math.MaxInt
	for _, row := range times {
		rounds = min(rounds, row.Units())
	}
	if len(times) < 2 {
		return nil
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
	return func() *SuiteMean {
		return &SuiteMean{len(times), rounds, all.Delta, all.Lo, all.Hi, all.P, all.Verdict}
	}
}

// decide gives the verdict on all.
func (r *Report) decide(ignoreMissing bool) {
	r.Verdict = verdict.Pass
	for _, row := range r.Rows {
		if row.Verdict == verdict.Undecided || row.Verdict == verdict.Missing && !ignoreMissing {
			r.Verdict = verdict.Undecided
		}
	}
	for _, p := range r.Packages {
		if (p.State == Failed || p.State == MissingState) && !ignoreMissing {
			r.Verdict = verdict.Undecided
		}
	}
	if r.Verdict == verdict.Pass && !r.hasFigures() && len(r.inState(IdenticalState)) < len(r.Packages) {
		r.Verdict = verdict.Nothing
	}
	if r.Interrupted {
		r.Verdict = verdict.Undecided
	}
	if r.with(verdict.Slower) != nil || r.Suite != nil && r.Suite.Verdict == verdict.Slower {
		r.Verdict = verdict.Slower
	}
}

// with returns the rows of a verdict.
func (r *Report) with(v verdict.Verdict) []Row {
	var rows []Row
	for _, row := range r.Rows {
		if row.Verdict == v {
			rows = append(rows, row)
		}
	}
	return rows
}

// inState returns the packages of a state.
func (r *Report) inState(s PackageState) []*Package {
	var packages []*Package
	for _, p := range r.Packages {
		if p.State == s {
			packages = append(packages, p)
		}
	}
	return packages
}

// median returns the middle, or the mean of the middle two; NaN of nothing.
func median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(x))
	return (sorted[(len(x)-1)/2] + sorted[len(x)/2]) / 2
}
