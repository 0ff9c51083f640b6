package report

import (
	"crypto/sha256"
	"fmt"
	"io"
	"strconv"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// Setting is a configuration line "key: value". Tools compare figures of equal settings only.
type Setting struct{ Key, Value string }

// Metric is a figure with its unit.
type Metric struct {
	Value float64
	Unit  string
}

// Result is the line of one sample.
type Result struct {
	Name       string // full name without "Benchmark", as [FullName] has it
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

// FileWriter writes Go's benchmark format. Comments are written directly, as lines that begin with "#".
// After an error it drops all output.
type FileWriter struct {
	text.Writer
	stated []Setting // settings that apply to the next result
	behind bool      // a result was written
}

// NewWriter returns a writer to out.
func NewWriter(out io.Writer) *FileWriter { return &FileWriter{Writer: text.Writer{To: out}} }

// Unit writes a property of a unit, as in "Unit games/s better=higher".
func (w *FileWriter) Unit(unit, key, value string) {
	fmt.Fprintf(w, "Unit %s %s=%s\n", unit, key, value)
}

// Configure states the settings of the next results, where they differ from those before. Settings
// without a value do not apply.
func (w *FileWriter) Configure(settings ...Setting) {
	var changes []Setting
	for _, old := range w.stated {
		if valueOf(settings, old.Key) == "" {
			changes = append(changes, Setting{old.Key, ""})
		}
	}
	stated := settings[:0:0]
	for _, s := range settings {
		if s.Value == "" {
			continue
		}
		stated = append(stated, s)
		if s.Value != valueOf(w.stated, s.Key) {
			changes = append(changes, s)
		}
	}
	if len(changes) == 0 {
		return
	}
	if w.behind {
		fmt.Fprintln(w)
	}
	for _, s := range changes {
		if s.Value == "" {
			fmt.Fprintf(w, "%s:\n", s.Key)
		} else {
			fmt.Fprintf(w, "%s: %s\n", s.Key, s.Value)
		}
	}
	fmt.Fprintln(w)
	w.stated = stated
}

// valueOf returns a key's value, "" without it.
func valueOf(settings []Setting, key string) string {
	for _, s := range settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// Result writes a sample.
func (w *FileWriter) Result(r Result) {
	fmt.Fprintf(w, "Benchmark%s %d", r.Name, r.Iterations)
	for _, m := range r.Metrics {
		fmt.Fprintf(w, " %v %s", m.Value, m.Unit)
	}
	fmt.Fprintln(w)
	w.behind = true
}

// RunComment begins the first line of a run of "ur bench run", which ends with a line of [Checksum].
const RunComment = "# ur bench run: "

// Checksum returns a run's last line: a comment with the checksum of the lines above.
func Checksum(lines []byte) string { return fmt.Sprintf("# sha256 %x\n", sha256.Sum256(lines)) }
