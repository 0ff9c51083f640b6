package traincmd

import (
	"time"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/train"
	"github.com/spf13/cobra"
)

const trainEvolveLong = `Evolve learns the weights of a brain from nothing but games: it knows the rules and
who won. In every generation, random changes are tried; each is added to the brain
and taken from it, and the two brains that result play each other on shared dice.
The brain then moves along the changes that won.

Steps shrink whenever a sequential test shows no progress, and the run ends when
they have become too short to matter, or when --time or --games is spent. The strength is measured by games against a rival, from which
nothing is learned.`

// newTrainEvolveCommand returns "ur train evolve".
func newTrainEvolveCommand(env *cli.Env) *cobra.Command {
	t := &trainRun{env: env}
	var c train.EvolveConfig
	var b trainBrain
	cmd := &cobra.Command{
		Use:   "evolve",
		Short: "Evolve the weights of a brain by games of perturbed brains",
		Long:  trainEvolveLong,
		Example: `  ur train evolve -o mine.txt
  ur train evolve -o mine.txt --time 10m --curve mine.svg
  ur train evolve -o mine.txt --time 20m --resume       and on
  ur train evolve --start brain -o better.txt --spread 0.1
  ur match brain:mine.txt brain`,
		Args:              cli.Exactly(0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if err := t.check(); err != nil {
				return err
			}
			if err := b.config(t, &c.BrainConfig); err != nil {
				return err
			}
			learner, err := train.NewEvolution(c)
			if err != nil {
				return cli.UsageError("%w", err)
			}
			return t.do(cmd, learner, nil)
		},
	}
	t.addFlags(cmd, 0, time.Minute)
	flags := cmd.Flags()
	flags.IntVar(&c.Pairs, "pairs", train.DefaultEvolvePairs, "pairs of perturbed brains in a generation")
	flags.IntVar(&c.Games, "pair-games", train.DefaultEvolveGames, "games that a pair plays, an even number")
	flags.Float64Var(&c.Spread, "spread", train.DefaultEvolveSpread, "size of the first perturbations, relative to the brain")
	b.addFlags(cmd, &c.Pieces, "no weights at all")
	return cmd
}

// playerBrain returns the player of a flag, which must be one that has a brain.
func playerBrain(flag, spec string) (play.Brain, error) {
	p, err := play.ParsePlayer(spec)
	if err != nil {
		return play.Brain{}, cli.UsageError("%s: %w", flag, err)
	}
	brain, ok := p.(play.Brain)
	if !ok {
		return play.Brain{}, cli.UsageError("%s: player %q has no brain, want one such as brain or brain:FILE", flag, spec)
	}
	return brain, nil
}
