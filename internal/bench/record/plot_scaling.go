package record

import (
	"fmt"
	"strconv"

	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/plot"
)

// ScalingLegend explains the figures.
const ScalingLegend = "Medians of samples taken in one run in random order. Efficiency is games/s over those of one worker times the number of workers. " +
	"One worker is measured while the other cores idle: where they share a clock or a power budget, or are the two threads of one core, as those " +
	"of a virtual machine may be, it has more to itself than each of many workers."

// scalingPlot shows the gain of several cores.
var scalingPlot = plotKind{
	name: "scaling",
	alt:  "Games per second over the number of workers",
	draw: drawScaling,
	figures: func(r Record) pageTable {
		return pageTable{Table: cells(experiment.Table(r.Suite("scaling")), ScalingLegend)}
	},
}

// drawScaling draws games/s over workers, and those of perfect scaling.
func drawScaling(r Record, label string) chart {
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
			Subtitle: Origin(rows, fmt.Sprintf("%d cores", rows[0].Provenance.Cores)),
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
