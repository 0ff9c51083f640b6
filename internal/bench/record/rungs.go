package record

import (
	"errors"
	"io"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// rungs are the engines by which the ladder is told in a few lines: the definition, and
// after it the fastest of each idea.
var rungs = []string{"array16/scalar", "bits/scalar", "bits/incremental", "squares/avx2", "lanes/avx512"}

// writeRungs writes the rungs of the first record that has all of them, with how many
// times as fast as the definition each plays whole games.
func writeRungs(w io.Writer, records []Record) error {
	for _, record := range records {
		if table, ok := record.rungs(); ok {
			return table.WriteMarkdown(w)
		}
	}
	return errors.New("no record has all of the rungs")
}

// rungs returns the table of the rungs, and whether the record has all of them.
func (r Record) rungs() (text.Table, bool) {
	table := text.Table{Header: []string{r.Environment.Processor() + ", one core", "us/game", "games/s", "as fast"}}
	for _, engine := range rungs {
		row, ok := r.Results.Find(engine, bench.Game)
		if !ok {
			return table, false
		}
		table.Add(engine, text.Figure(row.Median), text.Count(bench.GamesPerSecond(row.Median)), text.Times(row.Ratio))
	}
	return table, true
}
