package pick

import (
	"context"
	"errors"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/spf13/cobra"
)

// RulesFlag adds --rules, a rule set.
func RulesFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "rules", board.Finkel().Name(), "rule `SET`: "+strings.Join(board.Names(), ", ")+", or a JSON file")
	cli.CompleteFlag(cmd, "rules", cobra.FixedCompletions(board.Names(), cobra.ShellCompDirectiveDefault))
}

// Rules returns the rule set of --rules with the number of pieces of --pieces, and
// checks the number. A number that the user did not give becomes that of the rule set.
func Rules(cmd *cobra.Command, name string, pieces *int) (*board.Rules, error) {
	r, err := board.Find(name)
	if err != nil {
		return nil, cli.UsageError("--rules: %w", err)
	}
	if !r.IsFinkel() && !cmd.Flags().Changed("pieces") {
		*pieces = r.Pieces()
	}
	return withPieces(r, *pieces)
}

// withPieces returns a rule set with --pieces, a number that its games can have.
func withPieces(r *board.Rules, pieces int) (*board.Rules, error) {
	if r.IsFinkel() {
		if err := board.CheckPieces(pieces); err != nil {
			return nil, cli.UsageError("--pieces: %w", err)
		}
	}
	r, err := r.WithPieces(pieces)
	if err != nil {
		return nil, cli.UsageError("--%w", err)
	}
	return r, nil
}

// Table returns the exact solution of a rule set with the number of --pieces: that of the file
// of --table, otherwise the one in the cache, or of at most 5 pieces a new one.
func Table(ctx context.Context, file string, r *board.Rules, pieces int) (*solve.Table, error) {
	r, err := withPieces(r, pieces)
	if err != nil {
		return nil, err
	}
	if file == "" {
		return play.DefaultTables().Table(ctx, r)
	}
	t, err := solve.OpenFor(file, r)
	if err != nil {
		return nil, cli.UsageError("--table: %w", err)
	}
	return t, nil
}

// ConfigError turns the error of a configuration into a usage error of the flag that sets the
// invalid field. flags maps fields to flag names; a field without an entry has a flag of the
// same name. "" stands for an argument instead of a flag. Any other error is returned
// unchanged.
func ConfigError(err error, flags map[string]string) error {
	var fault *config.Error
	if !errors.As(err, &fault) {
		return err
	}
	name := strings.ToLower(fault.Field)
	switch flag, ok := flags[fault.Field]; {
	case !ok:
		name = "--" + name
	case flag != "":
		name = "--" + flag
	}
	return cli.UsageError("%s", fault.Describe(name))
}
