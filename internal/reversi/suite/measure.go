package suite

import (
	"context"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
)

// Row is what came of a subject.
type Row struct {
	Name    string  `json:"name"`
	Unit    string  `json:"unit"`
	Clock   string  `json:"clock,omitempty"` // where it is not that of the record
	Samples int     `json:"samples"`
	Median  float64 `json:"median"`
	Low     float64 `json:"lo"` // 95 % interval of the median
	High    float64 `json:"hi"`
	Nodes   uint64  `json:"nodes,omitempty"`
}

// Measure samples subjects interleaved, slow ones a third as often, beside each other and
// behind the others, and last those of several threads, by the clock on the wall. When
// the context ends, what is measured is returned with its error.
func Measure(ctx context.Context, subjects []*Subject, o experiment.Options) ([]Row, error) {
	var rows []Row
	for _, kind := range []struct{ slow, wall bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
		part := o
		part.Subjects = nil
		for _, s := range subjects {
			if s.slow == kind.slow && s.wall == kind.wall {
				part.Subjects = append(part.Subjects, s)
			}
		}
		if kind.slow {
			part.Count = max(1, o.Count/3)
		}
		if kind.wall {
			part.TimedBy = experiment.WallClock
		}
		if len(part.Subjects) == 0 {
			continue
		}
		run, err := experiment.Measure(ctx, part)
		if run != nil {
			rows = append(rows, rowsOf(run)...)
		}
		if err != nil {
			return rows, err
		}
	}
	return rows, nil
}

func rowsOf(run *experiment.Run) []Row {
	var rows []Row
	for i, s := range run.Series {
		if len(s.Samples) == 0 {
			continue
		}
		e := stat.Estimate(s.Times())
		r := Row{Name: s.Name, Unit: s.Unit, Samples: len(s.Samples), Median: e.Median, Low: e.Lo, High: e.Hi}
		if subject, ok := run.Options.Subjects[i].(*Subject); ok {
			r.Nodes = subject.Nodes()
			if subject.Wall() {
				r.Clock = string(experiment.WallClock)
			}
		}
		rows = append(rows, r)
	}
	return rows
}
