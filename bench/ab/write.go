package ab

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Formats are those of [Report.Write].
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
		return encoder.Encode(r)
	case "github":
		return r.writeGitHub(w)
	}
	return fmt.Errorf("unknown format %q (want one of %s)", format, strings.Join(Formats(), ", "))
}

// columns is the width of a report for a terminal.
const columns = 100

// writeText writes the report for a terminal.
func (r *Report) writeText(w io.Writer) error {
	out := &text.Writer{To: w}
	wrapped := func(line string) { fmt.Fprintf(out, "%s\n", text.Wrap(text.Plain(line), "", columns)) }
	wrapped(r.title())
	if r.CPU != "" {
		wrapped(r.provenance())
	}
	if t := fitted(r.shown()); len(t.Rows) > 0 {
		fmt.Fprintln(out)
		_ = t.WriteText(out) // out remembers its error
	}
	fmt.Fprintln(out)
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

// fitted makes a table of rows whose names are shortened in the middle until it fits.
func fitted(rows []Row) text.Table {
	t := table(rows)
	for most := 60; t.Width() > columns && most > 20; most -= 5 {
		for _, cells := range t.Rows {
			if name := []rune(cells[0]); len(name) > most {
				cells[0] = string(name[:most/2]) + "…" + string(name[len(name)-most/2+1:])
			}
		}
	}
	return t
}

// plainLines is [text.Plain] of each line.
func plainLines(s, separator string) string {
	return strings.Join(text.List(strings.Split(s, "\n"), text.Plain), separator)
}

// writeMarkdown writes the report for a comment on a change: the important rows first, the rest
// folded.
func (r *Report) writeMarkdown(w io.Writer) error {
	out := &text.Writer{To: w}
	write := func(before string, t text.Table, after string) {
		if len(t.Rows) > 0 {
			fmt.Fprint(out, before)
			_ = t.WriteMarkdown(out) // out remembers its error
			fmt.Fprint(out, after)
		}
	}
	fmt.Fprintf(out, "**%s**\n", text.Markdown(text.Plain(r.Summary())))
	write("\n", table(slices.DeleteFunc(slices.Clone(r.Rows), func(row Row) bool {
		return row.Verdict.Passes() && row.Verdict != verdict.Faster
	})), "")
	fmt.Fprintf(out, "\n<details><summary>%s</summary>\n\n", html.EscapeString(text.Plain(r.title())))
	write("", table(r.Rows), "\n")
	lines := r.remarks()
	if r.CPU != "" {
		lines = slices.Insert(lines, 0, r.provenance())
	}
	for _, line := range lines {
		fmt.Fprintf(out, "- %s\n", text.Markdown(plainLines(line, " ")))
	}
	fmt.Fprintf(out, "\n</details>\n")
	return out.Err
}

// writeGitHub writes workflow commands: an error on each function behind a slower row, a warning for
// each other failing row.
func (r *Report) writeGitHub(w io.Writer) error {
	out := &text.Writer{To: w}
	for _, row := range r.Rows {
		if row.Verdict.Passes() || row.verdictText() == "~" {
			continue
		}
		message := escaped(fmt.Sprintf("%s %s ± %s %s %s", row.Name, percent(row.Delta), row.margin(), row.Unit, row.Reason))
		if row.Verdict != verdict.Slower {
			fmt.Fprintf(out, "::warning title=benchmark %s::%s\n", row.Verdict, message)
			continue
		}
		for _, place := range row.Places {
			fmt.Fprintf(out, "::error file=%s,line=%d,title=benchmark slower::%s\n", escaped(place.File), place.Line, message)
		}
		if len(row.Places) == 0 {
			fmt.Fprintf(out, "::error title=benchmark slower::%s\n", message)
		}
	}
	return out.Err
}

// escaped replaces the characters with a meaning in a workflow command or its properties.
func escaped(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(strings.TrimSpace(text.Plain(s)))
}

// provenance describes where and how the figures were measured.
func (r *Report) provenance() string {
	parts := []string{fmt.Sprintf("%s %s/%s", cmp.Or(r.Go, "Go"), runtime.GOOS, runtime.GOARCH), r.CPU, fmt.Sprintf("GOMAXPROCS %d", r.GOMAXPROCS)}
	if n := len(r.Load); n > 0 {
		parts = append(parts, fmt.Sprintf("load %.1f to %.1f on %s", slices.Min(r.Load), slices.Max(r.Load), text.Plural(runtime.NumCPU(), "core")))
	}
	switch r.CPUClock {
	case "":
	case noClock:
		parts = append(parts, "wall-clock times only")
	default:
		parts = append(parts, "CPU times by "+r.CPUClock)
	}
	if len(r.Flags) > 0 {
		parts = append(parts, "flags "+strings.Join(r.Flags, " "))
	}
	return strings.Join(append(parts, fmt.Sprintf("seed %d", r.Seed), "this program was built with "+r.BuiltWith), ", ")
}

// title names the sides.
func (r *Report) title() string {
	base, head := short(r.Base), short(r.Head)
	switch {
	case r.WorkTree:
		head = "the work tree"
	case r.named:
		base, head = r.Base, r.Head
	}
	return fmt.Sprintf("%s, compared with %s", head, base)
}

// shown returns the rows for a terminal: measured times, and other rows that changed.
func (r *Report) shown() []Row {
	return slices.DeleteFunc(slices.Clone(r.Rows), func(row Row) bool {
		return row.Verdict == verdict.Identical && (row.Unit != timeUnit || row.Code == sameCode) ||
			row.Verdict == verdict.Undecided && !row.main && math.Abs(float64(row.Delta)) < row.Limit
	})
}

// table makes a table of rows.
func table(rows []Row) text.Table {
	t := text.Table{Header: []string{"benchmark", "unit", "old", "new", "change", "±", "sees", "n", "verdict"}}
	for _, row := range rows {
		t.Add(row.Name, row.unitText(), value(row.Old, row.Unit), value(row.New, row.Unit), percent(row.Delta), row.margin(),
			row.sees(), fmt.Sprint(row.Rounds), row.verdictText())
	}
	return t
}

// sees prints the smallest slowdown that would have been seen.
func (r Row) sees() string {
	switch {
	case r.Verdict == verdict.Identical || r.Verdict == verdict.Advisory || r.Rounds == 0:
		return ""
	case !(r.Sight <= 10):
		return "∞"
	}
	return fmt.Sprintf("%.0f%%", math.Ceil(100*float64(r.Sight)))
}

// verdictText is the verdict as the table has it: "~" if no difference was shown.
func (r Row) verdictText() string {
	if r.Verdict == verdict.Undecided && r.Sight <= verdict.Blind {
		return "~"
	}
	return string(r.Verdict)
}

// margin prints the larger distance of the change from the ends of its interval.
func (r Row) margin() string {
	margin := float64(max(r.Hi-r.Delta, r.Delta-r.Lo))
	switch {
	case math.IsNaN(margin):
		return ""
	case margin > 10:
		return "∞"
	}
	return fmt.Sprintf("%.2f%%", 100*margin)
}

// unitText is the unit, with the clock of a time.
func (r Row) unitText() string {
	if r.Clock == CPU {
		return r.Unit + ", cpu"
	}
	return r.Unit
}

// percent prints a relative change.
func percent[N ~float64](x N) string { return report.Percent(x) }

// value prints a figure of a unit as people read it: "1.21 µs".
func value[N ~float64](number N, unit string) string { return report.Figure(number, unit) }

// remarks returns the information outside the table: packages, the geometric mean, the reasons
// of undecided rows, and notes.
func (r *Report) remarks() []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	var same []string
	for _, row := range r.Rows {
		if row.Code == sameCode {
			same = append(same, row.Name)
		}
	}
	if unchanged := r.inState(identicalState); len(unchanged) > 0 {
		add("The change reaches no benchmark of %s.", someOf(paths(unchanged)))
	} else if len(same) > 0 {
		add("The change does not reach %s: %s.", text.Plural(len(same), "benchmark"), someOf(same))
	}
	for _, p := range r.inState(failedState) {
		add("%s failed: %s", p.Path, p.Error)
	}
	if gone := r.inState(missingState); len(gone) > 0 {
		add("Without benchmarks on the new side: %s.", someOf(paths(gone)))
	}
	if added := r.inState(newState); len(added) > 0 {
		add("Without benchmarks on the old side: %s.", someOf(paths(added)))
	}
	if len(r.New) > 0 {
		add("On the new side only: %s.", someOf(r.New))
	}
	reasons := make(map[string][]string)
	var order []string
	for _, row := range r.Rows {
		if row.Reason == "" || row.verdictText() == "~" && !row.isSuspect() {
			continue
		}
		reason := fmt.Sprintf("%s: %s", row.Verdict, row.Reason)
		if reasons[reason] == nil {
			order = append(order, reason)
		}
		reasons[reason] = append(reasons[reason], row.Name)
	}
	for _, reason := range order {
		add("%s (%s).", strings.ToUpper(reason[:1])+reason[1:], someOf(slices.Compact(reasons[reason])))
	}
	if s := r.Suite; s != nil {
		add("All together, the geometric mean of %d: %s [%s, %s], %s.", s.Benchmarks, percent(s.Delta), percent(s.Lo), percent(s.Hi), s.Verdict)
	}
	for _, note := range r.Notes {
		add("Note: %s.", note)
	}
	return lines
}

// isSuspect reports whether the estimate of a row lies above its limit.
func (r Row) isSuspect() bool { return math.Abs(float64(r.Delta)) > r.Limit && r.Lo > 0 }

// Summary is the last word.
func (r *Report) Summary() string {
	if r.Rounds > 0 {
		return fmt.Sprintf("%s %d rounds, %v. False alarms: at most %.3g %% of runs.", r.conclusion(), r.Rounds,
			time.Duration(r.Seconds*1e9).Round(time.Second), 100*r.Alpha)
	}
	return r.conclusion()
}

// conclusion is the verdict, and what it rests on.
func (r *Report) conclusion() string {
	switch slower := r.with(verdict.Slower); {
	case len(slower) > 0:
		return fmt.Sprintf("Slower: %s.", someOf(text.List(slower, func(r Row) string {
			return fmt.Sprintf("%s %s %s", r.Name, percent(r.Delta), r.Unit)
		})))
	case r.Verdict == verdict.Slower && r.Suite != nil:
		return fmt.Sprintf("Slower: all benchmarks together, by %s.", percent(r.Suite.Delta))
	case r.Interrupted:
		return "Interrupted. " + r.sight()
	case r.Verdict == verdict.Undecided:
		return fmt.Sprintf("Undecided: %s. %s", cmp.Or(strings.Join(r.causes(), ", "), "see the notes"), r.sight())
	case r.Verdict == verdict.Nothing:
		return "Nothing was measured: no benchmark runs on both sides."
	case !slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Rounds > 0 }):
		return fmt.Sprintf("Pass: the change reaches no benchmark in %s.", text.Plural(len(r.Packages), "package"))
	}
	return "Pass: nothing is slower. " + r.sight()
}

// sight describes the slowdowns that would have been seen: the smallest one that nine tenths of the measured
// benchmarks show.
func (r *Report) sight() string {
	var sights []float64
	all := 0
	for _, row := range r.Rows {
		if !row.main || row.Verdict == verdict.Advisory {
			continue
		}
		if all++; row.Sight <= 10 {
			sights = append(sights, float64(row.Sight))
		}
	}
	if len(sights) == 0 {
		return "No slowdown would have been seen."
	}
	slices.Sort(sights)
	seen := sights[min(len(sights)-1, (9*len(sights)+9)/10-1)]
	n, _ := slices.BinarySearch(sights, math.Nextafter(seen, math.Inf(1)))
	return fmt.Sprintf("A slowdown of %.0f %% or more would have been seen in %d of %s.", math.Ceil(100*seen), n, text.Plural(all, "benchmark"))
}

// causes lists why nothing was decided.
func (r *Report) causes() []string {
	blind, unmeasured, all := 0, 0, 0
	for _, row := range r.Rows {
		switch {
		case !row.main:
			continue
		case row.Rounds == 0:
			unmeasured++
		case row.Verdict == verdict.Undecided:
			blind++
		}
		all++
	}
	var causes []string
	add := func(n int, format string, args ...any) {
		if n > 0 {
			causes = append(causes, fmt.Sprintf(format, args...))
		}
	}
	missing, failed, without := len(r.with(verdict.Missing)), len(r.inState(failedState)), len(r.inState(missingState))
	add(unmeasured, "measured %d of %d", all-unmeasured, all)
	add(blind, "%d too noisy to show a slowdown", blind)
	add(missing, "%d missing", missing)
	add(failed, "%d failed", failed)
	add(without, "%d packages without benchmarks on the new side", without)
	return causes
}

func paths(packages []*Package) []string {
	return text.List(packages, func(p *Package) string { return p.Path })
}

// someOf lists the first few.
func someOf(names []string) string { return text.Some(names, 5) }
