package record

import (
	"strings"

	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// ladderPlot shows the ladder.
var ladderPlot = plotKind{
	name: "ladder",
	alt:  "The ladder: time of a value and of a game for each engine",
	draw: drawLadder,
	figures: func(r Record) pageTable {
		return pageTable{Table: cells(experiment.Table(r.Suite(bench.EnginesSuite)), experiment.Legend(r.Suite(bench.EnginesSuite)))}
	},
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
func drawLadder(r Record, label string) chart {
	engines := r.Engines()
	if len(engines) == 0 {
		return nil
	}
	chart := plot.Dots{Text: plot.Text{
		Title:    "The ladder: every engine does the same work",
		Subtitle: Origin(r.Suite(bench.EnginesSuite), "one core"),
		Caption: "Dots are medians, bars their 95 % confidence intervals; a bar that cannot be seen is narrower than its dot. " +
			"The dashed line is " + bench.Baseline + ", the baseline; the speedup of an engine in whole games stands at the right. " +
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
	if engine == bench.Baseline {
		return "baseline"
	}
	row, ok := r.Find(engine, bench.Game)
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
		row, ok := r.Find(engine, level)
		found = found || ok
		panel.Values = append(panel.Values, plotInterval(row.Median, row.Lo, row.Hi, ""))
	}
	baseline, _ := r.Find(bench.Baseline, level)
	panel.Reference = baseline.Median
	return panel, found
}
