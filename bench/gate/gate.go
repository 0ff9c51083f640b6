// Package gate finds the benchmarks that have become slower from one file in Go's benchmark format
// to another: the output of "go test -bench", "ur bench run -o" or "benchab --save". It judges them
// with package verdict, as benchab does.
//
// Files of benchab were measured in turns: sample k of one beside sample k of the other. A line
// "interleaved: NAME" with one NAME in both files marks them, and their verdicts hold for any noise
// of the machine. Other files were measured one after the other. They get a weaker test: a machine
// that changes its speed between the two files looks like a change of the program.
package gate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// pairedKey is the configuration key of files measured in turns. Its value names the occasion, as
// in "interleaved: 2026-11-21".
const pairedKey = "interleaved"

// Judge judges the benchmarks that the texts of two files share, by the limits of the options. The files
// may differ in the configuration keys to ignore, such as cpu. Units without a known better
// direction are left out with a note, and so are units that repeat another one, as games/s repeats
// us/game. Errors are those of the input. The report has the schema ur.gate/3.
func Judge(oldName string, oldText []byte, newName string, newText []byte, o ab.Options, ignore []string) (*ab.Report, error) {
	before, err := readSide(oldName, oldText, ignore)
	if err != nil {
		return nil, err
	}
	after, err := readSide(newName, newText, ignore)
	if err != nil {
		return nil, err
	}
	figures, notes, err := pair(before, after)
	if err != nil {
		return nil, err
	}
	r, err := ab.NewReport(o, "ur.gate/3", [2]string{oldName, newName}, before.occasion != "" && before.occasion == after.occasion, figures)
	if err != nil {
		return nil, err
	}
	r.Notes = append(r.Notes, notes...)
	for i, s := range []*side{before, after} {
		name := []string{oldName, newName}[i]
		if s.skipped > 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("%s of %s are logs, and were skipped", text.Plural(s.skipped, "line"), name))
		}
		if len(s.failed) > 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("%s reports failures: %s", name, text.Some(s.failed, 3)))
			if s == after && r.Verdict == verdict.Pass {
				r.Verdict = verdict.Undecided
			}
		}
	}
	return r, nil
}

// pair returns the figures to judge.
func pair(before, after *side) (figures []ab.Figures, notes []string, err error) {
	var keys []key
	var unknown []string
	note := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !slices.Contains(notes, text) {
			notes = append(notes, text)
		}
	}
	for _, k := range before.order {
		better := before.better(k.unit)
		repeated := func(first key) bool { return repeats(before, after, first, k) }
		switch {
		case after.samples[k] == nil:
		case better == 0:
			unknown = append(unknown, k.unit)
			continue
		case slices.ContainsFunc(keys, repeated):
			note("%s is %s in another unit, and was not judged beside it", k.unit, keys[slices.IndexFunc(keys, repeated)].unit)
			continue
		default:
			keys = append(keys, k)
		}
		figures = append(figures, ab.Figures{Name: k.name, Unit: k.unit, Higher: better > 0, Old: before.samples[k], New: after.samples[k]})
	}
	slices.Sort(unknown)
	unknown = slices.Compact(unknown)
	if len(unknown) > 0 {
		note(`not judged: the better direction is unknown: %s (want a line such as "Unit %s better=lower")`, text.Some(unknown, 3), unknown[0])
	}
	switch {
	case len(keys) > 0:
		return figures, notes, nil
	case len(unknown) > 0:
		return nil, nil, errors.New("nothing to judge: " + strings.TrimPrefix(notes[0], "not judged: "))
	}
	return nil, nil, nothingCommon(before, after)
}

// repeats reports whether every sample of a figure is that of an earlier one times a constant, or
// a constant divided by it: judging both would count one measurement twice.
func repeats(before, after *side, first, k key) bool {
	if first.name != k.name || first.configuration != k.configuration {
		return false
	}
	a, b := slices.Concat(before.samples[first], after.samples[first]), slices.Concat(before.samples[k], after.samples[k])
	if len(a) != len(b) || slices.Min(a) <= 0 || slices.Min(b) <= 0 || slices.Min(a) == slices.Max(a) {
		return false
	}
	same := before.better(first.unit) == before.better(k.unit)
	figures := make([]float64, len(a))
	for i := range a {
		if figures[i] = a[i] * b[i]; same {
			figures[i] = a[i] / b[i]
		}
	}
	const rounding = 5e-4 // of files: they have four digits or more
	return slices.Max(figures)-slices.Min(figures) <= rounding*slices.Max(figures)
}

// nothingCommon returns the reason for nothing to judge: the configuration keys that differ for
// benchmarks of one name.
func nothingCommon(before, after *side) error {
	var differ []string
	for _, k := range before.order {
		for _, other := range after.order {
			if k.name != other.name || k.unit != other.unit {
				continue
			}
			for _, sides := range [][2]string{{k.configuration, other.configuration}, {other.configuration, k.configuration}} {
				for line := range strings.Lines(sides[0]) {
					if name, _, _ := strings.Cut(line, ":"); !strings.Contains("\n"+sides[1], "\n"+line) && !slices.Contains(differ, name) {
						differ = append(differ, name)
					}
				}
			}
		}
	}
	if len(differ) > 0 {
		return fmt.Errorf("nothing to judge: the files differ in %s: figures of other work or another machine show no change (ignore these keys to compare anyway)",
			strings.Join(differ, ", "))
	}
	return errors.New("nothing to judge: the files have no benchmark in common")
}
