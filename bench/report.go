package bench

import (
	"fmt"
	"io"
)

// WriteReport writes the ladders of records in markdown: of each a line that says
// where and how it was measured and the table, and at the end how to read them.
// There must be one record at least.
func WriteReport(w io.Writer, records []Record) {
	for _, record := range records {
		record.writeMarkdown(w)
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, records[0].Results.legend())
}

func (r Record) writeMarkdown(w io.Writer) {
	e := r.Environment
	fmt.Fprintf(w, "%s, one core, %s/%s, %s%s, %d samples:\n\n",
		e.cpu(), e.OS, e.Arch, e.Go, formatCommit(r.Results.Commit), r.Results.samples())
	r.Results.WriteMarkdown(w)
}
