// Package report holds the result when benchmarks are compared, and writes it: as text for a terminal, as
// markdown for a comment, as GitHub's workflow commands, and as JSON.
//
// A [Report] has a [Row] for each benchmark and unit. [Report.Decide] gives the verdict on all of them. Other reports
// share the directions and prefixes of units, the description of the machine, and files in Go's benchmark format
// (https://go.dev/design/14313-benchmark-format). It needs the standard library and golang.org/x/perf.
package report

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Schema is the JSON object's schema.
const Schema = "ur.ab/3"

// Report is a run's result: the JSON object in "benchab --json".
type Report struct {
	Schema   string  `json:"schema"`
	Base     string  `json:"base"`                // commit, command or file
	Head     string  `json:"head"`                // commit, command or file; "" is the work tree
	Subject  string  `json:"subject,omitempty"`   // subject of the head commit
	WorkTree bool    `json:"work_tree,omitempty"` // whether the head is the work tree
	Date     string  `json:"date,omitempty"`      // start, as in 20261121T150405Z
	Limit    float64 `json:"limit"`               // 0.03 for 3 %
	Horizon  float64 `json:"horizon,omitempty"`   // seconds of work within which each judged benchmark was observed
	Alpha    float64 `json:"alpha"`               // largest rate of false alarms
	Measurement
	Packages    []*Package      `json:"packages"`
	Benchmarks  Coverage        `json:"benchmarks"`
	Rows        []Row           `json:"rows"`            // one for each benchmark and unit
	Suite       *SuiteMean      `json:"suite,omitempty"` // two benchmarks or more
	New         []string        `json:"new,omitempty"`   // benchmarks that only the new side has, each run once
	Reused      []string        `json:"reused,omitempty"`
	Notes       []string        `json:"notes,omitempty"`
	Interrupted bool            `json:"interrupted,omitempty"`
	Verdict     verdict.Verdict `json:"verdict"` // slower, more-work, pass, undecided or nothing

	Named   bool           `json:"-"` // the sides are commands or files
	Whole   bool           `json:"-"` // the sides are whole programs, whose figures all have lines
	Samples []SampleSet    `json:"-"` // samples behind the rows, for [Report.Save]
	Units   map[string]int `json:"-"` // better directions that programs declare, by tidied unit, for [Report.Save]
}

// Measurement is where and how figures were measured. Figures of files have none.
type Measurement struct {
	Seed       uint64    `json:"seed"`
	Go         string    `json:"go,omitempty"`         // version that built both sides
	CPU        string    `json:"cpu,omitempty"`        // model name
	GOMAXPROCS int       `json:"gomaxprocs,omitempty"` // processors of parallel benchmarks
	Flags      []string  `json:"flags"`                // build flags
	Load       []float64 `json:"load,omitempty"`       // runnable processes at the start and at the end
	CPUClock   string    `json:"cpu_clock,omitempty"`  // source of CPU times; "none" for wall-clock times
	BuiltWith  string    `json:"built_with,omitempty"` // version of Go that built this program
	Counter    string    `json:"counter"`              // source of counts: valgrind, perf or none
	Seeds      int       `json:"seeds"`                // counts of each side
	Layouts    int       `json:"layouts"`              // links of each side
	Rounds     int       `json:"rounds"`               // largest number of rounds of a benchmark
	Seconds    float64   `json:"seconds"`
}

// PackageState is a package's state after building.
type PackageState string

// The states.
const (
	Measured  PackageState = "measured"
	Identical PackageState = "identical" // the change reaches none of its benchmarks
	Failed    PackageState = "failed"    // does not build or run on one side or both
	Gone      PackageState = "missing"   // absent from the new side
	New       PackageState = "new"       // on the new side only
)

// Package describes a package with benchmarks.
type Package struct {
	Path  string       `json:"path"` // import path
	State PackageState `json:"state"`
	Error string       `json:"error,omitempty"` // failing side and its error

	Neither bool `json:"-"` // builds on neither side
}

// Coverage counts the benchmarks reached by the change.
type Coverage struct {
	Reached   int        `json:"reached"`
	Judged    int        `json:"judged"`
	NotJudged []Unjudged `json:"not_judged"`
}

// Unjudged is a reached benchmark without a verdict.
type Unjudged struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// SuiteMean is the geometric mean over the changes of all measured benchmarks under the common limit, over their common
// rounds, with its own verdict.
type SuiteMean struct {
	Benchmarks int             `json:"benchmarks"`
	Rounds     int             `json:"rounds"` // common rounds
	Delta      verdict.Number  `json:"delta"`
	Lo         verdict.Number  `json:"lo"`
	Hi         verdict.Number  `json:"hi"`
	P          verdict.Number  `json:"p"`
	Verdict    verdict.Verdict `json:"verdict"` // slower, faster, not-slower or undecided
}

// NewSuiteMean returns the mean of a number of benchmarks whose row is given; nil without one.
func NewSuiteMean(row *verdict.Row, benchmarks int) *SuiteMean {
	if row == nil {
		return nil
	}
	return &SuiteMean{Benchmarks: benchmarks, Rounds: row.Rounds(), Delta: verdict.Number(row.Delta), Lo: verdict.Number(row.Lo),
		Hi: verdict.Number(row.Hi), P: verdict.Number(row.P), Verdict: row.Verdict}
}

// Note adds a remark for the reader, once.
func (r *Report) Note(remark string) {
	if !slices.Contains(r.Notes, remark) {
		r.Notes = append(r.Notes, remark)
	}
}

// AddNew adds rows of benchmarks that only the new side has.
func (r *Report) AddNew(rows ...Row) {
	r.New, r.Rows = append(r.New, rowNames(rows)...), append(r.Rows, rows...)
}

// DateOf formats a time as in [Report.Date].
func DateOf(t time.Time) string { return t.UTC().Format("20060102T150405Z") }

// coverAtMost shortens the horizon of the run to that of a benchmark, in seconds; 0 is none.
func (r *Report) coverAtMost(horizon float64) {
	if horizon > 0 && (r.Horizon == 0 || horizon < r.Horizon) {
		r.Horizon = horizon
	}
}

// Decide gives the verdict on all benchmarks, and counts them. Missing benchmarks and packages
// that do not build on one side may be ignored; prove demands a proof for each benchmark that it is
// not slower. Where others are judged, those without figures on either side do not prevent a pass: the commit did not
// cause that.
func (r *Report) Decide(ignoreMissing, prove bool) {
	r.Benchmarks = Coverage{NotJudged: []Unjudged{}}
	worst, open, ignored, figures := verdict.Pass, r.Interrupted, false, false
	var reached []string // benchmarks, which may have several primary rows
	for i := range r.Rows {
		row := &r.Rows[i]
		switch {
		case row.Verdict == verdict.Slower:
			worst = verdict.Slower
		case row.Primary && row.Verdict == verdict.MoreWork && worst == verdict.Pass:
			worst = verdict.MoreWork
		}
		if row.Primary && row.Code == SameCode {
			r.coverAtMost(row.Horizon)
		}
		if !row.Primary || row.Code == SameCode {
			continue
		}
		reached = append(reached, row.Name)
		if row.MayPass(prove) || row.Verdict == verdict.Slower || row.Verdict == verdict.MoreWork {
			figures = true
			r.coverAtMost(row.Horizon)
			continue
		}
		if !slices.ContainsFunc(r.Benchmarks.NotJudged, func(u Unjudged) bool { return u.Name == row.Name }) {
			r.Benchmarks.NotJudged = append(r.Benchmarks.NotJudged, Unjudged{row.Name, row.Reason})
		}
		isGone := (row.Verdict == verdict.Missing || row.Verdict == verdict.NotJudged) && !row.Both
		ignored = ignored || isGone && ignoreMissing && !row.Neither
		open = open || !row.Neither && !(isGone && ignoreMissing)
	}
	r.Benchmarks.Reached = countDistinct(reached)
	r.Benchmarks.Judged = r.Benchmarks.Reached - len(r.Benchmarks.NotJudged)
	for _, p := range r.Packages {
		open = open || p.State == Failed && !ignoreMissing && !(p.Neither && figures)
	}
	if r.Suite != nil && r.Suite.Verdict == verdict.Slower {
		worst = verdict.Slower
	}
	switch {
	case worst != verdict.Pass:
		r.Verdict = worst
	case open:
		r.Verdict = verdict.Undecided
	case !figures && !ignored && r.Benchmarks.Reached > 0:
		r.Verdict = verdict.Nothing
	default:
		r.Verdict = verdict.Pass
	}
}

// InState returns the packages in a state.
func (r *Report) InState(s PackageState) []*Package {
	return filter(r.Packages, func(p *Package) bool { return p.State == s })
}

// filter returns the elements to keep.
func filter[T any](all []T, keep func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), func(x T) bool { return !keep(x) })
}

// shortCommit is a commit hash's beginning.
func shortCommit(commit string) string { return commit[:min(12, len(commit))] }

// someOf lists the first few names.
func someOf(names []string) string { return text.Some(names, 5) }

// packagePaths lists import paths.
func packagePaths(packages []*Package) []string {
	return text.List(packages, func(p *Package) string { return p.Path })
}

func rowNames(rows []Row) []string { return text.List(rows, func(row Row) string { return row.Name }) }

// CPUName returns the processor's model as the operating system prints it, or the architecture.
func CPUName() string {
	switch runtime.GOOS {
	case "linux":
		info, _ := os.ReadFile("/proc/cpuinfo")
		for line := range strings.Lines(string(info)) {
			name, value, _ := strings.Cut(line, ":")
			if name = strings.TrimSpace(name); name == "model name" || name == "cpu model" {
				return strings.TrimSpace(value)
			}
		}
	case "windows":
		return cmp.Or(os.Getenv("PROCESSOR_IDENTIFIER"), runtime.GOARCH)
	case "darwin":
		if brand, _ := exec.Command("sysctl", "-n", "machdep.cpu.brand_string").Output(); len(brand) > 0 {
			return string(bytes.TrimSpace(brand))
		}
	}
	return runtime.GOARCH
}

// LoadAverages returns the average numbers of runnable processes in the last 1, 5 and 15 minutes. It is
// nil where the system does not report them.
func LoadAverages() []float64 {
	file, _ := os.ReadFile("/proc/loadavg")
	averages := make([]float64, 3)
	if _, err := fmt.Sscan(string(file), &averages[0], &averages[1], &averages[2]); err != nil {
		return nil
	}
	return averages
}

// Load returns the average number of runnable processes in the last minute, nil where the system does not
// report it.
func Load() []float64 {
	averages := LoadAverages()
	return averages[:min(1, len(averages))]
}
