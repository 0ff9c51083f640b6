// Package playcmd implements the commands that play games: play, match, tournament and others.
package playcmd

import (
	"slices"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

// Commands returns the commands of this package.
func Commands(env *cli.Env) []*cobra.Command {
	return slices.Concat(
		[]*cobra.Command{newPlayCommand(env)},
		matchCommands(env),
		[]*cobra.Command{newGameCommand(env), newLevelsCommand(env), newAnalyzeCommand(env), newPuzzleCommand(env)},
	)
}
