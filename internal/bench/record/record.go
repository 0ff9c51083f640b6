package record

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/profile"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// Schema is the schema of a file of a record.
const Schema = "ur.record/1"

// profileFile holds the profile of a record; it may be missing. A profile has functions and lines
// below each engine, so it is not a file of rows: it keeps the form of "ur bench profile --json".
const profileFile = "profile.json"

// Record is the figures of a kind of processor.
type Record struct {
	Slug    string           // name of its folder
	Rows    []experiment.Row // of all suites but the history, each with its provenance
	Profile *profile.Profile // nil when there is none

	// History has all rows of the ladder ever recorded here, oldest first, including the
	// latest.
	History []experiment.Row
}

// file is one file of a record: the rows of a suite.
type file struct {
	Schema string           `json:"schema"` // [Schema]
	Suite  string           `json:"suite"`  // name of the suite
	Rows   []experiment.Row `json:"rows"`   // each with its provenance
}

// Suite returns the rows of a suite, in their order.
func (r Record) Suite(name string) []experiment.Row { return experiment.OfSuite(r.Rows, name) }

// Find returns the row of an engine at a level of the ladder, and whether there is one.
func (r Record) Find(engine string, level bench.Level) (experiment.Row, bool) {
	return experiment.Find(r.Rows, bench.EnginesSuite, engine, string(level))
}

// Engines lists the engines of the ladder in their order.
func (r Record) Engines() []string {
	return experiment.Distinct(r.Suite(bench.EnginesSuite), func(row experiment.Row) string { return row.Engine })
}

// Machine names the processor, with its family and model where they are known.
func (r Record) Machine() string { return cmp.Or(Machine(r.Rows), r.Slug) }

// Machine names the processor of rows, or is "" when it is not known.
func Machine(rows []experiment.Row) string {
	if p := provenance(rows); p.CPU != "" {
		return p.Processor()
	}
	return ""
}

// provenance is the provenance of the latest row.
func provenance(rows []experiment.Row) (latest experiment.Provenance) {
	for _, row := range rows {
		if row.Provenance != nil && row.Provenance.Date >= latest.Date {
			latest = *row.Provenance
		}
	}
	return latest
}

// Processors names the processors of rows, each once.
func Processors(rows []experiment.Row) []string {
	return experiment.Distinct(rows, func(row experiment.Row) string {
		if row.Provenance == nil {
			return ""
		}
		return row.Provenance.Processor()
	})
}

// Origin describes where and how rows were measured: the processors, the cores used, the
// system, the builds and the number of samples.
func Origin(rows []experiment.Row, cores string) string {
	e := provenance(rows)
	built := experiment.Distinct(rows, func(row experiment.Row) string {
		if row.Provenance == nil {
			return ""
		}
		return row.Provenance.Built()
	})
	samples := 0
	for _, row := range rows {
		samples = max(samples, row.Samples)
	}
	parts := []string{strings.Join(Processors(rows), " and "), cores, e.OS + "/" + e.Arch, strings.Join(built, " and "), fmt.Sprintf("%d samples", samples)}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" || s == "/" }), ", ")
}

// Keep writes the rows of results to the folder of their kind of processor under dir, and
// returns the folder. Rows of other benchmarks stay unchanged, with their provenance. The rows
// of the ladder also go to the history. After an error of reading a file nothing is written.
func Keep(dir string, results experiment.Results) (folder string, err error) {
	folder = filepath.Join(dir, results.Slug())
	rows := withProvenance(results)
	rows = append(rows, inHistory(rows)...)
	texts := make(map[string][]byte) // by name of the file
	for _, suite := range experiment.Distinct(rows, func(row experiment.Row) string { return row.Suite }) {
		f, err := readFile(filepath.Join(folder, suite+".json"), fromDisk)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		f.Schema, f.Suite = Schema, suite
		f.replace(rows)
		if texts[suite+".json"], err = f.text(); err != nil {
			return "", err
		}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	for name, text := range texts {
		err := wholefile.Write(filepath.Join(folder, name), func(w io.Writer) error { _, err := w.Write(text); return err })
		if err != nil {
			return "", err
		}
	}
	return folder, nil
}

// withProvenance are the rows of results, each with its provenance.
func withProvenance(results experiment.Results) (rows []experiment.Row) {
	for _, row := range results.Rows {
		row.Provenance = &results.Provenance
		rows = append(rows, row)
	}
	return rows
}

// replace replaces the suite's rows by those of a run, and adds new ones. A history keeps the
// rows of other runs.
func (f *file) replace(rows []experiment.Row) {
	for _, row := range experiment.OfSuite(rows, f.Suite) {
		i := slices.IndexFunc(f.Rows, func(old experiment.Row) bool {
			return old.Name == row.Name && (f.Suite != historySuite || old.Provenance.Date == row.Provenance.Date)
		})
		if i < 0 {
			f.Rows = append(f.Rows, row)
		} else {
			f.Rows[i] = row
		}
	}
}

// text is the file as JSON, a row a line, so a diff of two records is readable.
func (f *file) text() ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\"schema\":%q,\"suite\":%q,\"rows\":[\n", f.Schema, f.Suite)
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	for i, row := range f.Rows {
		if i > 0 {
			out.Truncate(out.Len() - 1) // the end of the line
			out.WriteString(",\n")
		}
		if err := encoder.Encode(row); err != nil {
			return nil, err
		}
	}
	out.WriteString("]}\n")
	return out.Bytes(), nil
}

// Read reads all records under dir, in the order of their folders' names. A folder without
// files of suites is passed over. Errors name the file.
func Read(dir string) ([]Record, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	return readFolders(dir, entries, fromDisk)
}

// ReadFS is Read for a file system, such as the embedded records of this program.
func ReadFS(files fs.FS) ([]Record, error) {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, err
	}
	return readFolders("", entries, func(name string) ([]byte, error) { return fs.ReadFile(files, filepath.ToSlash(name)) })
}

// opener returns the content of a file.
type opener func(name string) ([]byte, error)

// fromDisk reads a file of limited size.
func fromDisk(name string) ([]byte, error) { return wholefile.Read(name, experiment.MaxFile) }

// readFolders reads the records of the folders among the entries of a folder.
func readFolders(dir string, entries []fs.DirEntry, open opener) (records []Record, err error) {
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		record, err := readRecord(filepath.Join(dir, entry.Name()), open)
		if err != nil {
			return nil, err
		}
		if len(record.Rows) > 0 {
			records = append(records, record)
		}
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("%s: no records: %w", dir, fs.ErrNotExist)
	}
	return records, nil
}

// readRecord reads the files of one folder: those of suites in their order.
func readRecord(folder string, open opener) (Record, error) {
	record := Record{Slug: filepath.Base(folder)}
	for _, suite := range slices.Concat(bench.SuiteNames(), figureSuites(), []string{historySuite}) {
		f, err := readFile(filepath.Join(folder, suite+".json"), open)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return record, err
		case suite == historySuite:
			record.History = f.Rows
		default:
			record.Rows = append(record.Rows, f.Rows...)
		}
	}
	err := readJSON(filepath.Join(folder, profileFile), &record.Profile, open)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return record, err
}

// readFile reads the file of a suite.
func readFile(name string, open opener) (f file, err error) {
	if err := readJSON(name, &f, open); err != nil {
		return file{}, err
	}
	if f.Schema != Schema {
		return file{}, fmt.Errorf("%s: the schema is %q (want %q)", name, f.Schema, Schema)
	}
	if suite := strings.TrimSuffix(filepath.Base(name), ".json"); f.Suite != suite {
		return file{}, fmt.Errorf("%s: the suite is %q (want %q)", name, f.Suite, suite)
	}
	for i, row := range f.Rows {
		if err := check(row); err != nil {
			return file{}, fmt.Errorf("%s: row %d: %w", name, i+1, err)
		}
		if row.Suite != f.Suite {
			return file{}, fmt.Errorf("%s: row %d: the suite is %q (want %q)", name, i+1, row.Suite, f.Suite)
		}
	}
	return f, nil
}

// check checks a row of a file.
func check(row experiment.Row) error {
	switch {
	case cmp.Or(row.Name, row.Unit) == "":
		return errors.New("missing name or unit")
	case row.Provenance == nil:
		return fmt.Errorf("%s has no provenance", row.Name)
	case row.Suite == historySuite && (row.Engine == "" || row.Provenance.Date == ""):
		return fmt.Errorf("%s: missing engine or date", row.Name)
	case !(row.Lo <= row.Median && row.Median <= row.Hi):
		return fmt.Errorf("%s: invalid figure and interval %v [%v, %v]", row.Name, row.Median, row.Lo, row.Hi)
	}
	return nil
}

func readJSON(name string, value any, open opener) error {
	text, err := open(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, value); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
