package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// historyLevels are the levels of the ladder kept in the history: the smallest and the whole.
var historyLevels = []bench.Level{bench.Value, bench.Game}

// inHistory returns the rows kept in the history.
func inHistory(rows []experiment.Row) (kept []experiment.Row) {
	for _, row := range rows {
		if row.Suite == bench.EnginesSuite && slices.Contains(historyLevels, bench.Level(row.Level)) {
			row.Times = nil
			kept = append(kept, row)
		}
	}
	return kept
}

// readHistory reads the rows of a history, oldest first. A missing file has none. Errors name
// the file and the line.
func readHistory(name string, open opener) ([]experiment.Row, error) {
	text, err := open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var history []experiment.Row
	for i, line := range bytes.Split(text, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var row experiment.Row
		if err = json.Unmarshal(line, &row); err == nil {
			err = checkHistory(row)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, i+1, err)
		}
		history = append(history, row)
	}
	return history, nil
}

// checkHistory checks a row of a history.
func checkHistory(row experiment.Row) error {
	if err := check(row); err != nil {
		return err
	}
	if _, err := time.Parse(time.RFC3339, row.Provenance.Date); err != nil {
		return fmt.Errorf("invalid date %q (want one as in 2026-11-21T04:29:14Z)", row.Provenance.Date)
	}
	if row.Engine == "" {
		return errors.New("no engine")
	}
	if row.Lo <= 0 {
		return fmt.Errorf("%s: invalid time %v (want more than 0)", row.Name, row.Lo)
	}
	_, err := bench.ParseLevel(row.Level)
	return err
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
