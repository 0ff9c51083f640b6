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
func Formats() []string { return []string{"text", "markdown", "json", "github"} }

// Write writes the report in one of [Formats].
func (r *Report) Write(w io.Writer, format string) error {
	switch format {
	case "text":
		return r.writeText(w)
	case "markdown":
		return r.writeMarkdown(w)
	case "json":
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		all := *r
		all.Flags = append([]string{}, r.Flags...) // never null
		return encoder.Encode(all)
	case "github":
		return r.writeGitHub(w)
	}
	return fmt.Errorf("unknown format %q (want one of %s)", format, strings.Join(Formats(), ", "))
}

// columns is how wide a report is on a terminal.
const columns = 100

// writeText writes the report for a terminal.
func (r *Report) writeText(w io.Writer) error {
	out := &text.Writer{To: w}
	wrapped := func(line string) { fmt.Fprintf(out, "%s\n", text.Wrap(text.Plain(line), "", columns)) }
	wrapped(r.title())
	if r.CPU != "" {
		wrapped(r.provenance())
	}
	shown, quiet := r.shown()
	if t := fitTable(shown); len(t.Rows) > 0 {
		fmt.Fprintln(out)
		_ = t.WriteText(out) // out remembers its error
	}
	fmt.Fprintln(out)
	if quiet != "" {
		wrapped(quiet)
	}
	for _, line := range r.remarks() {
		if strings.Contains(line, "\n") { // a message of a compiler
			fmt.Fprintf(out, "%s\n", plainLines(line, "\n    "))
		} else {
			wrapped(line)
		}
	}
	wrapped(r.Summary())
	return out.Err
}

// plainLines is [text.Plain] for each line.
func plainLines(s, separator string) string {
	return strings.Join(text.List(strings.Split(s, "\n"), text.Plain), separator)
}

// mostShown is the number of benchmarks up to which the unchanged ones have lines of their own.
const mostShown = 12

// shown returns the rows of the table, and a line for the unchanged benchmarks without a row.
func (r *Report) shown() (rows []Row, quiet string) {
	few := r.Benchmarks.Reached <= mostShown
	var hidden []string
	widest := 0.0
	for _, row := range r.Rows {
		switch {
		case row.Code == SameCode, row.Verdict == verdict.Identical && row.Unit != TimeUnit:
		case !row.isQuiet(), few && row.Rounds > 0 && row.Speaks, row.Verdict == verdict.Advisory:
			rows = append(rows, row)
		case few && row.Judge == verdict.ByCount && row.Rounds > 0:
			rows = append(rows, row)
		case row.Speaks:
			hidden = append(hidden, row.Name)
			widest = max(widest, math.Abs(float64(row.Delta)))
		}
	}
	if len(hidden) > 0 {
		quiet = fmt.Sprintf("Unchanged: %s, by at most %.2f %%: %s.", text.Plural(len(hidden), "benchmark"), 100*widest, someOf(hidden))
	}
	return rows, quiet
}

// mostComment bounds the rows of a comment: GitHub rejects one above 65,536 bytes.
const mostComment = 40

// writeMarkdown writes the report for a comment on a change: the important rows first, the rest
// folded.
func (r *Report) writeMarkdown(w io.Writer) error {
	out := &text.Writer{To: w}
	write := func(before string, rows []Row, after string) {
		if len(rows) == 0 {
			return
		}
		fmt.Fprint(out, before)
		_ = newTable(rows[:min(len(rows), mostComment)]).WriteMarkdown(out) // out remembers its error
		if left := len(rows) - mostComment; left > 0 {
			fmt.Fprintf(out, "\nand %s.\n", text.Plural(left, "further row"))
		}
		fmt.Fprint(out, after)
	}
	fmt.Fprintf(out, "**%s**\n", text.Markdown(text.Plain(r.Summary())))
	shown, quiet := r.shown()
	isLoud := func(row Row) bool { return !row.isQuiet() }
	write("\n", slices.DeleteFunc(slices.Clone(shown), func(row Row) bool { return !isLoud(row) }), "")
	fmt.Fprintf(out, "\n<details><summary>%s</summary>\n\n", html.EscapeString(text.Plain(r.title())))
	write("", slices.DeleteFunc(slices.Clone(shown), isLoud), "\n")
	lines := r.remarks()
	if quiet != "" {
		lines = slices.Insert(lines, 0, quiet)
	}
	if r.CPU != "" {
		lines = slices.Insert(lines, 0, r.provenance())
	}
	for _, line := range lines {
		fmt.Fprintf(out, "- %s\n", text.Markdown(plainLines(line, " ")))
	}
	fmt.Fprintf(out, "\n</details>\n")
	return out.Err
}

// mostAnnotations bounds the workflow commands: GitHub shows ten of a step.
const mostAnnotations = 9

// writeGitHub writes workflow commands: an error on each function behind failing rows, once, with the
// worst row, and one warning for the benchmarks without a verdict.
func (r *Report) writeGitHub(w io.Writer) error {
	out := &text.Writer{To: w}
	written, seen := 0, make(map[Place]bool)
	for _, row := range r.losses() {
		message := escaped(fmt.Sprintf("%s %s ± %s %s %s", row.Name, row.change(), row.margin(), row.Unit, row.Reason))
		places := row.placesBehind()
		if len(places) == 0 {
			places = []Place{{}}
		}
		for _, place := range places {
			if seen[place] || written == mostAnnotations {
				continue
			}
			seen[place] = true
			written++
			at := ""
			if place.File != "" {
				at = fmt.Sprintf("file=%s,line=%d,", escaped(place.File), place.Line)
			}
			fmt.Fprintf(out, "::error %stitle=benchmark %s::%s\n", at, escaped(string(row.Verdict)), message)
		}
	}
	if r.Verdict == verdict.Undecided || len(r.Benchmarks.NotJudged) > 0 {
		fmt.Fprintf(out, "::warning title=benchmarks not judged::%s\n", escaped(strings.Join(r.causes(), "; ")))
	}
	return out.Err
}

// escaped replaces the characters with a meaning in a workflow command or its properties.
func escaped(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(strings.TrimSpace(text.Plain(s)))
}
