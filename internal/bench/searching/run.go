package searching

import (
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
)

// RowsOf returns what a run of [Subject]s comes to. Ratios are to the best configuration of the game.
func RowsOf(run *experiment.Run) (rows []Row) {
	base := map[string][]float64{}
	for i, series := range run.Series {
		if s := run.Options.Subjects[i].(*Subject); s.variant.Less == "none" {
			base[s.game] = series.Times()
		}
	}
	for i, series := range run.Series {
		s, times := run.Options.Subjects[i].(*Subject), series.Times()
		t, ratio := stat.Estimate(times).Rounded(), stat.RatioOfPairs(base[s.game], times, run.Options.Seed).Rounded()
		rows = append(rows, Row{
			s.game, s.depth, string(s.variant.Algorithm), s.variant.Less, s.nodes, t.Median, t.Lo, t.Hi, ratio.Median, ratio.Lo, ratio.Hi,
		})
	}
	return rows
}

// Heading is what stands above the samples of a run in a file.
func Heading(e experiment.Environment) experiment.Heading {
	return experiment.Heading{
		Environment: e, Package: "github.com/seed-09dcdc84/ur/search",
		Better: []experiment.UnitDirection{{Unit: unit, Better: "lower"}},
	}
}
