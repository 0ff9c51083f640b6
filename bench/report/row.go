package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Row is one benchmark in one unit. Changes are relative: 0.05 is 5 % more than old. Numbers that are
// not known, or not finite, are null in JSON.
type Row struct {
	Name    string             `json:"name"`
	Unit    string             `json:"unit"`
	Clock   Clock              `json:"clock,omitempty"`   // clock behind a time: cpu or wall
	Tests   Tests              `json:"tests,omitempty"`   // origin of the test files on both sides: head, base or own
	Code    Code               `json:"code,omitempty"`    // code reached by the benchmark: same, changed or unknown
	Changed []string           `json:"changed,omitempty"` // differing functions and variables, at most [MostChanged]
	Old     verdict.Number     `json:"old"`               // estimates whose ratio is 1+delta
	New     verdict.Number     `json:"new"`
	Delta   verdict.Number     `json:"delta"` // infinite from 0 to more
	Lo      verdict.Number     `json:"lo"`    // ends of its 95 % interval; the range between seeds of a count
	Hi      verdict.Number     `json:"hi"`
	Sight   verdict.Number     `json:"sight"` // smallest detectable slowdown; infinite if none
	P       verdict.Number     `json:"p"`
	Family  verdict.Number     `json:"p_family"` // p-value corrected for all looks and rows
	Limit   float64            `json:"limit"`    // largest passing change
	Rounds  int                `json:"n"`        // rounds, or seeds of a count
	Verdict verdict.Verdict    `json:"verdict"`
	Judge   verdict.Instrument `json:"judge,omitempty"`  // judge of this row: time or count
	Speaks  bool               `json:"speaks,omitempty"` // this verdict is the verdict on the benchmark
	Reason  string             `json:"reason,omitempty"`

	Neither bool `json:"-"` // neither side has figures

	Places    []Place    `json:"places,omitempty"`    // sources behind a failing row
	Functions []Function `json:"functions,omitempty"` // functions with more work, the largest difference first
	Parts     []Part     `json:"parts,omitempty"`     // time by function, or memory by line, with --explain
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

// NewRow returns a row without figures.
func NewRow(name string, limit float64, v verdict.Verdict, reason string) Row {
	nothing := verdict.Number(math.NaN())
	return Row{Name: name, Unit: TimeUnit, Limit: limit, Verdict: v, Reason: reason,
		Old: nothing, New: nothing, Delta: nothing, Lo: nothing, Hi: nothing, Sight: verdict.Number(math.Inf(1)),
		P: 1, Family: 1}
}

// isQuiet reports whether the row shows no difference worth a line: proven, or without a difference that
// could be seen and without an estimate above the limit.
func (r *Row) isQuiet() bool {
	switch r.Verdict {
	case verdict.Slower, verdict.Faster, verdict.MoreWork, verdict.LessWork, verdict.Missing, verdict.NotJudged:
		return false
	case verdict.Undecided:
		return r.Sight <= verdict.Blind && !(math.Abs(float64(r.Delta)) > r.Limit && r.Lo > 0)
	}
	return true
}

// newTable makes a table from rows.
func newTable(rows []Row) text.Table {
	t := text.Table{Header: []string{"benchmark", "unit", "old", "new", "change", "±", "sees", "n", "verdict"}}
	for i := range rows {
		row := &rows[i]
		t.Add(row.Name, row.unitText(), Figure(row.Old, row.Unit), Figure(row.New, row.Unit),
			row.change(), row.margin(), row.sightText(), fmt.Sprint(row.Rounds), row.verdictText())
	}
	return t
}

// fitTable makes a table from rows whose names are shortened until it fits.
func fitTable(rows []Row) text.Table {
	t := newTable(rows)
	names := text.List(t.Rows, func(cells []string) string { return cells[0] })
	for most := 60; t.Width() > columns && most > 20; most -= 5 {
		for i, name := range shortenNames(names, most) {
			t.Rows[i][0] = name
		}
	}
	return t
}

// shortenNames cuts names in one place so that they have a number of characters at most, and different names
// stay different. Where no cut keeps them different, the names stay whole.
func shortenNames(names []string, most int) []string {
	for _, share := range []float64{0.5, 0.25, 0.75, 0.1, 0.9} {
		head := int(share * float64(most))
		short := text.List(names, func(name string) string {
			runes := []rune(name)
			if len(runes) <= most {
				return name
			}
			return string(runes[:head]) + "…" + string(runes[len(runes)-(most-head-1):])
		})
		if countDistinct(short) == countDistinct(names) {
			return short
		}
	}
	return names
}

func countDistinct(names []string) int {
	return len(slices.Compact(slices.Sorted(slices.Values(names))))
}

// change prints the relative change. A ratio to nothing, or between a few allocations, is none.
func (r *Row) change() string {
	if !(r.Old > 0) && r.New > 0 {
		return "new"
	}
	return Percent(r.Delta)
}

// sightText prints the smallest detectable slowdown.
func (r *Row) sightText() string {
	switch {
	case r.Verdict == verdict.Identical || r.Verdict == verdict.Advisory || r.Rounds == 0 || r.Judge == verdict.ByCount:
		return ""
	case !(r.Sight <= 10):
		return "∞"
	}
	return fmt.Sprintf("%.0f%%", math.Ceil(100*float64(r.Sight)))
}

// verdictText is the verdict as the table has it: "~" if no difference was shown.
func (r *Row) verdictText() string {
	if r.Verdict == verdict.Undecided && r.Sight <= verdict.Blind {
		return "~"
	}
	return string(r.Verdict)
}

// margin prints the change's larger distance from its interval's ends.
func (r *Row) margin() string {
	margin := float64(max(r.Hi-r.Delta, r.Delta-r.Lo))
	switch {
	case math.IsNaN(margin) || math.IsInf(float64(r.Delta), 0):
		return ""
	case margin > 10:
		return "∞"
	}
	return fmt.Sprintf("%.2f%%", 100*margin)
}

// unitText is the unit, with a time's clock.
func (r *Row) unitText() string {
	if r.Clock == CPU {
		return r.Unit + ", cpu"
	}
	return r.Unit
}
