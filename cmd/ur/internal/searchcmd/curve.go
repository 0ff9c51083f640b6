package searchcmd

import (
	"bytes"
	"io"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/ursearch"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/spf13/cobra"
)

const curveLong = `Curve fits what turns the score of a brain into a probability: a logistic whose
slope and offset follow the pieces that both sides have left, behind a
correction of the score by what stands on the squares; and the same without the
correction. It makes small what searches of 2 and 3 plies regret by the exact
solution of 7 pieces, over decisions of perfect play. It takes some minutes. The
result is a Go file.`

// newCurveCommand returns "ur search curve".
func newCurveCommand(env *cli.Env) *cobra.Command {
	var table, brain, out string
	o := ursearch.FitOptions{Seed: 1}
	cmd := &cobra.Command{
		Use:               "curve",
		Short:             "Fit what turns the score of a brain into a probability",
		Long:              curveLong,
		Example:           "  ur search curve -o internal/ursearch/curve_default.go",
		Args:              cli.Exactly(0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Games < 1 {
				return cli.UsageError("--games must be at least 1, got %d", o.Games)
			}
			if o.Rounds < 1 {
				return cli.UsageError("--rounds must be at least 1, got %d", o.Rounds)
			}
			b, err := play.LeafBrain(brain)
			if err != nil {
				return cli.UsageError("--brain: %w", err)
			}
			t, err := pick.Table(cmd.Context(), table, board.MaxPieces)
			if err != nil {
				return err
			}
			bar := cli.NewPartBar(env, "rounds")
			var curves [2]*ursearch.Curve
			for i := range curves {
				o.Plain = i == 1
				o.Progress = func(done float64) { bar.Done((float64(i) + done) / float64(len(curves))) }
				if curves[i], err = ursearch.Fit(cmd.Context(), b, t, o); err != nil {
					break
				}
			}
			bar.Clear()
			if err != nil {
				return err
			}
			var text bytes.Buffer
			if err := ursearch.WriteGo(&text, "ur search curve", curves[0], curves[1]); err != nil {
				return err
			}
			if out == "" {
				_, err = io.Copy(env.Stdout, &text)
				return err
			}
			return wholefile.Write(out, func(w io.Writer) error { _, err := text.WriteTo(w); return err })
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&brain, "brain", "brain", "brain, brain:FILE or greedy")
	cli.CompleteFlag(cmd, "brain", pick.CompletePlayers(false))
	f.IntVar(&o.Games, "games", 160, "games of perfect play in each round")
	f.IntVar(&o.Rounds, "rounds", 6, "rounds: each looks up best play anew")
	f.Uint64Var(&o.Seed, "seed", 1, "seed of their dice")
	pick.TableFlag(cmd, &table)
	f.StringVarP(&out, "output", "o", "", "`FILE` of Go (default standard output)")
	return cmd
}
