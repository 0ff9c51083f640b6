package pick

import (
	"context"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/spf13/cobra"
)

// TableFlag adds --table, a file with the exact solution.
func TableFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "table", "", "`FILE` with the exact solution (default that of the cache)")
}

// Table returns the table of --table, or the default one, for a rule set and the number
// of --pieces.
func Table(ctx context.Context, name string, r *board.Rules, pieces int) (*solve.Table, error) {
	r, err := withPieces(r, pieces)
	if err != nil {
		return nil, err
	}
	t, err := play.FindTable(ctx, r, name)
	if err != nil && name != "" {
		err = cli.UsageError("--table: %w", err)
	}
	return t, err
}
