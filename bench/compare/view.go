package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/text"
	"golang.org/x/perf/benchunit"
)

// View selects and orders the rows of a comparison.
type View struct {
	Changed bool   // only rows with a side significantly different from the first
	Sort    string // "" in the order read, "name", or "delta": by change, the worst first
}

// Sorts returns the orders of a [View], besides that of the files.
func Sorts() []string { return []string{"name", "delta"} }

// View returns a comparison of the selected rows. Geometric means still cover all rows, and a
// note gives the number left out.
func (c *Comparison) View(v View) *Comparison {
	view := &Comparison{Sides: c.Sides, Notes: slices.Clone(c.Notes), Alpha: c.Alpha, Tested: c.Tested}
	hidden := 0
	for _, t := range c.Tables {
		rows := slices.Clone(t.Rows)
		if v.Changed {
			rows = slices.DeleteFunc(rows, func(r Row) bool { return !r.hasChanged() })
			hidden += len(t.Rows) - len(rows)
		}
		switch v.Sort {
		case "name":
			slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(a.Name, b.Name) })
		case "delta":
			slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(t.worst(b), t.worst(a)) })
		}
		if t.Rows = rows; len(rows) > 0 {
			view.Tables = append(view.Tables, t)
		}
	}
	if hidden > 0 {
		view.note("%s not shown, without a significant change", areRows(hidden))
	}
	return view
}

// areRows counts rows, with the verb: "1 row is", "2 rows are".
func areRows(n int) string {
	if n == 1 {
		return "1 row is"
	}
	return fmt.Sprintf("%d rows are", n)
}

// worst is the largest change for the worse of a row, -∞ without any. Of a unit
// whose direction is not known, more is taken for worse.
func (t Table) worst(r Row) float64 {
	worst := math.Inf(-1)
	for _, cell := range r.Cells {
		if cell.Change != nil {
			worst = max(worst, worsening(cell.Change.Delta, t.Better))
		}
	}
	return worst
}

// worsening turns a change so that more is worse.
func worsening(delta float64, better int) float64 {
	if better > 0 {
		return -delta
	}
	return delta
}

// text makes a table for the terminal or markdown.
func (t Table) text(sides []Side) text.Table {
	out := text.Table{Header: []string{t.Unit}}
	for side, s := range sides {
		out.Header = append(out.Header, s.Label)
		if side > 0 {
			out.Header = append(out.Header, "delta", "95 % interval", "p, samples")
		}
	}
	for _, row := range t.Rows {
		cells := []string{row.Name}
		scale := t.scaler(row)
		for side, cell := range row.Cells {
			cells = append(cells, cell.formatCenter(scale))
			if side > 0 {
				cells = append(cells, cell.Change.formatDelta(), cell.Change.formatInterval(), cell.Change.formatP())
			}
		}
		out.Rows = append(out.Rows, cells)
	}
	if t.Common > 1 {
		out.Rows = append(out.Rows, t.formatGeomeans())
	}
	return out
}

// scaler gives the figures of a row one scale, as benchstat does.
func (t Table) scaler(row Row) benchunit.Scaler {
	var centers []float64
	for _, cell := range row.Cells {
		if len(cell.Samples) > 0 {
			centers = append(centers, cell.Center)
		}
	}
	return benchunit.CommonScale(centers, benchunit.ClassOf(t.Unit))
}

// formatCenter prints the center with its interval: "791.1n ± 1%".
func (c Cell) formatCenter(scale benchunit.Scaler) string {
	if len(c.Samples) == 0 {
		return ""
	}
	return scale.Format(c.Center) + " ± " + c.summary.PctRangeString()
}

// formatDelta prints a change as benchstat does: "+7.17%", or "~" for an insignificant one.
func (c *Change) formatDelta() string {
	if c == nil {
		return ""
	}
	return c.comparison.FormatDelta(c.old, c.new)
}

// formatInterval prints the interval of a change.
func (c *Change) formatInterval() string {
	if c == nil || math.IsInf(c.Lo, 0) || math.IsInf(c.Hi, 0) || math.IsNaN(c.Lo) || math.IsNaN(c.Hi) {
		return ""
	}
	return fmt.Sprintf("[%s, %s]", text.Percent(c.Lo), text.Percent(c.Hi))
}

// formatP prints p and the numbers of samples as benchstat does: "p=0.001 n=10".
func (c *Change) formatP() string {
	if c == nil {
		return ""
	}
	return c.comparison.String()
}

// formatGeomeans makes the last row of a table.
func (t Table) formatGeomeans() []string {
	cells := []string{fmt.Sprintf("geomean of %d", t.Common)}
	class := benchunit.ClassOf(t.Unit)
	for side, mean := range t.Geomeans {
		center, delta := "", ""
		if mean > 0 {
			center = benchunit.Scale(mean, class)
		}
		if ratio := t.Ratios[side]; ratio > 0 {
			delta = text.Percent(ratio - 1)
		}
		cells = append(cells, center)
		if side > 0 {
			cells = append(cells, delta, "", "")
		}
	}
	return cells
}

// changedConfiguration returns the lines of configuration absent from the previous table.
func (c *Comparison) changedConfiguration(i int) []experiment.Configuration {
	var changed []experiment.Configuration
	for _, line := range c.Tables[i].configuration {
		if i == 0 || c.Tables[i-1].configured(line.Key) != line.Value {
			changed = append(changed, line)
		}
	}
	return changed
}

// byChance is the number of tested changes expected to be called worse if nothing had changed.
func (c *Comparison) byChance() string {
	changes := fmt.Sprintf("%d changes", c.Tested)
	if c.Tested == 1 {
		changes = "1 change"
	}
	expected := fmt.Sprintf("%.2g", c.expectedByChance())
	if c.expectedByChance() >= 10 {
		expected = fmt.Sprintf("%.0f", c.expectedByChance())
	}
	return fmt.Sprintf("Of the %s tested, about %s would look slower or otherwise worse by chance,\n"+
		"had nothing changed, and as many better.", changes, expected)
}

// legend explains the origin of the figures.
func (c *Comparison) legend() string {
	test := "the Mann-Whitney test"
	if slices.ContainsFunc(c.Tables, func(t Table) bool { return t.Paired }) {
		test = "a t-test on the ratios of pairs, where samples are pairs, and else of the Mann-Whitney test,"
	}
	legend := fmt.Sprintf("Medians and changes from %s, each with its 95 %% interval. ~ marks a change that is not\n"+
		"significant: p of %s is above %v.", c.Sides[0].Label, test, c.Alpha)
	if c.Tested > 0 {
		legend += "\n" + c.byChance()
	}
	return legend
}
