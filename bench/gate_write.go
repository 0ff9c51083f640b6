package bench

import (
	"fmt"
	"io"
	"math"
)

// writeText writes the report for a terminal: the rows that do not pass, and how
// many do.
func (g *GateReport) writeText(w io.Writer) {
	if t := g.table(); len(t.rows) > 0 {
		t.writeText(w)
		fmt.Fprintln(w)
	}
	for _, r := range g.Rows {
		if text := r.explanation(g.rule); text != "" {
			fmt.Fprintf(w, "%s, %s: %s.\n", r.Benchmark, r.Unit, text)
		}
	}
	fmt.Fprintf(w, "%s\n", g.summary())
	for _, note := range g.Notes {
		fmt.Fprintf(w, "%s.\n", note)
	}
}

// writeMarkdown writes the same for a comment on a change.
func (g *GateReport) writeMarkdown(w io.Writer) {
	t := g.table()
	for _, row := range t.rows {
		row[0] = escapeMarkdown(row[0])
	}
	if len(t.rows) > 0 {
		t.writeMarkdown(w)
		fmt.Fprintln(w)
	}
	for _, r := range g.Rows {
		if text := r.explanation(g.rule); text != "" {
			fmt.Fprintf(w, "- %s, %s: %s.\n", escapeMarkdown(r.Benchmark), r.Unit, text)
		}
	}
	fmt.Fprintf(w, "\n%s\n", g.summary())
	for _, note := range g.Notes {
		fmt.Fprintf(w, "\n%s.\n", escapeMarkdown(note))
	}
}

// table lists the rows that do not pass, or did not before they were measured again.
func (g *GateReport) table() table {
	t := table{header: []string{"benchmark", "unit", "delta", "95 % interval", "p, corrected", "detectable", "verdict"}}
	for _, r := range g.Rows {
		if r.Finding.Verdict == Passed {
			continue
		}
		t.rows = append(t.rows, []string{r.Benchmark, r.Unit, formatPercent(r.Delta),
			fmt.Sprintf("[%s, %s]", formatPercent(r.Lo), formatPercent(r.Hi)),
			fmt.Sprintf("%.3f", r.Holm), formatDetectable(r.Detectable), string(r.Finding.Verdict)})
		if c := r.Confirmation; c != nil && c.Finding != nil {
			f := c.Finding
			t.rows = append(t.rows, []string{"  measured again", c.Unit, formatPercent(f.Delta),
				fmt.Sprintf("[%s, %s]", formatPercent(f.Lo), formatPercent(f.Hi)),
				fmt.Sprintf("%.3f", f.Holm), formatDetectable(f.Detectable), string(f.Verdict)})
		}
	}
	return t
}

func formatDetectable(x float64) string {
	if math.IsInf(x, 0) {
		return "nothing"
	}
	return fmt.Sprintf("%.2f%%", 100*x)
}

// explanation says why a row is undecided, and what would decide it; or why it was
// not measured again.
func (r GateRow) explanation(rule GateRule) string {
	if c := r.Confirmation; c != nil && c.Finding == nil {
		return "not measured again: " + c.Reason
	}
	f := r.Finding
	if c := r.Confirmation; c != nil {
		f = *c.Finding
	}
	if f.Verdict != Undecided {
		return ""
	}
	text := f.Reason
	if f.Detectable > rule.MaxRegress && !math.IsInf(f.Detectable, 0) {
		text += fmt.Sprintf("; the smallest change that these samples show is %s", formatDetectable(f.Detectable))
	}
	if n := min(r.N1, r.N2); f.Needed > n {
		text += fmt.Sprintf("; about %d samples a side would do, in place of %d", f.Needed, n)
	}
	return text
}

// summary is the last word.
func (g *GateReport) summary() string {
	limit := fmt.Sprintf("%.3g %%", 100*g.MaxRegress)
	regressed, undecided := len(g.With(Regressed)), len(g.With(Undecided))
	text := fmt.Sprintf("%d of %d pass: not worse by more than %s", len(g.Rows)-regressed-undecided, len(g.Rows), limit)
	if regressed > 0 {
		text += fmt.Sprintf("; %d regressed", regressed)
	}
	if undecided > 0 {
		text += fmt.Sprintf("; %d undecided", undecided)
	}
	return text + fmt.Sprintf(". False alarms of all together: at most %.3g %%.", 100*g.Alpha)
}
