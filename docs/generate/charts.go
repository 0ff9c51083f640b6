package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// charts draw the rows of a suite, from the processor with most of them or from all. They are nil for
// rows without figures of theirs.
var charts = []struct {
	name, suite string
	all         bool
	draw        func(rows []record.Row) chart
}{
	{"ladder", "engines", false, drawLadder},
	{"pieces", "pieces", false, drawPieces},
	{"scaling", "scaling", false, drawScaling},
	{"nets", "nets", true, drawNets},
	{"search", "search", true, drawDepths},
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
		rows := r.suite(c.suite)
		if !c.all {
			rows = usual(rows)
		}
		if drawn := c.draw(rows); drawn != nil {
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

// points are the figures of rows over the number of a key.
func points(rows []record.Row, key, unit string) (list []plot.Point) {
	for _, row := range rows {
		x, err := strconv.Atoi(row.Keys[key])
		if v := interval(row, unit); err == nil && v.Text != "" {
			list = append(list, plot.Point{X: float64(x), Interval: v})
		}
	}
	return list
}

// drawDepths draws regret by depth of search.
func drawDepths(all []record.Row) chart {
	depths := slices.DeleteFunc(slices.Clone(all), func(row record.Row) bool { return !strings.HasPrefix(row.Name, "Regret/") })
	if len(depths) == 0 {
		return nil
	}
	return plot.Chart{
		Text: plot.Text{
			Title:    "Regret by search depth",
			Subtitle: strings.Join(record.Processors(depths), " and "),
			Caption:  "Regret of searches with the built-in net as leaf over decisions of perfect play, in points of win probability, on a logarithmic axis.",
			Label:    "Regret of a decision by depth of search",
		},
		X:     plot.Axis{Label: "depth in plies, each a roll and a move"},
		Y:     plot.Axis{Label: "points", Log: true},
		Lines: []plot.Line{{Name: "regret", Points: points(depths, "depth", " points")}},
	}
}

// drawNets draws the regret of nets over their number of weights.
func drawNets(all []record.Row) chart {
	lines := []plot.Line{{Name: "distilled"}, {Name: "distilled, 2 plies"}, {Name: "by games"}, {Name: "brain"}, {Name: "published"}}
	weights := metric("weights")
	rows := slices.DeleteFunc(slices.Clone(all), func(row record.Row) bool { return !strings.HasPrefix(row.Name, "Regret/") || row.Keys["plies"] != "1" })
	if len(rows) == 0 {
		return nil
	}
	slices.SortStableFunc(rows, func(a, b record.Row) int { return cmp.Compare(weights(a), weights(b)) })
	for _, row := range rows {
		add := func(line int, figure record.Row) {
			lines[line].Points = append(lines[line].Points, plot.Point{X: weights(row), Interval: interval(figure, " points")})
		}
		switch {
		case strings.HasPrefix(row.Note, "published: "):
			add(4, row)
		case strings.HasPrefix(row.Note, "ur train distill"):
			add(0, row)
			add(1, find(all, "Regret/net="+row.Keys["net"]+"/plies=2"))
		case row.Keys["net"] == "brain":
			add(3, row)
		default:
			add(2, row)
		}
	}
	return plot.Chart{
		Text: plot.Text{
			Title: "Regret by number of weights", Subtitle: "ns a decision stand in the table",
			Caption: "Regret in percentage points a decision of perfect play. Both axes are logarithmic.",
			Label:   "Regret of players by their number of weights.",
		},
		X: plot.Axis{Label: "weights", Log: true}, Y: plot.Axis{Label: "regret, points", Log: true}, Lines: lines,
	}
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
		of := slices.DeleteFunc(slices.Clone(rows), func(row record.Row) bool { return engineOf(row) != name })
		chart.Lines = append(chart.Lines, plot.Line{Name: name, Points: points(of, "pieces", " ns/eval")})
	}
	return chart
}

// engineOf is the engine that the name of a row names.
func engineOf(row record.Row) string { return row.Keys["board"] + "/" + row.Keys["eval"] }

// drawScaling draws games/s over workers, and those of perfect scaling.
func drawScaling(rows []record.Row) chart {
	if len(rows) == 0 || rows[0].Keys["workers"] != "1" {
		return nil
	}
	one := bench.GamesPerSecond(rows[0].Median)
	unit, divisor := countUnit(one)
	rates := slices.Clone(rows)
	for i, row := range rows {
		rate := func(perGame float64) float64 { return bench.GamesPerSecond(perGame) / divisor }
		rates[i].Median, rates[i].Lo, rates[i].Hi = rate(row.Median), rate(row.Hi), rate(row.Lo)
	}
	measured := plot.Line{Name: engineOf(rows[0]), Points: points(rates, "workers", " "+unit+"games/s")}
	ideal := plot.Line{Name: "one × workers", Reference: true}
	for _, p := range measured.Points {
		ideal.Points = append(ideal.Points, plot.Point{X: p.X, Interval: plot.Exactly(one*p.X/divisor, "")})
	}
	return plot.Chart{
		Text: plot.Text{
			Title:    "Scaling over cores: " + measured.Name,
			Subtitle: record.Origin(rows, fmt.Sprintf("%d cores", rows[0].Provenance.Cores)),
			Caption: "Medians with their 95 % confidence intervals. The baseline, dashed, is the rate of one worker times the number of workers. " +
				"One worker is measured while the other cores idle, so that it has more of a shared clock and power budget than each of many.",
			Label: "Games per second over the number of workers",
		},
		X: plot.Axis{Label: "workers, each on a thread of its own", Log: len(rows) > 8}, Y: plot.Axis{Label: unit + "games/s", Log: len(rows) > 8},
		Lines: []plot.Line{measured, ideal},
	}
}

// countUnit returns the word for the size of a count, with a space behind it.
func countUnit(x float64) (word string, divisor float64) {
	switch {
	case x >= 1e5:
		return "million ", 1e6
	case x >= 1e2:
		return "thousand ", 1e3
	}
	return "", 1
}
