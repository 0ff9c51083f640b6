package cli

import (
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/spf13/cobra"
)

// newPlayersTopic returns the help topic "players". It has no Run, so cobra lists it as a topic
// and not as a command.
func newPlayersTopic() *cobra.Command {
	return &cobra.Command{
		Use:   "players",
		Short: "Players and how to name them",
		Long: `A player P is one of
  human           a person at the terminal, in "reversi play" only
` + reversi.PlayersHelp,
		Example: "  reversi play --white level:6\n  reversi match greedy search:depth=3",
	}
}
