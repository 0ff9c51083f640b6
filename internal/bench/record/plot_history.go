package record

import (
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// historyPlot shows how speed went over commits.
var historyPlot = plotKind{
	name: "history",
	alt:  "Time of a game over the measurements on record, for each engine",
	draw: drawHistory,
	figures: func(r Record) pageTable {
		return pageTable{Table: cells(historyTable(r.History), historyLegend)}
	},
}

// drawHistory has a line for each engine over the measurements on record. It is
// broken where the work changed, since figures of other work must not be compared.
func drawHistory(r Record, label string) chart {
	if len(r.History) == 0 {
		return nil
	}
	last := r.History[len(r.History)-1]
	chart := plot.Lines{
		Text: plot.Text{
			Title:    "History over commits",
			Subtitle: fmt.Sprintf("%s, one core, %d on record, from %s to %s", r.Environment.Processor(), len(r.History), r.History[0].day(), last.day()),
			Caption: "Medians with their 95 % confidence intervals. The baseline is " + last.Baseline + ": where it moves while its code does not, the machine did. " +
				"A + behind a commit marks files that were changed. Lines are broken where the work that is measured changed. The time is on a logarithmic axis.",
			Label: label,
		},
		XAxis: "commit",
		Y:     bench.Game.Unit(),
		Log:   true,
	}
	lines := make(map[string]int) // by engine
	for i, entry := range r.History {
		if i > 0 && entry.signature(bench.Game) != r.History[i-1].signature(bench.Game) {
			chart.X = append(chart.X, "(other work)")
		}
		place := len(chart.X)
		chart.X = append(chart.X, entry.label())
		for _, row := range entry.Rows {
			if row.Level != bench.Game {
				continue
			}
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

// historyLegend says how to read a history's table.
const historyLegend = "us/game: medians of each measurement on record. A ratio is that of the fastest engine then to the baseline."

// historyTable has a line for each measurement, latest first.
func historyTable(history []HistoryEntry) text.Table {
	t := text.Table{Header: []string{"date", "commit", "built by", "baseline us/game", "fastest", "us/game", "ratio"}}
	for i := len(history) - 1; i >= 0; i-- {
		h := history[i]
		baseline, _ := h.Find(h.Baseline, bench.Game)
		fastest := baseline
		for _, row := range h.Rows {
			if row.Level == bench.Game && (fastest.Engine == "" || row.Median < fastest.Median) {
				fastest = row
			}
		}
		commit := strings.TrimPrefix(experiment.CommitText(h.Commit), ", commit ")
		t.Rows = append(t.Rows, []string{h.day(), commit, h.Go,
			text.Figure(baseline.Median), fastest.Engine, text.Figure(fastest.Median), text.Figure(fastest.Ratio)})
	}
	return t
}
