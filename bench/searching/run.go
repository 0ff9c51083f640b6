package searching

import (
	"cmp"
	"context"
	"errors"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
)

var errNoRound = errors.New("not even one round of samples was completed")

// Run measures subjects beside each other. Of options it sets the subjects. When it is ended early
// it returns what was complete until then beside the reason, and nil when that is nothing.
func Run(ctx context.Context, subjects []*Subject, o experiment.Options) (*experiment.Run, error) {
	o.Subjects = nil
	for _, s := range subjects {
		o.Subjects = append(o.Subjects, s)
	}
	run, err := experiment.Measure(ctx, o)
	if run == nil || run.Rounds == 0 {
		return nil, cmp.Or(err, errNoRound)
	}
	return run, err
}

// RowsOf returns what a run of [Run] comes to. Ratios are to the best configuration of the game.
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
			s.game, s.depth, s.variant.Algorithm, s.variant.Less, s.nodes, t.Median, t.Lo, t.Hi, ratio.Median, ratio.Lo, ratio.Hi,
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
