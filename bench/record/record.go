// Package record holds the figures of measurements with their provenance: the rows of results,
// their tables, and the records under results/, a folder for each kind of processor with a file
// SUITE.json for each suite. [Results] are one run, each [Row] one benchmark, and [Read] reads all records.
package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// schema is the schema of a file of a record.
const schema = "ur.record/2"

// file is one file of a record: the rows of a suite by their runs.
type file struct {
	Schema string `json:"schema"` // [schema]
	Suite  string `json:"suite"`  // name of the suite
	Runs   []run  `json:"runs"`
}

// run is the rows of one run, with their common provenance. A row leaves out the suite, and the
// keys that stand in its name.
type run struct {
	Provenance
	Rows []Row `json:"rows"`
}

// Processors names the processors of rows, each once.
func Processors(rows []Row) []string {
	return distinct(rows, func(row Row) string { return row.Provenance.Processor() })
}

// Origin describes where and how rows were measured: the processors, the cores used, the
// system, the builds and the number of samples.
func Origin(rows []Row, cores string) string {
	built := distinct(rows, func(row Row) string { return row.Provenance.built() })
	samples, latest := 0, Provenance{}
	for _, row := range rows {
		samples = max(samples, row.Samples)
		if row.Provenance.Date >= latest.Date {
			latest = *row.Provenance
		}
	}
	parts := []string{strings.Join(Processors(rows), " and "), cores, latest.OS + "/" + latest.Arch,
		strings.Join(built, " and "), text.Plural(samples, "sample")}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" || s == "/" }), ", ")
}

// Keep writes the rows of results to the folder of their kind of processor under dir, and
// returns the folder. Rows of other benchmarks stay unchanged, with their provenance. After an error
// of reading a file nothing is written.
func Keep(dir string, results Results) (folder string, err error) {
	folder = filepath.Join(dir, results.slug())
	rows := slices.Clone(results.Rows)
	for i := range rows {
		rows[i].Provenance = &results.Provenance
	}
	texts := make(map[string][]byte) // by suite
	for _, group := range text.Groups(rows, Row.suite) {
		suite := group[0].Suite
		old, err := readFile(filepath.Join(folder, suite+".json"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		var merged []Row // the last one of each name
		for _, same := range text.Groups(append(old, group...), Row.name) {
			merged = append(merged, same[len(same)-1])
		}
		if texts[suite], err = textOf(suite, merged); err != nil {
			return "", err
		}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	for _, suite := range slices.Sorted(maps.Keys(texts)) {
		if err := safefile.WriteBytes(filepath.Join(folder, suite+".json"), texts[suite]); err != nil {
			return "", err
		}
	}
	return folder, nil
}

// Remove removes the rows that match from the records under dir, and files without rows.
func Remove(dir string, matches func(Row) bool) error {
	names, err := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	for _, name := range names {
		rows, err := readFile(name)
		if err != nil {
			return err
		}
		kept := slices.DeleteFunc(slices.Clone(rows), matches)
		if len(kept) == 0 {
			err = os.Remove(name)
		} else if len(kept) < len(rows) {
			var content []byte
			if content, err = textOf(rows[0].Suite, kept); err == nil {
				err = safefile.WriteBytes(name, content)
			}
		}
		if err != nil {
			return err
		}
	}
	return err
}

// StaleFile is the file of the stale rows in the folder of records.
const StaleFile = "stale.json"

// StaleRows are rows of a command whose code has changed since.
type StaleRows struct {
	Suite   string   `json:"suite"`
	Machine string   `json:"machine"` // processor
	Command string   `json:"command"`
	Rows    []string `json:"rows"` // names
}

// Has reports whether a row is one of them.
func (s StaleRows) Has(row Row) bool {
	p := row.Provenance
	return p != nil && row.Suite == s.Suite && p.Command == s.Command && p.Processor() == s.Machine &&
		slices.Contains(s.Rows, row.Name)
}

// MarkStale marks stale rows, as the file in the folder of their records has them.
func MarkStale(dir string, rows []Row) error {
	content, err := safefile.Read(filepath.Join(dir, StaleFile), maxFile)
	if err != nil {
		return err
	}
	var groups []StaleRows
	if err := json.Unmarshal(content, &groups); err != nil {
		return fmt.Errorf("%s: %w", StaleFile, err)
	}
	for i := range rows {
		rows[i].Stale = slices.ContainsFunc(groups, func(s StaleRows) bool { return s.Has(rows[i]) })
	}
	return nil
}

// textOf is a file as JSON, a row a line, so a diff of two records is readable. Neighbours of one
// run share its provenance.
func textOf(suite string, rows []Row) ([]byte, error) {
	f := file{Schema: schema, Suite: suite, Runs: []run{}}
	for i, row := range rows {
		if i == 0 || !reflect.DeepEqual(row.Provenance, rows[i-1].Provenance) {
			f.Runs = append(f.Runs, run{Provenance: *row.Provenance})
		}
		if maps.Equal(row.Keys, report.Keys(row.Name)) {
			row.Keys = nil
		}
		row.Suite = ""
		last := &f.Runs[len(f.Runs)-1]
		last.Rows = append(last.Rows, row)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(f)
	lines := strings.NewReplacer(`[{"`, "[\n{\"", `},{"`, "},\n{\"") // quotes in strings are escaped
	return []byte(lines.Replace(out.String())), err
}

// Read reads the rows of all records under dir, each with its provenance, in the order of the
// names of folders and files. Errors name the file.
func Read(dir string) (rows []Row, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	if err == nil && names == nil {
		err = fmt.Errorf("%s: no records: %w", dir, fs.ErrNotExist)
	}
	for _, name := range names { // sorted
		some, err := readFile(name)
		if err != nil {
			return nil, err
		}
		rows = append(rows, some...)
	}
	return rows, err
}

// maxFile is the maximum size of a file of a record, in bytes.
const maxFile = 64 << 20

// readFile reads a suite's file.
func readFile(name string) (rows []Row, err error) {
	content, err := safefile.Read(name, maxFile)
	if err != nil {
		return nil, err
	}
	var f file
	if err := json.Unmarshal(content, &f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if f.Schema != schema {
		return nil, fmt.Errorf("%s: the schema is %q (want %q)", name, f.Schema, schema)
	}
	if suite := strings.TrimSuffix(filepath.Base(name), ".json"); f.Suite != suite {
		return nil, fmt.Errorf("%s: the suite is %q (want %q)", name, f.Suite, suite)
	}
	for i := range f.Runs {
		for _, row := range f.Runs[i].Rows {
			row.Suite, row.Provenance = f.Suite, &f.Runs[i].Provenance
			if row.Keys == nil {
				row.Keys = report.Keys(row.Name)
			}
			rows = append(rows, row)
			if err := row.check(); err != nil {
				return nil, fmt.Errorf("%s: row %d: %w", name, len(rows), err)
			}
		}
	}
	return rows, nil
}

// check checks a row of a file.
func (r Row) check() error {
	switch {
	case r.Name == "" || r.Unit == "":
		return errors.New("missing name or unit")
	case r.Provenance.CPU == "" && !strings.HasPrefix(r.Note, "published: "):
		return fmt.Errorf("%s has no provenance", r.Name)
	case !(r.Lo <= r.Median && r.Median <= r.Hi):
		return fmt.Errorf("%s: invalid figure and interval %v [%v, %v]", r.Name, r.Median, r.Lo, r.Hi)
	}
	return nil
}

// Suite returns the rows of a suite of all machines: of rows with one name the latest.
func Suite(all []Row, name string) (rows []Row) {
	own := slices.DeleteFunc(slices.Clone(all), func(row Row) bool { return row.Suite != name })
	for _, same := range text.Groups(own, Row.name) {
		rows = append(rows, slices.MaxFunc(same, func(a, b Row) int {
			return strings.Compare(a.Provenance.Date, b.Provenance.Date)
		}))
	}
	return rows
}
