package record

import (
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/bench/experiment"
)

// WriteReport writes the ladders of records in markdown: of each a line that says
// where and how it was measured and the table, and at the end how to read them.
// There must be one record at least.
func WriteReport(w io.Writer, records []Record) error {
	for _, record := range records {
		if err := record.writeMarkdown(w); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, records[0].Results.Legend())
	return err
}

func (r Record) writeMarkdown(w io.Writer) error {
	e := r.Environment
	_, err := fmt.Fprintf(w, "%s, one core, %s/%s, %s%s, %d samples:\n\n",
		e.Processor(), e.OS, e.Arch, e.Go, experiment.CommitText(r.Results.Commit), r.Results.Samples())
	if err != nil {
		return err
	}
	return r.Results.WriteMarkdown(w)
}
