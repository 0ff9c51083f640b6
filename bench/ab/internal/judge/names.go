package judge

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// benchmarksOf returns the benchmarks of both sides that are compared: those of the old side, and those without figures
// on one side.
func benchmarksOf(before, after *report.File) (all []report.BenchmarkID) {
	seen := make(map[report.BenchmarkID]bool)
	add := func(id report.BenchmarkID) {
		if !seen[id] {
			seen[id], all = true, append(all, id)
		}
	}
	for _, s := range before.Series {
		add(s.BenchmarkID)
	}
	for _, f := range []*report.File{before, after} {
		for _, id := range f.Unfinished {
			if !slices.ContainsFunc(all, func(b report.BenchmarkID) bool {
				return f.Lacks(b) && b.Package == id.Package &&
					report.WithoutProcs(b.Name) == report.WithoutProcs(id.Name)
			}) {
				add(id)
			}
		}
	}
	return all
}

// printedNames names benchmarks of files and commands as reports on commits do: by the package and the name. The number
// of processors is left out if it is the same for all that have figures. Settings that tell two benchmarks apart are added.
func printedNames(all []report.BenchmarkID, files ...*report.File) map[report.BenchmarkID]string {
	var packages, procs []string
	settings := make(map[report.BenchmarkID][]string) // of a package and a name
	for _, b := range all {
		packages = append(packages, b.Package)
		if !slices.ContainsFunc(files, func(f *report.File) bool { return slices.Contains(f.Unfinished, b) }) {
			procs = append(procs, strings.TrimPrefix(b.Name, report.WithoutProcs(b.Name)))
		}
		of := report.BenchmarkID{Package: b.Package, Name: b.Name}
		settings[of] = append(settings[of], b.Settings)
	}
	short := source.ShortNames(frame.Union(packages, nil))
	isOne := len(frame.Union(procs, nil)) <= 1
	names := make(map[report.BenchmarkID]string)
	for _, b := range all {
		name, own := b.Name, []string(nil)
		if isOne {
			name = report.WithoutProcs(name)
		}
		if b.Package != "" || name == "" {
			name = build.ReportName(short[b.Package], name, 0)
		}
		for line := range strings.Lines(b.Settings) {
			if slices.ContainsFunc(settings[report.BenchmarkID{Package: b.Package, Name: b.Name}],
				func(other string) bool { return !hasLine(other, line) }) {
				own = append(own, strings.TrimSpace(line))
			}
		}
		if len(own) > 0 {
			name += " (" + strings.Join(own, ", ") + ")"
		}
		names[b] = name
	}
	return names
}

func hasLine(text, line string) bool { return strings.Contains("\n"+text, "\n"+line) }

// procsKey stands for the number of processors among the settings that differ.
const procsKey = "GOMAXPROCS"

// whyNoFigures returns why a benchmark of the old side cannot be compared: it is missing if nothing else is known. The new
// side may have its figures nevertheless.
func whyNoFigures(before, after *report.File, id report.BenchmarkID, isHere bool) listing.Failure {
	var keys []string
	if !isHere {
		keys = differingSettings(id, before, after)
	}
	switch first, second := before.Lacks(id), after.Lacks(id); {
	case after.Fails(id) && !isHere:
		return listing.Failure{As: verdict.NotJudged, Reason: frame.FailsOnNew}
	case after.Skips(id) && !isHere:
		return listing.Failure{As: verdict.NotJudged, Reason: frame.SkipsOnNew}
	case first && second:
		return listing.Failure{As: verdict.NotJudged, Reason: frame.PrintedByNone, Both: true}
	case second:
		return listing.Failure{As: verdict.NotJudged, Reason: fmt.Sprintf(frame.NotPrinted, "the new side"), Both: true}
	case first:
		return listing.Failure{As: verdict.NotJudged, Reason: fmt.Sprintf(frame.NotPrinted, "the old side"), Both: true}
	case len(keys) > 0:
		return listing.Failure{As: verdict.NotJudged, Reason: fmt.Sprintf(frame.OtherSettings, strings.Join(keys, ", ")), Both: true}
	}
	return listing.Failure{As: verdict.Missing, Reason: frame.NotOnNew}
}

// differingSettings lists the settings by which a benchmark of a file differs from one with its name in another file. A name
// may end with a number that is not GOMAXPROCS: then the file has the other benchmark, too.
func differingSettings(b report.BenchmarkID, own, f *report.File) []string {
	var keys []string
	for _, s := range f.Series {
		if s.BenchmarkID == b {
			return nil
		}
		if len(keys) > 0 || report.WithoutProcs(s.Name) != report.WithoutProcs(b.Name) || s.Name != b.Name && own.Has(s.BenchmarkID) {
			continue
		}
		if s.Package != b.Package {
			keys = append(keys, "pkg")
		}
		if s.Name != b.Name {
			keys = append(keys, procsKey)
		}
		for _, sides := range [][2]string{{b.Settings, s.Settings}, {s.Settings, b.Settings}} {
			for line := range strings.Lines(sides[0]) {
				if key, _, _ := strings.Cut(line, ":"); !hasLine(sides[1], line) && !slices.Contains(keys, key) {
					keys = append(keys, key)
				}
			}
		}
	}
	return keys
}

// selects reports whether the user selects a benchmark of files and commands.
func (r *FileRules) selects(b report.BenchmarkID, name string) bool {
	isNamed := matchesElements(r.Bench, "Benchmark"+report.WithoutProcs(b.Name)) || matchesElements(r.Bench, "Benchmark"+b.Name)
	return isNamed && !IsExcluded(r.Exclude, name) && !IsExcluded(r.Exclude, b.Name)
}

// matchesElements reports whether a pattern of "go test -bench" matches a name: one of its alternatives, element
// by element. Names have "_" instead of blanks, and so has the pattern.
func matchesElements(pattern, name string) bool {
	pattern = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return '_'
		}
		return r
	}, pattern)
	elements := strings.Split(name, "/")
	return slices.ContainsFunc(splitOutside(pattern, '|'), func(alternative string) bool {
		for i, part := range splitOutside(alternative, '/') {
			if i == len(elements) {
				return false
			}
			if ok, err := regexp.MatchString(part, elements[i]); !ok || err != nil {
				return false
			}
		}
		return true
	})
}

// splitOutside splits a regular expression at a separator outside of brackets and parentheses.
func splitOutside(expression string, separator byte) (parts []string) {
	begin, depth := 0, 0
	for i := 0; i < len(expression); i++ {
		switch c := expression[i]; {
		case c == '\\':
			i++
		case c == '[' || c == '(':
			depth++
		case c == ']' || c == ')':
			depth--
		case c == separator && depth == 0:
			parts, begin = append(parts, expression[begin:i]), i+1
		}
	}
	return append(parts, expression[begin:])
}
