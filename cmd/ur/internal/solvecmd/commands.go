// Package solvecmd holds the commands that study positions: eval, regret, solve, book.
package solvecmd

import (
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

// Commands returns the commands of this package.
func Commands(env *cli.Env) []*cobra.Command {
	return []*cobra.Command{newEvalCommand(env), newRegretCommand(env), newSolveCommand(env), newBookCommand(env)}
}
