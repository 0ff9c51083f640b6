package benchcmd

import (
	"cmp"
	"context"
	"time"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

// benchPieces is "ur bench pieces".
type benchPieces struct {
	env *cli.Env

	engines   []string
	count     int
	benchTime time.Duration
	seed      uint64
	asJSON    bool
}

const benchPiecesLong = `Pieces measures getValue by the number of pieces on the board: those of both players
on squares 1 to 14. An engine that walks over pieces takes longer for more of them,
and one that walks over numbers or squares does not.

The positions of each number of pieces are drawn from the candidates of real games;
numbers that are too rare there are left out. Each round takes one sample of every
engine at every number of pieces, in an order drawn anew.

Ctrl-C ends it early and prints what the complete rounds say.`

// newBenchPiecesCommand returns "ur bench pieces".
func newBenchPiecesCommand(env *cli.Env) *cobra.Command {
	b := &benchPieces{env: env}
	cmd := &cobra.Command{
		Use:   "pieces",
		Short: "Measure ns/eval by the number of pieces on the board",
		Long:  benchPiecesLong,
		Example: `  ur bench pieces
  ur bench pieces --engine bits/scalar,bits/table --json`,
		Args:              cli.Exactly(0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, _ []string) error { return b.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&b.engines, "engine", nil, "`names` of engines to measure, as in array16/avx2,bits/scalar (default: all that this CPU can run)")
	flags.IntVar(&b.count, "count", experiment.DefaultCount, "samples of each engine at each number of pieces, at least 4")
	flags.DurationVar(&b.benchTime, "benchtime", bench.DefaultPiecesTime, "time that a sample should take")
	flags.Uint64Var(&b.seed, "seed", 1, "seed of the order of measuring")
	flags.BoolVar(&b.asJSON, "json", false, "print one JSON object, of schema ur.pieces/1")
	cli.CompleteFlag(cmd, "engine", pick.CompleteEngines)
	return cmd
}

func (b *benchPieces) run(ctx context.Context) error {
	engines := engine.Available()
	if len(b.engines) > 0 {
		var err error
		if engines, err = pick.Engines(b.engines); err != nil {
			return err
		}
	}
	options := bench.PiecesOptions{Engines: engines}
	options.Count, options.BenchTime, options.Seed = b.count, b.benchTime, b.seed
	options.Pin = &experiment.Pin{Core: experiment.AnyCore}
	bar := newBar(b.env, string(experiment.Checking))
	defer bar.done()
	options.Progress = bar.progress
	pieces, err := bench.MeasurePieces(ctx, experiment.ReadEnvironment(), options)
	bar.done()
	if pieces == nil {
		return explained(err)
	}
	if b.asJSON {
		return cmp.Or(cli.WriteJSON(b.env.Stdout, pieces), explained(err))
	}
	return cmp.Or(pieces.WriteText(b.env.Stdout), explained(err))
}
