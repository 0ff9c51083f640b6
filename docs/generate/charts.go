package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// plotFolder holds the plots, a folder for each kind of processor.
const plotFolder = "docs/plots"

// chart is a drawing of package plot.
type chart interface{ SVG(style bool) []byte }

// plotKinds are the kinds of plots of a record in display order. Draw returns nil for a record
// without figures of the kind.
var plotKinds = []struct {
	name, alt string // alt is a description, for readers who cannot see it
	draw      func(r record.Record, label string) chart
}{
	{"ladder", "The ladder: time of a value and of a game for each engine", drawLadder},
	{"pieces", "Time of a value by the number of pieces on the board, for each engine", drawPieces},
	{"scaling", "Games per second over the number of workers", drawScaling},
}

// plotLinks returns the function of a block with an image for each plot of the names,
// record by record. The links are relative to the page.
func plotLinks(page string, records []record.Record, names ...string) func(w io.Writer) error {
	return func(w io.Writer) error {
		var images []string
		for _, r := range records {
			for _, kind := range plotKinds {
				if !slices.Contains(names, kind.name) || kind.draw(r, "") == nil {
					continue
				}
				link, err := filepath.Rel(path.Dir(page), plotFile(r, kind.name))
				if err != nil {
					return err
				}
				images = append(images, fmt.Sprintf("![%s, %s](%s)\n", kind.alt, r.Machine(), filepath.ToSlash(link)))
			}
		}
		if images == nil {
			return fmt.Errorf("no record has figures for a plot %s", strings.Join(names, " or "))
		}
		_, err := io.WriteString(w, strings.Join(images, "\n"))
		return err
	}
}

// plotFile is the file of a plot of a record.
func plotFile(r record.Record, name string) string { return path.Join(plotFolder, r.Slug, name+".svg") }

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
		file{plotFolder + "/terminal.svg", plot.Terminal("ur play on a terminal", strings.ReplaceAll(string(screen), `\e`, "\x1b"), screenColumns)},
		file{plotFolder + "/nets.svg", drawNets(r.suite("nets"))})
	if chart := drawDepths(r.suite("search")); chart != nil {
		files = append(files, file{plotFolder + "/search.svg", chart})
	}
	for _, one := range r.records {
		for _, kind := range plotKinds {
			if chart := kind.draw(one, kind.alt+", "+one.Machine()); chart != nil {
				files = append(files, file{plotFile(one, kind.name), chart.SVG(true)})
			}
		}
	}
	return files, nil
}

// plotInterval writes a figure for a plot. A figure outside a log scale, from a file edited by
// hand, counts as missing.
func plotInterval(middle, lo, hi float64, unit string) plot.Interval {
	if !(1e-12 < lo && lo <= middle && middle <= hi && hi < 1e15) {
		return plot.Interval{}
	}
	return plot.Interval{Middle: middle, Lo: lo, Hi: hi, Text: text.Figure(middle) + unit}
}

// drawDepths draws regret and time by depth of search, and returns nil without a record of them.
func drawDepths(rows []record.Row) []byte {
	regret, spent := plot.Line{Name: "regret"}, plot.Line{Name: "time"}
	drawing := plot.Lines{XAxis: "depth in plies, each a roll and a move", Y: "points, ms", Log: true}
	var depths []record.Row
	for _, d := range rows {
		if !strings.HasPrefix(d.Name, "Regret/") {
			continue
		}
		depths = append(depths, d)
		drawing.X = append(drawing.X, d.Keys["depth"])
		ms := d.Metrics["us/decision"] / 1e3
		regret.Values = append(regret.Values, plotInterval(d.Median, d.Median, d.Median, " points"))
		spent.Values = append(spent.Values, plotInterval(ms, ms, ms, " ms"))
	}
	if depths == nil {
		return nil
	}
	drawing.Text = plot.Text{
		Title:    "Regret and time by search depth",
		Subtitle: record.Machine(depths),
		Caption:  "Regret of searches with the built-in net as leaf over decisions of perfect play, in points of win probability, and the mean time of a decision in milliseconds. Both are on one logarithmic axis.",
		Label:    "Regret and time of a decision by depth of search",
	}
	drawing.Lines = []plot.Line{regret, spent}
	return drawing.SVG(true)
}

// drawNets draws the regret of nets over their number of weights.
func drawNets(all []record.Row) []byte {
	drawing := plot.Lines{
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
	var rows []record.Row
	for _, row := range all {
		if strings.HasPrefix(row.Name, "Regret/") && row.Keys["plies"] == "1" {
			rows = append(rows, row)
		}
	}
	weights := metric("weights")
	slices.SortStableFunc(rows, func(a, b record.Row) int { return int(weights(a) - weights(b)) })
	for _, row := range rows {
		drawing.X = append(drawing.X, strconv.Itoa(int(weights(row))))
		drawing.At = append(drawing.At, math.Log(weights(row)))
		var regret [5]float64 // on each line
		switch {
		case strings.HasPrefix(row.Note, "published: "):
			regret[4] = row.Median
		case strings.HasPrefix(row.Note, "ur train distill"):
			regret[0], regret[1] = row.Median, find(all, "Regret/net="+row.Keys["net"]+"/plies=2").Median
		case row.Keys["net"] == "brain":
			regret[3] = row.Median
		default:
			regret[2] = row.Median
		}
		for i, x := range regret {
			drawing.Lines[i].Values = append(drawing.Lines[i].Values, plot.Interval{Middle: x, Lo: x, Hi: x, Text: fmt.Sprintf("%.3f", x)})
		}
	}
	return drawing.SVG(true)
}

// Groups of engines by the CPU features of their evaluator, as its name shows.
var (
	evaluatorGroups = []string{"plain Go", "AVX2", "AVX-512", "Go's vector intrinsics"}
	groupSuffixes   = []string{"", "avx2", "avx512", "archsimd"}
)

func evaluatorGroup(engine string) int {
	for i, suffix := range groupSuffixes {
		if i > 0 && strings.HasSuffix(engine, suffix) {
			return i
		}
	}
	return 0
}

// drawLadder has a row for each engine, with its time for a value and for a game.
func drawLadder(r record.Record, label string) chart {
	engines := r.Engines()
	if len(engines) == 0 {
		return nil
	}
	chart := plot.Dots{Text: plot.Text{
		Title:    "The ladder: every engine does the same work",
		Subtitle: record.Origin(r.Suite(bench.EnginesSuite), "one core"),
		Caption: "Dots are medians, bars their 95 % confidence intervals; a bar that cannot be seen is narrower than its dot. " +
			"The dashed line is " + bench.Baseline + ", the baseline; the speedup of an engine in whole games stands at the right. " +
			"The axes are logarithmic: left is faster.",
		Label: label,
	}}
	for _, engine := range engines {
		group := evaluatorGroup(engine)
		chart.Rows = append(chart.Rows, plot.Row{Name: engine, Group: group, Note: speedup(r, engine)})
		chart.Groups = evaluatorGroups[:max(len(chart.Groups), group+1)]
	}
	for _, level := range []bench.Level{bench.Value, bench.Game} {
		if panel, ok := ladderPanel(r, level, engines); ok {
			chart.Panels = append(chart.Panels, panel)
		}
	}
	return chart
}

// speedup is how many times as fast as the baseline an engine plays games.
func speedup(r record.Record, engine string) string {
	if engine == bench.Baseline {
		return "baseline"
	}
	row, ok := r.Find(engine, string(bench.Game))
	if !ok || row.Ratio <= 0 {
		return ""
	}
	return "×" + text.Figure(1/row.Ratio)
}

// ladderPanel has the figures of one level, if it was measured.
func ladderPanel(r record.Record, level bench.Level, engines []string) (plot.Panel, bool) {
	panel := plot.Panel{Label: level.Unit()}
	found := false
	for _, engine := range engines {
		row, ok := r.Find(engine, string(level))
		found = found || ok
		panel.Values = append(panel.Values, plotInterval(row.Median, row.Lo, row.Hi, ""))
	}
	baseline, _ := r.Find(bench.Baseline, string(level))
	panel.Reference = baseline.Median
	return panel, found
}

// drawPieces has a line for each engine over the number of pieces on the board.
func drawPieces(r record.Record, label string) chart {
	rows := r.Suite("pieces")
	if len(rows) == 0 {
		return nil
	}
	chart := plot.Lines{
		Text: plot.Text{
			Title:    "Cost of a piece on the board",
			Subtitle: record.Origin(rows, "one core"),
			Caption: "Medians with their 95 % confidence intervals, over positions of each number of pieces, drawn from the candidates " +
				"of real games. The baseline is " + bench.Baseline + ". An evaluator that walks over the pieces rises; one that does the same for every position is flat. " +
				"The time is on a logarithmic axis.",
			Label: label,
		},
		XAxis: "pieces of both players on squares 1 to 14",
		Y:     rows[0].Unit,
		Log:   true,
	}
	chart.X = record.Distinct(rows, func(row record.Row) string { return row.Keys["pieces"] })
	engine := func(row record.Row) string { return row.Keys["board"] + "/" + row.Keys["eval"] }
	for _, name := range record.Distinct(rows, engine) {
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

// drawScaling draws games/s over workers, and those of perfect scaling.
func drawScaling(r record.Record, label string) chart {
	rows := r.Suite("scaling")
	if len(rows) == 0 || rows[0].Keys["workers"] != "1" {
		return nil
	}
	one := bench.GamesPerSecond(rows[0].Median)
	unit, divisor := countUnit(one)
	engine := rows[0].Keys["board"] + "/" + rows[0].Keys["eval"]
	chart := plot.Lines{
		Text: plot.Text{
			Title:    "Scaling over cores: " + engine,
			Subtitle: record.Origin(rows, fmt.Sprintf("%d cores", rows[0].Provenance.Cores)),
			Caption: "Medians with their 95 % confidence intervals. The baseline, dashed, is the rate of one worker times the number of workers. " +
				"One worker is measured while the other cores idle, so that it has more of a shared clock and power budget than each of many.",
			Label: label,
		},
		XAxis: "workers, each on a thread of its own",
		Y:     unit + "games/s",
		Log:   len(rows) > 8,
	}
	ideal := plot.Line{Name: "one × workers", Reference: true}
	line := plot.Line{Name: engine}
	for _, row := range rows {
		workers, err := strconv.Atoi(row.Keys["workers"])
		if err != nil {
			continue
		}
		chart.X = append(chart.X, row.Keys["workers"])
		all := one * float64(workers) / divisor
		ideal.Values = append(ideal.Values, plotInterval(all, all, all, ""))
		rate := func(perGame float64) float64 { return bench.GamesPerSecond(perGame) / divisor }
		line.Values = append(line.Values, plotInterval(rate(row.Median), rate(row.Hi), rate(row.Lo), " "+unit+"games/s"))
	}
	chart.Lines = []plot.Line{line, ideal}
	return chart
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
