package solvecmd

import (
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/spf13/cobra"
)

const tableLong = `Table reads files that hold the exact solution of the game: for every position, the
probability that the player to move wins under perfect play.

  .urt   the format of "ur solve": memory-mapped, ready at once, with
         checksums. Compact, in steps of 1/65535 (276 MB for seven pieces,
         error up to 0.000008), or exact, in 64-bit floating point (1.1 GB).
  .rgu   the format of RoyalUr, with values percent16, f32 or f64, for
         Finkel's rules.

A .urt names its rule set. A file without a name has Finkel's rules.

The content of a file determines its format, not its name.`

// newTableCommand returns "ur table" with its sub-commands.
func newTableCommand(env *cli.Env) *cobra.Command {
	return cli.NewGroup("table", "Read table files of perfect play", tableLong,
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
