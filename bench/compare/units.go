package compare

import (
	"fmt"
	"math"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// unitPlace is a benchmark and its measured quantity: "time/op" for both ns/op and ms/op.
type unitPlace struct{ config, name, dimension string }

// unitSeen is a unit, and the line of its first use.
type unitSeen struct {
	unit, file string
	line       int
}

// checkUnits rejects invalid figures, and a benchmark measured in microseconds in one place and
// in nanoseconds in another: it would count as two unrelated benchmarks.
func (r *sampleReader) checkUnits(result *benchfmt.Result) error {
	file, line := result.Pos()
	units := make(map[string]string, len(result.Values)) // first unit of each dimension
	for _, v := range result.Values {
		if math.IsNaN(v.Value) || math.IsInf(v.Value, 0) {
			return &InputError{file, line, fmt.Sprintf("invalid measurement %v %s (want a finite number)", v.Value, v.Unit)}
		}
		if _, seen := units[dimension(v.Unit)]; !seen {
			units[dimension(v.Unit)] = v.Unit
		}
	}
	config := configurationText(result)
	for dimension, unit := range units {
		place := unitPlace{config, result.Name.String(), dimension}
		seen, ok := r.measuredUnit[place]
		if !ok {
			r.measuredUnit[place] = unitSeen{unit, file, line}
		} else if seen.unit != unit {
			return &InputError{file, line, fmt.Sprintf("Benchmark%s is measured in %s here, and in %s at %s:%d: convert one of them",
				result.Name, unit, seen.unit, seen.file, seen.line)}
		}
	}
	return nil
}

// dimension is a unit without the scale of its numerator.
func dimension(unit string) string {
	numerator, rest, _ := strings.Cut(unit, "/")
	switch numerator {
	case "ns", "us", "µs", "μs", "ms", "s", "sec":
		return "time/" + rest
	case "B", "KB", "kB", "MB", "GB", "KiB", "MiB", "GiB":
		return "bytes/" + rest
	}
	return unit
}

// configurationText is the whole configuration of a result in a file, to distinguish results.
func configurationText(result *benchfmt.Result) string {
	var text strings.Builder
	for _, c := range result.Config {
		if c.File {
			fmt.Fprintf(&text, "%s:%s\n", c.Key, c.Value)
		}
	}
	return text.String()
}

// betterDirection is the better direction of a unit: given by the files, by benchfmt, or
// otherwise by the unit itself. Less time, memory and work for a thing is better, and so are
// more things in a second; 0 is unknown.
func betterDirection(units benchfmt.UnitMetadataMap, unit string) int {
	if better := units.GetBetter(unit); better != 0 || units.Get(unit, "better") != nil {
		return better
	}
	numerator, denominator, _ := strings.Cut(unit, "/")
	switch {
	case denominator == "s" || denominator == "sec":
		return 1
	case strings.HasPrefix(dimension(unit), "time/"), strings.HasPrefix(dimension(unit), "bytes/"),
		numerator == "allocs", unit == "B", unit == "sec":
		return -1
	}
	return 0
}
