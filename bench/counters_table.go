package bench

import (
	"github.com/seed-09dcdc84/ur/internal/text"
)

// CounterLegend says what the figures of the counters are.
const CounterLegend = "Counted by the processor in user mode, medians for each evaluation, turn or game."

// CounterTable makes the table of what the processor counted, which has no rows when
// it counted nothing.
func (r Results) CounterTable() text.Table {
	t := text.Table{Header: []string{"engine", "level", "instructions", "cycles", "IPC", "branch misses"}}
	for _, row := range r.Rows {
		if c := row.Counted; c != nil {
			t.Rows = append(t.Rows, []string{row.Engine, string(row.Level),
				formatCounted(c.Instructions), formatCounted(c.Cycles), formatCounted(c.IPC), formatCounted(c.BranchMisses)})
		}
	}
	return t
}

// formatCounted prints a count, or "-" when there is none.
func formatCounted(x float64) string {
	if x == 0 {
		return "-"
	}
	return text.Figure(x)
}
