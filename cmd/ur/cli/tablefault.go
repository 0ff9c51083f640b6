package cli

import (
	"errors"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/solve"
)

// explainTable turns an error of a missing, too small, damaged or foreign solution table into a
// usage error of any command, and adds how to make a missing one.
func explainTable(err error) error {
	var missing *solve.MissingTableError
	var small *solve.SmallTableError
	var damaged *solve.FormatError
	var other *solve.ForeignTableError
	set := ""
	if errors.As(err, &missing) && !missing.Rules.Equal(board.Finkel()) {
		set = "--rules " + missing.Rules.Name() + " "
		if _, err := board.Lookup(missing.Rules.Name()); err != nil {
			set = "--rules FILE " // a custom rule set has no other name for commands
		}
	}
	switch {
	case errors.As(err, &missing) && missing.Folder == "":
		return cli.UsageError("%w: name a file, as \"ur solve %s--pieces %d -o FILE\" makes it", err, set, missing.Rules.Pieces())
	case errors.As(err, &missing):
		return cli.UsageError("%w: make one with \"ur solve %s--pieces %d\"", err, set, missing.Rules.Pieces())
	case errors.As(err, &small) || errors.As(err, &damaged) || errors.As(err, &other):
		return cli.UsageError("%w", err)
	}
	return err
}
