// Package solvecmd holds the commands about the exact solution: solve, table, regret.
package solvecmd

import (
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

// Commands returns the commands of this package.
func Commands(env *cli.Env) []*cobra.Command {
	return []*cobra.Command{newSolveCommand(env), newTableCommand(env), newRegretCommand(env)}
}
