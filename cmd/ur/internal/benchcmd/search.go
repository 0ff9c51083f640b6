package benchcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/searching"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/spf13/cobra"
)

// benchSearch is "ur bench search".
type benchSearch struct {
	env *cli.Env

	count     int
	benchTime time.Duration
	seed      uint64
	decisions int
	output    string
}

const benchSearchLong = `Search measures what every algorithm and every technique of look-ahead takes:
on the empty board of tic-tac-toe, and over decisions of Ur at depth 4, and at
depth 3 with leaves of a net. Each is checked against minimax or expectiminimax,
and compared with the best configuration of its game. These are the benchmarks
of "go test -bench . ./search", under the same names.

With -o the samples are kept in Go's benchmark format, which "ur bench compare"
and benchstat read. Ctrl-C ends it early and prints what the complete rounds say.

Exit codes: 0 done; 1 failure; 2 bad usage; 3 an algorithm that does not agree
with the plain one; 130 interrupted.`

// newBenchSearchCommand returns "ur bench search".
func newBenchSearchCommand(env *cli.Env) *cobra.Command {
	b := &benchSearch{env: env}
	cmd := &cobra.Command{
		Use:   "search",
		Short: "Measure algorithms and techniques of look-ahead",
		Long:  benchSearchLong,
		Example: `  ur bench search
  ur bench search -o new.txt && ur bench compare old.txt new.txt`,
		Args:              cli.Exactly(0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, _ []string) error { return b.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.IntVar(&b.count, "count", experiment.DefaultCount, "samples of each, at least 4")
	flags.DurationVar(&b.benchTime, "benchtime", experiment.DefaultBenchTime, "time that a sample should take")
	flags.Uint64Var(&b.seed, "seed", 1, "seed of the order of measuring and of the confidence intervals")
	flags.IntVar(&b.decisions, "decisions", 20, "decisions of Ur, at least 1")
	flags.StringVarP(&b.output, "output", "o", "", "write the samples in Go's benchmark format to `file`")
	_ = cmd.MarkFlagFilename("output")
	return cmd
}

func (b *benchSearch) run(ctx context.Context) error {
	if b.decisions < 1 {
		return cli.UsageError("--decisions must be at least 1, got %d", b.decisions)
	}
	options := experiment.Options{Count: b.count, BenchTime: b.benchTime, Seed: b.seed, Pin: &experiment.Pin{Core: experiment.AnyCore}}
	if err := options.Check(true); err != nil {
		return explained(err)
	}
	subjects, err := searching.Subjects(b.decisions)
	if err != nil {
		return err
	}
	machine := experiment.ReadEnvironment()
	bar := newBar(b.env, string(experiment.Checking))
	defer bar.done()
	options.Progress = bar.progress
	run, err := searching.Run(ctx, subjects, options)
	bar.done()
	var wrong *experiment.CheckError
	if errors.As(err, &wrong) {
		return cli.VerificationError("%w", wrong)
	}
	if run == nil {
		return explained(err)
	}
	return cmp.Or(b.write(run, machine.Of(run)), b.print(searching.RowsOf(run)), explained(err))
}

// write writes the file of -o.
func (b *benchSearch) write(run *experiment.Run, machine experiment.Environment) error {
	if b.output == "" {
		return nil
	}
	err := wholefile.Write(b.output, func(w io.Writer) error { return run.Write(w, searching.Heading(machine)) })
	if err != nil {
		return fmt.Errorf("-o: %w", err)
	}
	return nil
}

// print writes the results to stdout.
func (b *benchSearch) print(rows []searching.Row) error {
	w := b.env.Stdout
	fmt.Fprintf(w, "%-10s %-15s %-17s %10s %10s  %s\n", "game", "algorithm", "less", "nodes", "us/search", "time to the best")
	for _, row := range rows {
		_, err := fmt.Fprintf(w, "%-10s %-15s %-17s %10.0f %10.4g  %.3g [%.3g, %.3g]\n",
			row.Game, row.Algorithm, row.Less, row.Nodes, row.Time, row.Ratio, row.RatioLo, row.RatioHi)
		if err != nil {
			return err
		}
	}
	return nil
}
