package solvecmd

import (
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/spf13/cobra"
)

const tableLong = `Table looks into the files that hold the exact solution of the game: the
probability, for every position, that the player to move wins when both sides play
perfectly.

  .urt   the form of this program, made by "ur solve": mapped into memory and
         ready at once, with checksums. Compact, in steps of 1/65535 (276 MB for
         seven pieces, right to 0.000008), or exact, in 64-bit floating point
         (1.1 GB).
  .rgu   the form of RoyalUr, with values percent16, f32 or f64, for Finkel's
         rules.

A .urt names its rules; without a name they are Finkel's.

The form of a file is told by what is in it and not by its name.`

// newTableCommand returns "ur table" with its sub-commands.
func newTableCommand(env *cli.Env) *cobra.Command {
	return cli.NewGroup("table", "Look into files of perfect play", tableLong,
		newTableInfoCommand(env),
		newTableGetCommand(env),
		newTableVerifyCommand(env),
		newTableConvertCommand(env),
	)
}

// openTable opens a file named by the user, of any rules.
func openTable(name string) (solve.RankedFile, error) {
	t, err := solve.OpenAny(name)
	if err != nil {
		return nil, cli.UsageError("%w", err)
	}
	return t, nil
}

// completeTables completes the names of table files, for as many arguments as there
// are.
func completeTables(arguments int) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= arguments {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return []string{"urt", "rgu"}, cobra.ShellCompDirectiveFilterFileExt
	}
}
