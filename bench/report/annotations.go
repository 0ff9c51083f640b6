package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// mostAnnotations bounds the workflow commands: GitHub shows ten of a step.
const mostAnnotations = 9

// writeGitHub writes workflow commands: an error on each function behind failing rows, once, with the
// worst row, and one warning for the benchmarks without a verdict.
func writeGitHub(out *text.Writer, r *Report) {
	seen := make(map[Place]bool)
	for _, row := range listLosses(r.Rows) {
		message := escapeCommand(fmt.Sprintf("%s %s ± %s %s %s", row.Name, row.change(), row.margin(), row.Unit,
			row.Reason))
		places := row.placesBehind()
		if len(places) == 0 {
			places = []Place{{}}
		}
		for _, place := range places {
			if seen[place] || len(seen) == mostAnnotations {
				continue
			}
			seen[place] = true
			at := ""
			if place.File != "" {
				at = fmt.Sprintf("file=%s,line=%d,", escapeCommand(place.File), place.Line)
			}
			fmt.Fprintf(out, "::error %stitle=benchmark %s::%s\n", at, escapeCommand(string(row.Verdict)), message)
		}
	}
	if r.Verdict == verdict.Undecided || len(r.Benchmarks.NotJudged) > 0 {
		causes := listCauses(r)
		if len(causes) == 0 {
			causes = r.Notes
		}
		fmt.Fprintf(out, "::warning title=benchmarks not judged::%s\n", escapeCommand(strings.Join(causes, "; ")))
	}
}

// placesBehind returns the places of the functions with additional instructions, or all places: a benchmark may
// reach more functions that differ than it calls.
func (r *Row) placesBehind() []Place {
	places := filter(r.Places, func(p Place) bool {
		return slices.ContainsFunc(r.Functions, func(f Function) bool { return f.More > 0 && f.Name == p.Function })
	})
	if len(places) == 0 {
		return r.Places
	}
	return places
}

// escapeCommand replaces the characters with a meaning in a workflow command or its properties.
func escapeCommand(s string) string {
	replacer := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	return replacer.Replace(strings.TrimSpace(text.Plain(s)))
}
