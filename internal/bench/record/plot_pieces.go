package record

import (
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// piecesPlot shows what a piece on the board costs.
var piecesPlot = plotKind{
	name:    "pieces",
	alt:     "Time of a value by the number of pieces on the board, for each engine",
	draw:    drawPieces,
	figures: func(r Record) pageTable { return pageTable{Table: cells(r.Pieces.Table(), bench.PiecesLegend)} },
}

// drawPieces has a line for each engine over the number of pieces on the board.
func drawPieces(r Record, label string) chart {
	p := r.Pieces
	if p == nil || len(p.Rows) == 0 {
		return nil
	}
	chart := plot.Lines{
		Text: plot.Text{
			Title:    "What a piece on the board costs",
			Subtitle: r.measured("one core", p.Samples),
			Caption: fmt.Sprintf("Medians with their 95 %% confidence intervals, over %s positions of each number of pieces, drawn from the candidates "+
				"of real games. The baseline is %s. An evaluator that walks over the pieces rises; one that does the same for every position is flat. "+
				"The time is on a logarithmic axis.", text.Count(float64(p.Positions)), p.Baseline),
			Label: label,
		},
		XAxis: "pieces of both players on squares 1 to 14",
		Y:     bench.Value.Unit(),
		Log:   true,
	}
	numbers := p.Numbers()
	for _, n := range numbers {
		chart.X = append(chart.X, fmt.Sprint(n))
	}
	for _, engine := range p.EngineNames() {
		line := plot.Line{Name: engine, Values: make([]plot.Interval, len(numbers))}
		for _, row := range p.Rows {
			if row.Engine == engine {
				line.Values[slices.Index(numbers, row.Pieces)] = plotInterval(row.Median, row.Lo, row.Hi, " ns/eval")
			}
		}
		chart.Lines = append(chart.Lines, line)
	}
	return chart
}
