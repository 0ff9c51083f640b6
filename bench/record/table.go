package record

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// columns are those of a terminal.
const columns = 80

// legend explains the figures of every table.
const legend = "Medians of samples taken in one run in random order. A speedup is the baseline's time over that of the row, from samples " +
	"of the same round, ± how far its 95 % confidence interval reaches; ~ marks an interval that includes 1: no difference shown."

// maxSpeedups is how many columns of speedups a table has: the first level and the game,
// the smallest and the whole.
const maxSpeedups = 2

// grid is the layout of the rows of a suite: a line for each benchmark, or for each
// engine with a column for each level or number of pieces.
type grid struct {
	heading string // of the lines
	lines   []string
	levels  []string // columns; "" alone where a line is a benchmark
	cells   map[[2]string]Row
}

func newGrid(rows []Row) grid {
	g := grid{heading: "benchmark", cells: make(map[[2]string]Row)}
	for _, r := range rows {
		line, level := r.place()
		if r.Level != "" {
			g.heading = "engine"
		}
		if !slices.Contains(g.lines, line) {
			g.lines = append(g.lines, line)
		}
		if !slices.Contains(g.levels, level) {
			g.levels = append(g.levels, level)
		}
		g.cells[[2]string{line, level}] = r
	}
	return g
}

// place is the line and the column of a row.
func (r Row) place() (line, column string) {
	pieces := r.Keys["pieces"]
	switch {
	case r.Level != "":
		return r.Engine, r.Level
	case pieces != "":
		return strings.TrimSuffix(r.Name, "/pieces="+pieces), pieces
	}
	return r.Name, ""
}

// headings are those of the columns of levels: the unit, or the level where another
// column has the same unit.
func (g grid) headings() (headings []string) {
	same := len(g.levels) > 1 && !slices.ContainsFunc(g.levels, func(l string) bool { return g.unit(l) != g.unit(g.levels[0]) })
	for _, level := range g.levels {
		heading := g.unit(level)
		if same || slices.Contains(headings, heading) {
			heading = level
		}
		headings = append(headings, heading)
	}
	return headings
}

// unit is the common unit of a column, or "" when there are several.
func (g grid) unit(level string) string {
	unit := ""
	for _, line := range g.lines {
		row := g.cells[[2]string{line, level}]
		unit = cmp.Or(unit, row.Unit)
		if row.Unit != "" && row.Unit != unit {
			return ""
		}
	}
	return unit
}

// metrics are the units of the other figures in a table.
func (g grid) metrics() []string {
	var units []string
	for _, line := range g.lines {
		for _, level := range g.levels {
			for _, unit := range slices.Sorted(maps.Keys(g.cells[[2]string{line, level}].Metrics)) {
				if isShown(unit) && !slices.Contains(units, unit) {
					units = append(units, unit)
				}
			}
		}
	}
	return units
}

// isShown reports whether a table has a column for a metric.
func isShown(unit string) bool {
	work, _, _ := strings.Cut(unit, "/")
	return unit == "games/s" || work == "nodes" && unit != "nodes/s" || unit == "efficiency"
}

// speedups are the levels whose speedups a table shows.
func (g grid) speedups() []string {
	levels := slices.DeleteFunc(slices.Clone(g.levels), func(level string) bool {
		return !slices.ContainsFunc(g.lines, func(line string) bool { return g.cells[[2]string{line, level}].Baseline != "" })
	})
	if len(levels) > maxSpeedups {
		if at := slices.Index(levels, "game"); at > 0 {
			levels[1] = levels[at]
		}
		levels = levels[:maxSpeedups]
	}
	return levels
}

// Table is the table of the rows of one suite: medians, other figures and speedups.
func Table(rows []Row) text.Table {
	g := newGrid(rows)
	return g.table(g.speedups())
}

// table shows the speedups of some levels.
func (g grid) table(speedups []string) text.Table {
	t := text.Table{Header: []string{g.heading}}
	several := len(g.levels) == 1 && g.unit(g.levels[0]) == ""
	t.Header = append(t.Header, g.headings()...)
	if several {
		t.Header[1] = "median"
		t.Header = append(t.Header, "unit")
	}
	metrics := g.metrics()
	t.Header = append(t.Header, metrics...)
	for _, level := range speedups {
		t.Header = append(t.Header, strings.TrimSpace(level+" speedup"))
	}
	for _, line := range g.lines {
		t.Add(g.line(line, several, metrics, speedups)...)
	}
	return t
}

// line fills in a line of a table.
func (g grid) line(line string, several bool, metrics, speedups []string) []string {
	cells := []string{line}
	var row Row
	for _, level := range g.levels {
		var ok bool
		if row, ok = g.cells[[2]string{line, level}]; !ok {
			cells = append(cells, "-")
			continue
		}
		cells = append(cells, text.Figure(row.Median))
	}
	if several {
		cells = append(cells, row.Unit)
	}
	for _, unit := range metrics {
		cells = append(cells, g.metric(line, unit))
	}
	for _, level := range speedups {
		cells = append(cells, g.cells[[2]string{line, level}].Speedup())
	}
	return cells
}

// metric is the first figure of a line in a unit.
func (g grid) metric(line, unit string) string {
	for _, level := range g.levels {
		if x, ok := g.cells[[2]string{line, level}].Metrics[unit]; ok {
			if x >= 1000 {
				return text.Count(x)
			}
			return text.Figure(x)
		}
	}
	return "-"
}

// Speedup prints how many times as fast as the baseline a row is, and how far its
// interval reaches: "x27.1 ±0.4%", with "~" in front when it includes 1.
func (r Row) Speedup() string {
	switch {
	case r.Baseline == "" || r.Ratio <= 0:
		return "-"
	case r.RatioLo == 1 && r.RatioHi == 1:
		return "x1"
	}
	mark := ""
	if r.RatioLo <= 1 && r.RatioHi >= 1 {
		mark = "~"
	}
	return fmt.Sprintf("%s%s ±%s", mark, text.Times(r.Ratio), reachText(max(r.RatioHi-r.Ratio, r.Ratio-r.RatioLo)/r.Ratio))
}

// reachText prints a part as a percentage, rounded up.
func reachText(part float64) string {
	percent := math.Ceil(1000*part) / 10
	if percent >= 10 {
		return fmt.Sprintf("%.0f%%", percent)
	}
	return fmt.Sprintf("%.1f%%", percent)
}

// terminalTable is the table for a terminal, with as many speedups as fit.
func terminalTable(rows []Row) text.Table {
	g := newGrid(rows)
	speedups := g.speedups()
	for {
		t := g.table(speedups)
		if t.Width() > columns && len(speedups) > 1 {
			speedups = speedups[1:]
			continue
		}
		t.Narrow = t.Width() > columns
		return t
	}
}

// Suites lists the suites of the rows.
func (r Results) Suites() []string {
	return Distinct(r.Rows, func(row Row) string { return row.Suite })
}

// WriteText writes the results for a terminal of 80 columns.
func (r Results) WriteText(w io.Writer) error {
	out := &text.Writer{To: w}
	fmt.Fprintf(out, "%s, %s/%s, %s\n", r.CPU, r.OS, r.Arch, r.Built())
	for _, suite := range r.Suites() {
		rows := OfSuite(r.Rows, suite)
		fmt.Fprintf(out, "%s: %s\n\n", suite, r.header(rows))
		_ = terminalTable(rows).WriteText(out) // out remembers its error
		fmt.Fprintln(out)
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(out, "%s skipped: %s\n", text.Plain(s.Engine), s.Reason)
	}
	fmt.Fprintln(out, text.Wrap(Legend(r.Rows), "", columns))
	if r.Interrupted {
		fmt.Fprintln(out, "The run was interrupted; these samples were complete.")
	}
	return out.Err
}

// header describes how the rows of a suite were measured.
func (r Results) header(rows []Row) string {
	s := fmt.Sprintf("%s, seed %d", text.Plural(rows[0].Samples, "sample"), r.Seed)
	if rows[0].BenchTime != "" {
		s = fmt.Sprintf("%s of %s, seed %d", text.Plural(rows[0].Samples, "sample"), rows[0].BenchTime, r.Seed)
	}
	if base := Distinct(rows, func(row Row) string { return row.Baseline }); len(base) == 1 {
		s += ", baseline " + base[0]
	}
	return s
}

// Legend explains the figures of the tables of rows.
func Legend(rows []Row) string {
	text := legend
	has := func(is func(Row) bool) bool { return slices.ContainsFunc(rows, is) }
	if has(func(row Row) bool { return row.Clock == "cpu" }) {
		text += " Times are CPU time: the time of other programs does not count."
	}
	if has(func(row Row) bool { return row.Level == "turn" && row.Metrics["lanes"] > 0 }) {
		text += " Turns of engines that play games side by side are measured in whole games."
	}
	if has(func(row Row) bool { return row.Level == "match" }) {
		text += " match: us/game between two brains that differ."
	}
	return text
}
