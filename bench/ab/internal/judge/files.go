package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Files judges the benchmarks that two files share.
func Files(files [2]*report.File, rules *FileRules) (*report.Report, error) {
	p, err := PairFiles(files[frame.Old], files[frame.New], rules)
	if err != nil {
		return nil, err
	}
	r, err := p.judge()
	if err != nil {
		return nil, frame.InputErrorf("%v", err)
	}
	r.Notes = append(r.Notes, p.notes...)
	r.AddNew(p.Added...)
	p.NoteFiles(r)
	return r, nil
}

// NoteFiles adds what files leave out, their failures, and limits of no benchmark to a report. Failures on the new side
// prevent a pass.
func (p *Pairing) NoteFiles(r *report.Report) {
	for _, l := range p.Rules.Limits {
		if !slices.ContainsFunc(slices.Collect(maps.Values(p.names)), l.Pattern.MatchString) {
			r.Note(fmt.Sprintf("no benchmark matches the limit of %q", l.Pattern))
		}
	}
	for side, f := range []*report.File{p.before, p.after} {
		for _, note := range f.Notes {
			r.Note(f.Name + ": " + note)
		}
		if len(f.Failed) > 0 {
			r.Note(fmt.Sprintf("%s reports failures: %s", f.Name, text.Some(f.Failed, 3)))
			if side == frame.New && r.Verdict == verdict.Pass {
				r.Verdict = verdict.Undecided
			}
		}
	}
}

// judge judges the figures of the files.
func (p *Pairing) judge() (*report.Report, error) {
	rule := verdict.DefaultRule()
	rule.Limit = p.Rules.Limit
	family := verdict.Family{Rule: rule}
	r := &report.Report{Schema: report.Schema, Base: p.before.Name, Head: p.after.Name, Named: true,
		Limit: rule.Limit, Alpha: rule.Alpha,
		Measurement: report.Measurement{Counter: "none"}, Packages: []*report.Package{}, Rows: []report.Row{}}
	var times []*verdict.Row // the first one of each benchmark
	var timed report.BenchmarkID
	for i := range p.Figures {
		f := &p.Figures[i]
		if f.As != "" {
			continue
		}
		f.row = family.Add(f.higher)
		f.row.Limit = p.Rules.rowLimit(f.Name, f.unit, verdict.Median(f.before))
		if err := f.addSamples(p.inTurns); err != nil {
			return nil, fmt.Errorf("benchmark %s: %w", f.Name, err)
		}
		if strings.HasPrefix(f.unit, "sec/") && f.ID != timed {
			times, timed = append(times, f.row), f.ID
		}
	}
	suite, means := family.AddMean(times)
	family.Look(true)
	r.Suite = report.NewSuiteMean(suite, means)
	for i := range p.Figures {
		f := &p.Figures[i]
		row := f.Row(p.Rules.LimitOf(f.Name))
		if f.row != nil {
			row = CopyRow(f.row)
			if row.Name = f.Name; p.Rules.IsWithinFloor(f.unit, &row) {
				row.Verdict = verdict.NotSlower
			}
			r.Rounds = max(r.Rounds, row.Rounds)
		}
		row.Unit, row.Primary, row.Judge = f.unit, true, verdict.ByTime
		r.Rows = append(r.Rows, row)
	}
	if !p.inTurns {
		r.Note("the sides were not measured in turns: a machine that changed its speed between them looks like a change of the program")
	}
	r.Decide(p.Rules.IgnoreMissing, p.Rules.Prove)
	return r, nil
}

// addSamples adds the samples to the row. Those that are in turns are as many on both sides.
func (f *Figures) addSamples(inTurns bool) error {
	switch {
	case !inTurns:
		return f.row.AddSides(f.before, f.after)
	case len(f.before) != len(f.after):
		return fmt.Errorf("%d and %d samples measured in turns (want the same number on both sides)", len(f.before), len(f.after))
	}
	for k := range f.before {
		if err := f.row.Add(f.before[k], f.after[k]); err != nil {
			return err
		}
	}
	return nil
}
