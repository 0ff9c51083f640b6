package cli

import (
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/spf13/cobra"
)

// playersLong lists the players when the command is built, after those of other modules are
// registered.
func playersLong() string {
	return `A player P is one of
` + pick.PlayersHelp() + `

Wherever a command takes a player, the shell completes its name: see "ur completion".`
}

// newPlayersTopic returns the help topic "players". It has no Run, so cobra lists it as a topic
// and not as a command.
func newPlayersTopic() *cobra.Command {
	return &cobra.Command{
		Use:     "players",
		Short:   "Players and how to name them",
		Long:    playersLong(),
		Example: "  ur match brain level:3\n  ur play --dark net@2\n  ur match brain:mine.txt search:depth=3,leaf=net greedy",
	}
}
