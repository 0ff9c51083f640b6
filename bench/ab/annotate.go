package ab

import (
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Place is a line of the head's sources.
type Place struct {
	Function string `json:"function"`
	File     string `json:"file"` // relative to the root of the repository, with slashes
	Line     int    `json:"line"` // number of the line
}

// writeAnnotations writes GitHub workflow commands: an error on each function behind a slower
// row, a warning for each other failing row.
func (r *Report) writeAnnotations(w io.Writer) error {
	out := &text.Writer{To: w}
	for _, row := range r.Rows {
		if row.Verdict.Passes() || row.verdictText() == "~" {
			continue
		}
		message := fmt.Sprintf("%s %s ± %s %s %s", row.Name, percent(row.Delta), row.margin(), row.Unit, row.Reason)
		if row.Verdict != verdict.Slower {
			fmt.Fprintf(out, "::warning title=benchmark %s::%s\n", row.Verdict, escaped(message))
			continue
		}
		for _, place := range row.Places {
			fmt.Fprintf(out, "::error file=%s,line=%d,title=benchmark slower::%s\n", escaped(place.File), place.Line, escaped(message))
		}
		if len(row.Places) == 0 {
			fmt.Fprintf(out, "::error title=benchmark slower::%s\n", escaped(message))
		}
	}
	return out.Err
}

// escaped replaces the characters with a meaning in a workflow command or its properties.
func escaped(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(strings.TrimSpace(text.Plain(s)))
}
