package compare

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// writeText writes the report for a terminal: the rows that do not pass, the reasons, and the
// number that pass.
func (g *Report) writeText(w io.Writer) {
	if t := g.table(); len(t.Rows) > 0 {
		t.WriteText(w)
		fmt.Fprintln(w)
	}
	for _, reason := range g.reasons() {
		fmt.Fprintf(w, "%s.\n", reason)
	}
	fmt.Fprintf(w, "%s\n", g.summary())
	for _, note := range g.Notes {
		fmt.Fprintf(w, "%s.\n", note)
	}
}

// writeMarkdown writes the same for a comment on a change.
func (g *Report) writeMarkdown(w io.Writer) {
	t := g.table()
	if len(t.Rows) > 0 {
		t.WriteMarkdown(w)
		fmt.Fprintln(w)
	}
	for _, reason := range g.reasons() {
		fmt.Fprintf(w, "- %s.\n", text.Markdown(reason))
	}
	fmt.Fprintf(w, "\n%s\n", g.summary())
	for _, note := range g.Notes {
		fmt.Fprintf(w, "\n%s.\n", text.Markdown(note))
	}
}

// table lists the rows that do not pass.
func (g *Report) table() text.Table {
	t := text.Table{Header: []string{"benchmark", "unit", "delta", "95 % interval", "p, corrected", "detectable", "samples", "verdict"}}
	for _, r := range g.Rows {
		if r.Finding.Verdict == verdict.Pass {
			continue
		}
		samples := fmt.Sprint(r.N1)
		if r.N1 != r.N2 {
			samples = fmt.Sprintf("%d+%d", r.N1, r.N2)
		}
		t.Rows = append(t.Rows, append([]string{r.Benchmark, r.Unit}, r.Finding.cells(samples)...))
	}
	return t
}

// cells returns the columns of a finding. For an undecided one, the sample columns give the
// number of samples needed.
func (f Finding) cells(samples string) []string {
	detectable := "nothing"
	if !math.IsInf(f.Detectable, 0) {
		detectable = fmt.Sprintf("%.2f%%", 100*f.Detectable)
	}
	if f.Verdict == verdict.Undecided && f.Needed > 0 {
		samples = strings.TrimSpace(fmt.Sprintf("%s of %s", samples, text.Count(float64(f.Needed))))
	}
	if math.IsNaN(f.Delta) {
		return []string{"", "", "", "", "", string(f.Verdict)}
	}
	return []string{text.Percent(f.Delta), fmt.Sprintf("[%s, %s]", text.Percent(f.Lo), text.Percent(f.Hi)),
		fmt.Sprintf("%.3f", f.Holm), detectable, samples, string(f.Verdict)}
}

// reasons explains once for all similar rows why they are undecided.
func (g *Report) reasons() []string {
	var reasons []string
	names := make(map[string][]string)
	for _, r := range g.Rows {
		if r.Verdict != verdict.Undecided {
			continue
		}
		reason := "undecided: " + r.Reason
		if names[reason] == nil {
			reasons = append(reasons, reason)
		}
		names[reason] = append(names[reason], r.Benchmark)
	}
	for i, reason := range reasons {
		reasons[i] = fmt.Sprintf("%s (%s)", reason, text.Some(names[reason], 3))
	}
	if slices.ContainsFunc(g.With(verdict.Undecided), func(r Judged) bool { return !r.missing }) {
		reasons = append(reasons, fmt.Sprintf("detectable is the smallest change that the samples would show with a probability of %.0f %%; 20 of 80 samples: about 80 a side would show one of %.3g %%",
			100*g.Power, 100*g.MaxRegress))
	}
	return reasons
}

// summary is the last word.
func (g *Report) summary() string {
	limit := fmt.Sprintf("%.3g %%", 100*g.MaxRegress)
	regressed, undecided := len(g.With(verdict.Regression)), len(g.With(verdict.Undecided))
	text := fmt.Sprintf("%d of %d pass: not worse by more than %s", len(g.Rows)-regressed-undecided, len(g.Rows), limit)
	if regressed > 0 {
		text += fmt.Sprintf("; %d regressed", regressed)
	}
	if undecided > 0 {
		text += fmt.Sprintf("; %d undecided", undecided)
	}
	condition := "provided that the machine did not change its speed between the two sides"
	if !slices.ContainsFunc(g.Rows, func(r Judged) bool { return !r.Paired && !r.missing }) {
		condition = "whatever the machine did"
	}
	return text + fmt.Sprintf(". False alarms of all together: at most %.3g %%, %s.", 100*g.Alpha, condition)
}
