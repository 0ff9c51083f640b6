package cli

import (
	"errors"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/solve"
)

// explainTable makes an error of a table of the exact solution that is missing, too
// small or damaged one of bad input. Whichever command came upon it, it is for the user
// to name or make another.
func explainTable(err error) error {
	var missing *solve.MissingTableError
	var small *solve.SmallTableError
	var damaged *solve.FormatError
	if errors.As(err, &missing) || errors.As(err, &small) || errors.As(err, &damaged) {
		return cli.UsageError("%w", err)
	}
	return err
}
