package record

import (
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// historyLevels are the levels of the ladder kept in the history: the smallest and the whole.
var historyLevels = []bench.Level{bench.Value, bench.Game}

// historySuite is the record of the ladder in every run, oldest first.
const historySuite = "history"

// inHistory returns the rows kept in the history.
func inHistory(rows []experiment.Row) (kept []experiment.Row) {
	for _, row := range rows {
		if row.Suite == bench.EnginesSuite && slices.Contains(historyLevels, bench.Level(row.Level)) {
			row.Suite, row.Times = historySuite, nil
			kept = append(kept, row)
		}
	}
	return kept
}

// measurements groups the rows of a history by their run, oldest first.
func measurements(history []experiment.Row) (runs [][]experiment.Row) {
	for _, row := range history {
		if n := len(runs); n == 0 || runs[n-1][0].Provenance.Date != row.Provenance.Date {
			runs = append(runs, nil)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], row)
	}
	return runs
}

// runLabel names a run in a few characters: its commit or, without one, its day.
func runLabel(p *experiment.Provenance) string {
	if p.Commit == "" {
		return day(p)
	}
	return experiment.ShortCommit(p.Commit, 7, "+")
}

// day is the date without its time.
func day(p *experiment.Provenance) string {
	day, _, _ := strings.Cut(p.Date, "T")
	return day
}
