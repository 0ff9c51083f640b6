package playcmd

import (
	"path/filepath"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/play/record"
)

// recordForm returns the format of a record file from its extension, or the default without
// one. It checks before the first game that the file can be written; "" is none.
func recordForm(file, usual string, force bool) (record.Format, error) {
	if file == "" {
		return record.Format{}, nil
	}
	form, err := record.FormatOf(file)
	if filepath.Ext(file) == "" {
		form, err = record.LookupFormat(usual)
	}
	if err != nil {
		return form, cli.UsageError("--record: %w", err)
	}
	return form, cli.CheckOutput("--record", file, force)
}
