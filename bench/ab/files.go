package ab

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

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
			files[side], err = report.Read(name, content)
		}
		if err != nil {
			return nil, inputError("%v", err)
		}
	}
	return judgeFiles(files, o)
}

func judgeFiles(files [2]*report.File, o Options) (*report.Report, error) {
	before, after := files[oldSide], files[newSide]
	paired, notes, err := pairFigures(before, after, &o)
	if err != nil {
		return nil, err
	}
	inTurns := before.Occasion != "" && before.Occasion == after.Occasion
	r, err := judgeFigures(o, [2]string{before.Name, after.Name}, inTurns, paired)
	if err != nil {
		return nil, inputError("%v", err)
	}
	r.Notes = append(r.Notes, notes...)
	for side, f := range files {
		if f.Logs > 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("%s of %s are logs, and were skipped",
				text.Plural(f.Logs, "line"), f.Name))
		}
		if len(f.Failed) > 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("%s reports failures: %s", f.Name, text.Some(f.Failed, 3)))
			if side == newSide && r.Verdict == verdict.Pass {
				r.Verdict = verdict.Undecided
			}
		}
	}
	return r, nil
}

// figures are a benchmark's samples in a unit.
type figures struct {
	name, unit    string
	higher        bool      // more is better
	before, after []float64 // samples, at least 0; a benchmark without new figures is missing
}

// judgeFigures judges figures of two named sides. If they are in turns, sample k of both sides
// was taken side by side, and every benchmark has as many on both.
func judgeFigures(o Options, names [2]string, inTurns bool, all []figures) (*report.Report, error) {
	rule := verdict.DefaultRule()
	rule.Limit = o.Limit
	family := verdict.Family{Rule: rule}
	r := &report.Report{Schema: report.Schema, Base: names[oldSide], Head: names[newSide], Named: true,
		Limit: rule.Limit, Alpha: rule.Alpha,
		Counter: "none", Packages: []*report.Package{}, Rows: []report.Row{}}
	for _, f := range all {
		if len(f.after) == 0 {
			continue
		}
		if inTurns && len(f.before) != len(f.after) {
			return nil, fmt.Errorf("benchmark %s: %d and %d samples measured in turns (want the same number on both sides)",
				f.name, len(f.before), len(f.after))
		}
		row := family.Add(f.higher)
		row.Limit = o.limit(f.name)
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
		row := report.NewRow(f.name, o.limit(f.name), verdict.Missing, "the new side does not have it")
		if len(f.after) > 0 {
			row, judged = copyRow(judged[0]), judged[1:]
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
	var judged []*report.FileSeries
	var unknown []string
	note := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !slices.Contains(notes, text) {
			notes = append(notes, text)
		}
	}
	betterOf := func(unit string) int {
		if o.isHigherBetter(unit) {
			return 1
		}
		return before.Better(unit)
	}
	for _, s := range before.Series {
		if !matchesElements(o.Bench, "Benchmark"+s.Name) || o.isExcluded(s.Name) {
			continue
		}
		better, other := betterOf(s.Unit), after.Find(s.SeriesKey)
		f := figures{name: s.Name, unit: s.Unit, higher: better > 0, before: s.Samples}
		if other != nil {
			repeated := slices.IndexFunc(judged, func(first *report.FileSeries) bool {
				return repeats(first, s, after, betterOf(first.Unit) == better)
			})
			switch {
			case better == 0:
				unknown = append(unknown, s.Unit)
				continue
			case repeated >= 0:
				note("%s is %s in another unit, and was not judged beside it", s.Unit, judged[repeated].Unit)
				continue
			}
			judged = append(judged, s)
			f.before, f.after = withoutNoise(before, s), withoutNoise(after, other)
		}
		paired = append(paired, f)
	}
	slices.Sort(unknown)
	unknown = slices.Compact(unknown)
	missing := ""
	if len(unknown) > 0 {
		missing = fmt.Sprintf(`the better direction is unknown: %s (want a line such as "Unit %s better=lower")`,
			text.Some(unknown, 3), unknown[0])
		note("not judged: %s", missing)
	}
	switch {
	case len(judged) > 0:
		return paired, notes, nil
	case missing != "":
		return nil, nil, inputError("nothing to judge: %s", missing)
	}
	return nil, nil, nothingCommon(before, after)
}

// matchesElements reports whether a pattern of "go test -bench" matches a name: one of its alternatives, element
// by element.
func matchesElements(pattern, name string) bool {
	elements := strings.Split(name, "/")
	return slices.ContainsFunc(splitOutside(pattern, '|'), func(alternative string) bool {
		for i, part := range splitOutside(alternative, '/') {
			if i == len(elements) {
				return false
			}
			if ok, err := regexp.MatchString(part, elements[i]); !ok || err != nil {
				return false
			}
		}
		return true
	})
}

// splitOutside splits a regular expression at a separator outside of brackets and parentheses.
func splitOutside(expression string, separator byte) (parts []string) {
	begin, depth := 0, 0
	for i := 0; i < len(expression); i++ {
		switch c := expression[i]; {
		case c == '\\':
			i++
		case c == '[' || c == '(':
			depth++
		case c == ']' || c == ')':
			depth--
		case c == separator && depth == 0:
			parts, begin = append(parts, expression[begin:i]), i+1
		}
	}
	return append(parts, expression[begin:])
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
	if first.Name != s.Name || first.Settings != s.Settings {
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
		for _, other := range after.Series {
			if s.Name != other.Name || s.Unit != other.Unit {
				continue
			}
			for _, sides := range [][2]string{{s.Settings, other.Settings}, {other.Settings, s.Settings}} {
				for line := range strings.Lines(sides[0]) {
					if key, _, _ := strings.Cut(line, ":"); !strings.Contains("\n"+sides[1], "\n"+line) &&
						!slices.Contains(differ, key) {
						differ = append(differ, key)
					}
				}
			}
		}
	}
	if len(differ) > 0 {
		return inputError("nothing to judge: the files differ in %s (want files of the same work and machine)",
			strings.Join(differ, ", "))
	}
	return inputError("nothing to judge: the files have no benchmark in common")
}
