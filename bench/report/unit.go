package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"
)

// seconds is how long each time unit is.
var seconds = map[string]float64{"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1, "sec": 1}

// Better returns a unit's better direction by its name: 1 if more is better, -1 if less is, 0 if
// it is unknown. It knows the rates, times and sizes of b.ReportMetric, and the units of package testing.
func Better(unit string) int {
	_, tidied := Tidy(1, unit)
	measure, work, _ := strings.Cut(tidied, "/")
	switch {
	case work == "s" || work == "sec":
		return 1
	case slices.Contains([]string{"sec", "B", "KB", "allocs"}, measure), strings.HasSuffix(measure, "-sec"),
		strings.HasSuffix(measure, "-bytes"):
		return -1
	}
	return benchfmt.UnitMetadataMap{}.GetBetter(tidied)
}

// Tidy converts times for something to seconds and data to bytes, as benchunit does with ns and MB only, so that ns/op
// compares with us/op. It returns other figures unchanged.
func Tidy(value float64, unit string) (float64, string) {
	measure, work, _ := strings.Cut(unit, "/")
	at := strings.LastIndexByte(measure, '-') + 1 // start of the unit, as in p99-us/op
	switch factor := seconds[measure[at:]]; {
	case factor != 0 && work != "":
		return value * factor, measure[:at] + "sec/" + work
	case factor != 0 && factor != 1: // "s" alone may be a plural
		return value * factor, measure[:at] + "sec"
	}
	return benchunit.Tidy(value, unit)
}

// BuiltinUnits are the units computed by package testing, as it prints them.
var BuiltinUnits = []string{"ns/op", "MB/s", BytesUnit, AllocsUnit}

// TidyBeside is [Tidy] for one of the units that a benchmark prints. Where several of them become one, only the unit of
// package testing does, or else the first: the others keep their names and figures.
func TidyBeside(value float64, unit string, printed []string) (float64, string) {
	x, tidied := Tidy(value, unit)
	same := filter(printed, func(other string) bool {
		_, as := Tidy(1, other)
		return as == tidied
	})
	at := max(0, slices.IndexFunc(same, func(other string) bool { return slices.Contains(BuiltinUnits, other) }))
	switch {
	case len(same) == 0 || same[at] == unit:
		return x, tidied
	case unit == tidied:
		return value, unit + " (printed)"
	}
	return value, unit
}

// Nanoseconds is how long the unit's time is in nanoseconds: 1000 for "us/game". It is 0 for a unit
// other than a time for each of something.
func Nanoseconds(unit string) float64 {
	if x, tidied := Tidy(1, unit); strings.HasPrefix(tidied, "sec/") {
		return 1e9 * x
	}
	return 0
}

// Keys returns the parts key=value in a benchmark's name.
func Keys(name string) map[string]string {
	_, parts, _ := strings.Cut(name, "/")
	keys := make(map[string]string)
	for part := range strings.SplitSeq(parts, "/") {
		if key, value, ok := strings.Cut(part, "="); ok {
			keys[key] = value
		}
	}
	return keys
}

// Significant rounds to five significant digits: no machine is more stable. Infinities and NaN
// become 0, since JSON has neither.
func Significant(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 5, 64), 64)
	if err != nil {
		return x
	}
	return rounded
}

// Percent prints a relative change with its sign: "+2.50%". It is "" for NaN.
func Percent[N ~float64](x N) string {
	switch {
	case math.IsNaN(float64(x)):
		return ""
	case x > 1e6:
		return "+∞"
	case x >= 100:
		return fmt.Sprintf("×%.0f", 1+float64(x))
	case x <= -1:
		return "-100%"
	}
	return percentage(float64(x)) + "%"
}

// percentage prints a part as a number of percent, with its sign and at most four digits.
func percentage(part float64) string {
	percent, digits := 100*part, 2
	switch abs := math.Abs(percent); {
	case abs >= 1e6:
		return map[bool]string{true: "+∞", false: "-∞"}[percent > 0]
	case abs >= 99.95:
		digits = 0
	case abs >= 9.995:
		digits = 1
	}
	return fmt.Sprintf("%+.*f", digits, percent)
}

// Figure prints a figure in a tidied unit with at most four digits and a prefix: "1.21 µs" for sec/op, "2,500" and
// "15.6 Ki" for B/op, "1.06 M" for others, and "1.00e+300" beyond the prefixes. It is "" for NaN.
func Figure[N ~float64](figure N, unit string) string {
	const least, most = 0.001, 9999.5 // in front of a prefix, or without one
	isPlain := func(x float64) bool { return x == 0 || math.Abs(x) >= least && math.Abs(x) < most }
	x, base := float64(figure), ""
	scale := benchunit.CommonScale([]float64{x}, benchunit.ClassOf(unit))
	switch {
	case math.IsNaN(x):
		return ""
	case strings.HasPrefix(unit+"/", "sec/") || strings.Contains(unit+"/", "-sec/"):
		if base = "s"; math.Abs(x) >= 1 && isPlain(x) || x == 0 {
			scale.Factor, scale.Prefix = 1, ""
		}
	case isPlain(x) && (x == math.Trunc(x) || math.Abs(x) >= 999.5):
		return text.Count(x)
	case isPlain(x):
		return text.Figure(x)
	}
	if !isPlain(x / scale.Factor) {
		return strings.TrimSpace(strconv.FormatFloat(x, 'e', 2, 64) + " " + base)
	}
	return text.Figure(x/scale.Factor) + " " + scale.Prefix + base
}

// IntervalText prints a figure with its interval: "0.250 [0.240–0.260]".
func IntervalText(figure, lo, hi float64) string {
	return text.Figure(figure) + " [" + text.Figure(lo) + "–" + text.Figure(hi) + "]"
}
