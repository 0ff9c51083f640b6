package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/spf13/cobra"
)

// benchRun is "ur bench run".
type benchRun struct {
	env  *environment
	size bench.Size // of the work

	engines   []string
	levels    []string
	count     int
	benchTime time.Duration
	seed      uint64
	asJSON    bool
	output    string
	record    bool
	results   string
}

const benchRunLong = `Run measures engines in one process, interleaved: each round takes a sample of
every engine at every level, in an order drawn anew, so that what disturbs the
machine disturbs all of them. Before it is measured, every engine is checked
against array16/scalar, the baseline, which is always measured along.

The ladder shows medians: ns/eval at the level "value", ns/turn at "turn", us/game
at "game", and us/game between two brains at "match". A ratio is the time over that
of the baseline, from samples of the same round, with its 95 % confidence interval.
The figures are of one core.

An engine that plays several games side by side is given 10,000 of them in one call,
so that its lanes are full, and its turns are measured in whole games: their time
divided by the turns and candidates in them. Every other engine is given the first
250, and what is reported is the time of a game of the mean length of all.

With --record, the scaling over cores and the time by the number of pieces are
measured as well, as "ur bench scaling" and "ur bench pieces" do. Everything is kept
in a folder for this kind of processor, over what was there; one line is added to
the history of that folder.

Ctrl-C ends the run early and prints what the complete rounds say, if there are
at least 4.`

// newBenchRunCommand returns "ur bench run".
func newBenchRunCommand(env *environment) *cobra.Command {
	return (&benchRun{env: env, size: bench.DefaultSize}).command()
}

func (b *benchRun) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Measure engines and print the ladder",
		Long:  benchRunLong,
		Example: `  ur bench run
  ur bench run --engine array16/avx2,bits/scalar --level game
  ur bench run --count 40 -o new.txt      then: go tool benchstat old.txt new.txt`,
		Args:              exactly(0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return b.run(cmd.Context())
		},
	}
	b.addFlags(cmd)
	return cmd
}

func (b *benchRun) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&b.engines, "engine", nil, "`names` of engines to measure, as in array16/avx2,bits/scalar (default: all that this CPU can run)")
	flags.StringSliceVar(&b.levels, "level", nil, "`levels` to measure: "+bench.LevelNames()+" (default: all)")
	flags.IntVar(&b.count, "count", bench.DefaultCount, "samples of each engine at each level, at least 4")
	flags.DurationVar(&b.benchTime, "benchtime", bench.DefaultBenchTime, "time that a sample should take")
	flags.Uint64Var(&b.seed, "seed", 1, "seed of the order of measuring and of the confidence intervals")
	flags.BoolVar(&b.asJSON, "json", false, "print one JSON object in place of the ladder")
	flags.StringVarP(&b.output, "output", "o", "", "write the samples in Go's benchmark format to `file`")
	flags.BoolVar(&b.record, "record", false, "keep samples, ladder, scaling and environment in the folder of --results")
	flags.StringVar(&b.results, "results", "results", "`folder` of the records")
	register(cmd, "engine", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, e := range ur.AvailableEngines() {
			names = append(names, e.Name())
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
	register(cmd, "level", cobra.FixedCompletions(strings.Split(bench.LevelNames(), ", "), cobra.ShellCompDirectiveNoFileComp))
}

func (b *benchRun) run(ctx context.Context) error {
	options, skipped, err := b.options()
	if err != nil {
		return err
	}
	machine := bench.ReadEnvironment()
	run, err := b.measure(ctx, options)
	switch {
	case run == nil:
		return mismatchError(err)
	case err != nil:
		return b.interrupted(run, machine, skipped)
	}
	return b.finish(ctx, run, machine, skipped)
}

// measure does the work, under a progress bar.
func (b *benchRun) measure(ctx context.Context, options bench.Options) (*bench.Run, error) {
	workload, err := bench.NewWorkload(b.size)
	if err != nil {
		return nil, err
	}
	bar := newProgress(b.env, options.Samples(), "measuring")
	defer bar.Exit()
	options.Progress = func(done int) { bar.Set(done) }
	return bench.Measure(ctx, workload, options)
}

// mismatchError makes a failed verification of an engine that computes something
// else than the oracle. Other errors stay as they are.
func mismatchError(err error) error {
	var mismatch *bench.MismatchError
	if errors.As(err, &mismatch) {
		return verificationError("%w\nIts speed means nothing. See \"ur engines verify\".", err)
	}
	return err
}

// options turns the flags into the options of a run, and lists the engines that
// are left out because they cannot run here.
func (b *benchRun) options() (bench.Options, []bench.Skipped, error) {
	o := bench.Options{Count: b.count, BenchTime: b.benchTime, Seed: b.seed, Levels: bench.Levels()}
	if err := ur.Available(ur.Oracle()); err != nil {
		return o, nil, usageError("%w", err) // it runs everywhere: UR_DISABLE is wrong
	}
	var skipped []bench.Skipped
	var err error
	if len(b.engines) == 0 {
		o.Engines, skipped = enginesThatRun()
	} else if o.Engines, err = enginesNamed(b.engines); err != nil {
		return o, nil, err
	}
	if len(b.levels) > 0 {
		if o.Levels, err = levelsNamed(b.levels); err != nil {
			return o, nil, err
		}
	}
	if err := o.Check(); err != nil {
		return o, nil, usageError("%w", err)
	}
	return o, skipped, b.checkFiles()
}

// checkFiles finds out what would keep the files asked for from being written,
// before the time to measure is spent.
func (b *benchRun) checkFiles() error {
	if b.output != "" {
		folder := filepath.Dir(b.output)
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return usageError("-o: there is no folder %s", folder)
		}
		if info, err := os.Stat(b.output); err == nil && info.IsDir() {
			return usageError("-o: %s is a folder, want the name of a file", b.output)
		}
	}
	switch {
	case !b.record:
		return nil
	case len(b.engines)+len(b.levels) > 0:
		return usageError("--record keeps all engines at all levels: leave out --engine and --level")
	case b.count < bench.MinRecordCount:
		return usageError("--record wants a --count of at least %d, got %d", bench.MinRecordCount, b.count)
	}
	return nil
}

// levelsNamed returns the levels of the names.
func levelsNamed(names []string) ([]bench.Level, error) {
	var levels []bench.Level
	for _, name := range names {
		level, err := bench.ParseLevel(name)
		if err != nil {
			return nil, usageError("--level: %w", err)
		}
		levels = append(levels, level)
	}
	return levels, nil
}

// enginesThatRun returns all engines, apart from those that cannot run here.
func enginesThatRun() ([]ur.Engine, []bench.Skipped) {
	var engines []ur.Engine
	var skipped []bench.Skipped
	for _, e := range ur.Engines() {
		if err := ur.Available(e); err != nil {
			reason := strings.TrimPrefix(err.Error(), e.Name()+" ")
			skipped = append(skipped, bench.Skipped{Engine: e.Name(), Reason: reason})
			continue
		}
		engines = append(engines, e)
	}
	return engines, skipped
}

// enginesNamed returns the engines of the names, all of which must be able to run.
func enginesNamed(names []string) ([]ur.Engine, error) {
	var engines []ur.Engine
	for _, name := range names {
		e, err := chooseEngine(name)
		if err != nil {
			return nil, err
		}
		engines = append(engines, e)
	}
	return engines, nil
}

// finish prints a complete run and writes the files asked for.
func (b *benchRun) finish(ctx context.Context, run *bench.Run, machine bench.Environment, skipped []bench.Skipped) error {
	results := run.Results(machine, skipped)
	if err := b.print(results); err != nil {
		return err
	}
	if err := b.writeSamples(run, machine); err != nil {
		return err
	}
	if !b.record {
		return nil
	}
	scaling, err := measureScaling(ctx, b.env, machine, b.scalingOptions())
	if err != nil {
		return err
	}
	pieces, err := measurePieces(ctx, b.env, machine, b.piecesOptions(run.Options.Engines))
	if err != nil {
		return err
	}
	record := bench.Record{Environment: machine, Results: results, Scaling: scaling, Pieces: pieces}
	folder, err := bench.WriteRecord(b.results, run, record)
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	fmt.Fprintf(b.env.stderr, "recorded under %s\n", folder)
	return nil
}

// scalingOptions say how the scaling that goes on record is measured: with samples
// as many as those of the ladder, and longer by as much as they are by default.
func (b *benchRun) scalingOptions() bench.ScalingOptions {
	return bench.ScalingOptions{
		Engine:    ur.Fastest(),
		Count:     b.count,
		BenchTime: b.benchTime * (bench.DefaultScalingTime / bench.DefaultBenchTime),
		Seed:      b.seed,
	}
}

// piecesOptions say how the time by the number of pieces that goes on record is
// measured: as often as the ladder, and shorter by as much as it is by default.
func (b *benchRun) piecesOptions(engines []ur.Engine) bench.PiecesOptions {
	return bench.PiecesOptions{
		Engines:   engines,
		Count:     b.count,
		BenchTime: max(1, b.benchTime/(bench.DefaultBenchTime/bench.DefaultPiecesTime)),
		Seed:      b.seed,
	}
}

// interrupted prints what an interrupted run has, if that is enough to say
// something. It does not go on record.
func (b *benchRun) interrupted(run *bench.Run, machine bench.Environment, skipped []bench.Skipped) error {
	if run.Rounds < bench.MinCount {
		return errInterrupted
	}
	if err := b.print(run.Results(machine, skipped)); err != nil {
		return err
	}
	if err := b.writeSamples(run, machine); err != nil {
		return err
	}
	return errInterrupted
}

func (b *benchRun) print(results bench.Results) error {
	if b.asJSON {
		return writeJSON(b.env.stdout, results)
	}
	results.WriteText(b.env.stdout)
	return nil
}

// writeSamples writes the file of -o.
func (b *benchRun) writeSamples(run *bench.Run, machine bench.Environment) error {
	if b.output == "" {
		return nil
	}
	err := bench.WriteFile(b.output, func(w io.Writer) error { return run.WriteBenchmarks(w, machine) })
	if err != nil {
		return fmt.Errorf("-o: %w", err)
	}
	return nil
}
