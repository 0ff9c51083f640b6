package ab

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// maxFile is the maximum size of a file of benchmarks in bytes: half a million lines.
const maxFile = 64 << 20

// JudgeFiles judges the benchmarks that two files in Go's benchmark format share: output of "go test
// -bench", "ur bench run -o" or "benchab --save". Files of one occasion were measured in turns, and their
// verdicts hold on any machine. Others get a weaker test: a machine that changes its speed between the two
// files looks like a change of the program. Units without a known better direction are left out with a note,
// and so are units that repeat another one, as games/s repeats us/game. Errors are those of the input.
func JudgeFiles(names [2]string, o Options) (*report.Report, error) {
	var files [2]*report.File
	for side, name := range names {
		content, err := safefile.Read(name, maxFile)
		if err == nil {
			files[side], err = report.Read(name, content, o.Ignore...)
		}
		if err != nil {
			return nil, frame.InputErrorf("%v", err)
		}
	}
	return judgeFiles(files, o)
}

func judgeFiles(files [2]*report.File, o Options) (*report.Report, error) {
	before, after := files[frame.Old], files[frame.New]
	paired, notes, err := pairFigures(before, after, &o)
	if err != nil {
		return nil, err
	}
	inTurns := before.Occasion != "" && before.Occasion == after.Occasion
	r, err := judgeFigures(o, [2]string{before.Name, after.Name}, inTurns, paired)
	if err != nil {
		return nil, frame.InputErrorf("%v", err)
	}
	r.Notes = append(r.Notes, notes...)
	r.AddNew(addedRows(before, after, &o)...)
	noteFiles(r, files)
	return r, nil
}

// addedRows returns the rows of the selected benchmarks that only the new side has.
func addedRows(before, after *report.File, o *Options) (rows []report.Row) {
	known, all := benchmarksOf(before, after), benchmarksOf(after, before)
	names := printedNames(append(known, all...))
	for _, id := range all {
		if slices.Contains(known, id) || !o.selects(id, names[id]) || len(differingSettings(id, before)) > 0 {
			continue
		}
		if i := slices.IndexFunc(after.Series, func(s *report.FileSeries) bool { return s.BenchmarkID == id }); i >= 0 {
			rows = append(rows, report.AddedRow(names[id], after.Series[i].Unit, verdict.Median(after.Series[i].Samples), ""))
		}
	}
	return rows
}

// noteFiles adds what files leave out, and their failures, to a report. Failures on the new side prevent a pass.
func noteFiles(r *report.Report, files [2]*report.File) {
	for side, f := range files {
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

// figures are a benchmark's samples in a unit.
type figures struct {
	name, unit    string
	higher        bool            // more is better
	before, after []float64       // samples, at least 0
	as            verdict.Verdict // without figures to judge: Missing or NotJudged
	reason        string
}

// judgeFigures judges figures of two named sides. If they are in turns, sample k of both sides
// was taken side by side, and every benchmark has as many on both.
func judgeFigures(o Options, names [2]string, inTurns bool, all []figures) (*report.Report, error) {
	rule := verdict.DefaultRule()
	rule.Limit = o.Limit
	family := verdict.Family{Rule: rule}
	r := &report.Report{Schema: report.Schema, Base: names[frame.Old], Head: names[frame.New], Named: true,
		Limit: rule.Limit, Alpha: rule.Alpha,
		Counter: "none", Packages: []*report.Package{}, Rows: []report.Row{}}
	for _, f := range all {
		if f.as != "" {
			continue
		}
		if inTurns && len(f.before) != len(f.after) {
			return nil, fmt.Errorf("benchmark %s: %d and %d samples measured in turns (want the same number on both sides)",
				f.name, len(f.before), len(f.after))
		}
		row := family.Add(f.higher)
		row.Limit = o.rowLimit(f.name, f.unit, verdict.Median(f.before))
		err := error(nil)
		if !inTurns {
			err = row.AddSides(f.before, f.after)
		}
		for k := 0; inTurns && err == nil && k < len(f.before); k++ {
			err = row.Add(f.before[k], f.after[k])
		}
		if err != nil {
			return nil, fmt.Errorf("benchmark %s: %w", f.name, err)
		}
	}
	family.Look(true)
	judged := family.Rows
	for _, f := range all {
		row := report.NewRow(f.name, o.limit(f.name), f.as, f.reason)
		if f.as == "" {
			row, judged = copyRow(judged[0]), judged[1:]
			if o.isWithinFloor(f.unit, &row) {
				row.Verdict = verdict.NotSlower
			}
			r.Rounds = max(r.Rounds, row.Rounds)
		}
		row.Name, row.Unit, row.Speaks, row.Judge = f.name, f.unit, true, verdict.ByTime
		r.Rows = append(r.Rows, row)
	}
	if !inTurns {
		r.Note("the sides were not measured in turns: a machine that changed its speed between them looks like a change of the program")
	}
	r.Decide(o.IgnoreMissing, o.Prove)
	return r, nil
}

// pairFigures returns the figures to judge, and notes on the others.
func pairFigures(before, after *report.File, o *Options) (paired []figures, notes []string, err error) {
	p := &pairing{before: before, after: after, options: o, names: printedNames(benchmarksOf(before, after))}
	series := make(map[report.BenchmarkID][]*report.FileSeries)
	for _, s := range before.Series {
		series[s.BenchmarkID] = append(series[s.BenchmarkID], s)
	}
	for _, id := range benchmarksOf(before, after) {
		if o.selects(id, p.names[id]) {
			p.add(id, series[id])
		}
	}
	slices.Sort(p.unknown)
	unknown := slices.Compact(p.unknown)
	missing := ""
	if len(unknown) > 0 {
		missing = fmt.Sprintf(`the better direction is unknown: %s (want a line such as "Unit %s better=lower")`,
			text.Some(unknown, 3), unknown[0])
		p.notes = append(p.notes, "not judged: "+missing)
	}
	switch {
	case len(p.judged) > 0 || slices.ContainsFunc(p.paired, func(f figures) bool { return f.as == verdict.NotJudged }):
		return p.paired, p.notes, nil
	case missing != "":
		return nil, nil, frame.InputErrorf("nothing to judge: %s", missing)
	}
	return nil, nil, nothingCommon(before, after)
}

// pairing pairs the figures of two files.
type pairing struct {
	before, after *report.File
	options       *Options
	names         map[report.BenchmarkID]string // in reports

	paired  []figures
	judged  []*report.FileSeries
	unknown []string // units
	notes   []string
}

// add adds a benchmark with its series of the old side.
func (p *pairing) add(id report.BenchmarkID, series []*report.FileSeries) {
	as, reason := whyNoFigures(p.before, p.after, id)
	if as == verdict.NotJudged {
		p.paired = append(p.paired, figures{name: p.names[id], unit: report.TimeUnit, as: as, reason: reason})
		return
	}
	for _, s := range series {
		if p.after.IsInvalid(s.SeriesKey) {
			continue
		}
		if other := p.after.Find(s.SeriesKey); other != nil {
			p.addSeries(s, other)
		} else {
			p.paired = append(p.paired, figures{name: p.names[id], unit: s.Unit, as: as, reason: reason})
		}
	}
}

// addSeries adds a series of both sides.
func (p *pairing) addSeries(s, other *report.FileSeries) {
	better := p.better(s.Unit)
	if better == 0 {
		p.unknown = append(p.unknown, s.Unit)
		return
	}
	for _, first := range p.judged {
		if repeats(first, s, p.after, p.better(first.Unit) == better) {
			note := fmt.Sprintf("%s is %s in another unit, and was not judged beside it", s.Unit, first.Unit)
			if !slices.Contains(p.notes, note) {
				p.notes = append(p.notes, note)
			}
			return
		}
	}
	p.judged = append(p.judged, s)
	p.paired = append(p.paired, figures{name: p.names[s.BenchmarkID], unit: s.Unit, higher: better > 0,
		before: withoutNoise(p.before, s), after: withoutNoise(p.after, other)})
}

// better is the better direction of a unit, by the user or the old side.
func (p *pairing) better(unit string) int {
	if p.options.isHigherBetter(unit) {
		return 1
	}
	return p.before.Better(unit)
}

// withoutNoise returns the samples of a series. Of an exact unit one sample stands for a round of each look.
func withoutNoise(f *report.File, s *report.FileSeries) []float64 {
	if f.IsExact(s.Unit) && slices.Min(s.Samples) == slices.Max(s.Samples) {
		return slices.Repeat(s.Samples[:1], verdict.FirstLook)
	}
	return s.Samples
}

// repeats reports whether every sample of a series is that of an earlier one times a constant, or, where
// the better directions differ, a constant divided by it: judging both would count one measurement twice.
func repeats(first, s *report.FileSeries, after *report.File, sameDirection bool) bool {
	if first.BenchmarkID != s.BenchmarkID {
		return false
	}
	a, b := slices.Concat(first.Samples, after.Find(first.SeriesKey).Samples), slices.Concat(s.Samples,
		after.Find(s.SeriesKey).Samples)
	if len(a) != len(b) || slices.Min(a) <= 0 || slices.Min(b) <= 0 || slices.Min(a) == slices.Max(a) {
		return false
	}
	figures := make([]float64, len(a))
	for i := range a {
		if figures[i] = a[i] * b[i]; sameDirection {
			figures[i] = a[i] / b[i]
		}
	}
	const rounding = 5e-4 // files have four digits or more
	return slices.Max(figures)-slices.Min(figures) <= rounding*slices.Max(figures)
}

// nothingCommon returns the reason for nothing to judge: the settings that differ for benchmarks of one
// name.
func nothingCommon(before, after *report.File) error {
	var differ []string
	for _, s := range before.Series {
		for _, key := range differingSettings(s.BenchmarkID, after) {
			if !slices.Contains(differ, key) {
				differ = append(differ, key)
			}
		}
	}
	if len(differ) > 0 {
		return frame.InputErrorf("nothing to judge: the files differ in %s (want files of the same work and machine, or --ignore %s)",
			strings.Join(differ, ", "), strings.Join(differ, " --ignore "))
	}
	return frame.InputErrorf("nothing to judge: the files have no benchmark in common")
}
