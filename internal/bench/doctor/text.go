package doctor

import (
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/internal/trials"
)

// width of the text in columns.
const columns = 96

// conclusions explain the overall verdict.
var conclusions = map[Grade]string{
	OK:   "This machine measures reliably.",
	Warn: "Believe ratios of figures that were measured side by side, within the differences above.",
	Bad:  "Do not rely on measurements of this machine until the bad findings are resolved.",
}

// WriteText writes the report for a terminal.
func (r Report) WriteText(to io.Writer) error {
	w := &text.Writer{To: to}
	fmt.Fprintf(w, "%s, %s/%s, %s, seed %d\n\n", r.CPU, r.OS, r.Arch, r.Date, r.Seed)
	for _, f := range r.Findings {
		const indent = "         "
		finding := text.Wrap(f.What+": "+f.Measured, indent, columns)
		fmt.Fprintf(w, "%-9s%s\n", f.Verdict, finding[len(indent):])
		if f.Advice != "" {
			fmt.Fprintln(w, text.Wrap(f.Advice, indent+"  ", columns))
		}
	}
	if len(r.Trials) > 0 {
		fmt.Fprintln(w)
		_ = trials.WriteRates(w, r.Trials) // w remembers its error
		fmt.Fprintf(w, "\n%s\n", trialsLegend)
	}
	if r.Interrupted {
		fmt.Fprintln(w, "\nThe examination was interrupted; this much was found.")
		return w.Err
	}
	fmt.Fprintf(w, "\n%s: %s\n", r.Verdict, conclusions[r.Verdict])
	return w.Err
}

// trialsLegend explains the rates.
const trialsLegend = "Each trial measures an engine against itself and asks the gate: how often does it call that a\n" +
	"regression when nothing was planted, and how often when so much of the time was wasted on one side?"
