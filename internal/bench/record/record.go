package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/profile"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// A record is a folder named after a kind of processor, with these files.
const (
	recordSamples     = "bench.txt"        // Go's benchmark format
	recordLadder      = "ladder.json"      // Results
	recordScaling     = "scaling.json"     // Scaling; may be missing
	recordPieces      = "pieces.json"      // Pieces; may be missing
	recordProfile     = "profile.json"     // Profile; may be missing
	recordHistory     = "history.jsonl"    // a HistoryEntry a line; may be missing
	recordEnvironment = "environment.json" // Environment
)

// Record is a measurement that was kept.
type Record struct {
	Slug        string // name of its folder
	Results     bench.Results
	Scaling     *bench.Scaling   // nil when it was not measured
	Pieces      *bench.Pieces    // nil when it was not measured
	Profile     *profile.Profile // nil when it was not taken
	Environment experiment.Environment

	// History has a line for every measurement that went on record here, oldest
	// first, this one last. [Write] adds it.
	History []HistoryEntry
}

// Write writes a run and the record made of it to the folder of their kind of
// processor under dir, over the record that was there, and returns the folder. The
// history of the folder gets one line more. Everything is made before anything is
// written: figures that make no file, or a history that cannot be read, are an error
// that leaves the old record whole.
func Write(dir string, r *bench.Run, record Record) (folder string, err error) {
	var samples bytes.Buffer
	if err := r.WriteBenchmarks(&samples, record.Environment); err != nil {
		return "", fmt.Errorf("%s: %w", recordSamples, err)
	}
	return WriteSamples(dir, samples.Bytes(), record)
}

// WriteSamples writes the samples of a run, in Go's benchmark format, and the record made
// of it as [Write] does: those of another machine, where there is no run.
func WriteSamples(dir string, samples []byte, record Record) (folder string, err error) {
	folder = filepath.Join(dir, record.Environment.Slug())
	history, err := recordedHistory(folder)
	if err != nil {
		return "", err
	}
	history = append(history, newHistoryEntry(record.Environment, record.Results))
	files := []struct {
		name  string
		write func(io.Writer) error
		text  bytes.Buffer
	}{
		{name: recordSamples, write: func(w io.Writer) error { _, err := w.Write(samples); return err }},
		{name: recordLadder, write: func(w io.Writer) error { return writeJSON(w, record.Results) }},
		{name: recordScaling, write: func(w io.Writer) error { return writeJSON(w, record.Scaling) }},
		{name: recordPieces, write: func(w io.Writer) error { return writeJSON(w, record.Pieces) }},
		{name: recordProfile, write: func(w io.Writer) error { return writeJSON(w, record.Profile) }},
		{name: recordHistory, write: func(w io.Writer) error { return writeHistory(w, history) }},
		{name: recordEnvironment, write: func(w io.Writer) error { return writeJSON(w, record.Environment) }},
	}
	for i := range files {
		if err := files[i].write(&files[i].text); err != nil {
			return "", fmt.Errorf("%s: %w", files[i].name, err)
		}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	for i := range files {
		err := wholefile.Write(recordFile(folder, files[i].name), func(w io.Writer) error {
			_, err := w.Write(files[i].text.Bytes())
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return folder, nil
}

// maxRecord is the size of the largest file of a record that is read, in bytes.
const maxRecord = experiment.MaxFile

// recordFile names a file of a record.
func recordFile(folder, name string) string { return filepath.Join(folder, name) }

// Read reads all records under dir, in the order of their folders' names. A folder in
// which no ladder was recorded, as one of look-ahead or nets alone, is passed over.
// Errors name the file.
func Read(dir string) ([]Record, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var records []Record
	for _, entry := range entries {
		if !entry.IsDir() || !isRecord(filepath.Join(dir, entry.Name())) {
			continue
		}
		record, err := readRecord(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		records = append(records, record)
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("%s: no records: %w", dir, fs.ErrNotExist)
	}
	return records, nil
}

// isRecord reports whether a folder has anything of a recorded ladder, or nothing at all:
// then one is missing.
func isRecord(folder string) bool {
	if files, err := os.ReadDir(folder); err != nil || len(files) == 0 {
		return true
	}
	for _, name := range []string{recordLadder, recordEnvironment, recordScaling, recordPieces, recordProfile} {
		if _, err := os.Stat(recordFile(folder, name)); !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// readRecord reads the files of one folder.
func readRecord(folder string) (Record, error) {
	record := Record{Slug: filepath.Base(folder)}
	err := errors.Join(
		readJSON(recordFile(folder, recordLadder), &record.Results),
		readJSON(recordFile(folder, recordEnvironment), &record.Environment),
	)
	if errors.Is(err, fs.ErrNotExist) {
		return record, fmt.Errorf("%s is not a complete record: %w", folder, err)
	}
	if err != nil {
		return record, err
	}
	if record.Scaling, err = readOptional[bench.Scaling](recordFile(folder, recordScaling)); err != nil {
		return record, err
	}
	if record.Pieces, err = readOptional[bench.Pieces](recordFile(folder, recordPieces)); err != nil {
		return record, err
	}
	if record.Profile, err = readOptional[profile.Profile](recordFile(folder, recordProfile)); err != nil {
		return record, err
	}
	record.History, err = recordedHistory(folder)
	return record, err
}

// readOptional returns nil when there is no such file, or nothing but null in it.
func readOptional[T any](file string) (*T, error) {
	var value *T
	err := readJSON(file, &value)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return value, err
}

// writeJSON writes a value in lines that a diff of two records can be read by.
func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

func readJSON(file string, value any) error {
	text, err := wholefile.Read(file, maxRecord)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, value); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
