package record

import (
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/plot"
)

// piecesLegend explains the figures.
const piecesLegend = "ns/eval by the number of pieces of both players on squares 1 to 14: medians of samples taken in one " +
	"run in random order, over positions drawn from the candidates of real games."

// piecesPlot shows the cost of a piece on the board.
var piecesPlot = plotKind{
	name: "pieces",
	alt:  "Time of a value by the number of pieces on the board, for each engine",
	draw: drawPieces,
	figures: func(r Record) pageTable {
		return pageTable{Table: cells(experiment.Table(r.Suite("pieces")), piecesLegend)}
	},
}

// drawPieces has a line for each engine over the number of pieces on the board.
func drawPieces(r Record, label string) chart {
	rows := r.Suite("pieces")
	if len(rows) == 0 {
		return nil
	}
	chart := plot.Lines{
		Text: plot.Text{
			Title:    "Cost of a piece on the board",
			Subtitle: Origin(rows, "one core"),
			Caption: "Medians with their 95 % confidence intervals, over positions of each number of pieces, drawn from the candidates " +
				"of real games. The baseline is " + bench.Baseline + ". An evaluator that walks over the pieces rises; one that does the same for every position is flat. " +
				"The time is on a logarithmic axis.",
			Label: label,
		},
		XAxis: "pieces of both players on squares 1 to 14",
		Y:     rows[0].Unit,
		Log:   true,
	}
	chart.X = experiment.Distinct(rows, func(row experiment.Row) string { return row.Keys["pieces"] })
	engine := func(row experiment.Row) string { return row.Keys["board"] + "/" + row.Keys["eval"] }
	for _, name := range experiment.Distinct(rows, engine) {
		line := plot.Line{Name: strings.TrimSuffix(name, "/"), Values: make([]plot.Interval, len(chart.X))}
		for _, row := range rows {
			if engine(row) == name {
				line.Values[slices.Index(chart.X, row.Keys["pieces"])] = plotInterval(row.Median, row.Lo, row.Hi, " ns/eval")
			}
		}
		chart.Lines = append(chart.Lines, line)
	}
	return chart
}
