package ab

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Figures are a benchmark's samples in a unit, measured elsewhere.
type Figures struct {
	Name, Unit string
	Higher     bool      // more is better
	Old, New   []float64 // samples, at least 0; a benchmark without new figures is missing
}

// JudgeFigures judges figures of two named sides, such as files. If they are in turns, sample k of both sides
// was taken side by side, and every benchmark has as many on both.
func JudgeFigures(o Options, names [2]string, inTurns bool, figures []Figures) (*report.Report, error) {
	rule := verdict.DefaultRule()
	rule.Limit = o.Limit
	family := verdict.Family{Rule: rule}
	r := &report.Report{Schema: report.Schema, Base: names[oldSide], Head: names[newSide], Named: true,
		Limit: rule.Limit, Alpha: rule.Alpha,
		Counter: "none", Packages: []*report.Package{}, Rows: []report.Row{}}
	for _, f := range figures {
		if len(f.New) == 0 {
			continue
		}
		if inTurns && len(f.Old) != len(f.New) {
			return nil, fmt.Errorf("benchmark %s: %d and %d samples measured in turns (want the same number on both sides)", f.Name, len(f.Old), len(f.New))
		}
		row := family.Add(f.Higher)
		row.Limit = o.limit(f.Name)
		err := error(nil)
		if !inTurns {
			err = row.AddSides(f.Old, f.New)
		}
		for k := 0; inTurns && err == nil && k < len(f.Old); k++ {
			err = row.Add(f.Old[k], f.New[k])
		}
		if err != nil {
			return nil, fmt.Errorf("benchmark %s: %w", f.Name, err)
		}
	}
	family.Look(true)
	judged := family.Rows
	for _, f := range figures {
		row := report.NewRow(f.Name, o.limit(f.Name), verdict.Missing, "the new side does not have it")
		if len(f.New) > 0 {
			row, judged = copyRow(judged[0]), judged[1:]
			r.Rounds = max(r.Rounds, row.Rounds)
		}
		row.Name, row.Unit, row.Speaks, row.Judge = f.Name, f.Unit, true, verdict.ByTime
		r.Rows = append(r.Rows, row)
	}
	if !inTurns {
		r.Note("the sides were not measured in turns: a machine that changed its speed between them looks like a change of the program")
	}
	r.Decide(o.IgnoreMissing, o.Prove)
	return r, nil
}
