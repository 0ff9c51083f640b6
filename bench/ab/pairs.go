package ab

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// figures are a benchmark's samples in a unit.
type figures struct {
	id            report.BenchmarkID
	name, unit    string
	higher        bool            // more is better
	before, after []float64       // samples, at least 0
	as            verdict.Verdict // without figures to judge: Missing or NotJudged
	reason        string
	both          bool // both sides have figures nevertheless
}

// row returns the row of figures that are not judged.
func (f *figures) row(o *Options) report.Row {
	row := report.NewRow(f.name, o.limit(f.name), f.as, f.reason)
	row.Unit, row.Both, row.Primary = f.unit, f.both, true
	return row
}

// pairing pairs the figures of two files, or of two commands' outputs.
type pairing struct {
	before, after *report.File
	options       *Options
	names         map[report.BenchmarkID]string // in reports
	units         map[string]int                // better directions that the files declare, by tidied unit
	inTurns       bool                          // sample k of both sides was taken side by side

	figures []figures
	added   []report.Row // of benchmarks that only the new side has
	judged  []*report.FileSeries
	unknown []string // printed units
	notes   []string // on units that are not judged
}

// pairFiles pairs the selected benchmarks of two sides. It is an error if there is nothing to judge, or if the sides
// declare different directions of a unit.
func pairFiles(before, after *report.File, o *Options) (*pairing, error) {
	old, all := benchmarksOf(before, after), benchmarksOf(after, before)
	p := &pairing{before: before, after: after, options: o, names: printedNames(slices.Concat(old, all), before, after),
		units: before.Directions(), inTurns: before.Occasion != "" && before.Occasion == after.Occasion}
	for unit, better := range after.Directions() {
		if was, ok := p.units[unit]; ok && was != better {
			return nil, frame.InputErrorf("the sides declare different directions of %s (want the same line \"Unit %s better=...\" in both)", unit, unit)
		}
		p.units[unit] = better
	}
	ofOld, ofNew := seriesByBenchmark(before), seriesByBenchmark(after)
	isSelected := func(id report.BenchmarkID) bool { return o.selects(id, p.names[id]) }
	for _, id := range old {
		if isSelected(id) {
			p.add(id, ofOld[id], len(ofNew[id]) > 0)
		}
	}
	for _, id := range all {
		if s := ofNew[id]; len(s) > 0 && !slices.Contains(old, id) && isSelected(id) && len(differingSettings(id, before)) == 0 {
			p.added = append(p.added, report.AddedRow(p.names[id], s[0].Unit, verdict.Median(s[0].Samples), ""))
		}
	}
	slices.SortFunc(p.added, func(a, b report.Row) int { return strings.Compare(a.Name, b.Name) })
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
func (p *pairing) check() error {
	why := ""
	if len(p.unknown) > 0 {
		slices.Sort(p.unknown)
		p.unknown = slices.Compact(p.unknown)
		why = fmt.Sprintf("the better direction is unknown: %s (%s)", text.Some(p.unknown, 3), wantDirection(p.unknown[0]))
		p.notes = append(p.notes, "not judged: "+why)
	}
	switch {
	case len(p.judged) > 0 || slices.ContainsFunc(p.figures, func(f figures) bool { return f.as == verdict.NotJudged && !f.both }):
		return nil
	case why != "":
		return frame.InputErrorf("nothing to judge: %s", why)
	}
	return nothingCommon(p.before, p.after)
}

// wantDirection describes how the user declares the better direction of a unit.
func wantDirection(unit string) string {
	return fmt.Sprintf("want --higher-better %s, or a line \"Unit %s better=lower\" or better=higher", unit, unit)
}

// nothingSelected is the error for files without a selected benchmark.
func (p *pairing) nothingSelected(any bool) error {
	names := frame.SomeOf(slices.Sorted(maps.Values(p.names)))
	switch {
	case !any:
		return nothingCommon(p.before, p.after)
	case p.options.Exclude != "":
		return frame.FieldErrorf("Exclude", "%q leaves no benchmark to judge (there are %s)", p.options.Exclude, names)
	}
	return frame.FieldErrorf("Bench", "no benchmark matches %q (there are %s)", p.options.Bench, names)
}

// add adds a benchmark with its series of the old side.
func (p *pairing) add(id report.BenchmarkID, series []*report.FileSeries, hasNew bool) {
	f := whyNoFigures(p.before, p.after, id)
	if f.id, f.name, f.unit = id, p.names[id], report.TimeUnit; f.as == verdict.NotJudged || !hasNew {
		if len(series) > 0 {
			f.unit = series[0].Unit
		}
		p.figures = append(p.figures, f)
		return
	}
	begin, unknown := len(p.figures), ""
	for _, s := range series {
		other := p.after.Find(s.SeriesKey)
		f := figures{id: id, name: p.names[id], unit: s.Unit}
		switch better := p.better(s); {
		case p.after.IsInvalid(s.SeriesKey) || other != nil && p.isRepeated(s, better):
			continue
		case other == nil:
			f.as, f.reason = verdict.Missing, "the new side does not print it in "+s.Unit
		case better == 0:
			p.unknown, unknown = append(p.unknown, s.Printed), s.Printed
			continue
		case p.inTurns && (s.Dropped || other.Dropped):
			f.as, f.reason, f.both = verdict.NotJudged, "some of its figures are no measurements", true
		default:
			p.judged = append(p.judged, s)
			f.higher, f.before, f.after = better > 0, withoutNoise(p.before, s), withoutNoise(p.after, other)
			if p.inTurns && len(f.before) != len(f.after) { // only one side is constant
				f.before, f.after = s.Samples, other.Samples
			}
		}
		p.figures = append(p.figures, f)
	}
	if len(p.figures) == begin && len(series) > 0 {
		f.as, f.unit, f.reason = verdict.NotJudged, series[0].Unit, "the sides have no figures in common"
		if unknown != "" {
			f.both, f.reason = true, fmt.Sprintf("the better direction of %s is unknown (%s)", unknown, wantDirection(unknown))
		}
		p.figures = append(p.figures, f)
	}
}

// better is the better direction of a series, by the user or the files.
func (p *pairing) better(s *report.FileSeries) int {
	if p.options.isHigherBetter(s.Unit) || p.options.isHigherBetter(s.Printed) {
		return 1
	}
	return cmp.Or(p.units[s.Unit], report.Better(s.Unit))
}

// isRepeated reports whether the series repeats a judged one, and notes it.
func (p *pairing) isRepeated(s *report.FileSeries, better int) bool {
	for _, first := range p.judged {
		if better != 0 && repeats(first, s, p.after, p.better(first) == better) {
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
	isMemory := func(unit string) bool { return unit == report.BytesUnit || unit == report.AllocsUnit }
	if first.BenchmarkID != s.BenchmarkID || isMemory(first.Unit) || isMemory(s.Unit) {
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
		differ = append(differ, differingSettings(s.BenchmarkID, after)...)
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
