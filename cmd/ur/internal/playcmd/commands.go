// Package playcmd holds the commands that let players play: play, match, tournament.
package playcmd

import (
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

// Commands returns the commands of this package.
func Commands(env *cli.Env) []*cobra.Command {
	return []*cobra.Command{newPlayCommand(env), newMatchCommand(env), newTournamentCommand(env), newGameCommand(env), newLevelsCommand(env), newAnalyzeCommand(env), newPuzzleCommand(env)}
}
