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
	before, after := files[frame.Old], files[frame.New]
	p, err := PairFiles(before, after, rules)
	if err != nil {
		return nil, err
	}
	r, err := judgeFigures(rules, [2]string{before.Name, after.Name}, p.inTurns, p.Figures)
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

// judgeFigures judges figures of two named sides. If they are in turns, sample k of both sides
// was taken side by side, and every benchmark has as many on both.
func judgeFigures(rules *FileRules, names [2]string, inTurns bool, all []Figures) (*report.Report, error) {
	rule := verdict.DefaultRule()
	rule.Limit = rules.Limit
	family := verdict.Family{Rule: rule}
	r := &report.Report{Schema: report.Schema, Base: names[frame.Old], Head: names[frame.New], Named: true,
		Limit: rule.Limit, Alpha: rule.Alpha,
		Measurement: report.Measurement{Counter: "none"}, Packages: []*report.Package{}, Rows: []report.Row{}}
	for _, f := range all {
		if f.As != "" {
			continue
		}
		if inTurns && len(f.before) != len(f.after) {
			return nil, fmt.Errorf("benchmark %s: %d and %d samples measured in turns (want the same number on both sides)",
				f.Name, len(f.before), len(f.after))
		}
		row := family.Add(f.higher)
		row.Limit = rules.rowLimit(f.Name, f.unit, verdict.Median(f.before))
		err := error(nil)
		if !inTurns {
			err = row.AddSides(f.before, f.after)
		}
		for k := 0; inTurns && err == nil && k < len(f.before); k++ {
			err = row.Add(f.before[k], f.after[k])
		}
		if err != nil {
			return nil, fmt.Errorf("benchmark %s: %w", f.Name, err)
		}
	}
	judged := family.Rows
	suite, means := family.AddMean(firstTimes(all, judged))
	family.Look(true)
	r.Suite = report.NewSuiteMean(suite, means)
	for _, f := range all {
		row := f.Row(rules.LimitOf(f.Name))
		if f.As == "" {
			row, judged = CopyRow(judged[0]), judged[1:]
			if rules.IsWithinFloor(f.unit, &row) {
				row.Verdict = verdict.NotSlower
			}
			r.Rounds = max(r.Rounds, row.Rounds)
		}
		row.Name, row.Unit, row.Primary, row.Judge = f.Name, f.unit, true, verdict.ByTime
		r.Rows = append(r.Rows, row)
	}
	if !inTurns {
		r.Note("the sides were not measured in turns: a machine that changed its speed between them looks like a change of the program")
	}
	r.Decide(rules.IgnoreMissing, rules.Prove)
	return r, nil
}

// firstTimes returns the rows of the first time of each benchmark. Rows are those of the figures to judge.
func firstTimes(all []Figures, rows []*verdict.Row) (times []*verdict.Row) {
	var of report.BenchmarkID
	for _, f := range all {
		if f.As != "" {
			continue
		}
		if strings.HasPrefix(f.unit, "sec/") && f.ID != of {
			times, of = append(times, rows[0]), f.ID
		}
		rows = rows[1:]
	}
	return times
}
