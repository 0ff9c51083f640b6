package record

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// historyPlot shows how speed went over commits.
var historyPlot = plotKind{
	name: "history",
	alt:  "Time per game in each recorded measurement, for each engine",
	draw: drawHistory,
	figures: func(r Record) pageTable {
		return pageTable{Table: cells(historyTable(r.History), historyLegend)}
	},
}

// drawHistory has a line for each engine over the measurements on record. It is
// broken where the work changed, since figures of other work must not be compared.
func drawHistory(r Record, label string) chart {
	runs := measurements(r.History)
	if len(runs) == 0 {
		return nil
	}
	first, last := runs[0][0].Provenance, runs[len(runs)-1][0].Provenance
	chart := plot.Lines{
		Text: plot.Text{
			Title:    "History over commits",
			Subtitle: fmt.Sprintf("%s, one core, %d on record, from %s to %s", r.Machine(), len(runs), day(first), day(last)),
			Caption: "Medians with their 95 % confidence intervals. The baseline is " + bench.Baseline + ": where it moves while its code does not, the machine did. " +
				"A + behind a commit marks files that were changed. Lines are broken where the work that is measured changed. The time is on a logarithmic axis.",
			Label: label,
		},
		XAxis: "commit",
		Y:     bench.Game.Unit(),
		Log:   true,
	}
	lines := make(map[string]int) // by engine
	work := ""
	for _, run := range runs {
		games := atLevel(run, bench.Game)
		if len(games) == 0 {
			continue
		}
		if work != "" && games[0].Signature != work {
			chart.X = append(chart.X, "(other work)")
		}
		work = games[0].Signature
		place := len(chart.X)
		chart.X = append(chart.X, runLabel(run[0].Provenance))
		for _, row := range games {
			at, ok := lines[row.Engine]
			if !ok {
				at = len(chart.Lines)
				lines[row.Engine] = at
				chart.Lines = append(chart.Lines, plot.Line{Name: row.Engine})
			}
			values := &chart.Lines[at].Values
			*values = append(*values, make([]plot.Interval, max(0, place+1-len(*values)))...)
			(*values)[place] = plotInterval(row.Median, row.Lo, row.Hi, " us/game")
		}
	}
	if len(chart.Lines) == 0 {
		return nil
	}
	return chart
}

// historyLegend explains a history's table.
const historyLegend = "us/game: medians of each measurement on record. A ratio is that of the fastest engine then to the baseline."

// atLevel are the rows of a level.
func atLevel(rows []experiment.Row, level bench.Level) (some []experiment.Row) {
	for _, row := range rows {
		if row.Level == string(level) {
			some = append(some, row)
		}
	}
	return some
}

// historyTable has a line for each measurement, latest first.
func historyTable(history []experiment.Row) text.Table {
	t := text.Table{Header: []string{"date", "commit", "built by", "baseline us/game", "fastest", "us/game", "ratio"}}
	for _, run := range slices.Backward(measurements(history)) {
		var baseline, fastest experiment.Row
		for _, row := range atLevel(run, bench.Game) {
			if row.Engine == bench.Baseline {
				baseline = row
			}
			if fastest.Engine == "" || row.Median < fastest.Median {
				fastest = row
			}
		}
		p := run[0].Provenance
		commit := strings.TrimPrefix(experiment.CommitText(p.Commit), ", commit ")
		t.Rows = append(t.Rows, []string{day(p), commit, p.Go,
			text.Figure(baseline.Median), fastest.Engine, text.Figure(fastest.Median), text.Figure(fastest.Ratio)})
	}
	return t
}
