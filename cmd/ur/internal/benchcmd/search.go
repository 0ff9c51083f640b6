package benchcmd

import (
	"cmp"
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/internal/bench/searching"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

// benchSearch is "ur bench search".
type benchSearch struct {
	samples
	decisions int
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
	b := &benchSearch{samples: samples{env: env}}
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
	b.flags(cmd)
	cmd.Flags().IntVar(&b.decisions, "decisions", 20, "decisions of Ur, at least 1")
	return cmd
}

func (b *benchSearch) run(ctx context.Context) error {
	if b.decisions < 1 {
		return cli.UsageError("--decisions must be at least 1, got %d", b.decisions)
	}
	options, err := b.options()
	if err != nil {
		return err
	}
	subjects, err := searching.Subjects(b.decisions)
	if err != nil {
		return err
	}
	run, machine, err := b.measure(options, func(o experiment.Options) (*experiment.Run, error) {
		return experiment.MeasureAll(ctx, subjects, o)
	})
	if run == nil {
		return err
	}
	return cmp.Or(b.write(run, searching.Heading(machine)), b.print(searching.RowsOf(run)), err)
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
