package benchcmd

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/compare"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/spf13/cobra"
)

// benchGate is "ur bench gate".
type benchGate struct {
	env  *cli.Env
	size bench.Size // of the work of --confirm
	comparisonFlags

	rule        compare.Rule
	confirm     bool
	count       int
	benchTime   time.Duration
	commands    []string
	execTimeout time.Duration
	keep        string
	output      string
	unsaved     error // why the file of -o is not written
	missing     string
}

const benchGateLong = `Gate compares NEW with OLD, as "ur bench compare" does, and fails when a benchmark has
become worse: exit code 3 when a change for the worse is both larger than
--max-regress and significant, 4 when the samples are too few or too noisy to say,
and 0 when neither is so. Which direction is worse follows from lines like "Unit
games/s better=higher", and for common units is known; others are left out. What two
units tell of one measurement, as us/game and games/s do, is judged once.

Verdict, interval and p come from one test. A benchmark regressed when the whole
interval of its change lies above 0, and most of it above --max-regress; it passes
when the interval ends below --max-regress; else it is undecided.

False alarms: p is corrected for the benchmarks that can vary (Holm 1979), so that
all of them together give a false alarm in at most 5 % of the files (--alpha). For
sides measured in turns (--paired, or files that say it, as those of "ur bench ab")
that holds whatever the machine does. For one after the other a change must pass the
Mann-Whitney test and one that a steady drift through both files does not deceive;
when the machine changes its speed between OLD and NEW, and keeps it, two files show
no more than that NEW is slower. Measure both sides in turns, or use --confirm.

A benchmark that NEW lacks is undecided, unless --missing is ignore, and so is a NEW
that says "FAIL". Lines of log between benchmarks are passed over, with a note.

--confirm measures the engines of regressions, and of what is undecided, again, in
this program, which must be that of NEW. OLD's program is not at hand, so the ratio of
an engine's time to that of array16/scalar in the same round is compared: as it was
in OLD, a file of "ur bench run -o", with a run of now, interleaved in random order.
A slower machine slows both and leaves the ratio. Of array16/scalar itself the times
are compared: a change that slows all engines alike shows in it. What cannot be
measured again stays what it was.

Where both programs are at hand, --exec old='COMMAND' and --exec new='COMMAND' let
--confirm run them instead, --count times in turns in random order, and compare
pair by pair what they print: benchmarks in Go's format, of any program. The commands
are split into words as a shell does it, and run without one. --keep FOLDER writes
what they print to old.txt and new.txt. Without --exec, -o FILE keeps the samples of
the engines that were measured again, as "ur bench run -o" does.

Where the samples do not decide, the smallest change that they would show with a
probability of 90 % is printed, and how many samples would do.`

// newBenchGateCommand returns "ur bench gate".
func newBenchGateCommand(env *cli.Env) *cobra.Command {
	return (&benchGate{env: env, size: bench.DefaultSize}).command()
}

func (g *benchGate) command() *cobra.Command {
	g.rule = compare.DefaultRule()
	cmd := &cobra.Command{
		Use:   "gate OLD NEW",
		Short: "Fail when benchmarks have become slower",
		Long:  benchGateLong,
		Example: `  ur bench gate old.txt new.txt
  ur bench gate --max-regress 5% --confirm old.txt new.txt
  ur bench gate --confirm --exec old='./old.test -test.bench .' \
                --exec new='./new.test -test.bench .' old.txt new.txt
  ur bench gate --paired --filter .unit:ns/op old.txt new.txt`,
		Args: cli.Exactly(2, "two files or folders, OLD and NEW"),
		RunE: func(cmd *cobra.Command, args []string) error { return g.run(cmd, args) },
	}
	g.add(cmd, compare.ReportFormats(), "the report")
	flags := cmd.Flags()
	flags.Var(cli.PercentFlag{Part: &g.rule.MaxRegress}, "max-regress", "largest change for the worse that passes")
	flags.BoolVar(&g.confirm, "confirm", false, "measure regressions and what is undecided again")
	flags.IntVar(&g.count, "count", experiment.DefaultCount, "samples of --confirm")
	flags.DurationVar(&g.benchTime, "benchtime", experiment.DefaultBenchTime, "time that a sample of --confirm should take")
	flags.StringArrayVar(&g.commands, "exec", nil, "`old='COMMAND'` and new='COMMAND', which --confirm runs in turns")
	flags.DurationVar(&g.execTimeout, "exec-timeout", experiment.DefaultCommandTimeout, "time that a command may take for one run")
	flags.StringVar(&g.keep, "keep", "", "`folder` for what the commands of --exec print")
	flags.StringVarP(&g.output, "output", "o", "", "write the samples of --confirm in Go's benchmark format to `file`")
	_ = cmd.MarkFlagFilename("output")
	flags.StringVar(&g.missing, "missing", "", "`ignore` benchmarks that NEW lacks (default: exit code 4)")
	cli.CompleteFrom(cmd, "missing", "ignore")
	return cmd
}

func (g *benchGate) run(cmd *cobra.Command, paths []string) error {
	g.rule.Alpha, g.rule.Seed = g.options.Alpha, g.options.Seed
	if g.missing != "" && g.missing != "ignore" {
		return cli.UsageError("--missing: %q, want ignore", g.missing)
	}
	g.rule.IgnoreMissing = g.missing == "ignore"
	old, new, err := g.checkConfirm(cmd)
	if err != nil {
		return err
	}
	comparison, err := g.compare(cmd, paths)
	if err != nil {
		return err
	}
	if err := g.rule.Check(); err != nil {
		return cli.UsageError("%w", err)
	}
	report, err := compare.Gate(comparison, g.rule)
	if err != nil {
		return cli.UsageError("%w", err)
	}
	if g.confirm {
		if err := g.measureAgain(cmd.Context(), report, comparison.Sides[0], old, new); err != nil {
			return err
		}
	}
	if err := report.Write(g.env.Stdout, g.format); err != nil {
		return err
	}
	verdict := gateError(report)
	if g.unsaved != nil {
		lost := fmt.Errorf("-o: the samples are lost: %w", g.unsaved)
		if verdict == nil {
			return lost
		}
		fmt.Fprintf(g.env.Stderr, "ur: %v\n", lost)
	}
	return verdict
}

// checkConfirm rejects flags of a measurement that was not requested, and returns the commands
// of --exec, nil without.
func (g *benchGate) checkConfirm(cmd *cobra.Command) (old, new *experiment.Command, err error) {
	for _, flag := range []string{"count", "benchtime", "exec", "exec-timeout", "keep", "output"} {
		if cmd.Flags().Changed(flag) && !g.confirm {
			return nil, nil, cli.UsageError("--%s is of the measurement of --confirm: give both or none", flag)
		}
	}
	switch {
	case g.count < stat.MinCount:
		return nil, nil, cli.UsageError("--count is %d: to confirm takes %d samples at least", g.count, stat.MinCount)
	case g.benchTime <= 0:
		return nil, nil, cli.UsageError("--benchtime is %v: it must be positive", g.benchTime)
	case g.execTimeout <= 0:
		return nil, nil, cli.UsageError("--exec-timeout must be positive, got %v", g.execTimeout)
	}
	if err := cli.CheckOutput("-o", g.output); err != nil {
		return nil, nil, err
	}
	if old, new, err = g.parseCommands(); err == nil && old != nil && g.output != "" {
		err = cli.UsageError("-o is of engines that are measured again: what commands print is kept by --keep")
	}
	return old, new, err
}

// parseCommands reads the commands of --exec.
func (g *benchGate) parseCommands() (old, new *experiment.Command, err error) {
	for _, text := range g.commands {
		c, err := experiment.ParseCommand(text, os.Getenv)
		if err == nil {
			err = c.Find()
		}
		if err != nil {
			return nil, nil, cli.UsageError("--exec: %w", err)
		}
		c.Timeout = g.execTimeout
		switch {
		case c.Name == "old" && old == nil:
			old = &c
		case c.Name == "new" && new == nil:
			new = &c
		default:
			return nil, nil, cli.UsageError("--exec: %q is given twice or is neither old nor new", c.Name)
		}
	}
	if (old == nil) != (new == nil) {
		return nil, nil, cli.UsageError("--exec wants both commands, old='COMMAND' and new='COMMAND'")
	}
	return old, new, nil
}

// measureAgain confirms or refutes the regressions.
func (g *benchGate) measureAgain(ctx context.Context, report *compare.Report, side compare.Side, old, new *experiment.Command) error {
	bar := newBar(g.env, string(experiment.Checking))
	defer bar.done()
	return explained(report.Confirm(func(suspects []compare.Judged) ([]compare.Again, error) {
		fmt.Fprintf(g.env.Stderr, "measuring %s again\n", text.Plural(len(suspects), "suspect"))
		if old != nil {
			commands := &compare.Commands{
				Old: old, New: new, Count: g.count, Seed: g.options.Seed,
				Progress: func(done, all int) { bar.show("measuring", done, all) },
			}
			again, err := commands.Again(ctx, suspects)
			if err == nil && g.keep != "" {
				err = keepPrinted(g.keep, commands.Printed())
			}
			return again, err
		}
		workload, err := bench.NewWorkload(g.size)
		if err != nil {
			return nil, err
		}
		return g.measureEngines(ctx, suspects, side, workload, bar.progress)
	}))
}

// measureEngines measures suspects in this program. The file of -o is written after every
// round, so a kill costs one.
func (g *benchGate) measureEngines(ctx context.Context, suspects []compare.Judged, side compare.Side,
	workload *bench.Workload, progress func(experiment.Progress)) ([]compare.Again, error) {
	options := experiment.Options{
		Count: g.count, BenchTime: g.benchTime, Seed: g.options.Seed,
		Pin: &experiment.Pin{Core: experiment.AnyCore}, Progress: progress,
	}
	saved := false
	if g.output != "" {
		machine := experiment.ReadEnvironment()
		options.AfterRound = func(run *experiment.Run) error {
			saved = true
			g.unsaved = wholefile.Write(g.output, func(w io.Writer) error { return run.Write(w, workload.Heading(machine)) })
			return nil // a full disk must not end the run: the last write reports it
		}
	}
	again, err := bench.MeasureAgain(ctx, suspects, side, workload, options)
	if g.output != "" && !saved {
		fmt.Fprintf(g.env.Stderr, "-o: %s is not written: nothing was measured again\n", g.output)
	}
	return again, err
}

// keepPrinted writes the output of both sides' commands to a folder.
func keepPrinted(folder string, printed [2][]byte) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return cli.UsageError("--keep: %w", err)
	}
	for side, name := range []string{"old.txt", "new.txt"} {
		err := wholefile.Write(filepath.Join(folder, name), func(w io.Writer) error {
			_, err := w.Write(printed[side])
			return err
		})
		if err != nil {
			return fmt.Errorf("--keep: %w", err)
		}
	}
	return nil
}

// gateError turns the verdict into an exit code.
func gateError(report *compare.Report) error {
	switch report.Verdict {
	case verdict.Regression:
		return cli.VerificationError("regression: %s", namesOf(report.With(verdict.Regression)))
	case verdict.Undecided:
		if undecided := report.With(verdict.Undecided); len(undecided) > 0 {
			return cli.InconclusiveError("undecided: %s", namesOf(undecided))
		}
		return cli.InconclusiveError("undecided: %s says that something has failed", report.New)
	}
	return nil
}

// namesOf lists the first few rows, with the last result of each.
func namesOf(rows []compare.Judged) string {
	const most = 3
	var names []string
	for _, row := range rows[:min(most, len(rows))] {
		delta, unit := row.Delta, row.Unit
		if c := row.Confirmation; c != nil && c.Finding != nil {
			delta, unit = c.Finding.Delta, c.Unit
		}
		name := row.Benchmark
		if !math.IsNaN(delta) {
			name += fmt.Sprintf(" %+.2f%% %s", 100*delta, unit)
		}
		names = append(names, name)
	}
	if len(rows) > most {
		names = append(names, fmt.Sprintf("and %d more", len(rows)-most))
	}
	return strings.Join(names, ", ")
}
