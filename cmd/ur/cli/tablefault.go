package cli

import (
	"errors"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/solve"
)

// explainTable turns an error of a missing, too small or damaged solution table into one of bad
// input: for any command, the user must name or make another table.
func explainTable(err error) error {
	var missing *solve.MissingTableError
	var small *solve.SmallTableError
	var damaged *solve.FormatError
	if errors.As(err, &missing) || errors.As(err, &small) || errors.As(err, &damaged) {
		return cli.UsageError("%w", err)
	}
	return err
}
