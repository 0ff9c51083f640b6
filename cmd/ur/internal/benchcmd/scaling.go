package benchcmd

import (
	"cmp"
	"context"
	"runtime"
	"time"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

// benchScaling is "ur bench scaling".
type benchScaling struct {
	env *cli.Env

	engine    string
	workers   int
	count     int
	benchTime time.Duration
	seed      uint64
	asJSON    bool
}

const benchScalingLong = `Scaling measures what several cores bring: one engine plays whole games with 1, 2,
... workers, each with its own thread, its own memory and its own part of the games.
Each round takes a sample of every number of workers, in an order drawn anew.

Efficiency is games/s over those of one worker times the number of workers: 1 is all
that the cores can bring. One worker is measured while the other cores idle. Where
cores share a clock or a power budget, or are the two threads of one core, as those
of a virtual machine may be, it has more to itself than each of many workers.

Ctrl-C ends it early and prints what the complete rounds say.`

// newBenchScalingCommand returns "ur bench scaling".
func newBenchScalingCommand(env *cli.Env) *cobra.Command {
	b := &benchScaling{env: env}
	cmd := &cobra.Command{
		Use:   "scaling",
		Short: "Measure games/s over the number of cores",
		Long:  benchScalingLong,
		Example: `  ur bench scaling
  ur bench scaling --engine lanes/go --workers 2 --json`,
		Args:              cli.Exactly(0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, _ []string) error { return b.run(cmd.Context()) },
	}
	flags := cmd.Flags()
	pick.EngineFlag(cmd, &b.engine, "engine that plays (default the fastest here)")
	flags.IntVar(&b.workers, "workers", 0, "most workers (default one for each of the cores)")
	flags.IntVar(&b.count, "count", experiment.DefaultCount, "samples of each number of workers, at least 4")
	flags.DurationVar(&b.benchTime, "benchtime", bench.DefaultScalingTime, "time that a sample of one worker should take")
	flags.Uint64Var(&b.seed, "seed", 1, "seed of the order of measuring and of the confidence intervals")
	flags.BoolVar(&b.asJSON, "json", false, "print one JSON object, of schema ur.scaling/1")
	return cmd
}

func (b *benchScaling) run(ctx context.Context) error {
	engine := engine.Fastest()
	if b.engine != "" {
		var err error
		if engine, err = pick.Engine(b.engine); err != nil {
			return err
		}
	}
	if b.workers > runtime.NumCPU() {
		return cli.UsageError("--workers must be at most %d, the number of cores, got %d", runtime.NumCPU(), b.workers)
	}
	options := bench.ScalingOptions{Engine: engine, Workers: b.workers}
	options.Count, options.BenchTime, options.Seed = b.count, b.benchTime, b.seed
	bar := newBar(b.env, string(experiment.Checking))
	defer bar.done()
	options.Progress = bar.progress
	scaling, err := bench.MeasureScaling(ctx, experiment.ReadEnvironment(), options)
	bar.done()
	if scaling == nil {
		return explained(err)
	}
	if b.asJSON {
		return cmp.Or(cli.WriteJSON(b.env.Stdout, scaling), explained(err))
	}
	return cmp.Or(scaling.WriteText(b.env.Stdout), explained(err))
}
