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

// chart is a drawing of package plot.
type chart interface{ SVG(style bool) []byte }

// charts draw the rows of a suite from the processor with most of them; nil for none.
var charts = []struct {
	name, suite string
	draw        func(rows []record.Row) chart
}{
	{"ladder", "engines", drawLadder},
	{"pieces", "pieces", drawPieces},
}

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
	files := append(rulesPlots(),
		file{plotFolder + "/terminal.svg", drawTerminal("ur play on a terminal", strings.ReplaceAll(string(screen), `\e`, "\x1b"), screenColumns)})
	for _, c := range charts {
		if drawn := c.draw(usual(r.suite(c.suite))); drawn != nil {
			files = append(files, file{plotFolder + "/" + c.name + ".svg", drawn.SVG(true)})
		}
	}
	return files, nil
}

// interval is the main figure of a row for a plot, with its interval. A figure outside a log scale,
// from a file edited by hand, counts as missing.
func interval(row record.Row, unit string) plot.Interval {
	if !(1e-12 < row.Lo && row.Lo <= row.Median && row.Median <= row.Hi && row.Hi < 1e15) {
		return plot.Interval{}
	}
	return plot.Interval{Middle: row.Median, Lo: row.Lo, Hi: row.Hi, Text: text.Figure(row.Median) + unit}
}

// evaluatorGroups are groups of engines by the CPU features of their evaluator, as the end of its name
// shows.
var evaluatorGroups = []struct{ name, suffix string }{{"plain Go", ""}, {"AVX2", "avx2"}, {"AVX-512", "avx512"}, {"Go's vector intrinsics", "archsimd"}}

// drawLadder has a row for each engine, with its time for a value and for a game.
func drawLadder(rows []record.Row) chart {
	levels := []bench.Level{bench.Value, bench.Game}
	chart := plot.Rows{Text: plot.Text{
		Title:    "The ladder: every engine does the same work",
		Subtitle: record.Origin(rows, "one core"),
		Caption: "Dots are medians, bars their 95 % confidence intervals; a bar that cannot be seen is narrower than its dot. " +
			"The dashed line is " + bench.Baseline + ", the baseline; the speedup of an engine in whole games stands at the right. " +
			"The axes are logarithmic: left is faster.",
		Label: "The ladder: time of a value and of a game for each engine",
	}}
	for _, level := range levels {
		baseline, _ := record.Find(rows, bench.Baseline, string(level))
		chart.Panels = append(chart.Panels, plot.Axis{Label: level.Unit(), Log: true, Reference: interval(baseline, "").Middle})
	}
	for _, engine := range record.Distinct(rows, func(row record.Row) string { return row.Engine }) {
		row := plot.Row{Name: engine, Note: speedup(rows, engine)}
		for i, group := range evaluatorGroups {
			if strings.HasSuffix(engine, group.suffix) {
				row.Group = i
			}
		}
		for _, level := range levels {
			figure, _ := record.Find(rows, engine, string(level))
			row.Values = append(row.Values, interval(figure, ""))
		}
		chart.Rows = append(chart.Rows, row)
		for _, group := range evaluatorGroups[len(chart.Groups):max(len(chart.Groups), row.Group+1)] {
			chart.Groups = append(chart.Groups, group.name)
		}
	}
	if chart.Rows == nil {
		return nil
	}
	return chart
}

// speedup is how many times as fast as the baseline an engine plays games.
func speedup(rows []record.Row, engine string) string {
	row, ok := record.Find(rows, engine, string(bench.Game))
	switch {
	case engine == bench.Baseline:
		return "baseline"
	case !ok || row.Ratio <= 0:
		return ""
	}
	return "×" + text.Figure(1/row.Ratio)
}

// drawPieces has a line for each engine over the number of pieces on the board.
func drawPieces(rows []record.Row) chart {
	if len(rows) == 0 {
		return nil
	}
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
		Y: plot.Axis{Label: rows[0].Unit, Log: true},
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
