package benchcmd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/fleetcmd"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/bench/record"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/spf13/cobra"
)

// benchRun is "ur bench run".
type benchRun struct {
	env  *cli.Env
	size bench.Size // of the work

	engines     []string
	levels      []string
	commands    []string
	execTimeout time.Duration
	count       int
	benchTime   time.Duration
	within      float64
	seed        uint64
	cpu         int
	clock       string
	pin, noPin  bool
	core        int
	format      string
	asJSON      bool
	output      string
	resume      string
	record      bool
	results     string
	fleet       fleetcmd.Options

	given   func(flag string) bool // whether the user typed a flag
	skipped []bench.Skipped        // engines that are left out because they cannot run here
	machine experiment.Environment
}

const benchRunLong = `Run measures engines in one process, interleaved: each round takes a sample of
every engine at every level, in an order drawn anew, so that what disturbs the
machine disturbs all of them. Before it is measured, every engine is checked
against array16/scalar, the baseline, which is always measured along.

The ladder shows medians: ns/eval at the level "value", ns/turn at "turn", us/game
at "game", and us/game between two brains at "match". Behind them stands how many
times as fast as the baseline an engine is, from samples of the same round, and how
far the 95 % confidence interval of that reaches. Other formats have the ratio of the
times instead, with the ends of its interval.
The figures are of one core, and the run stays on one where the system allows it.
Times are those of the processor on Linux: on a quiet machine they are what a clock on
the wall shows, and on a busy one the time of other programs is left out. How much
that was is said at the end. With --exec, or --clock wall, it is the wall's.

An engine that plays several games side by side is given 10,000 of them in one call,
so that its lanes are full, and its turns are measured in whole games: their time
divided by the turns and candidates in them. Every other engine is given the first
250, and what is reported is the time of a game of the mean length of all.

With --ci 1% the run ends as soon as the interval of every ratio reaches no further
than 1 % to either side, and takes --count samples at most. To look often and stop
when it fits would make intervals look better than they are: so the run looks after
10 rounds for the first time and then seldom, and ends when they were narrow twice
in succession. In simulations such intervals covered the truth in 93 % of the runs,
those of runs that spend their count in 94 %.

With --exec another program takes part in every round: it is started once for each
sample and must print what it measured of itself, either one JSON object of schema
ur.match/1, as "ur match --json" does, or lines of Go's benchmark format such as
"BenchmarkGame 1000 350 us/game". A program NAME that prints several engines, as "ur
bench run --format benchfmt" does, has a row for each, NAME.ENGINE. Of several
programs every other is also compared with the first. The command is split into words as a shell does,
and $NAME is taken from the environment, but no shell is run: for pipes and the like
write sh -c '...'. It gets the same core as the engines.

Instructions, cycles and branch misses are counted where the kernel allows it; why
they are not stands in the output of --json.

Ctrl-C ends the run early and prints what the complete rounds say if there are at
least 4. The file of -o holds them: it is written after every round. --resume FILE
goes on with such a file: its engines, levels, seed and times are taken from it, and
the new samples are added. A file that was changed or cut off is refused.

With --record, the scaling over cores, the time by the number of pieces and where the
time goes are measured as well, as "ur bench scaling", "ur bench pieces" and "ur bench
profile" do. Everything is kept in a folder for this kind of processor, over what was
there; one line is added to the history of that folder.

With --fleet every kind of processor is measured that there is among the workers of a
fleet: of each kind one worker measures, and computes nothing else until it is done.
Engines that a processor cannot run are skipped there. Every kind has its own ladder, a
line with --json; -o names a folder, with a file of samples for each kind, and --record
keeps a record of each. When a worker dies, another of its kind measures; a kind of which
none is left is told of, with exit code 1.`

// newBenchRunCommand returns "ur bench run".
func newBenchRunCommand(env *cli.Env) *cobra.Command {
	return (&benchRun{env: env, size: bench.DefaultSize}).command()
}

func (b *benchRun) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Measure engines and print the ladder",
		Long:  benchRunLong,
		Example: `  ur bench run
  ur bench run --engine array16/avx2,bits --level game --ci 1%
  ur bench run --count 40 -o new.txt   # go tool benchstat old.txt new.txt
  ur bench run --resume new.txt           after Ctrl-C
  ur bench run --level game --exec "mine=./mine --games 1000 --json"
  ur bench run --fleet nats://127.0.0.1:4222 -o kinds`,
		Args:              cli.Exactly(0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			b.given = cmd.Flags().Changed
			return b.run(cmd.Context())
		},
	}
	b.addFlags(cmd)
	return cmd
}

func (b *benchRun) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	addEnginesFlag(cmd, &b.engines, "measure")
	addLevelsFlag(cmd, &b.levels, "measure", "all")
	flags.StringArrayVar(&b.commands, "exec", nil, "measure a program too: `NAME='COMMAND'` (may be repeated)")
	flags.DurationVar(&b.execTimeout, "exec-timeout", experiment.DefaultCommandTimeout, "time that a program may take for one sample")
	flags.IntVar(&b.count, "count", experiment.DefaultCount, "samples of each engine at each level, at least 4; with --ci at most, by default 200")
	flags.DurationVar(&b.benchTime, "benchtime", experiment.DefaultBenchTime, "time that a sample should take")
	flags.Var(cli.PercentFlag{Part: &b.within}, "ci", "end when the 95 % interval of every ratio is within this `percentage`, as in 1%")
	flags.Uint64Var(&b.seed, "seed", 1, "seed of the order of measuring and of the confidence intervals")
	flags.IntVar(&b.cpu, "cpu", 0, "threads that Go may run at once, as in \"go test -cpu\"; an engine uses one (default GOMAXPROCS)")
	flags.StringVar(&b.clock, "clock", "", "`clock` of the samples: cpu or wall (default cpu where the system has one that is exact; wall with --exec)")
	cli.CompleteFrom(cmd, "clock", "cpu", "wall")
	flags.BoolVar(&b.pin, "pin", true, "stay on one core, where the system allows it")
	flags.BoolVar(&b.noPin, "no-pin", false, "let the system move the run between cores")
	flags.IntVar(&b.core, "core", experiment.AnyCore, "`number` of the core to stay on (default: the one where the run starts)")
	cli.AddFormatFlags(cmd, &b.format, &b.asJSON, "the ladder", runFormats)
	flags.StringVarP(&b.output, "output", "o", "", "write the samples in Go's benchmark format to `file`")
	flags.StringVar(&b.resume, "resume", "", "go on with the run in `file`, which -o wrote, and write it there")
	fleetcmd.Flags(cmd, &b.fleet, "measure on every kind of processor of the fleet at this address")
	flags.BoolVar(&b.record, "record", false, "keep samples, ladder, scaling, profile and environment in the folder of --results")
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
	options, err := b.options()
	if err != nil {
		return explained(err)
	}
	restore, err := setProcs(b.cpu)
	if err != nil {
		return err
	}
	defer restore()
	b.machine = experiment.ReadEnvironment()
	run, err := b.measure(ctx, options)
	if run == nil {
		return explained(err)
	}
	b.tell(run)
	b.machine = b.machine.Of(run.Run)
	if err != nil {
		return b.interrupted(run, explained(err))
	}
	if err := errors.Join(b.writeSamples(run), b.print(run)); err != nil || !b.record {
		return err
	}
	return b.keep(ctx, run)
}

// measure does the work, under a progress bar. The file of -o is written after every
// round, so that a kill costs one.
func (b *benchRun) measure(ctx context.Context, options bench.Options) (*bench.Run, error) {
	fmt.Fprintf(b.env.Stderr, "checking %s at the levels %s against %s, then measuring\n",
		text.Plural(len(options.Engines), "engine"), levelList(options.Levels), bench.Baseline)
	bar := newBar(b.env, string(experiment.Checking))
	defer bar.done()
	workload, err := bench.NewWorkload(b.size)
	if err != nil {
		return nil, err
	}
	if options.Resume != nil {
		if err := options.Resume.Check(workload.Heading(b.machine)); err != nil {
			return nil, cli.UsageError("--resume: cannot go on with %s: %w", b.resume, err)
		}
	}
	options.Progress = bar.progress
	if b.output != "" {
		options.Save = func(r *bench.Run) error {
			_ = b.writeSamples(r) // a full disk must not end the run: the last write tells of it
			return nil
		}
	}
	return bench.Measure(ctx, workload, options)
}

// levelList lists levels: "value, turn".
func levelList(levels []bench.Level) string {
	var names []string
	for _, level := range levels {
		names = append(names, string(level))
	}
	return strings.Join(names, ", ")
}

// noticeable is the part of the time of other programs that is worth a line.
const noticeable = 0.02

// tell says on stderr what the user should know of how it was measured.
func (b *benchRun) tell(run *bench.Run) {
	where := "on whatever core the system chose: " + run.Pinning.Reason
	if run.Pinning.Core != nil {
		where = fmt.Sprintf("on core %d", *run.Pinning.Core)
	}
	fmt.Fprintf(b.env.Stderr, "measured %s, by the clock %s, in an order by seed %d\n", where, run.Options.TimedBy, run.Options.Seed)
	if run.Others > noticeable {
		fmt.Fprintf(b.env.Stderr, "other programs took %.0f %% of the time; it is left out\n", 100*run.Others)
	}
	for _, note := range run.Notes {
		fmt.Fprintf(b.env.Stderr, "--exec: %s\n", note)
	}
}

// keep measures what belongs to a record beside the ladder, and writes it.
func (b *benchRun) keep(ctx context.Context, run *bench.Run) error {
	bar := newBar(b.env, "workers")
	defer bar.done()
	taker := record.Taker{Run: run, Environment: b.machine, Skipped: b.skipped,
		Progress: func(what string, p experiment.Progress) { bar.show(what, p.Done, p.All) }}
	folder, err := taker.Take(ctx, b.results)
	if err != nil {
		return fmt.Errorf("--record: %w", explained(err))
	}
	bar.done()
	fmt.Fprintf(b.env.Stderr, "recorded under %s\n", folder)
	return nil
}
