package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A record is a folder named after a kind of processor, with these files.
const (
	recordSamples     = "bench.txt"        // Go's benchmark format
	recordLadder      = "ladder.json"      // Results
	recordScaling     = "scaling.json"     // Scaling; may be missing
	recordEnvironment = "environment.json" // Environment
)

// Record is a measurement that was kept.
type Record struct {
	Slug        string // name of its folder
	Results     Results
	Scaling     *Scaling // nil when it was not measured
	Environment Environment
}

// WriteRecord writes a run and the scaling measured after it to the folder of their
// kind of processor under dir, over the record that was there, and returns the
// folder.
func WriteRecord(dir string, r *Run, e Environment, results Results, scaling *Scaling) (folder string, err error) {
	folder = filepath.Join(dir, e.Slug())
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	files := []struct {
		name  string
		write func(io.Writer) error
	}{
		{recordSamples, func(w io.Writer) error { return r.WriteBenchmarks(w, e) }},
		{recordLadder, func(w io.Writer) error { return writeJSON(w, results) }},
		{recordScaling, func(w io.Writer) error { return writeJSON(w, scaling) }},
		{recordEnvironment, func(w io.Writer) error { return writeJSON(w, e) }},
	}
	for _, f := range files {
		if err := WriteFile(filepath.Join(folder, f.name), f.write); err != nil {
			return "", err
		}
	}
	return folder, nil
}

// ReadRecords reads all records under dir, in the order of their folders' names.
// Errors name the file.
func ReadRecords(dir string) ([]Record, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var records []Record
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		record := Record{Slug: entry.Name()}
		err := errors.Join(
			readJSON(filepath.Join(dir, record.Slug, recordLadder), &record.Results),
			readJSON(filepath.Join(dir, record.Slug, recordEnvironment), &record.Environment),
		)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s is not a complete record: %w", filepath.Join(dir, record.Slug), err)
		}
		if err == nil {
			record.Scaling, err = readScaling(filepath.Join(dir, record.Slug, recordScaling))
		}
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

// readScaling returns nil when there is no such file.
func readScaling(file string) (*Scaling, error) {
	scaling := new(Scaling)
	err := readJSON(file, scaling)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return scaling, err
}

// writeJSON writes a value in lines that a diff of two records can be read by.
func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

func readJSON(file string, value any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, value); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
