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
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// PairedKey is the configuration key of files measured in turns. Its value names the occasion, as
// in "interleaved: 2026-11-21".
const PairedKey = "interleaved"

// Options are the settings of [Judge].
type Options struct {
	Rule   verdict.Rule
	Limits []Limit // of single benchmarks; the last match counts

	Ignore         []string // configuration keys in which the sides may differ, such as cpu
	IgnoreMissing  bool     // ignore benchmarks that only the old side has
	UndecidedFails bool     // every benchmark must be shown not to be slower
}

// Limit is the largest passing regression of the benchmarks that match.
type Limit struct {
	Pattern *regexp.Regexp
	Part    float64 // 0.03 is 3 %
}

// Report is the judgement of two files: the JSON object of "ur bench gate --json".
type Report struct {
	Schema  string          `json:"schema"` // ur.gate/2
	Old     string          `json:"old"`    // name of the old file
	New     string          `json:"new"`
	Limit   float64         `json:"limit"`    // 0.03 for 3 %
	InTurns bool            `json:"in_turns"` // sample k of both sides was taken side by side
	Verdict verdict.Verdict `json:"verdict"`  // slower, pass or undecided
	Rows    []Row           `json:"rows"`     // in the order of the files
	Sight   number          `json:"sight"`    // slowdown that nine tenths of the benchmarks would have shown
	Notes   []string        `json:"notes,omitempty"`
}

// Row is a benchmark in a unit. Changes are relative to old: 0.05 is 5 % more. They are null
// without samples on both sides.
type Row struct {
	Benchmark string          `json:"benchmark"`
	Unit      string          `json:"unit"`
	Verdict   verdict.Verdict `json:"verdict"`
	Reason    string          `json:"reason,omitempty"`
	Delta     number          `json:"delta"`
	Lo        number          `json:"lo"` // ends of its 95 % interval
	Hi        number          `json:"hi"`
	P         number          `json:"p"`       // of no change, corrected for all rows
	Sight     number          `json:"sight"`   // smallest slowdown that would have been shown
	Samples   [2]int          `json:"samples"` // of each side
}

// number is null in JSON when it is not finite.
type number float64

// MarshalJSON implements [json.Marshaler].
func (x number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(x))
}

// Judge judges the benchmarks that the texts of two files share. Units without a known better
// direction are left out with a note, and so are units that repeat another one, as games/s repeats
// us/game. Errors are those of the input.
func Judge(oldName string, oldText []byte, newName string, newText []byte, o Options) (*Report, error) {
	if err := o.Rule.Check(); err != nil {
		return nil, err
	}
	before, err := readSide(oldName, oldText, o.Ignore)
	if err != nil {
		return nil, err
	}
	after, err := readSide(newName, newText, o.Ignore)
	if err != nil {
		return nil, err
	}
	r := &Report{Schema: "ur.gate/2", Old: oldName, New: newName, Limit: o.Rule.Limit, Rows: []Row{}}
	r.InTurns = before.occasion != "" && before.occasion == after.occasion
	for i, s := range []*side{before, after} {
		if s.skipped > 0 {
			r.note("%s of %s are logs, and were skipped", text.Plural(s.skipped, "line"), []string{oldName, newName}[i])
		}
		if len(s.failed) > 0 {
			r.note("%s reports failures: %s", []string{oldName, newName}[i], text.Some(s.failed, 3))
		}
	}
	family := verdict.Family{Rule: o.Rule}
	if err := r.judge(&family, before, after, o); err != nil {
		return nil, err
	}
	r.Verdict = family.Decide(nil)
	open := len(after.failed) > 0 || len(r.With(verdict.Missing)) > 0 || o.UndecidedFails && len(r.With(verdict.Undecided)) > 0
	if open && r.Verdict == verdict.Pass {
		r.Verdict = verdict.Undecided
	}
	return r, nil
}

func (r *Report) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// judge adds a row for each common benchmark and unit, and for each missing one.
func (r *Report) judge(family *verdict.Family, before, after *side, o Options) error {
	var keys []key
	var unknown []string
	for _, k := range before.order {
		better := before.better(k.unit)
		switch {
		case after.samples[k] == nil:
			if !o.IgnoreMissing {
				nan := number(math.NaN())
				r.Rows = append(r.Rows, Row{Benchmark: k.name, Unit: k.unit, Verdict: verdict.Missing, Delta: nan, Lo: nan, Hi: nan, P: nan,
					Sight: nan, Samples: [2]int{len(before.samples[k]), 0}})
			}
			continue
		case better == 0:
			if !slices.Contains(unknown, k.unit) {
				unknown = append(unknown, k.unit)
			}
			continue
		case slices.ContainsFunc(keys, func(first key) bool { return r.repeats(before, after, first, k) }):
			continue
		}
		keys = append(keys, k)
		if err := r.add(family.Add(better > 0), before.samples[k], after.samples[k]); err != nil {
			return fmt.Errorf("benchmark %s: %w", k.name, err)
		}
		for _, l := range o.Limits {
			if l.Pattern.MatchString(k.name) {
				family.Rows[len(family.Rows)-1].Limit = l.Part
			}
		}
	}
	if len(unknown) > 0 {
		r.note(`not judged: the better direction is unknown: %s (want a line such as "Unit %s better=lower")`, text.Some(unknown, 3), unknown[0])
	}
	if len(keys) == 0 {
		return nothingCommon(before, after, unknown)
	}
	family.Look(true)
	var rows []Row
	for i, row := range family.Rows {
		k := keys[i]
		rows = append(rows, Row{k.name, k.unit, row.Verdict, row.Reason, number(row.Delta), number(row.Lo), number(row.Hi), number(row.Family),
			number(row.Sight), [2]int{len(before.samples[k]), len(after.samples[k])}})
	}
	r.Sight = sight(rows)
	r.Rows = append(rows, r.Rows...)
	return nil
}

// sight returns the slowdown that nine tenths of the rows would have shown.
func sight(rows []Row) number {
	var all []number
	for _, row := range rows {
		all = append(all, row.Sight)
	}
	slices.Sort(all)
	return all[len(all)-1-len(all)/10]
}

// add adds the samples of a figure to its row: in rounds if both sides were measured in turns.
func (r *Report) add(row *verdict.Row, before, after []float64) error {
	if !r.InTurns {
		return row.AddSides(before, after)
	}
	if len(before) != len(after) {
		return fmt.Errorf("%d and %d samples measured in turns (want the same number on both sides)", len(before), len(after))
	}
	for k := range before {
		if err := row.Add(before[k], after[k]); err != nil {
			return err
		}
	}
	return nil
}

// repeats reports whether every sample of a figure is that of an earlier one times a constant, or
// a constant divided by it: judging both would count one measurement twice.
func (r *Report) repeats(before, after *side, first, k key) bool {
	if first.name != k.name || first.configuration != k.configuration {
		return false
	}
	a, b := slices.Concat(before.samples[first], after.samples[first]), slices.Concat(before.samples[k], after.samples[k])
	if len(a) != len(b) || slices.Min(a) <= 0 || slices.Min(b) <= 0 || slices.Min(a) == slices.Max(a) {
		return false
	}
	figure := func(i int) float64 { return a[i] / b[i] }
	if before.better(first.unit) != before.better(k.unit) {
		figure = func(i int) float64 { return a[i] * b[i] }
	}
	const rounding = 5e-4 // of files, which have four digits or more
	least, most := figure(0), figure(0)
	for i := range a {
		least, most = min(least, figure(i)), max(most, figure(i))
	}
	if most-least > rounding*most {
		return false
	}
	if note := fmt.Sprintf("%s is %s in another unit, and was not judged beside it", k.unit, first.unit); !slices.Contains(r.Notes, note) {
		r.Notes = append(r.Notes, note)
	}
	return true
}

// nothingCommon returns the reason for nothing to judge: the configuration keys that differ for
// benchmarks of one name.
func nothingCommon(before, after *side, unknown []string) error {
	if len(unknown) > 0 {
		return fmt.Errorf(`nothing to judge: the better direction is unknown: %s (want a line such as "Unit %s better=lower")`, text.Some(unknown, 3), unknown[0])
	}
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

// With returns the rows of a verdict.
func (r *Report) With(v verdict.Verdict) []Row {
	return slices.DeleteFunc(slices.Clone(r.Rows), func(row Row) bool { return row.Verdict != v })
}

// WriteText writes the rows that do not pass, and a summary.
func (r *Report) WriteText(w io.Writer) error {
	out := &text.Writer{To: w}
	t := text.Table{Header: []string{"benchmark", "unit", "change", "95 % interval", "p", "samples", "verdict"}, Narrow: true}
	var reasons []string
	for _, row := range r.Rows {
		if row.Verdict.Passes() {
			continue
		}
		if row.Verdict == verdict.Missing {
			t.Add(row.Benchmark, row.Unit, "", "", "", fmt.Sprintf("%d+0", row.Samples[0]), string(row.Verdict))
			continue
		}
		t.Add(row.Benchmark, row.Unit, percent(row.Delta), fmt.Sprintf("[%s, %s]", percent(row.Lo), percent(row.Hi)), fmt.Sprintf("%.3f", row.P),
			fmt.Sprintf("%d+%d", row.Samples[0], row.Samples[1]), string(row.Verdict))
		if reason := "undecided: " + row.Reason; row.Reason != "" && !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	if len(t.Rows) > 0 {
		_ = t.WriteText(out) // out remembers its error
		fmt.Fprintln(out)
	}
	for _, line := range slices.Concat(reasons, []string{r.summary()}, r.Notes) {
		fmt.Fprintln(out, text.Wrap(line+".", "", 96))
	}
	return out.Err
}

func percent(x number) string {
	if math.IsInf(float64(x), 0) {
		return "?"
	}
	return text.Percent(float64(x))
}

// summary counts the verdicts, and describes the slowdowns that could hide.
func (r *Report) summary() string {
	s := fmt.Sprintf("%d of %s slower", len(r.With(verdict.Slower)), text.Plural(len(r.Rows), "benchmark"))
	if len(r.With(verdict.Slower)) == 0 {
		s = "nothing is slower"
		if r.Sight <= verdict.Blind {
			s += fmt.Sprintf("; nine tenths of the benchmarks would have shown a slowdown of %.0f %%", math.Ceil(100*float64(r.Sight)))
		}
	}
	for _, v := range []verdict.Verdict{verdict.Undecided, verdict.Missing} {
		if n := len(r.With(v)); n > 0 {
			s += fmt.Sprintf("; %d %s", n, v)
		}
	}
	if !r.InTurns {
		s += ". The files were not measured in turns: a machine that changed its speed between them looks like a change of the program"
	}
	return s
}
