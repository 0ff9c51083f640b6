//go:build !play

package playcmd

import (
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

// matchCommands returns the commands that play many games.
func matchCommands(env *cli.Env) []*cobra.Command {
	return []*cobra.Command{newMatchCommand(env), newTournamentCommand(env)}
}
