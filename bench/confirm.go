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

// MeasureAgain measures the engines of suspects in this program, for [compare.Report.Confirm].
//
// The old program is not available, and the machine may have changed since the old measurement.
// MeasureAgain therefore compares not times but the ratio of the engine's time to [Baseline]'s
// time in the same round: in the old file, and in a new run, interleaved as always. A slower
// machine slows both and leaves the ratio unchanged. The baseline has no reference of its own,
// so for a suspect baseline the times are compared.
//
// The old side must be one file written by "ur bench run -o" for the same work. A suspect that
// is not an engine of this program, or cannot be measured again for another reason, is reported
// with the reason. Errors come from measuring. MeasureAgain sets the subjects of o.
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

// suspect is an engine at a level to measure again.
type suspect struct {
	place  int
	engine ur.Engine
	level  Level
}

// savedSide reads the rounds of the old side, or returns the reason it has none.
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

// find finds the engine and level of a row, or returns the reason it cannot be measured.
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

// unitsOf lists the units derived from the time at a level, by their names in a comparison.
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
