package record

import (
	"strings"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// ladderPlot shows the ladder.
var ladderPlot = plotKind{
	name: "ladder",
	alt:  "The ladder: time of a value and of a game for each engine",
	draw: drawLadder,
	figures: func(r Record) pageTable {
		return pageTable{Table: cells(r.Results.Table(), r.Results.Legend())}
	},
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

// drawLadder has a row for each engine, with its time for a value and for a game.
func drawLadder(r Record, label string) chart {
	engines := r.Results.EngineNames()
	if len(engines) == 0 {
		return nil
	}
	chart := plot.Dots{Text: plot.Text{
		Title:    "The ladder: every engine does the same work",
		Subtitle: r.measured("one core", r.Results.Samples()),
		Caption: "Dots are medians, bars their 95 % confidence intervals; a bar that cannot be seen is narrower than its dot. " +
			"The dashed line is " + r.Results.Baseline + ", the baseline; at the right stands how many times as fast as it an engine plays whole games. " +
			"The axes are logarithmic: left is faster.",
		Label: label,
	}}
	for _, engine := range engines {
		group := evaluatorGroup(engine)
		chart.Rows = append(chart.Rows, plot.Row{Name: engine, Group: group, Note: r.speedup(engine)})
		chart.Groups = evaluatorGroups[:max(len(chart.Groups), group+1)]
	}
	for _, level := range []bench.Level{bench.Value, bench.Game} {
		if panel, ok := r.ladderPanel(level, engines); ok {
			chart.Panels = append(chart.Panels, panel)
		}
	}
	return chart
}

// speedup is how many times as fast as the baseline an engine plays games.
func (r Record) speedup(engine string) string {
	if engine == r.Results.Baseline {
		return "baseline"
	}
	row, ok := r.Results.Find(engine, bench.Game)
	if !ok || row.Ratio <= 0 {
		return ""
	}
	return "×" + text.Figure(1/row.Ratio)
}

// ladderPanel has the figures of one level, if it was measured.
func (r Record) ladderPanel(level bench.Level, engines []string) (plot.Panel, bool) {
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
