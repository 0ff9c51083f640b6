package bench

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/engine"
	"golang.org/x/perf/benchunit"
)

// Confirmation is what measuring a suspect again found.
type Confirmation struct {
	Unit    string   `json:"unit"`             // of what was compared
	Finding *Finding `json:"-"`                // nil when it could not be measured again
	Reason  string   `json:"reason,omitempty"` // why not

	Verdict Verdict  `json:"verdict,omitempty"`
	Delta   *float64 `json:"delta,omitempty"`
	P       float64  `json:"p_holm,omitempty"`
}

// Confirm measures the engines of the regressions that a gate found once more, in
// this program, and judges them by the same rule; what the first measurement called a
// regression is one only if the second does too.
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
// reason, stays a regression, and its [Confirmation] says why. The error is that of
// measuring. Engines and levels of o do not count, and progress, when it is not nil,
// is called after each sample.
func (g *GateReport) Confirm(ctx context.Context, old ComparisonSide, w *Workload, o Options, progress func(done, samples int)) error {
	suspects := g.suspects()
	if len(suspects) == 0 {
		return nil
	}
	saved, reason := savedSide(old, w)
	if reason != "" {
		for _, i := range suspects {
			g.Rows[i].Confirmation = &Confirmation{Reason: reason}
		}
		return nil
	}
	o.Engines, o.Levels = nil, nil
	var again []int
	for _, i := range suspects {
		engine, level, reason := measurable(g.Rows[i], saved)
		if reason != "" {
			g.Rows[i].Confirmation = &Confirmation{Reason: reason}
			continue
		}
		o.Engines, o.Levels = append(o.Engines, engine), append(o.Levels, level)
		again = append(again, i)
	}
	if len(again) == 0 {
		return nil
	}
	if progress != nil {
		o.Progress = func(done int) { progress(done, o.Samples()) }
	}
	run, err := Measure(ctx, w, o)
	if err != nil {
		return err
	}
	g.judgeAgain(again, saved, run)
	return nil
}

// suspects are the places of the rows that regressed.
func (g *GateReport) suspects() []int {
	var places []int
	for i, r := range g.Rows {
		if r.Finding.Verdict == Regressed {
			places = append(places, i)
		}
	}
	return places
}

// savedSide reads the rounds of the old side, or says why it has none.
func savedSide(old ComparisonSide, w *Workload) (*Saved, string) {
	if len(old.Files) != 1 {
		return nil, fmt.Sprintf("%s is %d files, want the one of a run", old.Label, len(old.Files))
	}
	saved, err := ReadSamples(old.Files[0])
	if err != nil {
		return nil, err.Error()
	}
	for _, c := range w.Configuration(nil) {
		if c.Key != "cpu-features" && saved.configuration[c.Key] != c.Value {
			return nil, fmt.Sprintf("its %s is %q, and here %q", c.Key, saved.configuration[c.Key], c.Value)
		}
	}
	if here := ur.CPUName(); saved.configuration["cpu"] != here {
		return nil, fmt.Sprintf("it was measured on %q, and this is %q", saved.configuration["cpu"], here)
	}
	return saved, ""
}

// measurable returns the engine and level of a row, or says why there is none.
func measurable(r GateRow, saved *Saved) (e ur.Engine, level Level, reason string) {
	parts := engineName.FindStringSubmatch(r.Benchmark)
	if parts == nil {
		return nil, "", "it is no benchmark of an engine"
	}
	if level = levelOf(parts[1]); level == "" {
		return nil, "", "it is no benchmark of an engine"
	}
	e, err := engine.Lookup(parts[2] + "/" + parts[3])
	if err == nil {
		err = ur.Available(e)
	}
	switch {
	case err != nil:
		return nil, "", err.Error()
	case !slices.Contains(unitsOf(level), r.Unit):
		return nil, "", fmt.Sprintf("only times are, not %s", r.Unit)
	case saved.find(e.Name(), level) == nil || saved.find(Baseline, level) == nil:
		return nil, "", fmt.Sprintf("the old side lacks %s or %s at the level %s", e.Name(), Baseline, level)
	}
	return e, level, ""
}

// levelOf returns the level of a benchmark's name, or "".
func levelOf(benchmark string) Level {
	for _, level := range Levels() {
		if level.benchmark() == benchmark {
			return level
		}
	}
	return ""
}

// unitsOf lists the units that follow from the time at a level, as a comparison
// names them.
func unitsOf(level Level) []string {
	units := []string{level.Unit(), unitCandidate}
	if level == Game || level == Match {
		units[1] = unitGames
	}
	for i, unit := range units {
		_, units[i] = benchunit.Tidy(1, unit)
	}
	return units
}

// find returns the times of an engine at a level, or nil.
func (s *Saved) find(engine string, level Level) []float64 {
	for name, series := range s.series {
		parts := engineName.FindStringSubmatch(name)
		if parts[1] == level.benchmark() && parts[2]+"/"+parts[3] == engine {
			return perUnit(series.samples)
		}
	}
	return nil
}

// find returns the times of an engine at a level. It was measured.
func (r *Run) find(engine string, level Level) []float64 {
	for _, s := range r.Series {
		if s.Engine() == engine && s.Level == level {
			return perUnit(s.Samples)
		}
	}
	return nil
}

func perUnit(samples []Sample) []float64 {
	times := make([]float64, len(samples))
	for i, sample := range samples {
		times[i] = sample.PerUnit
	}
	return times
}

// judgeAgain judges the ratios of then and now, all suspects together.
func (g *GateReport) judgeAgain(places []int, saved *Saved, run *Run) {
	var pairs []stat.Pair
	for _, i := range places {
		parts := engineName.FindStringSubmatch(g.Rows[i].Benchmark)
		engine, level := parts[2]+"/"+parts[3], levelOf(parts[1])
		then, now := saved.find(engine, level), run.find(engine, level)
		unit := level.Unit()
		if engine != Baseline {
			unit = "ratio to " + Baseline
			then, now = ratios(then, saved.find(Baseline, level)), ratios(now, run.find(Baseline, level))
		}
		g.Rows[i].Confirmation = &Confirmation{Unit: unit}
		pairs = append(pairs, stat.Pair{Old: then, New: now, Better: -1})
	}
	g.confirm(places, pairs)
}

// confirm judges the pairs of rows that were measured again.
func (g *GateReport) confirm(places []int, pairs []stat.Pair) {
	for k, finding := range g.rule.Judge(pairs) {
		c := g.Rows[places[k]].Confirmation
		c.Finding, c.Verdict, c.Delta, c.P = &finding, finding.Verdict, finite(finding.Delta), finding.Holm
	}
	g.decide()
}

// ratios divides element by element.
func ratios(x, base []float64) []float64 {
	out := make([]float64, min(len(x), len(base)))
	for k := range out {
		out[k] = x[k] / base[k]
	}
	return out
}
