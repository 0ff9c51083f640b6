package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/experiment"
)

// HistoryEntry is one line of the history of a record: what one measurement that
// went on record found, in short. A record is written over by the next one; its line
// in history.jsonl stays, so that speed can be followed over commits.
type HistoryEntry struct {
	Schema   string       `json:"schema"` // ur.history/1
	Date     string       `json:"date"`   // of the start, RFC 3339, UTC
	Commit   string       `json:"commit"` // "" when it was not known
	Go       string       `json:"go"`
	Build    string       `json:"build,omitempty"` // flags, as in [experiment.Environment]
	Corpus   string       `json:"corpus"`
	Baseline string       `json:"baseline"`
	Rows     []HistoryRow `json:"rows"` // by engine, then by level

	// Signatures are those of the work at each level: figures of others must not be
	// compared. Lines from before there were such have one Signature of all levels.
	Signatures bench.Signatures `json:"signatures,omitempty"`
	Signature  string           `json:"signature"`
}

// HistoryRow is what one engine reached at one level, in the unit of the level.
type HistoryRow struct {
	Engine  string      `json:"engine"`
	Level   bench.Level `json:"level"`
	Samples int         `json:"samples"`
	Median  float64     `json:"median"`
	Lo      float64     `json:"lo"` // ends of the 95 % interval of the median
	Hi      float64     `json:"hi"`
	Ratio   float64     `json:"ratio"` // to the baseline, as in [bench.Row]
}

const historySchema = "ur.history/1"

// newHistoryEntry shortens a measurement to its line.
func newHistoryEntry(e experiment.Environment, results bench.Results) HistoryEntry {
	entry := HistoryEntry{
		Schema:     historySchema,
		Date:       e.Date,
		Commit:     results.Commit,
		Go:         results.Go,
		Build:      e.Build,
		Corpus:     results.Corpus,
		Signatures: results.Signatures,
		Signature:  results.Signature,
		Baseline:   results.Baseline,
		Rows:       []HistoryRow{},
	}
	for _, row := range results.Rows {
		if row.Level.InHistory() {
			entry.Rows = append(entry.Rows, HistoryRow{row.Engine, row.Level, row.Samples, row.Median, row.Lo, row.Hi, row.Ratio})
		}
	}
	return entry
}

// Find returns the row of an engine at a level, and whether there is one.
func (h HistoryEntry) Find(engine string, level bench.Level) (HistoryRow, bool) {
	for _, row := range h.Rows {
		if row.Engine == engine && row.Level == level {
			return row, true
		}
	}
	return HistoryRow{}, false
}

// signature is that of the work at a level.
func (h HistoryEntry) signature(level bench.Level) string {
	if s, ok := h.Signatures[level]; ok {
		return s
	}
	return h.Signature
}

// check says what is wrong with an entry.
func (h HistoryEntry) check() error {
	if h.Schema != historySchema {
		return fmt.Errorf("schema is %q, want %q", h.Schema, historySchema)
	}
	if _, err := time.Parse(time.RFC3339, h.Date); err != nil {
		return fmt.Errorf("date is %q, want one as in 2026-11-21T04:29:14Z", h.Date)
	}
	for i, row := range h.Rows {
		if _, err := bench.ParseLevel(string(row.Level)); err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
		if row.Engine == "" {
			return fmt.Errorf("row %d has no engine", i+1)
		}
		if !(0 < row.Lo && row.Lo <= row.Median && row.Median <= row.Hi) || math.IsInf(row.Hi, 0) {
			return fmt.Errorf("row %d (%s, %s): %v [%v, %v] is no time with its interval", i+1, row.Engine, row.Level, row.Median, row.Lo, row.Hi)
		}
	}
	return nil
}

// ReadHistory reads the lines of a history, oldest first as they stand. Empty lines
// do not count. Errors name the line.
func ReadHistory(r io.Reader) ([]HistoryEntry, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var history []HistoryEntry
	for i, line := range bytes.Split(text, []byte("\n")) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var entry HistoryEntry
		if err = json.Unmarshal(line, &entry); err == nil {
			err = entry.check()
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		history = append(history, entry)
	}
	return history, nil
}

// writeHistory writes an entry a line.
func writeHistory(w io.Writer, history []HistoryEntry) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for _, entry := range history {
		if err := encoder.Encode(entry); err != nil {
			return err
		}
	}
	return nil
}

// readHistoryFile returns nil when there is no such file. Errors name it.
func readHistoryFile(file string) ([]HistoryEntry, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	history, err := ReadHistory(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return history, nil
}

// recordedHistory returns the history of a record's folder: the lines of its file
// or, for a folder from before there was such a file, the one line that its ladder
// makes. A folder that does not exist has none.
func recordedHistory(folder string) ([]HistoryEntry, error) {
	history, err := readHistoryFile(recordFile(folder, recordHistory))
	if err != nil || history != nil {
		return history, err
	}
	var e experiment.Environment
	var results bench.Results
	err = errors.Join(
		readJSON(recordFile(folder, recordEnvironment), &e),
		readJSON(recordFile(folder, recordLadder), &results),
	)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return []HistoryEntry{newHistoryEntry(e, results)}, nil
}

// label names an entry in a few characters: its commit or, without one, its day.
func (h HistoryEntry) label() string {
	if h.Commit == "" {
		return h.day()
	}
	return experiment.ShortCommit(h.Commit, 7, "+")
}

// day is the date without its time.
func (h HistoryEntry) day() string {
	day, _, _ := strings.Cut(h.Date, "T")
	return day
}
