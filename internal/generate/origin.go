package main

import (
	"slices"

	"github.com/seed-09dcdc84/ur/internal/bench/record"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// usual returns the rows of the processor that most rows are from.
func usual(rows []experiment.Row) (most []experiment.Row) {
	for _, processor := range record.Processors(rows) {
		some := slices.DeleteFunc(slices.Clone(rows), func(row experiment.Row) bool {
			return row.Provenance == nil || row.Provenance.Processor() != processor
		})
		if len(some) > len(most) {
			most = some
		}
	}
	return most
}

// elsewhere returns a paragraph with the origin of some rows of a record if not all are from the
// usual processor, otherwise "".
func elsewhere(some, all []experiment.Row) string {
	if slices.Equal(record.Processors(some), record.Processors(usual(all))) {
		return ""
	}
	return record.Origin(some, "") + ".\n\n"
}
