package doctor

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/seed-09dcdc84/ur/bench"
)

// columns that text is broken at.
const columns = 96

// conclusions say what the verdict of the whole means.
var conclusions = map[Verdict]string{
	OK:   "This machine can be believed.",
	Warn: "Believe ratios of figures that were measured side by side, within the differences above.",
	Bad:  "Do not believe figures of this machine before what is bad is changed.",
}

// WriteText writes the report for a terminal.
func (r Report) WriteText(w io.Writer) {
	fmt.Fprintf(w, "%s, %s/%s, %s, seed %d\n\n", r.CPU, r.OS, r.Arch, r.Date, r.Seed)
	for _, f := range r.Findings {
		const indent = "         "
		text := indented(f.What+": "+f.Measured, indent)
		fmt.Fprintf(w, "%-9s%s\n", f.Verdict, text[len(indent):])
		if f.Advice != "" {
			fmt.Fprintln(w, indented(f.Advice, indent+"  "))
		}
	}
	if len(r.Trials) > 0 {
		fmt.Fprintln(w)
		bench.WriteTrials(w, r.Trials)
		fmt.Fprintf(w, "\n%s\n", trialsLegend)
	}
	if r.Interrupted {
		fmt.Fprintln(w, "\nThe examination was interrupted; this much was found.")
		return
	}
	fmt.Fprintf(w, "\n%s: %s\n", r.Verdict, conclusions[r.Verdict])
}

// trialsLegend says what the rates are.
const trialsLegend = "Each trial measures an engine against itself and asks the gate: how often does it call that a\n" +
	"regression when nothing was planted, and how often when so much of the time was wasted on one side?"

// indented breaks text into lines and puts an indent before each.
func indented(text, indent string) string {
	var out strings.Builder
	line := indent
	for _, word := range strings.Fields(text) {
		if line != indent && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > columns {
			out.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	return out.String() + line
}
