package ab

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Formats are those of [Report.Write].
func Formats() []string { return []string{"text", "markdown", "json", "html", "junit", "github"} }

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
	case "html":
		return pageTemplate.Execute(w, r)
	case "junit":
		return r.writeJUnit(w)
	case "github":
		return r.writeAnnotations(w)
	}
	return fmt.Errorf("unknown format %q (want one of %s)", format, strings.Join(Formats(), ", "))
}

// writeText writes the report for a terminal.
func (r *Report) writeText(w io.Writer) error {
	out := &text.Writer{To: w}
	fmt.Fprintf(out, "%s\n%s\n", text.Plain(r.Title()), text.Plain(r.Provenance()))
	if t := table(r.shown()); len(t.Rows) > 0 {
		fmt.Fprintln(out)
		if err := t.WriteText(out); err != nil {
			return err
		}
	}
	fmt.Fprintln(out)
	for _, line := range r.Remarks() {
		fmt.Fprintf(out, "%s\n", plainLines(line))
	}
	fmt.Fprintf(out, "%s\n", text.Plain(r.Summary()))
	return out.Err
}

// plainLines is [text.Plain] of each line: messages of a compiler have several.
func plainLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = text.Plain(line)
	}
	return strings.Join(lines, "\n    ")
}

// writeMarkdown writes the report for a comment on a change: the important rows first, the rest
// folded.
func (r *Report) writeMarkdown(w io.Writer) error {
	out := &text.Writer{To: w}
	fmt.Fprintf(out, "**%s**\n", text.Markdown(text.Plain(r.Summary())))
	var worth []Row
	for _, row := range r.Rows {
		if !row.Verdict.Passes() || row.Verdict == verdict.Faster {
			worth = append(worth, row)
		}
	}
	if len(worth) > 0 {
		fmt.Fprintln(out)
		if err := table(worth).WriteMarkdown(out); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "\n<details><summary>%s</summary>\n\n", template.HTMLEscapeString(text.Plain(r.Title())))
	if t := table(r.Rows); len(t.Rows) > 0 {
		if err := t.WriteMarkdown(out); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "- %s\n", text.Markdown(text.Plain(r.Provenance())))
	for _, line := range r.Remarks() {
		fmt.Fprintf(out, "- %s\n", text.Markdown(strings.ReplaceAll(plainLines(line), "\n", " ")))
	}
	fmt.Fprintf(out, "\n</details>\n")
	return out.Err
}

// Provenance describes where and how the figures were measured.
func (r *Report) Provenance() string {
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

// Title names the sides.
func (r *Report) Title() string {
	head := short(r.Head)
	switch {
	case r.WorkTree:
		head = "the work tree"
	case len(r.printed[oldSide]) > 0:
		return fmt.Sprintf("%s, compared with %s", r.Head, r.Base)
	}
	return fmt.Sprintf("%s, compared with %s", head, short(r.Base))
}

// shown returns the rows for a terminal: all times, and changed rows of memory.
func (r *Report) shown() []Row {
	var rows []Row
	for _, row := range r.Rows {
		if row.Unit == units[timeRow] || row.Verdict != verdict.Identical {
			rows = append(rows, row)
		}
	}
	return rows
}

// table makes a table of rows.
func table(rows []Row) text.Table {
	header := []string{"benchmark", "unit", "old", "new", "change", "±", "n", "code", "verdict"}
	rates := slices.ContainsFunc(rows, func(row Row) bool { return row.Bytes > 0 })
	if rates {
		header = slices.Insert(header, 4, "old MB/s", "new MB/s")
	}
	t := text.Table{Header: header}
	for _, row := range rows {
		cells := []string{row.Name, row.unitText(), value(row.Old, row.Unit), value(row.New, row.Unit), percent(row.Delta), row.margin(),
			fmt.Sprint(row.Rounds), row.codeText(), string(row.Verdict)}
		if rates {
			cells = slices.Insert(cells, 4, row.rate(row.Old), row.rate(row.New))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// rate returns the megabytes per second of an operation with this time, or "" for a row without
// bytes.
func (r Row) rate(seconds float64) string {
	if r.Bytes == 0 || !strings.HasPrefix(r.Unit, "sec/") || !(seconds > 0) {
		return ""
	}
	return text.Figure(r.Bytes / 1e6 / seconds)
}

// codeText returns the result of comparing machine code, or "" if it is unknown.
func (r Row) codeText() string {
	if r.Code == UnknownCode {
		return ""
	}
	return string(r.Code)
}

// margin prints the larger distance of the change from the ends of its interval.
func (r Row) margin() string {
	margin := max(r.Hi-r.Delta, r.Delta-r.Lo)
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

// Interval prints the interval, or nothing where there is none.
func (r Row) Interval() string {
	if math.IsNaN(r.Lo) || math.IsNaN(r.Hi) {
		return ""
	}
	return fmt.Sprintf("[%s, %s]", percent(r.Lo), percent(r.Hi))
}

// percent prints a relative change.
func percent(x float64) string {
	switch {
	case math.IsNaN(x):
		return ""
	case math.IsInf(x, 0) || x > 1e6:
		return "+∞"
	case x <= -1:
		return "-100%"
	}
	return text.Percent(x)
}

// scales are the prefixes of times.
var scales = []struct {
	factor float64
	unit   string
}{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}

// value prints a figure of a unit as people read it: "1.21 µs".
func value(x float64, unit string) string {
	if math.IsNaN(x) {
		return ""
	}
	if !strings.HasPrefix(unit, "sec/") {
		return text.GroupedFigure(x)
	}
	for _, scale := range scales {
		if x >= scale.factor {
			return text.Figure(x/scale.factor) + " " + scale.unit
		}
	}
	return text.Figure(x*1e9) + " ns"
}

// Remarks returns the information outside the table: packages, the geometric mean, the reasons
// of undecided rows, and notes.
func (r *Report) Remarks() []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if same := r.inState(IdenticalState); len(same) > 0 {
		add("Unchanged, and not measured: %s.", someOf(paths(same)))
	}
	for _, p := range r.inState(Failed) {
		add("%s failed: %s", p.Path, p.Error)
	}
	if gone := r.inState(MissingState); len(gone) > 0 {
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
		if row.Reason == "" {
			continue
		}
		reason := fmt.Sprintf("%s: %s", row.Verdict, row.Reason)
		if reasons[reason] == nil {
			order = append(order, reason)
		}
		reasons[reason] = append(reasons[reason], row.Name)
	}
	for _, reason := range order {
		add("%s (%s).", strings.ToUpper(reason[:1])+reason[1:], someOf(reasons[reason]))
	}
	if s := r.Suite; s != nil {
		add("All together, the geometric mean of %d: %s [%s, %s], %s.", s.Benchmarks, percent(s.Delta), percent(s.Lo), percent(s.Hi), s.Verdict)
	}
	for _, note := range r.Notes {
		add("Note: %s.", note)
	}
	return lines
}

// Summary is the last word.
func (r *Report) Summary() string {
	limit := fmt.Sprintf("%.3g %%", 100*r.Limit)
	rows, slower := len(r.Rows), r.with(verdict.Slower)
	open := len(r.with(verdict.Undecided)) + len(r.with(verdict.Missing)) + len(r.inState(Failed)) + len(r.inState(MissingState))
	counts := ""
	if rows > 0 {
		counts = fmt.Sprintf(" %s, %d rounds, %v. False alarms of all together: at most %.3g %%.", text.Plural(rows, "row"), r.Rounds,
			time.Duration(r.Seconds*1e9).Round(time.Second), 100*r.Alpha)
	}
	switch {
	case r.Verdict == verdict.Slower && len(slower) > 0:
		return fmt.Sprintf("Slower: %s.%s", someOf(changes(slower)), counts)
	case r.Verdict == verdict.Slower:
		return fmt.Sprintf("Slower: all benchmarks together, by %s.%s", percent(r.Suite.Delta), counts)
	case r.Interrupted:
		return fmt.Sprintf("Interrupted: %d undecided.%s", open, counts)
	case r.Verdict == verdict.Undecided:
		return fmt.Sprintf("Undecided: %d of what was compared.%s", open, counts)
	case r.Verdict == verdict.Nothing:
		return "Nothing was measured: no benchmark runs on both sides."
	case rows == 0 && len(r.inState(IdenticalState)) == len(r.Packages):
		return fmt.Sprintf("Pass: nothing that is measured has changed in %s.", text.Plural(len(r.Packages), "package"))
	}
	return fmt.Sprintf("Pass: nothing is slower by %s or more.%s", limit, counts)
}

// Short returns the verdict and the names of the rows and packages that caused it.
func (r *Report) Short() string {
	rows := slices.Concat(r.with(verdict.Undecided), r.with(verdict.Missing))
	if r.Verdict == verdict.Slower {
		rows = r.with(verdict.Slower)
	}
	names := text.List(rows, func(r Row) string { return r.Name })
	names = append(names, paths(slices.Concat(r.inState(Failed), r.inState(MissingState)))...)
	if r.Verdict == verdict.Nothing {
		return r.Summary()
	}
	return fmt.Sprintf("%s: %s", r.Verdict, text.Plain(someOf(names)))
}

// changes names rows with their changes.
func changes(rows []Row) []string {
	return text.List(rows, func(r Row) string { return fmt.Sprintf("%s %s %s", r.Name, percent(r.Delta), r.Unit) })
}

func paths(packages []*Package) []string {
	return text.List(packages, func(p *Package) string { return p.Path })
}

// someOf lists the first few.
func someOf(names []string) string { return text.Some(names, 5) }

//go:embed page.html.tmpl
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"percent": percent, "value": value, "plain": text.Plain, "class": func(v any) string { return fmt.Sprint(v) },
}).Parse(pageText))
