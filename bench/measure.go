package bench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Run is what [Measure] did: for every engine at every level a series of samples. Sample
// r of each series was taken in round r.
type Run struct {
	*experiment.Run // its series are by engine as given, then by level; behind them the commands

	Workload *Workload
	Options  Options
	cases    []*Case // of the first series; those of commands have none
}

// Measure checks every engine against the oracle at every level, and takes samples of
// all of them, interleaved: see [experiment.Measure]. The oracle is measured along when
// Engines does not have it, since every ratio refers to it.
//
// When ctx ends, Measure returns its error together with the complete rounds, and so
// it does with the [*experiment.CommandError] of a command that fails after a round. The
// error about an engine which computes something else than the oracle is a
// [*MismatchError].
func Measure(ctx context.Context, w *Workload, o Options) (*Run, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	run := &Run{Workload: w, Options: o.complete()}
	how := run.Options.Options
	for _, e := range run.Options.Engines {
		for _, level := range run.Options.Levels {
			c, err := NewCase(w, e, level)
			if err != nil {
				return nil, err
			}
			run.cases = append(run.cases, c)
			how.Subjects = append(how.Subjects, c)
		}
	}
	for i := range o.Commands {
		how.Programs = append(how.Programs, &program{command: &o.Commands[i], levels: run.Options.Levels})
	}
	how.Base = baseName
	if o.Save != nil {
		how.AfterRound = func(r *experiment.Run) error {
			run.Run = r
			return o.Save(run)
		}
	}
	measured, err := experiment.Measure(ctx, how)
	if measured == nil {
		return nil, err
	}
	run.Run = measured
	run.Options.Options = measured.Options
	return run, err
}

// baseName is the benchmark of the baseline at the level of another.
func baseName(name string) string {
	level, _, err := ParseName(name)
	if err != nil {
		return ""
	}
	return BenchmarkName(level, Baseline)
}

// caseOf returns the case of series i, or nil for that of a command.
func (r *Run) caseOf(i int) *Case {
	if i < len(r.cases) {
		return r.cases[i]
	}
	return nil
}

// find returns the times of an engine at a level, or nil.
func (r *Run) find(engine string, level Level) []float64 {
	s, _ := r.Find(BenchmarkName(level, engine))
	return s.Times()
}

// Heading is what stands above the samples of work in a file: which work it is, by the
// signature of each level, and on which machine it was measured.
func (w *Workload) Heading(e experiment.Environment) experiment.Heading {
	return experiment.Heading{
		Environment:   e,
		Package:       "github.com/seed-09dcdc84/ur/bench",
		Configuration: w.configuration(e.Features),
		Of: func(name string) []experiment.Configuration {
			level, _, err := ParseName(name)
			if err != nil {
				return nil
			}
			return []experiment.Configuration{{Key: "signature", Value: w.Signature(level)}}
		},
		Better: unitsBetter(),
	}
}

// configuration are the lines that say what the work of all levels is, and which
// features the CPU has.
func (w *Workload) configuration(features []cpu.Feature) []experiment.Configuration {
	var names []string
	for _, f := range features {
		names = append(names, string(f))
	}
	return []experiment.Configuration{
		{Key: "workload", Value: w.Description()},
		{Key: "corpus", Value: CorpusVersion()},
		{Key: "cpu-features", Value: cmp.Or(strings.Join(names, " "), "none")},
	}
}

// WriteBenchmarks writes the samples of a run in Go's benchmark format: see
// [experiment.Run.Write].
func (r *Run) WriteBenchmarks(w io.Writer, e experiment.Environment) error {
	return r.Write(w, r.heading(e))
}

// heading is that of the work, with a comment on each command.
func (r *Run) heading(e experiment.Environment) experiment.Heading {
	h := r.Workload.Heading(e)
	for _, c := range r.Options.Commands {
		h.Comments = append(h.Comments, fmt.Sprintf("command %s: %q", c.Name, c.Args))
	}
	return h
}

// GoOnWith lets options go on with a saved run: its engines and levels, seed and times.
// Commands must be those of the options: a file of samples does not say what is started
// here. The error, which wants the name of the file in front, says that an engine cannot
// run here or a command is missing.
func (o *Options) GoOnWith(saved *experiment.Saved) error {
	o.Resume, o.Seed, o.BenchTime, o.TimedBy = saved, saved.Seed, saved.BenchTime, saved.TimedBy
	names, levels, err := measuredNames(saved.Names)
	if err != nil {
		return fmt.Errorf("has something else in it: %w", err)
	}
	o.Levels, o.Engines = levels, nil
	given := make(map[string]bool) // commands that there are no samples of
	for _, c := range o.Commands {
		given[c.Name] = true
	}
	for _, name := range names {
		if c := o.commandOf(name); c != "" {
			delete(given, c)
			continue
		}
		e, err := engine.Lookup(name)
		if err != nil {
			return fmt.Errorf("has samples of %s, which is no engine: its command is missing", name)
		}
		if err := ur.Available(e); err != nil {
			return fmt.Errorf("has samples of an engine that cannot run here: %w", err)
		}
		o.Engines = append(o.Engines, e)
	}
	for name := range given {
		return fmt.Errorf("has no samples of the command %s", name)
	}
	return nil
}

// commandOf is the command that a name is of, or "".
func (o Options) commandOf(name string) string {
	for _, c := range o.Commands {
		if _, ok := engineOf(c.Name, name); ok {
			return c.Name
		}
	}
	return ""
}

// measuredNames returns the engines and levels of benchmarks, in their order.
func measuredNames(benchmarks []string) (engines []string, levels []Level, err error) {
	for _, name := range benchmarks {
		level, engine, err := ParseName(name)
		if err != nil {
			return nil, nil, err
		}
		if !slices.Contains(engines, engine) {
			engines = append(engines, engine)
		}
		if !slices.Contains(levels, level) {
			levels = append(levels, level)
		}
	}
	return engines, levels, nil
}

// WriteHeader writes what stands before the benchmarks of "go test -bench": which work
// they do, and of every unit which direction is better. Before those of each level
// belongs a line "signature: " with its [Workload.Signature], as in a file of
// [Run.WriteBenchmarks].
func (w *Workload) WriteHeader(out io.Writer) error {
	to := &text.Writer{To: out}
	for _, c := range w.configuration(cpu.Detected()) {
		fmt.Fprintf(to, "%s: %s\n", c.Key, c.Value)
	}
	for _, u := range unitsBetter() {
		fmt.Fprintf(to, "Unit %s better=%s\n", u.Unit, u.Better)
	}
	return to.Err
}
