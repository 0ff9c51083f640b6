package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/protocol"
	"github.com/spf13/cobra"
)

func newProtocolCommand(env *cli.Env) *cobra.Command {
	var (
		player string
		ponder bool
	)
	cmd := &cobra.Command{
		Use:   "protocol nboard|gtp",
		Short: "Let other programs play with this one",
		Long: `Protocol connects a graphical board or a tournament program to a player, over stdin
and stdout: by the protocol of NBoard, or by GTP, the Go Text Protocol as used by
Othello programs. Enter this command line as the engine in that program.`,
		Example: `  reversi protocol nboard
  reversi protocol gtp --player level:7 --ponder`,
		Args:      cli.Exactly(1, "nboard or gtp"),
		ValidArgs: []string{"nboard", "gtp"},
		RunE: func(cmd *cobra.Command, args []string) error {
			with := newEnv()
			if _, err := reversi.ParsePlayer(player, with); err != nil {
				return cli.UsageError("--player: %w", err)
			}
			s := &protocol.Session{Name: "reversi", Ponder: ponder, Player: func(depth int) (reversi.Player, error) {
				if depth == 0 {
					return reversi.ParsePlayer(player, with)
				}
				return reversi.ParsePlayer(fmt.Sprintf("search:depth=%d,exact=%d", depth, min(20, depth+6)), with)
			}}
			in := cli.NewContextReader(cmd.Context(), env.Stdin)
			speak := map[string]func(context.Context, io.Reader, io.Writer) error{"nboard": s.NBoard, "gtp": s.GTP}[args[0]]
			if speak == nil {
				return cli.UsageError("unknown protocol %q (want nboard or gtp)", args[0])
			}
			return speak(cmd.Context(), in, env.Stdout)
		},
	}
	cmd.Flags().StringVar(&player, "player", "level:6", "who plays: `P`")
	cmd.Flags().BoolVar(&ponder, "ponder", false, "think on the opponent's time")
	cli.CompleteFrom(cmd, "player", players()...)
	return cmd
}
