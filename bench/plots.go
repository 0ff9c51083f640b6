package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Plot is a chart of a record.
type Plot struct {
	Name string // of its kind, and of its file: "ladder", "pieces", "scaling", "history"
	Alt  string // what it shows, for readers who do not see it

	chart interface{ SVG(style bool) []byte }
}

// PlotNames lists the kinds of plots in the order in which they are shown.
func PlotNames() []string { return []string{"ladder", "pieces", "scaling", "history"} }

// Plots draws what the record has figures for, in the order of [PlotNames].
func (r Record) Plots() []Plot {
	var plots []Plot
	for _, draw := range []func() (Plot, bool){r.ladderPlot, r.piecesPlot, r.scalingPlot, r.historyPlot} {
		if p, ok := draw(); ok {
			plots = append(plots, p)
		}
	}
	return plots
}

// plot returns the plot of a name, and whether the record has one.
func (r Record) plot(name string) (Plot, bool) {
	plots := r.Plots()
	i := slices.IndexFunc(plots, func(p Plot) bool { return p.Name == name })
	if i < 0 {
		return Plot{}, false
	}
	return plots[i], true
}

// File is the name of the plot's file for a record, with slashes: a folder for each
// kind of processor, as under results/.
func (p Plot) File(r Record) string { return r.Slug + "/" + p.Name + ".svg" }

// WriteSVG writes the plot as an SVG file of its own. The same record gives the same
// bytes.
func (p Plot) WriteSVG(w io.Writer) error {
	_, err := w.Write(p.chart.SVG(true))
	return err
}

// newPlot names a chart's text for those who do not see it.
func newPlot(name, alt string, chart interface{ SVG(bool) []byte }) Plot {
	return Plot{name, alt, chart}
}

// Groups of engines by what their evaluator asks of the CPU, which its name tells.
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

// measured says where the figures of a plot come from.
func (r Record) measured(cores string, samples int) string {
	e := r.Environment
	return fmt.Sprintf("%s, %s, %s/%s, %s%s, %d samples", e.cpu(), cores, e.OS, e.Arch, e.Go, formatCommit(r.Results.Commit), samples)
}

// ladderPlot has a row for each engine, with its time for a value and for a game.
func (r Record) ladderPlot() (Plot, bool) {
	engines := r.Results.engines()
	if len(engines) == 0 {
		return Plot{}, false
	}
	const alt = "The ladder: time of a value and of a game for each engine"
	chart := plot.Dots{Text: plot.Text{
		Title:    "The ladder: every engine does the same work",
		Subtitle: r.measured("one core", r.Results.samples()),
		Caption: "Dots are medians, bars their 95 % confidence intervals; a bar that cannot be seen is narrower than its dot. " +
			"The dashed line is " + r.Results.Baseline + ", the baseline; at the right stands how many times as fast as it an engine plays whole games. " +
			"The axes are logarithmic: left is faster.",
		Label: alt + ", " + r.Environment.cpu(),
	}}
	for _, engine := range engines {
		group := evaluatorGroup(engine)
		chart.Rows = append(chart.Rows, plot.Row{Name: engine, Group: group, Note: r.speedup(engine)})
		chart.Groups = evaluatorGroups[:max(len(chart.Groups), group+1)]
	}
	for _, level := range []Level{Value, Game} {
		if panel, ok := r.ladderPanel(level, engines); ok {
			chart.Panels = append(chart.Panels, panel)
		}
	}
	return newPlot("ladder", alt, chart), true
}

// speedup is how many times as fast as the baseline an engine plays games.
func (r Record) speedup(engine string) string {
	if engine == r.Results.Baseline {
		return "baseline"
	}
	row, ok := r.Results.Find(engine, Game)
	if !ok || row.Ratio <= 0 {
		return ""
	}
	return "×" + text.Figure(1/row.Ratio)
}

// ladderPanel has the figures of one level, if it was measured.
func (r Record) ladderPanel(level Level, engines []string) (plot.Panel, bool) {
	panel := plot.Panel{Label: level.Unit()}
	found := false
	for _, engine := range engines {
		row, ok := r.Results.Find(engine, level)
		found = found || ok
		panel.Values = append(panel.Values, plotInterval(row.Median, row.Lo, row.Hi, ""))
	}
	baseline, _ := r.Results.Find(r.Results.Baseline, level)
	panel.Reference = baseline.Median
	return panel, found
}

// plotInterval writes a figure for a plot. One that a log scale cannot show, because
// a file that was changed by hand has it, counts as missing.
func plotInterval(middle, lo, hi float64, unit string) plot.Interval {
	if !(1e-12 < lo && lo <= middle && middle <= hi && hi < 1e15) {
		return plot.Interval{}
	}
	return plot.Interval{Middle: middle, Lo: lo, Hi: hi, Text: text.Figure(middle) + unit}
}
