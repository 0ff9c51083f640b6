package report

import (
	"slices"
	"strings"
)

// nanoseconds is how long each time unit is.
var nanoseconds = map[string]float64{"ns": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6, "s": 1e9, "sec": 1e9}

// seconds is the factor from each prefixed time unit to seconds.
var seconds = map[string]float64{"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1}

// Better returns a unit's better direction by its name: 1 if more is better, -1 if less is, 0 if
// it is unknown.
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
	return 0
}

// Direction returns the value for "better" in a line "Unit" for a figure in the suites: "higher" for
// rates, "lower" for times and counted work.
func Direction(unit string) string {
	if Better(unit) > 0 {
		return "higher"
	}
	return "lower"
}

// Tidy converts times for something to seconds and data to bytes, so that ns/op compares with us/op. It
// returns other figures unchanged.
func Tidy(value float64, unit string) (float64, string) {
	measure, work, ok := strings.Cut(unit, "/")
	at := strings.LastIndexByte(measure, '-') + 1 // start of the unit, as in p99-ns/op
	switch factor := seconds[measure[at:]]; {
	case !ok:
		return value, unit
	case factor != 0:
		return value * factor, measure[:at] + "sec/" + work
	case measure == "MB":
		return value * 1e6, "B/" + work
	}
	return value, unit
}

// Nanoseconds is how long the unit's time is in nanoseconds: 1000 for "us/game". It is 0 for a unit
// other than a time for each of something.
func Nanoseconds(unit string) float64 {
	time, work, _ := strings.Cut(unit, "/")
	if work == "" {
		return 0
	}
	return nanoseconds[time]
}

// Keys returns the parts key=value in a benchmark's name, nil without any.
func Keys(name string) map[string]string {
	_, parts, _ := strings.Cut(name, "/")
	var keys map[string]string
	for part := range strings.SplitSeq(parts, "/") {
		if key, value, ok := strings.Cut(part, "="); ok {
			if keys == nil {
				keys = make(map[string]string)
			}
			keys[key] = value
		}
	}
	return keys
}
