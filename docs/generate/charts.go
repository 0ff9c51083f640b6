package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// plotFolder holds the plots.
const plotFolder = "docs/plots"

// screenFile holds the screen of "ur play" that README.md shows, and screenColumns is the width of
// its window. A test of the interface keeps it equal to the drawing of the interface.
const (
	screenFile    = "cmd/ur/internal/tui/testdata/picture.txt"
	screenColumns = 120
)

// plots draws all plots.
func plots(r results) ([]file, error) {
	screen, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(screenFile)))
	if err != nil {
		return nil, err
	}
	terminal := drawTerminal("ur play on a terminal", strings.ReplaceAll(string(screen), `\e`, "\x1b"), screenColumns)
	return append(rulesPlots(), file{plotFolder + "/terminal.svg", terminal},
		file{plotFolder + "/pieces.svg", drawPieces(usual(r.suite("pieces"))).SVG(true)}), nil
}

// interval is the main figure of a row for a plot, with its interval. A figure outside a log scale,
// from a file edited by hand, counts as missing.
func interval(row record.Row, unit string) plot.Interval {
	if !(1e-12 < row.Lo && row.Lo <= row.Median && row.Median <= row.Hi && row.Hi < 1e15) {
		return plot.Interval{}
	}
	return plot.Interval{Middle: row.Median, Lo: row.Lo, Hi: row.Hi, Text: text.Figure(row.Median) + unit}
}

// drawPieces has a line for each engine over the number of pieces on the board.
func drawPieces(rows []record.Row) plot.Chart {
	chart := plot.Chart{
		Text: plot.Text{
			Title:    "Cost of a piece on the board",
			Subtitle: record.Origin(rows, "one core"),
			Caption: "Medians with their 95 % confidence intervals, over positions of each number of pieces, drawn from the candidates " +
				"of real games. The baseline is " + bench.Baseline + ". An evaluator that walks over the pieces rises; one that does the same for every position is flat. " +
				"The time is on a logarithmic axis.",
			Label: "Time of a value by the number of pieces on the board, for each engine",
		},
		X: plot.Axis{Label: "pieces of both players on squares 1 to 14"},
		Y: plot.Axis{Label: "ns/eval", Log: true},
	}
	for _, name := range record.Distinct(rows, engineOf) {
		line := plot.Line{Name: name}
		for _, row := range rows {
			x, err := strconv.Atoi(row.Keys["pieces"])
			if v := interval(row, " ns/eval"); err == nil && v.Text != "" && engineOf(row) == name {
				line.Points = append(line.Points, plot.Point{X: float64(x), Interval: v})
			}
		}
		chart.Lines = append(chart.Lines, line)
	}
	return chart
}

// engineOf is the engine that the name of a row names.
func engineOf(row record.Row) string { return row.Keys["board"] + "/" + row.Keys["eval"] }
