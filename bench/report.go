package bench

import (
	"bytes"
	"fmt"
	"io"
)

// The lines of a README between which the ladder stands.
const (
	ladderBegin = "<!-- ladder:begin -->"
	ladderEnd   = "<!-- ladder:end -->"
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

// ReplaceLadder returns a text with what stands between the lines
// "<!-- ladder:begin -->" and "<!-- ladder:end -->" replaced by the report of the
// records. It is an error when the lines are not there, in this order, once.
func ReplaceLadder(text []byte, records []Record) ([]byte, error) {
	if bytes.Count(text, []byte(ladderBegin)) != 1 || bytes.Count(text, []byte(ladderEnd)) != 1 {
		return nil, fmt.Errorf("want one line %q and one line %q", ladderBegin, ladderEnd)
	}
	before, rest, _ := bytes.Cut(text, []byte(ladderBegin))
	_, after, ok := bytes.Cut(rest, []byte(ladderEnd))
	if !ok {
		return nil, fmt.Errorf("line %q stands before line %q", ladderEnd, ladderBegin)
	}
	var out bytes.Buffer
	out.Write(before)
	fmt.Fprintf(&out, "%s\n\n", ladderBegin)
	WriteReport(&out, records)
	fmt.Fprintf(&out, "\n%s", ladderEnd)
	out.Write(after)
	return out.Bytes(), nil
}
