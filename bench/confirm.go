package bench

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/compare"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"golang.org/x/perf/benchunit"
)

// MeasureAgain measures the engines of suspects in this program, for
// [compare.Report.Confirm].
//
// The old program is not at hand, and the machine may be another one by now than when
// it was measured. So what is compared is not a time but the ratio of the engine's
// time to that of [Baseline] in the same round: in the old file, and in a run of now,
// interleaved as always. What slows the machine slows both, and leaves the ratio as it
// is. The baseline has no other to be held against: of a suspect that is the baseline
// itself the times are compared.
//
// It needs an old side of one file that "ur bench run -o" wrote for the same work. A
// suspect that is no engine of this program, or cannot be measured again for another
// reason, is reported so. The error is that of measuring. The subjects of o are set here.
func MeasureAgain(ctx context.Context, suspects []compare.Judged, old compare.Side, w *Workload, o experiment.Options) ([]compare.Again, error) {
	again := make([]compare.Again, len(suspects))
	saved, reason := savedSide(old)
	var found []suspect
	var engines []ur.Engine
	var levels []Level
	for k, r := range suspects {
		s := suspect{place: k}
		if again[k].Reason = reason; reason == "" {
			again[k].Reason = s.find(r, saved, w)
		}
		if again[k].Reason == "" {
			found = append(found, s)
			engines, levels = append(engines, s.engine), append(levels, s.level)
		}
	}
	if len(found) == 0 {
		return again, nil
	}
	var err error
	if o.Subjects, err = w.subjects(withBaseline(engines), Selection{Levels: levels}.levels()); err != nil {
		return nil, err
	}
	run, err := experiment.Measure(ctx, o)
	if err != nil {
		return nil, err
	}
	for _, s := range found {
		again[s.place] = s.judged(saved, run)
	}
	return again, nil
}

// suspect is an engine at a level that is measured again.
type suspect struct {
	place  int
	engine ur.Engine
	level  Level
}

// savedSide reads the rounds of the old side, or says why it has none.
func savedSide(old compare.Side) (*experiment.Saved, string) {
	if len(old.Files) != 1 {
		return nil, fmt.Sprintf("%s is %d files, want the one of a run", old.Label, len(old.Files))
	}
	saved, err := experiment.ReadSaved(old.Files[0])
	if err != nil {
		return nil, err.Error()
	}
	return saved, ""
}

// find finds the engine and level of a row, or says why there is none that can be
// measured.
func (s *suspect) find(r compare.Judged, saved *experiment.Saved, w *Workload) (reason string) {
	level, name, err := ParseName(saved.ShortName(r.Benchmark))
	if err != nil {
		return "it is no benchmark of an engine"
	}
	s.level = level
	if s.engine, err = engine.Lookup(name); err == nil {
		err = ur.Available(s.engine)
	}
	if err != nil {
		return err.Error()
	}
	if !slices.Contains(unitsOf(level), r.Unit) {
		return fmt.Sprintf("only times are, not %s", r.Unit)
	}
	for _, benchmark := range []string{BenchmarkName(level, name), BenchmarkName(level, Baseline)} {
		if saved.Times(benchmark) == nil {
			return fmt.Sprintf("the old side lacks %s or %s at the level %s", name, Baseline, level)
		}
	}
	lines := append(w.configuration(), experiment.Configuration{Key: "cpu", Value: cpu.Name()},
		experiment.Configuration{Key: "signature", Value: w.Signature(level)})
	for _, line := range lines {
		if was := saved.Configured(BenchmarkName(level, name), line.Key); was != line.Value {
			return fmt.Sprintf("its %s is %q, and here %q", line.Key, was, line.Value)
		}
	}
	return ""
}

// unitsOf lists the units that follow from the time at a level, as a comparison
// names them.
func unitsOf(level Level) []string {
	d := level.descriptor()
	units := []string{d.unit}
	units = append(units, d.others...)
	for i, unit := range units {
		_, units[i] = benchunit.Tidy(1, unit)
	}
	return units
}

// judged are the ratios of then and now.
func (s suspect) judged(saved *experiment.Saved, run *experiment.Run) compare.Again {
	name, base := BenchmarkName(s.level, s.engine.Name()), BenchmarkName(s.level, Baseline)
	times := func(name string) []float64 { series, _ := run.Find(name); return series.Times() }
	then, now := saved.Times(name), times(name)
	again := compare.Again{Unit: s.level.Unit()}
	if name != base {
		again.Unit = "ratio to " + Baseline
		then, now = stat.Ratios(then, saved.Times(base)), stat.Ratios(now, times(base))
	}
	again.Pair = stat.Pair{Old: then, New: now, Better: -1}
	return again
}
