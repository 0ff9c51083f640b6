package report

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Row is one benchmark in one unit. Changes are relative: 0.05 is 5 % more than old. Numbers that are
// not known, or not finite, are null in JSON.
type Row struct {
	Name       string             `json:"name"`
	Unit       string             `json:"unit"`
	Clock      Clock              `json:"clock,omitempty"`   // clock behind a time: cpu or wall
	Tests      Tests              `json:"tests,omitempty"`   // origin of the test files on both sides: head, base or own
	Code       Code               `json:"code,omitempty"`    // code reached by the benchmark: same, changed or unknown
	Changed    []string           `json:"changed,omitempty"` // differing functions and variables, at most [MostChanged]
	Old        verdict.Number     `json:"old"`               // estimates whose ratio is 1+delta
	New        verdict.Number     `json:"new"`
	Delta      verdict.Number     `json:"delta"` // infinite from 0 to more
	Lo         verdict.Number     `json:"lo"`    // ends of its 95 % interval; the range between seeds of a count
	Hi         verdict.Number     `json:"hi"`
	Detectable verdict.Number     `json:"sight"` // smallest slowdown that is detectable or excluded; infinite if none
	P          verdict.Number     `json:"p"`
	Family     verdict.Number     `json:"p_family"` // p-value corrected for all looks and rows
	Limit      float64            `json:"limit"`    // largest passing change
	Rounds     int                `json:"n"`        // rounds, or seeds of a count
	Verdict    verdict.Verdict    `json:"verdict"`
	Judge      verdict.Instrument `json:"judge,omitempty"`  // judge of this row: time or count
	Primary    bool               `json:"speaks,omitempty"` // this verdict is the verdict on the benchmark
	Reason     string             `json:"reason,omitempty"`
	Horizon    float64            `json:"horizon,omitempty"` // of a primary row: seconds of work in one process covered

	Neither bool `json:"-"` // neither side has figures
	Both    bool `json:"-"` // both sides have figures that cannot be compared, so nothing is missing
	Higher  bool `json:"-"` // more is better
	isShort bool // in JSON it has no figures

	Places    []Place    `json:"places,omitempty"`    // sources behind a failing row
	Functions []Function `json:"functions,omitempty"` // functions with more work, the largest difference first
	Parts     []Part     `json:"parts,omitempty"`     // time by function, or memory by line, with --explain
}

// MayPass reports whether the row's verdict lets the change pass: it is proven not to be slower, or without a demand for
// a proof, a large slowdown would have been seen.
func (r *Row) MayPass(prove bool) bool {
	return r.Verdict.Passes() ||
		r.Verdict == verdict.Undecided && float64(r.Detectable) <= verdict.MayHide(r.Limit, r.Higher) && !prove
}

// Clock is the clock that judged times have.
type Clock string

// The clocks. A benchmark that keeps its core busy is judged by CPU, one that waits or uses
// several cores by Wall.
const (
	CPU  Clock = "cpu" // all threads of the process
	Wall Clock = "wall"
)

// Tests is where a row's test files come from.
type Tests string

// The origins.
const (
	HeadTests Tests = "head" // both sides ran the test files of the head
	BaseTests Tests = "base" // both sides ran the test files of the base
	OwnTests  Tests = "own"  // each side ran its own
)

// Code is the result when the code reached by a benchmark is compared.
type Code string

// The results.
const (
	SameCode    Code = "same"
	ChangedCode Code = "changed"
	UnknownCode Code = "unknown" // also of a benchmark whose data may differ
)

// Place is a line in the head's sources.
type Place struct {
	Function string `json:"function"`
	File     string `json:"file"` // relative to the root of the repository, with slashes
	Line     int    `json:"line"`
}

// Function is a function's share in a change of counted instructions, for one operation.
type Function struct {
	Name  string     `json:"function"`
	More  float64    `json:"instructions"` // additional instructions, without the functions it calls
	Calls [2]float64 `json:"calls"`        // calls on the old and the new side; 0 for an inlined function
}

// Part is a function's share in a change of time, or a line's in one of memory.
type Part struct {
	Function string  `json:"function"`
	Place    string  `json:"place,omitempty"` // file:line of an allocation
	Delta    float64 `json:"delta"`           // seconds, objects or bytes an operation, without called functions
	Error    float64 `json:"error"`           // twice the standard deviation of delta
}

// MostChanged bounds the names in [Row.Changed].
const MostChanged = 8

// Units in package testing, and for counts.
const (
	TimeUnit   = "sec/op"
	BytesUnit  = "B/op"
	AllocsUnit = "allocs/op"
	CountUnit  = "instructions/op"
)

// IsMemory reports whether a unit is one of memory in package testing.
func IsMemory(unit string) bool { return unit == BytesUnit || unit == AllocsUnit }

// NewRow returns a row without figures.
func NewRow(name string, limit float64, v verdict.Verdict, reason string) Row {
	nothing := verdict.Number(math.NaN())
	return Row{Name: name, Unit: TimeUnit, Limit: limit, Verdict: v, Reason: reason,
		Old: nothing, New: nothing, Delta: nothing, Lo: nothing, Hi: nothing, Detectable: verdict.Number(math.Inf(1)),
		P: 1, Family: 1}
}

// AddedRow returns the row of a benchmark that only the new side has, with a figure, or NaN.
func AddedRow(name, unit string, figure float64, reason string) Row {
	row := NewRow(name, 0, verdict.New, reason)
	row.Unit, row.New = unit, verdict.Number(figure)
	return row
}

// MarshalJSON implements [json.Marshaler].
func (r Row) MarshalJSON() ([]byte, error) {
	if r.isShort {
		return json.Marshal(struct {
			Name    string          `json:"name"`
			Unit    string          `json:"unit"`
			Rounds  int             `json:"n"`
			Verdict verdict.Verdict `json:"verdict"`
			Primary bool            `json:"speaks,omitempty"`
		}{r.Name, r.Unit, r.Rounds, r.Verdict, r.Primary})
	}
	type row Row // without this method
	return json.Marshal(row(r))
}

// isQuiet reports whether the row shows no difference worth a line: proven, or without a difference that
// could be seen and without an estimate above the limit.
func (r *Row) isQuiet() bool {
	switch r.Verdict {
	case verdict.Slower, verdict.Faster, verdict.MoreWork, verdict.LessWork, verdict.Missing, verdict.NotJudged:
		return false
	case verdict.Undecided:
		return r.Detectable <= verdict.MustDetect && !(math.Abs(float64(r.Delta)) > r.Limit && r.Lo > 0)
	}
	return true
}

// withoutUnmeasured leaves out rows without a figure of benchmarks that another row decides.
func withoutUnmeasured(rows []Row) []Row {
	return withoutOpen(rows, func(row Row) bool { return row.Rounds > 0 })
}

// withoutNoise also leaves out their measured rows, unless the interval excludes zero: on a busy machine these are the
// times of all benchmarks that the count decides.
func withoutNoise(rows []Row) []Row {
	return withoutOpen(rows, func(row Row) bool { return row.Lo > 0 || row.Hi < 0 })
}

// withoutOpen leaves out undecided rows of benchmarks that another row decides, but for those to keep.
func withoutOpen(rows []Row, isKept func(Row) bool) []Row {
	decided := make(map[string]bool)
	for _, row := range rows {
		if row.Primary && row.Verdict != verdict.Undecided {
			decided[row.Name] = true
		}
	}
	return filter(rows, func(row Row) bool {
		return row.Primary || row.Verdict != verdict.Undecided || !decided[row.Name] || isKept(row)
	})
}

func countDistinct(names []string) int {
	return len(slices.Compact(slices.Sorted(slices.Values(names))))
}
