package record

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// exampleHistory has three measurements: an engine is added in the second, and the
// work changes before the third.
func exampleHistory() []HistoryEntry {
	last := newHistoryEntry(exampleEnvironment(), exampleResults())
	first, second := last, last
	first.Date, first.Commit, first.Rows = "2026-11-01T10:00:00Z", "aaaaaaaaaaaaaaaaaaaa", last.Rows[:4]
	second.Date, second.Commit = "2026-11-11T10:00:00Z", ""
	second.Rows = append([]HistoryRow{}, last.Rows...)
	for i := range second.Rows {
		row := &second.Rows[i]
		row.Median, row.Lo, row.Hi = row.Median*1.5, row.Lo*1.4, row.Hi*1.6
	}
	last.Signature = "fedcba9876543210"
	return []HistoryEntry{first, second, last}
}

func TestHistoryIsReadBack(t *testing.T) {
	var text bytes.Buffer
	if err := writeHistory(&text, exampleHistory()); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(text.String(), "\n"); lines != 3 {
		t.Errorf("%d lines, want 3", lines)
	}
	got, err := ReadHistory(&text)
	if err != nil || !reflect.DeepEqual(got, exampleHistory()) {
		t.Errorf("read back %+v, %v", got, err)
	}
}

func TestHistoryNamesTheLine(t *testing.T) {
	const good = `{"schema":"ur.history/1","date":"2026-11-21T04:29:14Z","commit":"","go":"","corpus":"","signature":"","baseline":"a/b","rows":[]}`
	row := func(text string) string { return strings.Replace(good, "[]", "["+text+"]", 1) }
	for text, want := range map[string]string{
		"{":                                 "line 1: unexpected end of JSON input",
		good + "\n\n{}":                     `line 3: schema is "", want "ur.history/1"`,
		row(`{"level":"hop"}`):              `line 1: row 1: unknown level "hop"`,
		row(`{"level":"value"}`):            "line 1: row 1 has no engine",
		strings.Replace(good, "[]", "1", 1): "line 1: json: cannot unmarshal number",
		good + good:                         "line 1: invalid character '{'",
		strings.Replace(good, "2026-11-21T", "yesterday ", 1):            `line 1: date is "yesterday 04:29:14Z"`,
		row(`{"engine":"a/b","level":"value","median":2,"lo":3,"hi":4}`): "line 1: row 1 (a/b, value): 2 [3, 4] is no time",
	} {
		if _, err := ReadHistory(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

// Every record adds a line, a record from before there was a history makes the first.
func TestRecordAddsToItsHistory(t *testing.T) {
	dir := t.TempDir()
	run, e := exampleRun(t), exampleEnvironment()
	record := Record{Results: run.Results(e, nil), Environment: e}
	folder, err := Write(dir, run, record)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "history.jsonl")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	records, err := Read(dir)
	if err != nil || len(records[0].History) != 1 || records[0].History[0].Date != e.Date {
		t.Fatalf("history %+v of a record without one (%v), want the line of its ladder", records, err)
	}
	record.Environment.Date = "2026-12-01T00:00:00Z"
	if _, err := Write(dir, run, record); err != nil {
		t.Fatal(err)
	}
	history, err := readHistoryFile(file)
	if err != nil || len(history) != 2 || history[0].Date != e.Date || history[1].Date != record.Environment.Date {
		t.Errorf("history %+v, %v; want two lines, oldest first", history, err)
	}
}

func TestBrokenHistoryIsNotWrittenOver(t *testing.T) {
	dir := t.TempDir()
	run, e := exampleRun(t), exampleEnvironment()
	record := Record{Results: run.Results(e, nil), Environment: e}
	folder, err := Write(dir, run, record)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "history.jsonl")
	if err := os.WriteFile(file, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "ladder.json"), []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(dir, run, record); err == nil || !strings.Contains(err.Error(), "history.jsonl: line 1: schema") {
		t.Errorf("error %v, want the file and line", err)
	}
	for name, want := range map[string]string{"history.jsonl": "{}\n", "ladder.json": "old"} {
		if text, _ := os.ReadFile(filepath.Join(folder, name)); string(text) != want {
			t.Errorf("%s became %q", name, text)
		}
	}
}

// Figures that no file can hold leave the old record whole.
func TestFailedRecordLeavesTheOldOne(t *testing.T) {
	dir := t.TempDir()
	run, e := exampleRun(t), exampleEnvironment()
	record := Record{Results: run.Results(e, nil), Pieces: examplePieces(), Environment: e}
	folder, err := Write(dir, run, record)
	if err != nil {
		t.Fatal(err)
	}
	before := make(map[string]string)
	for _, name := range []string{recordSamples, recordLadder, recordPieces, recordHistory, recordEnvironment} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		before[name] = string(text)
	}
	record.Results.Seed, record.Pieces.Rows[0].Median = 99, math.Inf(1)
	if _, err := Write(dir, run, record); err == nil || !strings.Contains(err.Error(), recordPieces) {
		t.Errorf("error %v, want one about %s", err, recordPieces)
	}
	for name, want := range before {
		if text, _ := os.ReadFile(filepath.Join(folder, name)); string(text) != want {
			t.Errorf("%s changed", name)
		}
	}
}

func FuzzReadHistory(f *testing.F) {
	var text bytes.Buffer
	if err := writeHistory(&text, exampleHistory()); err != nil {
		f.Fatal(err)
	}
	f.Add(text.Bytes())
	f.Add([]byte("\n{}\n"))
	f.Add([]byte(`{"schema":"ur.history/1","date":"2026-11-21T04:29:14Z","rows":[{"engine":"a/b","level":"game","median":1,"lo":1,"hi":1e308}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		history, err := ReadHistory(bytes.NewReader(text))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := writeHistory(&again, history); err != nil {
			t.Fatal(err)
		}
		read, err := ReadHistory(&again)
		if err != nil || len(read) != len(history) || len(history) > 0 && !reflect.DeepEqual(read, history) {
			t.Errorf("read back %+v of %+v (%v)", read, history, err)
		}
	})
}
