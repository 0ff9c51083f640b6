package ab

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

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
	Code    Code     // whether the code of the benchmark differs
	Changed []string // functions and variables that differ
	Rounds  int

	Old, New      float64 // estimates whose ratio is 1+Delta; NaN without
	Delta, Lo, Hi float64
	Sight         float64 // smallest slowdown that would have been seen; infinite if none
	Bytes         float64 // bytes of an operation, by SetBytes; 0 without
	P, Family     float64
	Limit         float64
	Verdict       verdict.Verdict
	Reason        string  // of a verdict with a reason
	Note          string  // remarks on the figures
	Places        []Place // of the sources behind a slower row
	Parts         []Part  // functions that account for the change, if profiles explain it

	main bool // of its benchmark: whether it was measured well counts
}

// Code is the result of comparing the code that a benchmark reaches.
type Code string

// The results.
const (
	SameCode    Code = "same"
	ChangedCode Code = "changed"
	UnknownCode Code = "unknown" // also of a benchmark whose data may differ
)

// SuiteMean is the geometric mean of the changes of all measured benchmarks, over their common
// rounds, with its own verdict.
type SuiteMean struct {
	Benchmarks    int             `json:"benchmarks"` // number of benchmarks
	Rounds        int             `json:"rounds"`     // number of common rounds
	Delta, Lo, Hi float64         `json:"-"`
	P             float64         `json:"p"`
	Verdict       verdict.Verdict `json:"verdict"` // slower, faster, not-slower or undecided
}

// MarshalJSON omits NaN and infinities.
func (r Row) MarshalJSON() ([]byte, error) {
	delta, lo, hi := number(r.Delta), number(r.Lo), number(r.Hi)
	if r.Old == 0 && r.New != 0 {
		delta, lo, hi = nil, nil, nil // there is no ratio to nothing
	}
	return json.Marshal(struct {
		Name    string          `json:"name"`
		Unit    string          `json:"unit"`
		Clock   Clock           `json:"clock,omitempty"`   // of times: cpu or wall
		Tests   Tests           `json:"tests,omitempty"`   // origin of the test files that both sides ran: head, base or own
		Code    Code            `json:"code,omitempty"`    // code that the benchmark reaches: same, changed or unknown
		Changed []string        `json:"changed,omitempty"` // functions and variables that differ
		Old     *float64        `json:"old"`               // estimate of the old side
		New     *float64        `json:"new"`               // estimate of the new side
		Delta   *float64        `json:"delta"`
		Lo      *float64        `json:"lo"`
		Hi      *float64        `json:"hi"`
		Sight   *float64        `json:"sight"`           // smallest slowdown that would have been seen
		Bytes   float64         `json:"bytes,omitempty"` // bytes of an operation
		P       float64         `json:"p"`
		Family  float64         `json:"p_family"` // p-value corrected for all looks and rows
		Limit   float64         `json:"limit"`    // largest passing change
		N       int             `json:"n"`
		Verdict verdict.Verdict `json:"verdict"`          // slower, faster, not-slower, undecided, identical, missing or advisory
		Reason  string          `json:"reason,omitempty"` // reason of the verdict
		Note    string          `json:"note,omitempty"`   // remarks on the figures
		Places  []Place         `json:"places,omitempty"` // places of the sources behind a slower row
		Parts   []Part          `json:"parts,omitempty"`  // functions that account for the change, with --explain
	}{
		r.Name, r.Unit, r.Clock, r.Tests, r.Code, r.Changed, number(r.Old), number(r.New), delta, lo, hi, number(r.Sight), r.Bytes,
		r.P, r.Family, r.Limit, r.Rounds, r.Verdict, r.Reason, r.Note, r.Places, r.Parts,
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
	r.again.Look(true)
	for _, b := range r.benchmarks {
		for i, j := range b.rows {
			row := b.row(j, &r.options)
			row.main, row.Tests, row.Bytes = i == 0, r.testsOf(b.pkg.Path), b.bytes()
			if row.Verdict == verdict.Slower {
				row.Places = b.pkg.places[b.function()]
			}
			r.report.Rows = append(r.report.Rows, row)
		}
		if b.rows == nil {
			row := unmeasured(b.name, verdict.Undecided, cmp.Or(b.reason, "there was no time to measure it"), r.options.limit(b.name))
			row.Code, row.Changed, row.main = b.code, b.changed, true
			r.report.Rows = append(r.report.Rows, row)
		}
		r.report.Rounds = max(r.report.Rounds, len(b.pairs))
	}
	for i, at := range r.places {
		row := rowOf(r.placeRows[i])
		row.Name, row.Unit, row.main = at.name, at.unit, at.unit != bytesUnit && at.unit != allocsUnit
		r.report.Rows = append(r.report.Rows, row)
	}
	for _, p := range r.report.Packages {
		r.report.Layouts = max(r.report.Layouts, p.links)
	}
	r.report.GOMAXPROCS = r.mostProcs()
	r.report.benchmarks = r.benchmarks
	r.report.Seconds = math.Round(time.Since(r.begin).Seconds()*1000) / 1000
	if suite != nil {
		r.report.Suite = suite()
	}
	r.report.describeMachine(&r.options)
	r.report.decide(r.options.IgnoreMissing, r.options.Prove)
	if r.report.Rows == nil {
		r.report.Rows = []Row{} // not null
	}
	if r.report.Packages == nil {
		r.report.Packages = []*Package{}
	}
}

// row is a row of the report.
func (b *benchmark) row(j *judged, o *Options) Row {
	out := rowOf(j.row)
	out.Name, out.Unit, out.Clock = b.name, j.unit, j.clock
	out.Code, out.Changed = b.code, b.changed
	if j.clock == CPU {
		out.Note = b.clockNote()
	}
	more, hasFloor := o.floor(j.unit)
	switch {
	case j.silent != "":
		before, after := j.row.Samples()
		out.Old, out.New = verdict.Median(before), verdict.Median(after)
		out.Delta = math.Expm1(verdict.LogRatio(out.Old, out.New))
		out.Lo, out.Hi = math.NaN(), math.NaN()
		out.Verdict, out.Reason = verdict.Advisory, j.silent
	case b.reason != "" && out.Verdict != verdict.Slower:
		out.Verdict, out.Reason, out.Sight = verdict.Undecided, b.reason, math.Inf(1)
	case j.memory && hasFloor && out.Verdict == verdict.Slower && out.New-out.Old <= more:
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
	case !again.Higher && again.Delta > again.Limit, again.Higher && -again.Delta > again.Limit:
		out.Note = strings.Trim(out.Note+"; measured again from new links: "+percent(again.Delta), "; ")
	default:
		out.Verdict = verdict.Undecided
		out.Reason = fmt.Sprintf("slower in %d rounds, but not when measured again from new links: %s", out.Rounds, percent(again.Delta))
	}
}

// unmeasured is the row of a benchmark without figures.
func unmeasured(name string, v verdict.Verdict, reason string, limit float64) Row {
	nothing := math.NaN()
	return Row{Name: name, Unit: timeUnit, Limit: limit, Verdict: v, Reason: reason,
		Old: nothing, New: nothing, Delta: nothing, Lo: nothing, Hi: nothing, Sight: math.Inf(1), P: 1, Family: 1}
}

// rowOf copies the results of a row.
func rowOf(row *verdict.Row) Row {
	before, after := row.Samples()
	out := Row{
		Rounds: row.Rounds(), Old: verdict.Median(before), New: verdict.Median(after), Limit: row.Limit, Sight: row.Sight,
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
		if len(b.rows) > 0 && b.reason == "" && strings.HasPrefix(b.rows[0].unit, "sec/") {
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
		rounds = min(rounds, row.Rounds())
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
func (r *Report) decide(ignoreMissing, prove bool) {
	var outcomes []verdict.Outcome
	open := r.Interrupted
	for _, row := range r.Rows {
		open = open || row.Verdict == verdict.Missing && !ignoreMissing || row.Verdict == verdict.Undecided && prove
		if row.Verdict == verdict.Slower || row.main {
			outcomes = append(outcomes, verdict.Outcome{Verdict: row.Verdict, Sight: row.Sight, Reached: row.Code == ChangedCode})
		}
	}
	for _, p := range r.Packages {
		open = open || (p.State == Failed || p.State == MissingState) && !ignoreMissing
	}
	r.Verdict = verdict.Decide(outcomes)
	switch {
	case r.Verdict == verdict.Slower || r.Suite != nil && r.Suite.Verdict == verdict.Slower:
		r.Verdict = verdict.Slower
	case open:
		r.Verdict = verdict.Undecided
	case r.Verdict == verdict.Pass && !r.hasFigures() && len(r.inState(IdenticalState)) < len(r.Packages):
		r.Verdict = verdict.Nothing
	}
}

// hasFigures reports whether any benchmark was measured, or needed no measurement.
func (r *Report) hasFigures() bool {
	return slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Rounds > 0 || row.Verdict == verdict.Identical })
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
// the median of those of the pairs. They are NaN where a figure is 0 or there are none.
func estimates(before, after []float64, delta float64) (float64, float64) {
	var logs []float64
	for k := range before {
		if !(before[k] > 0 && after[k] > 0) {
			return math.NaN(), math.NaN()
		}
		logs = append(logs, (math.Log(before[k])+math.Log(after[k]))/2)
	}
	half := math.Sqrt(1 + delta)
	middle := math.Exp(verdict.Median(logs))
	return middle / half, middle * half
}

// bytes returns the bytes processed by an operation, as set by SetBytes: MB/s times ns/op.
func (b *benchmark) bytes() float64 {
	for _, pair := range b.pairs {
		rate, ok := pair[newSide].line.figure("MB/s")
		each, timed := pair[newSide].line.figure("ns/op")
		if ok && timed {
			return math.Round(rate * each / 1000)
		}
	}
	return 0
}

// describeMachine fills in where and how the report came about.
func (r *Report) describeMachine(o *Options) {
	r.CPU, r.BuiltWith = cpuName(), runtime.Version()
	r.Load = appendLoad(r.Load)
	if r.GOMAXPROCS == 0 {
		r.GOMAXPROCS = runtime.GOMAXPROCS(0)
	}
	if o.Tags != "" {
		r.Flags = append(r.Flags, "-tags="+o.Tags)
	}
	if flags := os.Getenv("GOFLAGS"); flags != "" {
		r.Flags = append(r.Flags, "GOFLAGS="+flags)
	}
}

// cpuName returns the model of the processor, or the architecture.
func cpuName() string {
	var text []byte
	switch runtime.GOOS {
	case "linux":
		text, _ = os.ReadFile("/proc/cpuinfo")
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(line, ":")
			if name = strings.TrimSpace(name); name == "model name" || name == "cpu model" {
				return strings.TrimSpace(value)
			}
		}
	case "darwin":
		if text, _ = exec.Command("sysctl", "-n", "machdep.cpu.brand_string").Output(); len(text) > 0 {
			return strings.TrimSpace(string(text))
		}
	}
	return runtime.GOARCH
}

// appendLoad adds the average number of runnable processes in the last minute, where the
// system reports it.
func appendLoad(load []float64) []float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return load
	}
	var mean float64
	if _, err := fmt.Sscan(string(text), &mean); err == nil {
		load = append(load, mean)
	}
	return load
}
