package report

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
	"golang.org/x/perf/benchfmt"
)

// Setting is a configuration line "key: value". Tools compare figures of equal settings only.
type Setting struct{ Key, Value string }

// Metric is a figure with its unit, as printed.
type Metric struct {
	Value float64
	Unit  string
}

// BenchmarkID identifies a benchmark in a file.
type BenchmarkID struct {
	Package  string // import path; "" if the file has none
	Settings string // sorted lines "key: value" of the other settings, without [InTurns]
	Name     string // full name without "Benchmark", as [FullName] has it
}

// Result is the line of one sample.
type Result struct {
	BenchmarkID
	Iterations int
	Metrics    []Metric
}

// FullName appends GOMAXPROCS to a benchmark's name, as package testing does.
func FullName(name string, procs int) string {
	if procs == 1 {
		return name
	}
	return name + "-" + strconv.Itoa(procs)
}

// WithoutProcs returns a name without the number that [FullName] appends.
func WithoutProcs(name string) string {
	base := strings.TrimRight(name, "0123456789")
	if base == name || !strings.HasSuffix(base, "-") {
		return name
	}
	return base[:len(base)-1]
}

// FileWriter writes Go's benchmark format. Comments are written directly, as lines that begin with "#".
// After an error it drops all output.
type FileWriter struct {
	text.Writer
	format   *benchfmt.Writer
	settings []benchfmt.Config
}

// NewWriter returns a writer to out.
func NewWriter(out io.Writer) *FileWriter {
	w := &FileWriter{Writer: text.Writer{To: out}}
	w.format = benchfmt.NewWriter(w)
	return w
}

// write writes a record of a known type, whose only error is that of w.
func (w *FileWriter) write(record benchfmt.Record) { w.Err = cmp.Or(w.format.Write(record), w.Err) }

// Unit writes the better direction of a unit in the suites, as in "Unit games/s better=higher": higher for rates,
// lower for times and counted work.
func (w *FileWriter) Unit(unit string) { w.Declare(unit, Better(unit)) }

// Declare writes the better direction of a unit, as [Better] has it.
func (w *FileWriter) Declare(unit string, direction int) {
	better := map[bool]string{true: "higher", false: "lower"}[direction > 0]
	w.write(&benchfmt.UnitMetadata{UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: unit, Key: "better"}, OrigUnit: unit,
		Value: better})
}

// Configure sets the settings of the next results. Settings without a value do not apply.
func (w *FileWriter) Configure(settings ...Setting) {
	w.settings = nil
	for _, s := range settings {
		if s.Value != "" {
			w.settings = append(w.settings, benchfmt.Config{Key: s.Key, Value: []byte(s.Value), File: true})
		}
	}
}

// Result writes a sample, below its settings where they differ from those before.
func (w *FileWriter) Result(r Result) {
	record := &benchfmt.Result{Config: w.settings, Name: benchfmt.Name(r.Name), Iters: r.Iterations}
	for _, m := range r.Metrics {
		record.Values = append(record.Values, benchfmt.Value{Value: m.Value, Unit: m.Unit})
	}
	w.write(record)
}

// RunComment begins the first line of a run of "ur bench run", which ends with a line of [Checksum].
const RunComment = "# ur bench run: "

// Checksum returns a run's last line: a comment with the checksum of the lines above.
func Checksum(lines []byte) string { return fmt.Sprintf("# sha256 %x\n", sha256.Sum256(lines)) }

// reports are the files by [Report.Save] and their formats.
var reports = map[string]string{"report.txt": "text", "report.md": "markdown", "report.json": "json",
	"report.html": "html", "annotations.txt": "github"}

// SavedFiles returns the names of the files by [Report.Save], in order.
func SavedFiles() []string {
	return slices.Sorted(slices.Values(append(slices.Collect(maps.Keys(reports)), sideFiles[:]...)))
}

// sideFiles are the files for both sides' samples.
var sideFiles = [2]string{"old.txt", "new.txt"}

// Save writes old.txt and new.txt in Go's benchmark format to a folder. It creates the folder if
// necessary, and also writes the report in all formats for CI. Line k for a benchmark in one file was
// measured side by side with its line k in the other. A line "interleaved:" records this for
// when two files are compared. Times are by the judged clock, followed by those by
// the other clock.
func (r *Report) Save(dir string) error {
	return saveAll(dir, SavedFiles(), func(w io.Writer, name string) error {
		if side := slices.Index(sideFiles[:], name); side >= 0 {
			return writeSide(w, r, side)
		}
		return r.Write(w, reports[name])
	})
}

// saveAll writes files to a folder, which it creates if necessary.
func saveAll(dir string, names []string, write func(w io.Writer, name string) error) error {
	err := os.MkdirAll(dir, 0o777)
	for i := 0; i < len(names) && err == nil; i++ {
		err = safefile.Write(filepath.Join(dir, names[i]), func(w io.Writer) error { return write(w, names[i]) })
	}
	return err
}

// SampleSet holds a benchmark's samples: sample k of both sides was measured side by side.
type SampleSet struct {
	Package string // import path
	Clock   Clock
	Results [2][]Result // old and new side
}

// writeSide writes one side's file.
func writeSide(w io.Writer, r *Report, side int) error {
	out := NewWriter(w)
	fmt.Fprintf(out, "# benchab: %s of %q, seed %d\n", strings.TrimSuffix(sideFiles[side], ".txt"),
		[]string{r.Base, r.Head}[side], r.Seed)
	for _, unit := range slices.Sorted(maps.Keys(r.Units)) {
		out.Declare(unit, r.Units[unit])
	}
	for _, s := range r.Samples {
		out.Configure(Setting{InTurns, fmt.Sprintf("%s seed %d", r.Date, r.Seed)}, Setting{"goos", runtime.GOOS},
			Setting{"goarch", runtime.GOARCH},
			Setting{"pkg", s.Package}, Setting{"clock", string(s.Clock)})
		for _, result := range s.Results[side] {
			out.Result(result)
		}
	}
	return out.Err
}
