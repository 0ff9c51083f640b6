//go:build !play

package cli

import (
	"slices"

	"github.com/seed-09dcdc84/ur/cmd/ur/internal/benchcmd"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/fleetcmd"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/searchcmd"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/solvecmd"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/traincmd"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

// labCommands returns the commands that measure, solve, search and train.
func labCommands(env *cli.Env) []*cobra.Command {
	return slices.Concat(
		[]*cobra.Command{benchcmd.Command(env)},
		solvecmd.Commands(env),
		searchcmd.Commands(env),
		[]*cobra.Command{traincmd.Command(env), fleetcmd.Command(env), traincmd.NetCommand(env)},
	)
}
