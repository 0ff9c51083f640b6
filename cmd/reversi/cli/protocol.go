package cli

import (
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
		Use:   "protocol gtp",
		Short: "Let other programs play with this one",
		Long: `Protocol connects a graphical board or a tournament program to a player, over stdin
and stdout, by GTP, the Go Text Protocol as used by Othello programs. Enter this
command line as the engine in that program.`,
		Example: `  reversi protocol gtp
  reversi protocol gtp --player level:7 --ponder`,
		Args:      cli.Exactly(1, "gtp"),
		ValidArgs: []string{"gtp"},
		RunE: func(cmd *cobra.Command, args []string) error {
			with := newEnv()
			if _, err := reversi.ParsePlayer(player, with); err != nil {
				return cli.UsageError("--player: %w", err)
			}
			if args[0] != "gtp" {
				return cli.UsageError("unknown protocol %q (want gtp)", args[0])
			}
			s := &protocol.Session{Name: "reversi", Ponder: ponder, Player: func() (reversi.Player, error) {
				return reversi.ParsePlayer(player, with)
			}}
			return s.GTP(cmd.Context(), cli.NewContextReader(cmd.Context(), env.Stdin), env.Stdout)
		},
	}
	cmd.Flags().StringVar(&player, "player", "level:6", "who plays: `P`")
	cmd.Flags().BoolVar(&ponder, "ponder", false, "think on the opponent's time")
	cli.CompleteFrom(cmd, "player", players()...)
	return cmd
}
