package benchcmd

import (
	"cmp"
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/internal/bench/nets"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/valuenet"
	"github.com/spf13/cobra"
)

// benchNets is "ur bench nets".
type benchNets struct {
	samples
	asJSON bool
}

const benchNetsLong = `Nets measures value networks on every engine of theirs that this CPU can run: a
decision of the built-in net and of one of 32 units that nobody has taught, as
decisions come up in play, and whole games of either against itself. Every engine
is checked against the scalar one, which is measured along and which the ratios
refer to.

The untaught net plays games of twice as many turns as others do. Give it FILES to
measure those nets instead. With -o the samples are kept in Go's
benchmark format, which "ur bench compare" and benchstat read.

Ctrl-C ends it early and prints what the complete rounds say.

Exit codes: 0 done; 1 failure; 2 bad usage, or a file that is no net; 3 an engine
that does not agree with the scalar one; 130 interrupted.`

// newBenchNetsCommand returns "ur bench nets".
func newBenchNetsCommand(env *cli.Env) *cobra.Command {
	b := &benchNets{samples: samples{env: env}}
	cmd := &cobra.Command{
		Use:   "nets [FILE...]",
		Short: "Measure decisions and games of value networks",
		Long:  benchNetsLong,
		Example: `  ur bench nets
  ur bench nets -o new.txt && ur bench compare old.txt new.txt
  ur bench nets mine.safetensors --json`,
		Args: cli.Between(0, 100, "files of nets"),
		RunE: func(cmd *cobra.Command, args []string) error { return b.run(cmd.Context(), args) },
	}
	b.flags(cmd)
	cmd.Flags().BoolVar(&b.asJSON, "json", false, "print one JSON object, of schema ur.bench-nets/1")
	return cmd
}

func (b *benchNets) run(ctx context.Context, files []string) error {
	options, err := b.options()
	if err != nil {
		return err
	}
	list, err := chosenNets(files)
	if err != nil {
		return err
	}
	subjects, err := nets.Subjects(list)
	if err != nil {
		return err
	}
	run, machine, err := b.measure(options, func(o experiment.Options) (*experiment.Run, error) {
		return experiment.MeasureAll(ctx, subjects, o)
	})
	if run == nil {
		return err
	}
	return cmp.Or(b.write(run, nets.Heading(machine)), b.print(nets.ResultsOf(run, machine)), err)
}

// chosenNets returns the nets of files, or those that are always measured.
func chosenNets(files []string) ([]nets.Net, error) {
	if len(files) == 0 {
		return nets.Nets()
	}
	var list []nets.Net
	for i, file := range files {
		n, err := valuenet.Open(file)
		if err != nil {
			return nil, cli.UsageError("%w", err)
		}
		q, err := valuenet.Quantise(n)
		if err != nil {
			return nil, cli.UsageError("%s: %w", file, err)
		}
		list = append(list, nets.Net{Name: fmt.Sprintf("%d-%s", i+1, n.Shape), Value: q})
	}
	return list, nil
}

// print writes the results to stdout.
func (b *benchNets) print(r nets.Results) error {
	if b.asJSON {
		return cli.WriteJSON(b.env.Stdout, r)
	}
	w := b.env.Stdout
	fmt.Fprintf(w, "%-12s %-24s %-12s %10s %-12s %s\n", "work", "net", "engine", "median", "unit", "times as fast as "+r.Baseline)
	for _, row := range r.Rows {
		_, err := fmt.Fprintf(w, "%-12s %-24s %-12s %10.4g %-12s %.3g [%.3g, %.3g]\n",
			row.Level, row.Net, row.Engine, row.Median, row.Unit, 1/row.Ratio, 1/row.RatioHi, 1/row.RatioLo)
		if err != nil {
			return err
		}
	}
	return nil
}
