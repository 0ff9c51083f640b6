// Package playcmd implements the commands that play games: play, match and others.
package playcmd

import (
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

// Commands returns the commands of this package.
func Commands(env *cli.Env) []*cobra.Command {
	return []*cobra.Command{
		newPlayCommand(env), newMatchCommand(env),
		newAnalyzeCommand(env), newPuzzleCommand(env),
	}
}
