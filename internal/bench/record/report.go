package record

import (
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// WriteReport writes the ladders of records in markdown: a line with their provenance and
// the table of each, and at the end a legend. There must be one record at least.
func WriteReport(w io.Writer, records []Record) error {
	var rows []experiment.Row
	for _, record := range records {
		ladder := record.Suite(bench.EnginesSuite)
		if len(ladder) == 0 {
			continue
		}
		rows = append(rows, ladder...)
		fmt.Fprintf(w, "%s:\n\n", Origin(ladder, "one core"))
		if err := experiment.Table(ladder).WriteMarkdown(w); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	_, err := fmt.Fprintf(w, "%s\n", experiment.Legend(rows))
	return err
}
