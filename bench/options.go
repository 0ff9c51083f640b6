package bench

import (
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/config"
)

// Baseline is the engine that ratios refer to: the oracle, which runs everywhere.
const Baseline = engine.OracleName

// Options say what [Measure] measures, and how.
type Options struct {
	Engines  []ur.Engine          // each must be able to run here
	Commands []experiment.Command // measured along with the engines
	Levels   []Level              // in any order

	// Save is called with the run after each complete round, between samples, so that it
	// can be written and a kill costs one round; nil for none. Its error ends the run.
	Save func(*Run) error

	// Options say how. What they measure, and what with, is filled in by [Measure].
	experiment.Options
}

// ThatRun parts engines into those that can run here and the others, with the reason.
func ThatRun(all []ur.Engine) (engines []ur.Engine, skipped []Skipped) {
	for _, e := range all {
		if err := ur.Available(e); err != nil {
			skipped = append(skipped, Skipped{Engine: e.Name(), Reason: strings.TrimPrefix(err.Error(), e.Name()+" ")})
			continue
		}
		engines = append(engines, e)
	}
	return engines, skipped
}

// Check says what is wrong with the options, in terms of what a user chose. Its error
// names the field.
func (o Options) Check() error {
	if len(o.Levels) == 0 {
		return config.Fault("options", "Levels", "no level is chosen")
	}
	if err := checkNames(o); err != nil {
		return err
	}
	others := len(o.Commands) > 0 ||
		slices.ContainsFunc(o.Engines, func(e ur.Engine) bool { return e.Name() != Baseline })
	return o.Options.Check(others)
}

// checkNames checks that no command has the name of an engine or of another command.
func checkNames(o Options) error {
	var names []string
	for _, c := range o.Commands {
		named := func(e ur.Engine) bool { return e.Name() == c.Name }
		_, err := engine.Lookup(c.Name)
		if err == nil || slices.ContainsFunc(o.Engines, named) || slices.Contains(names, enginePrefix(c.Name)) {
			return config.Fault("options", "Commands", "the name %s is taken", c.Name)
		}
		names = append(names, enginePrefix(c.Name)) // a/b and a.b would name their engines alike
	}
	return nil
}

// complete puts the baseline first when it is missing, drops repetitions, and
// brings the levels into their order.
func (o Options) complete() Options {
	named := func(e ur.Engine) func(ur.Engine) bool {
		return func(other ur.Engine) bool { return other.Name() == e.Name() }
	}
	var engines []ur.Engine
	if !slices.ContainsFunc(o.Engines, named(engine.Oracle())) {
		engines = append(engines, engine.Oracle())
	}
	for _, e := range o.Engines {
		if !slices.ContainsFunc(engines, named(e)) {
			engines = append(engines, e)
		}
	}
	chosen := o.Levels
	o.Engines = engines
	o.Levels = slices.DeleteFunc(Levels(), func(l Level) bool { return !slices.Contains(chosen, l) })
	return o
}

// Samples is how many samples a run takes at most, those of the baseline and of a
// resumed run among them. A command takes one for all its levels.
func (o Options) Samples() int {
	o = o.complete()
	return (len(o.Engines)*len(o.Levels) + len(o.Commands)) * o.Count
}
