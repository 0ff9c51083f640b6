package record

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// columns are those of a terminal.
const columns = 80

// Legend explains every table's figures.
const Legend = "Medians of samples taken in one run in random order. A speedup is the baseline's time over that of " +
	"the row, from samples of the same round, ± how far its 95 % confidence interval reaches; " +
	"~ marks an interval that includes 1: no difference shown."

// line is a row's line in a table: of its engine, or of its benchmark.
func (r Row) line() string {
	if r.Level != "" {
		return r.Engine
	}
	return strings.TrimSuffix(r.Name, "/pieces="+r.Keys["pieces"])
}

// column is its column there: of its level or number of pieces, "" for the only one.
func (r Row) column() string { return cmp.Or(r.Level, r.Keys["pieces"]) }

// Table is the table of the rows of one suite: medians, other figures and one or two speedups: of the
// game, or of the first column and the game.
func Table(rows []Row, speedups int) text.Table {
	t := text.Table{Header: []string{"benchmark"}}
	if rows[0].Level != "" {
		t.Header[0] = "engine"
	}
	for _, line := range distinct(rows, Row.line) {
		t.Add(line)
	}
	groups := text.Groups(rows, Row.column)
	unitOf := func(r Row) string { return r.Unit }
	one := len(distinct(rows, unitOf)) == 1
	for _, group := range groups {
		column, units := group[0].column(), distinct(group, unitOf)
		title := units[0]
		switch {
		case column != "" && (one || slices.Contains(t.Header, title)) && len(groups) > 1:
			title = column
		case len(units) > 1:
			title = "median"
		}
		addColumn(&t, title, group, func(r Row) string { return text.Figure(r.Median) })
		if column == "moves" && slices.Contains(t.Header, "ns/turn") {
			addColumn(&t, "% of turn", group, func(r Row) string { return r.shareOfTurn(rows) })
		}
		if len(units) > 1 {
			addColumn(&t, "unit", group, unitOf)
		}
	}
	for _, unit := range metrics(rows) {
		addColumn(&t, unit, rows, func(r Row) string { return r.metric(unit) })
	}
	for _, group := range speedupColumns(groups, speedups) {
		addColumn(&t, strings.TrimSpace(group[0].column()+" speedup"), group, Row.speedup)
	}
	return t
}

// shareOfTurn prints the time of a row as a share of its engine's turn, in per cent.
func (r Row) shareOfTurn(rows []Row) string {
	for _, turn := range rows {
		if turn.Engine == r.Engine && turn.Level == "turn" {
			return fmt.Sprintf("%.0f", 100*r.Median/turn.Median)
		}
	}
	return "-"
}

// addColumn adds a column of the first of some rows of each line.
func addColumn(t *text.Table, title string, rows []Row, cell func(Row) string) {
	t.Header = append(t.Header, title)
	for i, cells := range t.Rows {
		shown := "-"
		for _, r := range rows {
			if r.line() == cells[0] && shown == "-" {
				shown = cell(r)
			}
		}
		t.Rows[i] = append(cells, shown)
	}
}

// AddCounts adds the instructions of engines to a table with a line for each, and the instructions in
// a nanosecond of the row's time. It reports whether a row has any.
func AddCounts(t *text.Table, rows []Row) (added bool) {
	for _, work := range []string{"eval", "game"} {
		unit := Instructions + work
		counted := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Metrics[unit] <= 0 })
		if len(counted) == 0 {
			continue
		}
		addColumn(t, unit, counted, func(r Row) string { return text.Count(r.Metrics[unit]) })
		addColumn(t, "instructions/ns", counted, func(r Row) string {
			return text.Figure(r.Metrics[unit] / (r.Median * report.Nanoseconds(r.Unit)))
		})
		added = true
	}
	return added
}

// metric prints one of the other figures, "-" without it.
func (r Row) metric(unit string) string {
	switch x, ok := r.Metrics[unit]; {
	case !ok:
		return "-"
	case x >= 1000:
		return text.Count(x)
	default:
		return text.Figure(x)
	}
}

// metrics are the units of the other figures in a table: some of those of the rows.
func metrics(rows []Row) (units []string) {
	for _, r := range rows {
		for _, unit := range slices.Sorted(maps.Keys(r.Metrics)) {
			shown := unit == "games/s" || unit == "efficiency" || strings.HasPrefix(unit, "nodes/") && unit != "nodes/s"
			if shown && !slices.Contains(units, unit) {
				units = append(units, unit)
			}
		}
	}
	return units
}

// speedupColumns returns at most n columns with a baseline: the first, the smallest work, and the
// game, the whole.
func speedupColumns(groups [][]Row, n int) [][]Row {
	groups = slices.DeleteFunc(slices.Clone(groups), func(g []Row) bool {
		return !slices.ContainsFunc(g, func(r Row) bool { return r.Baseline != "" })
	})
	if len(groups) <= 1 {
		return groups
	}
	second := max(1, slices.IndexFunc(groups, func(g []Row) bool { return g[0].Level == "game" }))
	return [][]Row{groups[0], groups[second]}[2-n:]
}

// speedup prints how many times as fast as the baseline a row is, and how far its
// interval reaches: "x27.1 ±0.4%", with "~" in front when it includes 1.
func (r Row) speedup() string {
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
	percent := math.Ceil(1000*max(r.RatioHi-r.Ratio, r.Ratio-r.RatioLo)/r.Ratio) / 10
	digits := 1
	if percent >= 10 {
		digits = 0
	}
	return fmt.Sprintf("%s%s ±%.*f%%", mark, text.Times(r.Ratio), digits, percent)
}

// WriteText writes the results for a terminal of 80 columns.
func (r Results) WriteText(w io.Writer) error {
	out := &text.Writer{To: w}
	fmt.Fprintf(out, "%s, %s/%s, %s\n", r.CPU, r.OS, r.Arch, r.built())
	for _, rows := range text.Groups(r.Rows, Row.suite) {
		fmt.Fprintf(out, "%s: %s\n\n", rows[0].Suite, r.header(rows))
		t := Table(rows, 2)
		if t.Width() > columns {
			t = Table(rows, 1)
			t.Narrow = t.Width() > columns
		}
		_ = t.WriteText(out) // out remembers its error
		fmt.Fprintln(out)
		counts := text.Table{Header: []string{"engine"}}
		for _, engine := range distinct(rows, func(r Row) string { return r.Engine }) {
			counts.Add(engine)
		}
		if AddCounts(&counts, rows) {
			fmt.Fprintf(out, "counted by %s\n\n", r.Counter)
			_ = counts.WriteText(out)
			fmt.Fprintln(out)
		}
	}
	for _, s := range r.NotCounted {
		fmt.Fprintf(out, "%s not counted: %s\n", text.Plain(s.Engine), s.Reason)
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(out, "%s skipped: %s\n", text.Plain(s.Engine), s.Reason)
	}
	fmt.Fprintln(out, text.Wrap(Legend, "", columns))
	if r.Interrupted {
		fmt.Fprintln(out, "The run was interrupted; these samples were complete.")
	}
	return out.Err
}

// header describes how the rows of a suite were measured.
func (r Results) header(rows []Row) string {
	s := fmt.Sprintf("%s of %s, by the %s clock, seed %d", text.Plural(rows[0].Samples, "sample"), rows[0].BenchTime,
		rows[0].Clock, r.Seed)
	if base := distinct(rows, func(row Row) string { return row.Baseline }); len(base) == 1 {
		s += ", baseline " + base[0]
	}
	return s
}
