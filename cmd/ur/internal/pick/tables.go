package pick

import (
	"context"
	"errors"

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

// RankedTable returns the table of --table, or the default one, for a rule set, nil for
// Finkel's, and a number of pieces.
func RankedTable(ctx context.Context, name string, r *board.Rules, pieces int) (solve.Ranked, error) {
	if r == nil {
		return Table(ctx, name, pieces)
	}
	r, err := r.WithPieces(pieces)
	if err != nil {
		return nil, cli.UsageError("--%w", err)
	}
	t, err := play.FindTable(ctx, r, name)
	if err != nil && name != "" {
		err = cli.UsageError("--table: %w", err)
	}
	return t, err
}

// Table returns the table of --table, or the default one for the number of --pieces.
func Table(ctx context.Context, name string, pieces int) (solve.Table, error) {
	if err := board.CheckPieces(pieces); err != nil {
		return nil, cli.UsageError("--pieces: %w", err)
	}
	if name == "" {
		return play.DefaultTables().Table(ctx, pieces)
	}
	t, err := solve.OpenTable(name)
	if err != nil {
		return nil, cli.UsageError("--table: %w", err)
	}
	if t.Pieces() < pieces {
		small := &solve.SmallTableError{Name: name, Pieces: t.Pieces(), Want: pieces}
		return nil, errors.Join(cli.UsageError("--table: %w", small), t.Close())
	}
	return t, nil
}
