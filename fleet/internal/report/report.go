// Package report keeps what was measured and simulated of fleets, and writes the tables of
// docs/fleet.md and its plot from that.
package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// Record is all that was measured.
type Record struct {
	Schema     string     `json:"schema"` // ur.fleet-record/1
	Figures    []Figure   `json:"figures"`
	Simulation Simulation `json:"simulation"`
}

const schema = "ur.fleet-record/1"

// Figure is one measure.
type Figure struct {
	Measure string `json:"measure"` // what was measured; its name
	Result  string `json:"result"`
	Bar     string `json:"bar"` // that it must reach
	Passed  bool   `json:"passed"`
	How     string `json:"how"` // sizes, and what happened on the way

	Machine Machine `json:"machine"`
}

// Machine is where and of what something was measured.
type Machine struct {
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"`
	OS     string `json:"os"`
	Go     string `json:"go"`
	Commit string `json:"commit"`
	Date   string `json:"date"`
	Load   string `json:"load"` // of the machine before
}

// ThisMachine says where this process runs.
func ThisMachine() Machine {
	e := experiment.ReadEnvironment()
	return Machine{CPU: e.CPU, Cores: e.Cores, OS: e.OS, Go: e.Go, Commit: experiment.ShortCommit(e.Commit, 12, "+"), Date: e.Date, Load: e.Load}
}

// Simulation is runs of one setting, by the number of workers.
type Simulation struct {
	Machine Machine     `json:"machine"`
	Piece   float64     `json:"piece_seconds"`
	Latency float64     `json:"latency_seconds"` // one way
	Die     float64     `json:"die"`             // probability, for a piece
	Rest    float64     `json:"rest_seconds"`
	Runs    []Simulated `json:"runs"`
}

// Simulated is one run.
type Simulated struct {
	Workers    int     `json:"workers"`
	Pieces     int     `json:"pieces"`
	Seconds    float64 `json:"seconds"`
	Ideal      float64 `json:"ideal_seconds"`  // without loss of any kind
	Efficiency float64 `json:"efficiency"`     // ideal over real
	Jobs       float64 `json:"jobs_a_second"`  // finished
	CPU        float64 `json:"cpu_seconds"`    // of the process: server, workers and client
	PerJob     float64 `json:"cpu_us_per_job"` // of the same
	Load       float64 `json:"load"`           // processors that it kept busy
	Memory     float64 `json:"heap_mb"`        // at the end, of the same
	Begun      int64   `json:"begun"`          // pieces, those again among them
	Deaths     int64   `json:"deaths"`
}

// Read reads a record. One that is not there is empty.
func Read(name string) (r Record, err error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return Record{Schema: schema}, nil
	}
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("%s: %w", name, err)
	}
	if r.Schema != schema {
		return r, fmt.Errorf("%s: schema %q, want %s", name, r.Schema, schema)
	}
	return r, nil
}

// Write writes the record.
func (r Record) Write(name string) error {
	return wholefile.Write(name, func(w io.Writer) error {
		out := json.NewEncoder(w)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		return out.Encode(r)
	})
}

// Put puts a figure in the place of that of the same name, or behind the others.
func (r *Record) Put(f Figure) {
	for i := range r.Figures {
		if r.Figures[i].Measure == f.Measure {
			r.Figures[i] = f
			return
		}
	}
	r.Figures = append(r.Figures, f)
}

// The marks between which the tables of a document stand.
var marks = map[string]func(Record) []byte{"figures": Record.figures, "simulation": Record.simulation}

// Replace returns a document with the tables of the record in their places.
func (r Record) Replace(document string) (string, error) {
	for name, table := range marks {
		begin := fmt.Sprintf("<!-- fleet %s: written by \"go run ./fleet/internal/measure\" -->\n", name)
		end := fmt.Sprintf("<!-- end of fleet %s -->\n", name)
		before, rest, begun := strings.Cut(document, begin)
		_, after, ended := strings.Cut(rest, end)
		if !begun || !ended {
			return "", fmt.Errorf("the document does not have the lines %s and %s", strings.TrimSpace(begin), strings.TrimSpace(end))
		}
		document = before + begin + "\n" + string(table(r)) + "\n" + end + after
	}
	return document, nil
}

// Publish writes the tables into a document and the plot into a file.
func (r Record) Publish(document, svg string) error {
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	whole, err := r.Replace(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", document, err)
	}
	if len(r.Simulation.Runs) == 0 {
		return errors.New("nothing was simulated: go run ./fleet/internal/simulate -record FILE")
	}
	return errors.Join(
		wholefile.Write(document, func(w io.Writer) error { _, err := io.WriteString(w, whole); return err }),
		wholefile.Write(svg, func(w io.Writer) error { _, err := w.Write(r.Plot()); return err }))
}

// figures is the table of what was measured.
func (r Record) figures() []byte {
	out := new(bytes.Buffer)
	fmt.Fprintf(out, "| measure | result | bar | |\n|---|---|---|---|\n")
	for _, f := range r.Figures {
		fmt.Fprintf(out, "| %s | %s | %s | %s |\n", f.Measure, f.Result, f.Bar, map[bool]string{true: "reached", false: "**missed**"}[f.Passed])
	}
	fmt.Fprintln(out)
	for _, f := range r.Figures {
		fmt.Fprintf(out, "- %s: %s. %s.\n", f.Measure, f.How, f.Machine)
	}
	return out.Bytes()
}

// String says where something was measured.
func (m Machine) String() string {
	day, _, _ := strings.Cut(m.Date, "T")
	return fmt.Sprintf("%s, %d cores, load %s, %s, commit %s, %s", m.CPU, m.Cores, m.Load, m.Go, m.Commit, day)
}

// simulation is the table of the simulated fleets.
func (r Record) simulation() []byte {
	out := new(bytes.Buffer)
	s := r.Simulation
	fmt.Fprintf(out, "A piece takes %s, a message %s each way. A worker dies during a piece with probability %g,\nand another takes its place after %s.\n\n",
		seconds(s.Piece), seconds(s.Latency), s.Die, seconds(s.Rest))
	fmt.Fprintf(out, "| workers | pieces | ideal, s | time, s | efficiency | pieces a second | processors busy | CPU us a piece | heap, MB | deaths | pieces begun |\n")
	fmt.Fprintf(out, "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, x := range s.Runs {
		fmt.Fprintf(out, "| %d | %d | %.1f | %.1f | %.2f | %.0f | %.2f | %.0f | %.0f | %d | %d |\n",
			x.Workers, x.Pieces, x.Ideal, x.Seconds, x.Efficiency, x.Jobs, x.Load, x.PerJob, x.Memory, x.Deaths, x.Begun)
	}
	fmt.Fprintf(out, "\nServer, workers and client in one process on %s.\n", s.Machine)
	return out.Bytes()
}

// seconds is a time for readers.
func seconds(x float64) string { return time.Duration(x * float64(time.Second)).String() }

// Plot draws the efficiency and the load of the simulated fleets over the number of
// workers.
func (r Record) Plot() []byte {
	lines := plot.Lines{
		Text: plot.Text{
			Title:   "One server, more and more workers",
			Caption: "Efficiency is the ideal time over the real one; busy is how many processors server, workers and client took together.",
			Label:   "Efficiency and load of simulated fleets by the number of workers.",
		},
		XAxis: "workers", Y: "efficiency, and processors busy",
		Lines: []plot.Line{{Name: "efficiency"}, {Name: "busy"}},
	}
	for _, x := range r.Simulation.Runs {
		lines.X = append(lines.X, strconv.Itoa(x.Workers))
		for i, v := range []float64{x.Efficiency, x.Load} {
			lines.Lines[i].Values = append(lines.Lines[i].Values, plot.Interval{Middle: v, Lo: v, Hi: v, Text: fmt.Sprintf("%.2f", v)})
		}
	}
	return lines.SVG(true)
}
