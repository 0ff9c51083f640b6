package compare

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
	"golang.org/x/perf/benchunit"
)

// Options select the samples to compare and the method. The zero value compares everything, at
// the level of 0.05.
type Options struct {
	// Filter chooses benchmarks and units, in the language of benchstat's -filter
	// (https://pkg.go.dev/golang.org/x/perf/benchproc/syntax), as in ".unit:ns/eval";
	// "" is all.
	Filter string

	// Ignore names configuration keys, separated by commas, in which sides may differ and still
	// be compared, as in "cpu,goarch".
	Ignore string

	// Table, Row and Col select the keys of a result that name its table, its row and its side,
	// as benchstat's -table, -row and -col do, in the same language: keys separated by commas,
	// as in "/eval" or "/eval@(scalar avx2),goos". "" is ".config", ".fullname" and ".file": a
	// side for each path. With another Col one path is enough, since each value found is a
	// side, and the others are compared with the first.
	Table, Row, Col string

	// Stdin is read for the path "-"; nil for none.
	Stdin io.Reader

	// Paired declares that sample k of every side was taken side by side. Files can declare the
	// same: see [PairedKey].
	Paired bool

	Alpha float64 // largest significant p; 0 is 0.05
	Seed  uint64  // of the intervals
}

// PairedKey is the configuration key that marks files measured in turns, so sample k of one
// belongs to sample k of the other. Both have the same value, which names the occasion, as in
// "interleaved: 2026-11-21".
const PairedKey = "interleaved"

// InputError is an error in the input of a comparison.
type InputError struct {
	File string // "" when it is in no single file
	Line int    // from 1; 0 for none
	Msg  string
}

func (e *InputError) Error() string {
	switch {
	case e.File == "":
		return e.Msg
	case e.Line == 0:
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}

// Compare reads files in Go's benchmark format, or folders of files *.txt, and compares every
// other side with the first. Sides are the paths, two at least, or as chosen by Options.Col. A
// path of the form LABEL=FILE labels the file, and "-" is Options.Stdin. Errors are an
// [*InputError] or those of the operating system.
func Compare(paths []string, o Options) (*Comparison, error) {
	switch {
	case len(paths) == 0:
		return nil, &InputError{Msg: "nothing to compare: no files"}
	case len(paths) == 1 && o.Col == "":
		return nil, &InputError{Msg: "nothing to compare: one file (want two files, or columns within one by a key such as /eval)"}
	}
	o.Alpha = cmp.Or(o.Alpha, DefaultRule().Alpha)
	r, err := newSampleReader(o)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if err := r.readPath(path); err != nil {
			return nil, err
		}
	}
	return r.comparison(o)
}

// sampleReader collects samples by table, row and column.
type sampleReader struct {
	filter       *benchproc.Filter
	by           projections
	reader       *benchfmt.Reader
	inputs       []Side // of the paths
	columns      columns
	tables       map[benchproc.Key]*readTable
	measuredUnit map[unitPlace]unitSeen

	options Options
	read    int // results of the last path, chosen or not
}

// newSampleReader parses the options.
func newSampleReader(o Options) (*sampleReader, error) {
	r := &sampleReader{
		options:      o,
		reader:       new(benchfmt.Reader),
		tables:       make(map[benchproc.Key]*readTable),
		measuredUnit: make(map[unitPlace]unitSeen),
	}
	query := cmp.Or(o.Filter, "*")
	var err error
	if r.filter, err = benchproc.NewFilter(query); err != nil {
		return nil, &InputError{Msg: fmt.Sprintf("filter %q: %v", o.Filter, err)}
	}
	if r.by, err = newProjections(o, r.filter); err != nil {
		return nil, err
	}
	return r, nil
}

// readPath reads one path of the user.
func (r *sampleReader) readPath(path string) error {
	label, path := r.label(path)
	files, err := benchmarkFiles(path)
	if err != nil {
		return err
	}
	r.inputs = append(r.inputs, Side{Label: text.Plain(label)})
	input := r.input()
	r.read = 0
	var last []byte
	for _, file := range files {
		if last, err = r.content(file); err != nil {
			return err
		}
		input.Failed = append(input.Failed, failures(last)...)
		n, err := r.readText(last, file)
		if err != nil {
			return err
		}
		if n > 0 {
			input.Files = append(input.Files, file)
			input.Results += n
		}
	}
	if input.Results == 0 {
		if len(files) > 1 {
			last = nil
		}
		return &InputError{File: path, Msg: r.nothingFound(last)}
	}
	return nil
}

// input is the path being read.
func (r *sampleReader) input() *Side { return &r.inputs[len(r.inputs)-1] }

// stdin is the path of the standard input.
const stdin = "-"

// content reads a file, or the standard input.
func (r *sampleReader) content(file string) ([]byte, error) {
	if file != stdin {
		return wholefile.Read(file, experiment.MaxFile)
	}
	if r.options.Stdin == nil {
		return nil, &InputError{File: file, Msg: "standard input is not available"}
	}
	text, err := io.ReadAll(io.LimitReader(r.options.Stdin, experiment.MaxFile+1))
	if err == nil && len(text) > experiment.MaxFile {
		err = &InputError{File: file, Msg: fmt.Sprintf("the standard input is longer than %d bytes", experiment.MaxFile)}
	}
	return text, err
}

// nothingFound returns the reason a path holds no benchmark. The text is that of its file, nil
// for a folder of several.
func (r *sampleReader) nothingFound(text []byte) string {
	if text != nil {
		switch text = bytes.TrimSpace(text); {
		case r.input().passedOver > 0:
			return "no line is a benchmark: " + r.input().firstPassedOver
		case len(text) == 0:
			return "the file is empty"
		case text[0] == '{' || text[0] == '[':
			return `this is JSON (want Go's benchmark format, as "ur bench run -o" writes it)`
		}
	}
	if r.options.Filter != "" && r.read > 0 {
		return fmt.Sprintf("the filter %q chooses none of the %d results in it", r.options.Filter, r.read)
	}
	return `no benchmark matches in this file (want Go's benchmark format, as written by "go test -bench" or "ur bench run -o")`
}

// label splits LABEL=FILE, and makes labels unique.
func (r *sampleReader) label(path string) (label, file string) {
	label, file = path, path
	if before, after, ok := strings.Cut(path, "="); ok && before != "" && !exists(path) {
		label, file = before, after
	}
	taken := func(s Side) bool { return s.Label == label }
	for n, first := 2, label; slices.ContainsFunc(r.inputs, taken); n++ {
		label = fmt.Sprintf("%s#%d", first, n)
	}
	return label, file
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// benchmarkFiles returns the file, or the files *.txt of a folder.
func benchmarkFiles(path string) ([]string, error) {
	if path == stdin {
		return []string{stdin}, nil
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &InputError{File: path, Msg: "no such file or folder"}
	case err != nil:
		return nil, err
	case !info.IsDir():
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, entry := range entries { // sorted by name
		if !entry.IsDir() && filepath.Ext(entry.Name()) == ".txt" {
			files = append(files, filepath.Join(path, entry.Name()))
		}
	}
	if len(files) == 0 {
		return nil, &InputError{File: path, Msg: "the folder has no files *.txt"}
	}
	return files, nil
}

// readText adds the benchmarks of a text of the last path, and counts those chosen.
func (r *sampleReader) readText(text []byte, file string) (n int, err error) {
	r.reader.Reset(bytes.NewReader(text), file, ".file", r.input().Label)
	counts := make(map[string]int)
	line := 0
	for r.reader.Scan() {
		switch record := r.reader.Result().(type) {
		case *benchfmt.SyntaxError:
			if !isLog(record) {
				return n, &InputError{file, record.Line, record.Msg}
			}
			r.passOver(file, record.Line, record.Msg)
		case *benchfmt.Result:
			_, line = record.Pos()
			counts[record.Name.String()]++
			r.read++
			chosen, err := r.add(record, file)
			if err != nil {
				return n, err
			}
			if chosen {
				n++
			}
		}
	}
	if err := r.reader.Err(); err != nil {
		return n, &InputError{Msg: err.Error()}
	}
	return n, checkWhole(text, file, line, counts)
}

// isCut reports whether a last line without a newline seems truncated: it ends in a unit that
// no earlier benchmark has.
func isCut(before, last []byte) bool {
	fields := bytes.Fields(last)
	unit := fields[len(fields)-1]
	found := false
	for line := range bytes.Lines(before) {
		if bytes.HasPrefix(line, []byte("Benchmark")) {
			found = true
			if slices.ContainsFunc(bytes.Fields(line), func(f []byte) bool { return bytes.Equal(f, unit) }) {
				return false
			}
		}
	}
	return found
}

// isLog reports whether a line begins with the name of a benchmark without a number of
// iterations after it: Go prints the name before it runs a benchmark, and the benchmark's own
// output follows. Other mistakes are damage.
func isLog(e *benchfmt.SyntaxError) bool {
	return strings.Contains(e.Msg, "iteration count")
}

// passOver remembers a line that begins like a benchmark but is not, such as a benchmark's own
// log.
func (r *sampleReader) passOver(file string, line int, msg string) {
	input := r.input()
	if input.passedOver++; input.passedOver == 1 {
		input.firstPassedOver = fmt.Sprintf("%s:%d: %s", file, line, msg)
	}
}

// failedLine matches the line "go test" prints for a failed test or package.
var failedLine = regexp.MustCompile(`(?m)^(?:--- FAIL: (\S+)|FAIL\s+(\S+)|FAIL$)`)

// failures lists the failures in a text.
func failures(text []byte) []string {
	var failed []string
	for _, parts := range failedLine.FindAllSubmatch(text, -1) {
		name := string(slices.Concat(parts[1], parts[2]))
		if name != "" && !slices.Contains(failed, name) {
			failed = append(failed, name)
		}
	}
	if len(failed) == 0 && failedLine.Match(text) {
		failed = []string{"a test"}
	}
	return failed
}

// checkWhole detects a truncated file: a benchmark has fewer samples than the run declares.
func checkWhole(text []byte, file string, line int, counts map[string]int) error {
	if last := text[bytes.LastIndexByte(text, '\n')+1:]; bytes.HasPrefix(last, []byte("Benchmark")) && isCut(text[:len(text)-len(last)], last) {
		return &InputError{file, bytes.Count(text, []byte("\n")) + 1,
			"the file is cut off: its last line has no end, and a unit that no other line has"}
	}
	want, ok := experiment.RoundsFromHeader(text)
	if !ok { // of several runs written to one file, any may have left out some
		return nil
	}
	for name, n := range counts {
		if n < want {
			return &InputError{file, line, fmt.Sprintf("truncated file: Benchmark%s has %d samples (want %d)", name, n, want)}
		}
	}
	return nil
}

// add adds the samples of one line, and reports whether the filter chose any.
func (r *sampleReader) add(result *benchfmt.Result, file string) (chosen bool, err error) {
	for i := range result.Values { // benchfmt leaves a value of 0 in the unit it had
		v := &result.Values[i]
		_, v.Unit = benchunit.Tidy(1, v.Unit)
	}
	if err := r.checkUnits(result); err != nil {
		return false, err
	}
	if ok, err := r.filter.Apply(result); err != nil || !ok {
		return false, nil // an error names the unit left out by the filter
	}
	column := r.columns.of(r.by.col.Project(result))
	r.columns.count(column, len(r.inputs)-1, file)
	row, residue := r.by.row.Project(result), r.by.residue.Project(result)
	for i, key := range r.by.table.ProjectValues(result) {
		t := r.tables[key]
		if t == nil {
			t = newReadTable()
			r.tables[key] = t
		}
		t.occasions[result.GetConfig(PairedKey)] = true
		t.add(row, column, residue, result.Values[i].Value)
	}
	return true, nil
}

// comparison sorts the samples as benchstat does, and computes.
func (r *sampleReader) comparison(o Options) (*Comparison, error) {
	sides, order := r.columns.sorted(r.inputs)
	if len(sides) < 2 {
		return nil, &InputError{Msg: fmt.Sprintf("column keys %s: only one value, %q (want two or more)", o.Col, sides[0].Label)}
	}
	ignored := slices.Contains(strings.Split(o.Ignore, ","), PairedKey)
	c := &Comparison{Sides: sides, Alpha: o.Alpha, inputs: r.inputs}
	for _, key := range sortedKeys(r.tables) {
		read := r.tables[key]
		t := Table{Unit: key.Get(r.by.unit), Paired: o.Paired || !ignored && read.inTurns()}
		for _, field := range r.by.table.FlattenedFields() {
			if value := key.Get(field); field != r.by.unit && value != "" {
				t.configuration = append(t.configuration, experiment.Configuration{Key: field.Name, Value: text.Plain(value)})
			}
		}
		for _, row := range sortedKeys(read.rows) {
			cells := make([]Cell, len(sides))
			for side, column := range order {
				if column < len(read.rows[row]) {
					cells[side].Samples = read.rows[row][column].samples
				}
			}
			t.Rows = append(t.Rows, Row{text.Plain(row.StringValues()), cells})
		}
		c.Tables = append(c.Tables, t)
	}
	c.finish(r.reader.Units(), o)
	c.addNotes()
	c.noteMixed(r.tables)
	return c, c.checkCommon()
}

func sortedKeys[V any](m map[benchproc.Key]V) []benchproc.Key {
	var keys []benchproc.Key
	for key := range m {
		keys = append(keys, key)
	}
	benchproc.SortKeys(keys)
	return keys
}
