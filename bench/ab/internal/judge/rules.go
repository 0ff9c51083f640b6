package judge

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
)

// IsExcluded reports whether the user's pattern excludes a benchmark.
func IsExcluded(pattern, name string) bool {
	return pattern != "" && regexp.MustCompile(pattern).MatchString(name)
}

// Rules are the user's demands on verdicts.
type Rules struct {
	Limit        float64            // largest slowdown that passes: 0.03 is 3 %
	Limits       []NamedLimit       // limits for single benchmarks; the last match counts
	Floors       map[string]float64 // largest passing increases of the units of memory, in the unit
	Parts        map[string]float64 // the same as parts: 0.03 is 3 %; a unit has one of the two
	HigherBetter []*regexp.Regexp   // units of ReportMetric whose larger values are better
	Prove        bool               // each benchmark must be shown not to be slower
	Confirm      bool               // failing rows are measured again
	OnlyCounts   bool               // no times are measured
	Printed      bool               // samples are what commands print: each round must have all units
	IsFixed      bool               // of tests: the work of a sample is given
}

// NamedLimit is the largest change for the worse of the benchmarks whose names match.
type NamedLimit struct {
	Pattern *regexp.Regexp
	Part    float64 // 0.03 is 3 %
}

// FileRules are the user's demands on result files, and on the output of commands.
type FileRules struct {
	Rules
	Bench, Exclude string // patterns of the benchmarks that are judged, and of those that are not
	IgnoreMissing  bool   // benchmarks of one side only do not matter
}

// IsLessBetter reports whether less of a printed unit is always better: of times of an operation and memory.
func IsLessBetter(unit string) bool {
	_, tidied := report.Tidy(1, unit)
	return report.IsMemory(unit) || tidied == report.TimeUnit
}

// isHigherBetter reports whether the user declared that more of a unit is better. A pattern of units of ReportMetric may match
// others, too.
func (r *Rules) isHigherBetter(unit string) bool {
	return !IsLessBetter(unit) && slices.ContainsFunc(r.HigherBetter, func(e *regexp.Regexp) bool { return e.MatchString(unit) })
}

// direction is the better direction of a unit, as printed; see [report.Better]. The user's word counts most, then that of
// the programs by their tidied units.
func (r *Rules) direction(printed string, declared map[string]int) int {
	_, tidied := report.Tidy(1, printed)
	switch {
	case IsLessBetter(printed):
		return -1
	case r.isHigherBetter(printed) || r.isHigherBetter(tidied):
		return 1
	}
	return cmp.Or(declared[tidied], report.Better(tidied))
}

// unknownDirection is the reason of a unit without a known better direction, with a way to declare it.
func unknownDirection(unit string) string {
	return fmt.Sprintf(frame.NoDirection+" ("+frame.WantDirection+")", unit)
}

// LimitOf returns a benchmark's limit.
func (r *Rules) LimitOf(name string) float64 {
	part := r.Limit
	for _, l := range r.Limits {
		if l.Pattern.MatchString(name) {
			part = l.Part
		}
	}
	return part
}

// hasOwnLimit reports whether a benchmark's limit is another one than that of most: a slowdown that the user accepts there
// must not fail all benchmarks together.
func (r *Rules) hasOwnLimit(name string) bool { return r.LimitOf(name) != r.Limit }
