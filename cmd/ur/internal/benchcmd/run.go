package benchcmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/bench/record"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/fleet/join"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/spf13/cobra"
)

// benchRun is "ur bench run".
type benchRun struct {
	env  *cli.Env
	size bench.Size // of the work of engines

	suites     []string
	match      string
	engines    []string
	levels     []string
	workers    int
	nets       []string
	table      string
	count      int
	benchTime  time.Duration
	within     float64
	seed       uint64
	cpu        int
	clock      string
	pin, noPin bool
	core       int
	format     string
	asJSON     bool
	output     string
	force      bool
	resume     string
	record     bool
	results    string
	fleet      join.Options

	given    func(flag string) bool // whether the user typed a flag
	measured experiment.Results     // so far
	samples  bytes.Buffer           // of the finished suites, in Go's benchmark format
}

const benchRunLong = `Run measures suites of benchmarks in one process. The samples of a suite are
interleaved: each round takes a sample of every benchmark, in a new random order, so
other programs disturb all of them alike. Every benchmark is checked against its
oracle before it is measured.

The suites are:

@SUITES@

The tables show medians. A speedup is the baseline's time divided by that of the row,
from samples of the same round, with its 95 % confidence interval. The baseline of
engines, array16/scalar, is always measured too. The ladder has ns/eval at the level
"value", ns/turn at "turn", us/game at "game", and us/game between two brains at
"match". An engine that plays several games at once gets 10,000 games a call, and its
turns are measured in whole games; every other engine gets the first 250 games.

The run stays on one core if the system allows it, except for benchmarks of several
threads. Times are CPU time on Linux, which excludes other programs. With --clock
wall, and for several threads, they are wall-clock time.

With --ci 1% a suite ends as soon as the interval of every ratio extends at most 1 %
to either side, or after --count samples. Run checks the intervals after 10 rounds and
then at growing distances, and ends when they were narrow twice in succession: with a
check after every round, some would be narrow by chance.

With --table the suites search and nets also measure regret by the exact solution.
Measurements that take minutes, such as matches, run only if --bench names them.

Ctrl-C ends the run early and prints the complete rounds if there are at least 4. The
file of -o is written after every round. --resume FILE continues the run of one suite
in such a file, with its benchmarks, seed and times.

--record writes the rows to RESULTS/MACHINE/SUITE.json, each with its CPU, commit,
date and command. Rows of benchmarks that were not measured stay.

--fleet measures on one worker for each kind of processor in a fleet. That worker
computes nothing else meanwhile. Each kind has its own tables, or a line with --json.
-o names a folder with a file of samples for each kind, and --record keeps a record of
each.`

// newBenchRunCommand returns "ur bench run".
func newBenchRunCommand(env *cli.Env) *cobra.Command {
	return (&benchRun{env: env, size: bench.DefaultSize()}).command()
}

func (b *benchRun) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Measure suites of benchmarks",
		Long:  strings.Replace(benchRunLong, "@SUITES@", suiteList(), 1),
		Example: `  ur bench run
  ur bench run --engine 'array16/avx2,bits*' --level game --ci 1%
  ur bench run --suite search,nets --bench 'game=ur|NetGame'
  ur bench run --count 40 -o new.txt   # go tool benchstat old.txt new.txt
  ur bench run --resume new.txt        # after Ctrl-C
  ur bench run --fleet nats://127.0.0.1:4222 -o kinds`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b.given = cmd.Flags().Changed
			return b.run(cmd.Context())
		},
	}
	b.addFlags(cmd)
	return cmd
}

// suiteList describes the suites, a line each.
func suiteList() string {
	line := func(s bench.Suite) string { return fmt.Sprintf("  %-8s  %s", s.Name, s.Short) }
	return strings.Join(text.List(bench.Suites(), line), "\n")
}

func (b *benchRun) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&b.suites, "suite", []string{bench.EnginesSuite}, "`suites` to measure: "+strings.Join(bench.SuiteNames(), ", "))
	cli.CompleteFrom(cmd, "suite", bench.SuiteNames()...)
	flags.StringVar(&b.match, "bench", "", "measure only benchmarks whose name matches `REGEXP`")
	addEnginesFlag(cmd, &b.engines, "measure")
	addLevelsFlag(cmd, &b.levels, "measure", "all")
	flags.IntVar(&b.workers, "workers", 0, "maximum number of workers in the suite scaling (default one for each core)")
	flags.StringSliceVar(&b.nets, "net", nil, "`files` of nets that the suite nets measures (default the built-in net, and an untaught one)")
	flags.StringVar(&b.table, "table", "", "also measure regret with the exact solution in `FILE`")
	flags.IntVar(&b.count, "count", 0, "samples of each benchmark, at least 4 (default 20, of reversi 9); with --ci at most (default 200)")
	flags.DurationVar(&b.benchTime, "benchtime", 0, "time that a sample should take (default 25ms, of pieces 5ms, of scaling 100ms)")
	flags.Var(cli.PercentFlag{Part: &b.within}, "ci", "end when the 95 % interval of every ratio is within this `percentage`, as in 1%")
	flags.Uint64Var(&b.seed, "seed", 1, "seed of the order of measuring and of the confidence intervals")
	flags.IntVar(&b.cpu, "cpu", 0, "threads that Go may run at once, as in \"go test -cpu\"; an engine uses one (default GOMAXPROCS)")
	flags.StringVar(&b.clock, "clock", "", "`clock` of the samples: cpu or wall (default cpu where the system has one that is exact)")
	cli.CompleteFrom(cmd, "clock", "cpu", "wall")
	flags.BoolVar(&b.pin, "pin", true, "stay on one core, where the system allows it")
	flags.BoolVar(&b.noPin, "no-pin", false, "let the system move the run between cores")
	flags.IntVar(&b.core, "core", experiment.AnyCore, "`number` of the core to stay on (default: the one where the run starts)")
	cli.AddFormatFlags(cmd, &b.format, &b.asJSON, "the tables", runFormats)
	flags.StringVarP(&b.output, "output", "o", "", "write the samples in Go's benchmark format to `file`")
	cli.ForceFlag(cmd, &b.force)
	flags.StringVar(&b.resume, "resume", "", "continue the run in `file`, which -o wrote, and write it there")
	join.Flags(cmd, &b.fleet, "measure on every kind of processor of the fleet at this address")
	flags.BoolVar(&b.record, "record", false, "keep the rows in the folder of --results")
	flags.StringVar(&b.results, "results", "results", "`folder` of the records")
	_ = cmd.MarkFlagFilename("resume")
	_ = cmd.MarkFlagFilename("output")
}

// addEnginesFlag adds --engine for several engines.
func addEnginesFlag(cmd *cobra.Command, engines *[]string, verb string) {
	cmd.Flags().StringSliceVar(engines, "engine", nil,
		"`names` of engines to "+verb+", as in array16/avx2,bits/scalar, or patterns as in 'bits*' (default: all that this CPU can run)")
	cli.CompleteFlag(cmd, "engine", pick.CompleteEngines)
}

// addLevelsFlag adds --level for several levels.
func addLevelsFlag(cmd *cobra.Command, levels *[]string, verb, byDefault string) {
	cmd.Flags().StringSliceVar(levels, "level", nil, "`levels` to "+verb+": "+bench.LevelNames()+" (default: "+byDefault+")")
	cli.CompleteFrom(cmd, "level", strings.Split(bench.LevelNames(), ", ")...)
}

func (b *benchRun) run(ctx context.Context) error {
	if b.fleet.Given() {
		return b.onFleet(ctx)
	}
	p, err := b.plan(ctx)
	if err != nil {
		return explained(err)
	}
	restore, err := setProcs(b.cpu, b.given("cpu"))
	if err != nil {
		return err
	}
	defer restore()
	b.measured = experiment.NewResults(experiment.ReadEnvironment(), p.options.Seed)
	for _, suite := range p.suites {
		run, err := b.measure(ctx, suite, p)
		if err != nil {
			return b.interrupted(run, explained(err))
		}
	}
	return errors.Join(b.writeSamples(nil), b.print(), b.keep(b.measured))
}

// measure measures a suite, under a progress bar, and adds it to the results. The file of -o is
// written after every round, so a kill costs one.
func (b *benchRun) measure(ctx context.Context, suite bench.Suite, p plan) (*experiment.Run, error) {
	bar := cli.NewProgress(b.env, 1, string(experiment.Checking))
	defer bar.Clear()
	set, err := suite.Select(p.selection)
	if err != nil {
		return nil, err
	}
	options := suite.Complete(p.options, set)
	options.Progress = progressOn(bar)
	heading := suite.Heading(b.measured.Environment, set)
	if options.Resume != nil {
		if err := options.Resume.Check(heading, set.Subjects); err != nil {
			return nil, cli.UsageError("--resume: cannot continue %s: %w", b.resume, err)
		}
	}
	fmt.Fprintf(b.env.Stderr, "suite %s: checking %s, then measuring\n", suite.Name, text.Plural(len(set.Subjects)+len(set.Samplers), "benchmark"))
	write := func(run *experiment.Run) error {
		var text bytes.Buffer
		if err := run.Write(&text, heading); err != nil {
			return err
		}
		return b.writeSamples(text.Bytes())
	}
	if b.output != "" {
		options.AfterRound = func(run *experiment.Run) error {
			_ = write(run) // a full disk must not end the run: the last write reports it
			return nil
		}
	}
	run, err := experiment.Measure(ctx, options)
	bar.Clear()
	if run == nil || run.Rounds == 0 {
		return run, err
	}
	b.report(run)
	b.measured.Add(suite.Name, run, set.Work)
	b.measured.Skipped = append(b.measured.Skipped, set.Skipped...)
	return run, errors.Join(err, run.Write(&b.samples, heading))
}

// noticeable is the share of other programs' time worth reporting.
const noticeable = 0.02

// report prints on stderr how it was measured.
func (b *benchRun) report(run *experiment.Run) {
	where := "on any core: " + run.Pinning.Reason
	if run.Pinning.Core != nil {
		where = fmt.Sprintf("on core %d", *run.Pinning.Core)
	}
	fmt.Fprintf(b.env.Stderr, "measured %s, by the clock %s, in an order by seed %d\n", where, run.Options.TimedBy, run.Options.Seed)
	if run.Others > noticeable {
		fmt.Fprintf(b.env.Stderr, "other programs took %.0f %% of the time; it is left out\n", 100*run.Others)
	}
	for _, note := range run.Notes {
		fmt.Fprintln(b.env.Stderr, note)
	}
}

// keep records the rows of results, if requested.
func (b *benchRun) keep(r experiment.Results) error {
	if !b.record {
		return nil
	}
	folder, err := record.Keep(b.results, r)
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	fmt.Fprintf(b.env.Stderr, "recorded under %s\n", folder)
	return nil
}
