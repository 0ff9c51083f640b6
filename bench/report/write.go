package report

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Formats are those for [Report.Write].
func Formats() []string { return []string{"text", "markdown", "json", "github", "html"} }

// Write writes the report in one of [Formats].
func (r *Report) Write(w io.Writer, format string) error {
	out := &text.Writer{To: w}
	switch format {
	case "text":
		writeText(out, r)
	case "markdown":
		writeMarkdown(out, r)
	case "json":
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		all := *r
		all.Flags = append([]string{}, r.Flags...) // never null
		all.Rows = shortenMissing(r.Rows)
		return encoder.Encode(all)
	case "github":
		writeGitHub(out, r)
	case "html":
		return htmlPage(r).Write(out)
	default:
		return fmt.Errorf("unknown format %q (want one of %s)", format, strings.Join(Formats(), ", "))
	}
	return out.Err
}

// mostMissing is the number of missing benchmarks up to which JSON has all fields of their rows.
const mostMissing = 50

// shortenMissing leaves the fields without a value out of the rows of many missing benchmarks.
func shortenMissing(rows []Row) []Row {
	missing := filter(rows, func(row Row) bool { return row.Verdict == verdict.Missing })
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].isShort = len(missing) > mostMissing && rows[i].Verdict == verdict.Missing
	}
	return rows
}

// columns is how wide a report is on a terminal.
const columns = 100

// writeText writes the report for a terminal.
func writeText(out *text.Writer, r *Report) {
	writeWrapped := func(line string) {
		if line != "" {
			fmt.Fprintf(out, "%s\n", text.Wrap(text.Plain(line), "", columns))
		}
	}
	writeWrapped(describeSides(r))
	writeWrapped(r.Measurement.describe())
	shown, quiet := selectShown(r)
	if t := fitTable(shown); len(t.Rows) > 0 {
		fmt.Fprintln(out)
		_ = t.WriteText(out) // out remembers its error
	}
	fmt.Fprintln(out)
	writeWrapped(quiet)
	for _, line := range listRemarks(r) {
		if strings.Contains(line, "\n") { // a message of a compiler
			fmt.Fprintf(out, "%s\n", strings.ReplaceAll(text.Lines(line), "\n", "\n    "))
		} else {
			writeWrapped(line)
		}
	}
	writeWrapped(r.Summary())
}

// mostShown is the number of benchmarks up to which the unchanged ones have lines of their own.
const mostShown = 12

// selectShown returns the rows of the table, and a line for the unchanged benchmarks without a row.
func selectShown(r *Report) (rows []Row, quiet string) {
	showsAll := r.Benchmarks.Reached <= mostShown
	choose := withoutNoise
	if showsAll {
		choose = withoutUnmeasured
	}
	var hidden []string
	seen, changed := make(map[string]bool), make(map[string]bool) // by name: a benchmark may have several units
	widest := 0.0
	for _, row := range choose(r.Rows) {
		switch {
		case row.Code == SameCode, row.Verdict == verdict.Identical && row.Unit != TimeUnit && !r.Whole:
		case row.Verdict == verdict.New && len(r.New) > mostShown: // the last lines name some
		case !row.isQuiet(), row.Verdict == verdict.New,
			showsAll && row.Rounds > 0 && (row.Primary || row.Judge == verdict.ByCount || r.Whole):
			rows = append(rows, row)
			changed[row.Name] = changed[row.Name] || row.Primary
		case row.Primary:
			if !seen[row.Name] {
				seen[row.Name], hidden = true, append(hidden, row.Name)
			}
			widest = max(widest, math.Abs(float64(row.Delta)))
		}
	}
	hidden = filter(hidden, func(name string) bool { return !changed[name] })
	if len(hidden) > 0 {
		quiet = fmt.Sprintf("Unchanged: %s, by at most %.2f %%: %s.", text.Plural(len(hidden), "benchmark"), 100*widest,
			someOf(hidden))
	}
	return rows, quiet
}

// mostComment bounds the rows of a comment: GitHub rejects one above 65,536 bytes.
const mostComment = 40

// writeMarkdown writes the report for a comment on a change: the important rows first, the rest
// folded.
func writeMarkdown(out *text.Writer, r *Report) {
	writeRows := func(before string, rows []Row, after string) {
		if len(rows) == 0 {
			return
		}
		fmt.Fprint(out, before)
		_ = newTable(rows[:min(len(rows), mostComment)]).WriteMarkdown(out) // out remembers its error
		if further := len(rows) - mostComment; further > 0 {
			fmt.Fprintf(out, "\nand %s.\n", text.Plural(further, "further row"))
		}
		fmt.Fprint(out, after)
	}
	fmt.Fprintf(out, "**%s**\n", text.Markdown(text.Plain(r.Summary())))
	shown, quiet := selectShown(r)
	writeRows("\n", filter(shown, func(row Row) bool { return !row.isQuiet() }), "")
	fmt.Fprintf(out, "\n<details><summary>%s</summary>\n\n", html.EscapeString(text.Plain(describeSides(r))))
	writeRows("", filter(shown, func(row Row) bool { return row.isQuiet() }), "\n")
	for _, line := range slices.Concat([]string{r.Measurement.describe(), quiet}, listRemarks(r)) {
		if line != "" {
			fmt.Fprintf(out, "- %s\n", text.Markdown(strings.ReplaceAll(text.Lines(line), "\n", " ")))
		}
	}
	fmt.Fprintf(out, "\n</details>\n")
}

// mostAnnotations bounds the workflow commands: GitHub shows ten of a step.
const mostAnnotations = 9

// writeGitHub writes workflow commands: an error on each function behind failing rows, once, with the
// worst row, and one warning for the benchmarks without a verdict.
func writeGitHub(out *text.Writer, r *Report) {
	seen := make(map[Place]bool)
	for _, row := range listLosses(r.Rows) {
		message := strings.Join(text.List(describeLoss(r.Rows, &row), escapeCommand), "%0A")
		places := row.placesBehind()
		if len(places) == 0 {
			places = []Place{{Function: row.Name}} // files have no places
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

// describeLoss describes a failing row, and in further lines the other figures of its benchmark.
func describeLoss(rows []Row, row *Row) []string {
	lines := []string{strings.Join(strings.Fields(strings.Join([]string{row.Name, row.change(), row.interval(), row.Unit,
		row.Reason}, " ")), " ")}
	for _, other := range rows {
		if other.Name == row.Name && other.Unit != row.Unit && other.Rounds > 0 {
			lines = append(lines, fmt.Sprintf("%s: %s %s, %s", other.Unit, other.change(), other.interval(), other.verdictText()))
		}
	}
	return lines
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
