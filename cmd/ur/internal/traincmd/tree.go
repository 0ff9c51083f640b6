package traincmd

import (
	"path/filepath"

	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/train"
	"github.com/spf13/cobra"
)

const trainTreeLong = `Tree learns what a piece is worth on each square, for a greedy player. It grows a
tree of brains: each new one is a copy of the brain with the highest upper
confidence bound, in which what is gained by stepping onto one square is perturbed.
It plays one game against the rival, and the result counts for all its ancestors.

The values are written as greedy:FILE reads them. --tree-out draws the tree: a
sample of its brains and where their families part, as SVG or in the language of
Graphviz.`

// newTrainTreeCommand returns "ur train tree".
func newTrainTreeCommand(env *cli.Env) *cobra.Command {
	t := &trainRun{env: env}
	var c train.TreeConfig
	var rival, engine string
	var drawings []string
	cmd := &cobra.Command{
		Use:   "tree",
		Short: "Learn the values of squares by a tree of greedy players",
		Long:  trainTreeLong,
		Example: `  ur train tree -o squares.txt
  ur train tree -o squares.txt --tree-out tree.svg,tree.dot --curve curve.svg
  ur match greedy:squares.txt greedy --pieces 4`,
		Args:              cli.Exactly(0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if err := t.check(); err != nil {
				return err
			}
			if err := checkDrawings(drawings); err != nil {
				return err
			}
			c.Seed, c.Parallel = t.seed, t.parallel
			if c.Engine, err = pick.Engine(engine); err != nil {
				return err
			}
			if c.Rival, err = play.ParsePlayer(rival); err != nil {
				return cli.UsageError("--rival: %w", err)
			}
			learner, err := train.NewTree(c)
			if err != nil {
				return cli.UsageError("%w", err)
			}
			return t.do(cmd, learner, func() error { return writeDrawings(learner, drawings) })
		},
	}
	t.addFlags(cmd, 10_000, 0)
	flags := cmd.Flags()
	flags.IntVar(&c.Pieces, "pieces", train.DefaultTreePieces, "pieces of each player, 1 to 7")
	flags.StringVar(&rival, "rival", "greedy", "`player` to learn from, in games against it")
	flags.StringSliceVar(&drawings, "tree-out", nil, "draw the tree to `file`.svg or file.dot, or several of them")
	pick.EngineFlag(cmd, &engine, "engine that plays when measuring (default the fastest here)")
	cli.CompleteFlag(cmd, "rival", pick.CompletePlayers())
	return cmd
}

// checkDrawings finds out what would keep drawings from being written.
func checkDrawings(names []string) error {
	for _, name := range names {
		if ext := filepath.Ext(name); ext != ".svg" && ext != ".dot" {
			return cli.UsageError("--tree-out: %q must end in .svg or .dot", name)
		}
		if err := checkTrainFile("--tree-out", name); err != nil {
			return err
		}
	}
	return nil
}

// writeDrawings draws the tree to files.
func writeDrawings(tree *train.Tree, names []string) error {
	for _, name := range names {
		write := tree.WriteDOT
		if filepath.Ext(name) == ".svg" {
			write = tree.WriteSVG
		}
		if err := writeSaved("--tree-out", name, write); err != nil {
			return err
		}
	}
	return nil
}
