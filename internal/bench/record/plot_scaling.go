package record

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/internal/plot"
)

// scalingPlot shows what several cores bring.
var scalingPlot = plotKind{
	name: "scaling",
	alt:  "Games per second over the number of workers",
	draw: drawScaling,
	figures: func(r Record) pageTable {
		return pageTable{Table: cells(r.Scaling.Table(), bench.ScalingLegend)}
	},
}

// drawScaling has games/s over workers, beside what perfect cores would bring.
func drawScaling(r Record, label string) chart {
	s := r.Scaling
	if s == nil || len(s.Rows) == 0 || s.Rows[0].Workers < 1 {
		return nil
	}
	one := s.Rows[0].GamesPerSecond / float64(s.Rows[0].Workers)
	unit, divisor := countUnit(one)
	chart := plot.Lines{
		Text: plot.Text{
			Title:    "What several cores bring: " + s.Engine,
			Subtitle: r.measured(fmt.Sprintf("%d cores", s.Cores), s.Samples),
			Caption: "Medians with their 95 % confidence intervals. The baseline, dashed, is what one worker plays times the number of workers. " +
				"One worker is measured while the other cores idle, so that it has more of a shared clock and power budget than each of many.",
			Label: label,
		},
		XAxis: "workers, each on a thread of its own",
		Y:     unit + "games/s",
		Log:   s.Rows[len(s.Rows)-1].Workers > 8,
	}
	ideal := plot.Line{Name: "one × workers", Reference: true}
	line := plot.Line{Name: s.Engine}
	for _, row := range s.Rows {
		chart.X = append(chart.X, fmt.Sprint(row.Workers))
		all := one * float64(row.Workers) / divisor
		ideal.Values = append(ideal.Values, plotInterval(all, all, all, ""))
		line.Values = append(line.Values, plotInterval(row.GamesPerSecond/divisor, row.Lo/divisor, row.Hi/divisor, " "+unit+"games/s"))
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
