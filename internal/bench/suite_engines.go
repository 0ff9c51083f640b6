package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Baseline is the reference engine of ratios: the oracle. It runs everywhere.
const Baseline = engine.OracleName

// EnginesSuite is the name of the suite of the ladder of engines.
const EnginesSuite = "engines"

// enginesSuite measures every engine at every level.
func enginesSuite() Suite {
	return Suite{
		Name: EnginesSuite, Short: "every engine at every level",
		Package: "github.com/seed-09dcdc84/ur/bench", list: selectEngines,
	}
}

// Runnable splits engines into those that can run here and the others, with the reason.
func Runnable(all []ur.Engine) (engines []ur.Engine, skipped []experiment.Skipped) {
	for _, e := range all {
		if err := ur.Available(e); err != nil {
			skipped = append(skipped, experiment.Skipped{Engine: e.Name(), Reason: strings.TrimPrefix(err.Error(), e.Name()+" ")})
			continue
		}
		engines = append(engines, e)
	}
	return engines, skipped
}

// engines returns the selected engines that can run here.
func (of Selection) engines() ([]ur.Engine, []experiment.Skipped) {
	if of.Engines != nil {
		return of.Engines, of.Skipped
	}
	return Runnable(engine.All())
}

// selectEngines binds the engines to the work of the levels. The baseline is always
// measured along, since every ratio refers to it.
func selectEngines(of Selection) (set Set, err error) {
	if of.Size == (Size{}) {
		of.Size = DefaultSize()
	}
	w, err := NewWorkload(of.Size)
	if err != nil {
		return set, err
	}
	engines, skipped := of.engines()
	set.Work, set.Skipped = w.configuration(), skipped
	set.Subjects, err = w.subjects(withBaseline(engines), of.levels())
	return set, err
}

// subjects binds engines to the work of levels.
func (w *Workload) subjects(engines []ur.Engine, levels []Level) (subjects []experiment.Subject, err error) {
	for _, e := range engines {
		for _, level := range levels {
			c, err := NewCase(w, e, level)
			if err != nil {
				return nil, err
			}
			subjects = append(subjects, c)
		}
	}
	return subjects, nil
}

// levels returns the selected levels in their order.
func (of Selection) levels() []Level {
	if of.Levels == nil {
		return Levels()
	}
	return slices.DeleteFunc(Levels(), func(l Level) bool { return !slices.Contains(of.Levels, l) })
}

// withBaseline puts the baseline first when it is missing, and drops repetitions.
func withBaseline(engines []ur.Engine) (list []ur.Engine) {
	has := func(e ur.Engine) bool {
		return slices.ContainsFunc(list, func(other ur.Engine) bool { return other.Name() == e.Name() })
	}
	if !slices.ContainsFunc(engines, func(e ur.Engine) bool { return e.Name() == Baseline }) {
		list = append(list, engine.Oracle())
	}
	for _, e := range engines {
		if !has(e) {
			list = append(list, e)
		}
	}
	return list
}

// configuration returns the lines that describe the work of all levels.
func (w *Workload) configuration() []experiment.Configuration {
	return []experiment.Configuration{{Key: "workload", Value: w.Description()}, {Key: "corpus", Value: CorpusVersion()}}
}

// Heading is the heading of samples of the work in a file.
func (w *Workload) Heading(e experiment.Environment) experiment.Heading {
	return enginesSuite().Heading(e, Set{Work: w.configuration()})
}

// WriteHeader writes the lines above the benchmarks of "go test -bench": the work, and the
// better direction of every unit. The caller adds a line "signature: " with the
// [Workload.Signature] above the benchmarks of each level, as in a file of [Suite.Heading].
func (w *Workload) WriteHeader(out io.Writer) error {
	to := &text.Writer{To: out}
	for _, c := range append(w.configuration(), experiment.Configuration{Key: "cpu-features", Value: featureNames(cpu.Detected())}) {
		fmt.Fprintf(to, "%s: %s\n", c.Key, c.Value)
	}
	for _, unit := range []string{"ns/eval", "ns/turn", unitCandidate, "us/game", unitGames} {
		fmt.Fprintf(to, "Unit %s better=%s\n", unit, experiment.Better(unit))
	}
	return to.Err
}
