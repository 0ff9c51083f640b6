package traincmd

import (
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/train"
	"github.com/spf13/cobra"
)

const trainFitLong = `Fit learns the weights of a brain from the exact solution, on the decisions that
come up when perfect players play each other.

With --target order, the regret of its choices is made small: by how much the move
of highest value is worse than the best. With --target value, the squared error
between its values and the probability to win is made small, which is another
thing: it is there to be compared with.

--games is how many games of perfect play are seen in all. Steps become smaller
towards the end of them, so that a run with more games is not the continuation of
one with fewer. --time 0 is the default: a fit ends with its games.

It needs a table of the exact solution: the one that "ur solve" has put into the
cache, or --table FILE. Up to 5 pieces are solved on the spot.`

// newTrainFitCommand returns "ur train fit".
func newTrainFitCommand(env *cli.Env) *cobra.Command {
	t := &trainRun{env: env}
	var c train.FitConfig
	var b trainBrain
	var table, target string
	cmd := &cobra.Command{
		Use:   "fit",
		Short: "Fit the weights of a brain to the exact solution",
		Long:  trainFitLong,
		Example: `  ur train fit -o mine.txt
  ur train fit -o mine.txt --games 100000 --curve mine.svg
  ur train fit -o mine.txt --target value
  ur regret brain:mine.txt --seed 2`,
		Args:              cli.Exactly(0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if err := t.check(); err != nil {
				return err
			}
			c.Target, c.Games = train.Target(target), int64(t.games)
			if err := b.config(t, &c.BrainConfig); err != nil {
				return err
			}
			if err := board.CheckPieces(c.Pieces); err != nil {
				return cli.UsageError("--pieces: %w", err)
			}
			if c.Table, err = pick.Table(cmd.Context(), table, c.Pieces); err != nil {
				return err
			}
			learner, err := train.NewFit(c)
			if err != nil {
				return cli.UsageError("%w", err)
			}
			return t.do(cmd, learner, nil)
		},
	}
	t.addFlags(cmd, train.DefaultFitGames, 0)
	flags := cmd.Flags()
	flags.StringVar(&target, "target", string(train.FitOrder), "what to make small: the regret of the order, or the error of the value")
	pick.TableFlag(cmd, &table)
	b.addFlags(cmd, &c.Pieces, "a fit of the values")
	return cmd
}
