package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// netRecord is the record of the suite nets.
type netRecord []experiment.Row

// regrets are the rows of regret at a number of plies, by their number of weights.
func (r netRecord) regrets(plies string) (rows []experiment.Row) {
	for _, row := range r {
		if strings.HasPrefix(row.Name, "Regret/") && row.Keys["plies"] == plies {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b experiment.Row) int { return cmp.Compare(weights(a), weights(b)) })
	return rows
}

func weights(row experiment.Row) float64 { return row.Metrics["weights"] }

// deep is the regret of the same net at 2 plies, 0 where there is none.
func (r netRecord) deep(of experiment.Row) float64 {
	for _, row := range r.regrets("2") {
		if row.Keys["net"] == of.Keys["net"] {
			return row.Median
		}
	}
	return 0
}

// time is the row of the time of a decision on the fastest engine, or a zero one.
func (r netRecord) time(of experiment.Row) (fastest experiment.Row) {
	for _, row := range r {
		if strings.HasPrefix(row.Name, "NetDecision/") && row.Keys["net"] == of.Keys["net"] && (fastest.Name == "" || row.Median < fastest.Median) {
			fastest = row
		}
	}
	return fastest
}

// isPublished reports whether a figure was not measured here.
func isPublished(row experiment.Row) bool { return strings.HasPrefix(row.Note, "published: ") }

// write writes the record as a table, and the sources of the nets.
func (r netRecord) write(w io.Writer) error {
	table := text.Table{Header: []string{"net", "weights", "regret, 1 ply", "2 plies", "optimal", "ns a decision"}}
	figure := func(format string, x float64) string {
		if x == 0 {
			return ""
		}
		return fmt.Sprintf(format, x)
	}
	for _, x := range r.regrets("1") {
		table.Add(x.Keys["net"], text.Count(weights(x)), fmt.Sprintf("%.4f", x.Median), figure("%.4f", r.deep(x)),
			figure("%.1f %%", 100*x.Metrics["optimal"]), figure("%.0f", r.time(x).Median))
	}
	if err := table.WriteMarkdown(w); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nTimes are CPU time on one core of %s.\n\nSources:\n\n", strings.Join(r.processors(), " or "))
	for _, x := range r.regrets("1") {
		source := x.Note
		if isPublished(x) {
			source = strings.Replace(source, "published: ", "published, not measured here: ", 1)
		} else if strings.HasPrefix(source, "ur ") {
			source = "`" + source + "`"
		}
		fmt.Fprintf(w, "- %s (%s weights): %s\n", x.Keys["net"], text.Count(weights(x)), source)
	}
	return nil
}

// processors lists the processors on which the times were measured.
func (r netRecord) processors() []string {
	return experiment.Distinct(r, func(row experiment.Row) string {
		if row.Provenance == nil || row.Unit != "ns/decision" {
			return ""
		}
		return row.Provenance.CPU
	})
}

// plot draws regret over weights.
func (r netRecord) plot() []byte {
	lines := plot.Lines{
		Text: plot.Text{
			Title: "Regret by number of weights", Subtitle: "ns a decision stand in the table",
			Caption: "Regret in percentage points a decision of perfect play, on a log axis.",
			Label:   "Regret of players by their number of weights.",
		},
		XAxis: "weights", Y: "regret, points", Log: true,
		Lines: []plot.Line{
			{Name: "distilled", Bridges: true}, {Name: "distilled, 2 plies", Bridges: true}, {Name: "by games"}, {Name: "brain"}, {Name: "published"},
		},
	}
	for _, x := range r.regrets("1") {
		lines.X = append(lines.X, strconv.Itoa(int(weights(x))))
		lines.At = append(lines.At, math.Log(weights(x)))
		for i, regret := range r.onLines(x) {
			value := plot.Interval{Middle: regret, Lo: regret, Hi: regret, Text: fmt.Sprintf("%.3f", regret)}
			lines.Lines[i].Values = append(lines.Lines[i].Values, value)
		}
	}
	return lines.SVG(true)
}

// onLines returns the regret that a net has on each line of the plot, 0 where it has none.
func (r netRecord) onLines(x experiment.Row) (regret [5]float64) {
	const distilled, deep, games, brain, published = 0, 1, 2, 3, 4
	switch {
	case isPublished(x):
		regret[published] = x.Median
	case strings.HasPrefix(x.Note, "ur train distill"):
		regret[distilled], regret[deep] = x.Median, r.deep(x)
	case x.Keys["net"] == "brain":
		regret[brain] = x.Median
	default:
		regret[games] = x.Median
	}
	return regret
}
