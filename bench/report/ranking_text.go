package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// title names a group, with its package if there are several.
func (r *Ranking) title(g *RankedGroup) string {
	if slices.ContainsFunc(r.Groups, func(other RankedGroup) bool { return other.Package != g.Package }) {
		return g.Package + "." + g.Name
	}
	return g.Name
}

// table makes the table of a group: an implementation a line, the fastest first.
func (r *Ranking) table(g *RankedGroup) text.Table {
	units := g.units()
	primary := g.primary()
	t := text.Table{Header: []string{r.Key, primary[0].unitText(), "ratio", "interval"}}
	for i, unit := range units {
		if i > 0 {
			t.Header = append(t.Header, unit)
		}
	}
	t.Header = append(t.Header, "verdict")
	for _, row := range primary {
		if row.Verdict == verdict.NotJudged && math.IsNaN(float64(row.Figure)) {
			continue // a line below the table
		}
		cells := []string{row.Value, Figure(row.Figure, row.Unit), row.ratioText(), row.intervalText()}
		for _, unit := range units[1:] {
			cell := ""
			for _, other := range g.Rows {
				if other.Value == row.Value && other.Unit == unit {
					cell = Figure(other.Figure, unit)
				}
			}
			cells = append(cells, cell)
		}
		t.Add(append(cells, string(row.Verdict))...)
	}
	return t
}

// ratioText prints a ratio with three digits after the point below 10: "1.053".
func (r *RankedRow) ratioText() string {
	if math.IsNaN(float64(r.Ratio)) {
		return ""
	}
	return ratioFigure(float64(r.Ratio))
}

// intervalText prints the interval of a ratio: "[1.041, 1.066]".
func (r *RankedRow) intervalText() string {
	switch {
	case math.IsNaN(float64(r.Lo)), r.Ratio == 1 && r.Lo == 1 && r.Hi == 1:
		return ""
	}
	return "[" + ratioFigure(float64(r.Lo)) + ", " + ratioFigure(float64(r.Hi)) + "]"
}

// ratioFigure prints a ratio with at most four digits.
func ratioFigure(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "∞"
	case x > 0 && x < 0.1:
		return fmt.Sprintf("%.3g", x)
	case x < 9.9995:
		return fmt.Sprintf("%.3f", x)
	case x < 99.995:
		return fmt.Sprintf("%.2f", x)
	case x < 999.95:
		return fmt.Sprintf("%.1f", x)
	}
	return text.Count(math.Round(x))
}

// absentLines describe the implementations of a group without figures, and those that are not judged, by reason.
func absentLines(g *RankedGroup) []string {
	absent := filter(g.primary(), func(row RankedRow) bool {
		return row.Reason != "" && (row.Verdict == verdict.NotJudged || math.IsNaN(float64(row.Figure)))
	})
	return text.List(text.Groups(absent, func(row RankedRow) string { return row.Reason }), func(rows []RankedRow) string {
		return fmt.Sprintf("%s: %s", rows[0].Reason, text.Some(text.List(rows, func(row RankedRow) string { return row.Value }), 20))
	})
}

// Summary is the last line: the verdict, and what the run took.
func (r *Ranking) Summary() string {
	n, undecided := 0, []string{}
	for i := range r.Groups {
		g := &r.Groups[i]
		for _, row := range g.primary() {
			if !math.IsNaN(float64(row.Figure)) {
				n++
			}
			if row.Verdict == verdict.Undecided {
				undecided = append(undecided, r.title(g)+" "+row.Value)
			}
		}
	}
	var parts []string
	if r.Interrupted {
		parts = append(parts, "Interrupted.")
	}
	if r.Fastest != "" {
		parts = append(parts, r.describeDemand())
	}
	if r.Incomplete {
		parts = append(parts, "Incomplete: a package or a benchmark fails.")
	}
	if len(undecided) > 0 {
		parts = append(parts, fmt.Sprintf("Undecided: %s.", someOf(undecided)))
	}
	best := "fastest"
	if len(r.Groups) > 0 && r.Groups[0].Rows[0].Unit == CountUnit {
		best = "fewest instructions"
	}
	parts = append(parts, fmt.Sprintf("%s in %s; equal: within %.3g %% of the %s.",
		text.Plural(n, "implementation"), text.Plural(len(r.Groups), "group"), 100*r.Limit, best))
	if r.Rounds > 0 {
		parts = append(parts, fmt.Sprintf("The run took %s and %.0f s.", text.Plural(r.Rounds, "round"), r.Seconds))
	}
	isByTime := func(row RankedRow) bool { return row.Judge == verdict.ByTime }
	if slices.ContainsFunc(r.Groups, func(g RankedGroup) bool { return slices.ContainsFunc(g.Rows, isByTime) }) {
		parts = append(parts, fmt.Sprintf("All ratios lie in their intervals in %.3g %% of runs.", 100*(1-r.Alpha)))
	}
	return strings.Join(parts, " ")
}

// describeDemand tells whether the demanded implementation is the fastest.
func (r *Ranking) describeDemand() string {
	var beaten []string
	for i := range r.Groups {
		for _, row := range r.Groups[i].primary() {
			if row.Value == r.Fastest && row.Verdict == verdict.Slower {
				beaten = append(beaten, r.title(&r.Groups[i]))
			}
		}
	}
	switch {
	case len(beaten) > 0:
		return fmt.Sprintf("Slower: %s is not the fastest in %s.", r.Fastest, someOf(beaten))
	case r.Verdict == verdict.Pass:
		return fmt.Sprintf("Pass: nothing is faster than %s by more than the limit.", r.Fastest)
	}
	return fmt.Sprintf("Undecided: whether something is faster than %s.", r.Fastest)
}

// describe returns the title, and the machine with the settings.
func (r *Ranking) describe() (title, machine string) {
	where := shortCommit(r.Commit)
	if r.WorkTree || r.Commit == "" {
		where = "the work tree"
	}
	return fmt.Sprintf("Implementations by %s in %s", r.Key, where), r.Measurement.describe()
}

// writeText writes the ranking for a terminal.
func (r *Ranking) writeText(out *text.Writer) {
	write := func(line string) { fmt.Fprintln(out, text.Wrap(text.Plain(line), "", columns)) }
	title, machine := r.describe()
	write(title)
	write(machine)
	for i := range r.Groups {
		g := &r.Groups[i]
		fmt.Fprintf(out, "\n%s\n", text.Plain(r.title(g)))
		_ = r.table(g).WriteText(out) // out remembers its error
		for _, line := range absentLines(g) {
			write(line)
		}
	}
	fmt.Fprintln(out)
	for _, note := range r.Notes {
		write(note)
	}
	write(r.Summary())
}

// writeMarkdown writes the ranking for a comment.
func (r *Ranking) writeMarkdown(out *text.Writer) {
	fmt.Fprintf(out, "**%s**\n", text.Markdown(text.Plain(r.Summary())))
	for i := range r.Groups {
		g := &r.Groups[i]
		fmt.Fprintf(out, "\n%s\n\n", text.Markdown(text.Plain(r.title(g))))
		_ = r.table(g).WriteMarkdown(out) // out remembers its error
		for _, line := range absentLines(g) {
			fmt.Fprintf(out, "\n%s\n", text.Markdown(text.Plain(line)))
		}
	}
	title, machine := r.describe()
	fmt.Fprintln(out)
	for _, line := range append([]string{title, machine}, r.Notes...) {
		fmt.Fprintf(out, "- %s\n", text.Markdown(strings.ReplaceAll(text.Lines(line), "\n", " ")))
	}
}

// page makes the page: a table and a forest plot for each group.
func (r *Ranking) page() *Page {
	title, machine := r.describe()
	p := &Page{Title: text.Plain(title), Sentences: []string{text.Plain(r.Summary())}}
	for i := range r.Groups {
		g := &r.Groups[i]
		t := PageTable{Caption: text.Plain(strings.Join(append([]string{r.title(g)}, absentLines(g)...), "; ")),
			Header: []string{r.Key, "ratio", "unit", "figure", "n", "verdict"}}
		for _, row := range g.Rows {
			if math.IsNaN(float64(row.Figure)) {
				continue // in the caption
			}
			class := map[verdict.Verdict]string{verdict.Slower: "bad", verdict.Undecided: "open", verdict.Fastest: "good"}[row.Verdict]
			t.Rows = append(t.Rows, PageRow{Class: class, Delta: float64(row.Ratio) - 1, Lo: float64(row.Lo) - 1, Hi: float64(row.Hi) - 1,
				Limit: r.Limit, Cells: []PageCell{TextCell(row.Value),
					NumberCell(strings.TrimSpace(row.ratioText()+" "+row.intervalText()), row.Ratio), TextCell(row.unitText()),
					NumberCell(Figure(row.Figure, row.Unit), row.Figure), NumberCell(fmt.Sprint(row.N), float64(row.N)),
					TextCell(string(row.Verdict))}})
		}
		p.Tables = append(p.Tables, t)
	}
	for _, line := range append([]string{machine}, r.Notes...) {
		if line != "" {
			p.Notes = append(p.Notes, text.Plain(strings.ReplaceAll(line, "\n", " ")))
		}
	}
	return p
}

// unitText is the unit, with a time's clock.
func (r *RankedRow) unitText() string { return (&Row{Unit: r.Unit, Clock: r.Clock}).unitText() }
