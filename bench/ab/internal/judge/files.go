package judge

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
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
	var times []*verdict.Row // the first one of each benchmark under the common limit
	var timed report.BenchmarkID
	for i := range p.Figures {
		f := &p.Figures[i]
		if f.As != "" {
			continue
		}
		f.row = family.Add(f.higher)
		f.row.Limit = p.Rules.memoryRule(f.Name, f.unit).limit(verdict.Median(f.before))
		if err := f.addSamples(p.inTurns); err != nil {
			return nil, fmt.Errorf("benchmark %s: %w", f.Name, err)
		}
		if strings.HasPrefix(f.unit, "sec/") && f.ID != timed && !p.Rules.hasOwnLimit(f.Name) {
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
			row = copyRow(f.row)
			if row.Name = f.Name; p.Rules.memoryRule(f.Name, f.unit).passes(&row) {
				row.Verdict = verdict.NotSlower
			}
			if f.dropped && row.Verdict != verdict.Slower {
				row.Verdict, row.Reason, row.Both = verdict.NotJudged, frame.BadFigures, true
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

// Figures are a benchmark's samples in a unit.
type Figures struct {
	ID              report.BenchmarkID
	Name, unit      string
	higher          bool         // more is better
	before, after   []float64    // samples, at least 0
	dropped         bool         // some samples are no measurements: the others may show a slowdown, but none passes
	row             *verdict.Row // of figures to judge
	listing.Failure              // why others are not judged
}

// Row returns the row of figures that are not judged.
func (f *Figures) Row(limit float64) report.Row {
	row := report.NewRow(f.Name, limit, f.As, f.Reason)
	row.Unit, row.Both, row.Primary = f.unit, f.Both, true
	return row
}

// Pairing pairs the figures of two files, or of two commands' outputs.
type Pairing struct {
	before, after *report.File
	Rules         *FileRules
	names         map[report.BenchmarkID]string // in reports
	Units         map[string]int                // better directions that the files declare, by tidied unit
	inTurns       bool                          // sample k of both sides was taken side by side

	Figures []Figures
	Added   []report.Row // of benchmarks that only the new side has
	judged  []*report.FileSeries
	unknown []string // printed units
	notes   []string // on units that are not judged
}

// PairFiles pairs the selected benchmarks of two sides. It is an error if there is nothing to judge, or if the sides
// declare different directions of a unit.
func PairFiles(before, after *report.File, r *FileRules) (*Pairing, error) {
	old, all := benchmarksOf(before, after), benchmarksOf(after, before)
	p := &Pairing{before: before, after: after, Rules: r, names: printedNames(slices.Concat(old, all), before, after),
		Units: before.Directions(), inTurns: before.Occasion != "" && before.Occasion == after.Occasion}
	for unit, better := range after.Directions() {
		if was, ok := p.Units[unit]; ok && was != better {
			return nil, frame.InputErrorf("the sides declare different directions of %s (want the same line \"Unit %s better=...\" in both)", unit, unit)
		}
		p.Units[unit] = better
	}
	ofOld, ofNew := seriesByBenchmark(before), seriesByBenchmark(after)
	isSelected := func(id report.BenchmarkID) bool { return r.selects(id, p.names[id]) }
	for _, id := range old {
		if isSelected(id) {
			p.add(id, ofOld[id], len(ofNew[id]) > 0)
		}
	}
	for _, id := range all {
		if s := ofNew[id]; len(s) > 0 && !slices.Contains(old, id) && isSelected(id) && len(differingSettings(id, after, before)) == 0 {
			p.Added = append(p.Added, report.AddedRow(p.names[id], s[0].Unit, verdict.Median(s[0].Samples), ""))
		}
	}
	slices.SortFunc(p.Added, func(a, b report.Row) int { return strings.Compare(a.Name, b.Name) })
	if !slices.ContainsFunc(old, isSelected) {
		return nil, p.nothingSelected(len(old) > 0)
	}
	return p, p.check()
}

// seriesByBenchmark groups the series of a file.
func seriesByBenchmark(f *report.File) map[report.BenchmarkID][]*report.FileSeries {
	series := make(map[report.BenchmarkID][]*report.FileSeries)
	for _, s := range f.Series {
		series[s.BenchmarkID] = append(series[s.BenchmarkID], s)
	}
	return series
}

// check returns an error if nothing is judged, and no benchmark has a reason.
func (p *Pairing) check() error {
	why := ""
	if len(p.unknown) > 0 {
		slices.Sort(p.unknown)
		p.unknown = slices.Compact(p.unknown)
		why = fmt.Sprintf("the better direction is unknown: %s (%s)", text.Some(p.unknown, 3), fmt.Sprintf(frame.WantDirection, p.unknown[0]))
		p.notes = append(p.notes, "not judged: "+why)
	}
	isOpen := func(f Figures) bool {
		return f.As == verdict.NotJudged && (!f.Both || p.before.Lacks(f.ID) || p.after.Lacks(f.ID))
	}
	switch {
	case len(p.judged) > 0 || slices.ContainsFunc(p.Figures, isOpen):
		return nil
	case why != "":
		return frame.InputErrorf("nothing to judge: %s", why)
	}
	return nothingCommon(p.before, p.after)
}

// nothingSelected is the error for files without a selected benchmark.
func (p *Pairing) nothingSelected(any bool) error {
	names := frame.SomeOf(slices.Sorted(maps.Values(p.names)))
	switch {
	case !any:
		return nothingCommon(p.before, p.after)
	case p.Rules.Exclude != "":
		return frame.FieldErrorf("Exclude", "%q leaves no benchmark to judge (there are %s)", p.Rules.Exclude, names)
	}
	return frame.FieldErrorf("Bench", "no benchmark matches %q (there are %s)", p.Rules.Bench, names)
}

// add adds a benchmark with its series of the old side.
func (p *Pairing) add(id report.BenchmarkID, series []*report.FileSeries, hasNew bool) {
	f := Figures{ID: id, Name: p.names[id], unit: report.TimeUnit, Failure: whyNoFigures(p.before, p.after, id, hasNew)}
	if f.As == verdict.NotJudged || !hasNew {
		if len(series) > 0 {
			f.unit = series[0].Unit
		}
		p.Figures = append(p.Figures, f)
		return
	}
	begin, unknown := len(p.Figures), ""
	for _, s := range series {
		other := p.find(s)
		f := Figures{ID: id, Name: p.names[id], unit: s.Unit}
		switch better := p.Rules.direction(s.Printed, p.Units); {
		case p.after.IsInvalid(s.SeriesKey) || other != nil && p.isRepeated(s, better):
			continue
		case other == nil:
			f.As, f.Reason = verdict.Missing, fmt.Sprintf(frame.LacksUnit, s.Unit)
		case better == 0:
			p.unknown, unknown = append(p.unknown, s.Printed), s.Printed
			continue
		case p.inTurns && (s.Dropped || other.Dropped):
			f.As, f.Reason, f.Both = verdict.NotJudged, frame.BadFigures, true
		default:
			p.judged = append(p.judged, s)
			f.higher, f.before, f.after = better > 0, withoutNoise(p.before, s), withoutNoise(p.after, other)
			f.dropped = s.Dropped || other.Dropped
			if p.inTurns && len(f.before) != len(f.after) { // only one side is constant
				f.before, f.after = s.Samples, other.Samples
			}
		}
		p.Figures = append(p.Figures, f)
	}
	if len(p.Figures) == begin && len(series) > 0 {
		f.As, f.unit, f.Reason = verdict.NotJudged, series[0].Unit, frame.NoCommonFigures
		if unknown != "" {
			f.Both, f.Reason = true, unknownDirection(unknown)
		}
		p.Figures = append(p.Figures, f)
	}
}

// find returns the series of the new side that is compared with one of the old side, nil without one. Series of two printed
// units are compared only where neither side has both units.
func (p *Pairing) find(s *report.FileSeries) *report.FileSeries {
	other := p.after.Find(s.SeriesKey)
	if other != nil && other.Printed != s.Printed && (p.before.Prints(s.BenchmarkID, other.Printed) || p.after.Prints(s.BenchmarkID, s.Printed)) {
		return nil
	}
	return other
}

// isRepeated reports whether the series repeats a judged one, and notes it.
func (p *Pairing) isRepeated(s *report.FileSeries, better int) bool {
	for _, first := range p.judged {
		if better != 0 && repeats(first, s, p.after, p.Rules.direction(first.Printed, p.Units) == better) {
			note := fmt.Sprintf("%s is %s in another unit, and was not judged beside it", s.Unit, first.Unit)
			if !slices.Contains(p.notes, note) {
				p.notes = append(p.notes, note)
			}
			return true
		}
	}
	return false
}

// withoutNoise returns the samples of a series. Of an exact unit one sample stands for a round of each look.
func withoutNoise(f *report.File, s *report.FileSeries) []float64 {
	if f.IsExact(s.Unit) && slices.Min(s.Samples) == slices.Max(s.Samples) {
		return slices.Repeat(s.Samples[:1], verdict.FirstLook)
	}
	return s.Samples
}

// repeats reports whether every sample of a series is that of an earlier one times a constant, or, where
// the better directions differ, a constant divided by it: judging both would count one measurement twice. Bytes and
// allocations are two measurements, and one sample of each side shows nothing.
func repeats(first, s *report.FileSeries, after *report.File, sameDirection bool) bool {
	if first.BenchmarkID != s.BenchmarkID || report.IsMemory(first.Unit) || report.IsMemory(s.Unit) {
		return false
	}
	a, b := slices.Concat(first.Samples, after.Find(first.SeriesKey).Samples), slices.Concat(s.Samples,
		after.Find(s.SeriesKey).Samples)
	if len(a) != len(b) || len(a) <= 2 || slices.Min(a) <= 0 || slices.Min(b) <= 0 || slices.Min(a) == slices.Max(a) {
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
		differ = append(differ, differingSettings(s.BenchmarkID, before, after)...)
	}
	if differ = frame.Union(differ, nil); len(differ) == 0 {
		return frame.InputErrorf("nothing to judge: the files have no benchmark in common")
	}
	way := ", or --ignore " + strings.Join(differ, " --ignore ")
	if slices.Contains(differ, procsKey) {
		way = "" // it is no setting
	}
	return frame.InputErrorf("nothing to judge: the files differ in %s (want files of the same work and machine%s)",
		strings.Join(differ, ", "), way)
}
