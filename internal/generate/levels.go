package main

import (
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
)

// writeLevels writes the table of the levels. Figures of other levels than those of this tree are
// an error: they must be measured again.
func writeLevels(w io.Writer, rows []experiment.Row) error {
	const again = "run go run ./internal/measure levels"
	if len(rows) != play.MaxLevel {
		return fmt.Errorf("%d levels on record (want %d: %s)", len(rows), play.MaxLevel, again)
	}
	first := rows[0]
	fmt.Fprintf(w, "%.0f pieces, %s games, seed %d\n\n", first.Metrics["pieces"], text.Grouped(int(first.Metrics["games"])), first.Provenance.Seed)
	table := text.Table{Header: []string{"level", "temperature", "regret", "optimal", "score"}}
	for i, row := range rows {
		temperature, score := "perfect", "-"
		if level := i + 1; level < play.MaxLevel {
			l, err := play.NewLevel(level)
			if err != nil {
				return err
			}
			if x := row.Metrics["temperature"]; row.Keys["level"] != fmt.Sprint(level) || l.Temperature() != x {
				return fmt.Errorf("level %d: temperature %v on record, not %v (%s)", level, x, l.Temperature(), again)
			}
			temperature = fmt.Sprint(l.Temperature())
			score = fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100*row.Metrics["score"], 100*row.Metrics["score_lo"], 100*row.Metrics["score_hi"])
		}
		table.Add(row.Keys["level"], temperature, fmt.Sprintf("%.3f", row.Median), fmt.Sprintf("%.1f %%", 100*row.Metrics["optimal"]), score)
	}
	return table.WriteMarkdown(w)
}
