package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// fleetRecord is the record of fleets.
type fleetRecord struct {
	Figures    []fleetFigure   `json:"figures"`
	Simulation fleetSimulation `json:"simulation"`
}

// fleetFigure is one measure.
type fleetFigure struct {
	Measure string       `json:"measure"`
	Result  string       `json:"result"`
	Bar     string       `json:"bar"`
	Passed  bool         `json:"passed"`
	How     string       `json:"how"` // sizes and events
	Machine fleetMachine `json:"machine"`
}

// fleetSimulation is a series of runs of one setting, by the number of workers.
type fleetSimulation struct {
	Machine fleetMachine `json:"machine"`
	Piece   float64      `json:"piece_seconds"`
	Latency float64      `json:"latency_seconds"` // one way
	Die     float64      `json:"die"`             // probability, for a task
	Rest    float64      `json:"rest_seconds"`
	Runs    []struct {
		Workers    int     `json:"workers"`
		Pieces     int     `json:"pieces"`
		Seconds    float64 `json:"seconds"`
		Ideal      float64 `json:"ideal_seconds"`  // without loss of any kind
		Efficiency float64 `json:"efficiency"`     // ideal over real
		Jobs       float64 `json:"jobs_a_second"`  // finished
		PerJob     float64 `json:"cpu_us_per_job"` // of server, workers and client
		Load       float64 `json:"load"`           // busy processors
		Memory     float64 `json:"heap_mb"`        // at the end
		Begun      int64   `json:"begun"`          // tasks, repetitions included
		Deaths     int64   `json:"deaths"`
	} `json:"runs"`
}

// fleetMachine is the provenance of a figure.
type fleetMachine struct {
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"`
	Go     string `json:"go"`
	Commit string `json:"commit"`
	Date   string `json:"date"`
	Load   string `json:"load"` // of the machine before
}

// String returns the machine, the program and the day.
func (m fleetMachine) String() string {
	day, _, _ := strings.Cut(m.Date, "T")
	return fmt.Sprintf("%s, %d cores, load %s, %s, commit %s, %s", m.CPU, m.Cores, m.Load, m.Go, m.Commit, day)
}

// writeFigures writes the table of the figures and the provenance of each.
func (r fleetRecord) writeFigures(w io.Writer) error {
	table := text.Table{Header: []string{"measure", "result", "bar", "state"}}
	for _, f := range r.Figures {
		table.Add(f.Measure, f.Result, f.Bar, map[bool]string{true: "reached", false: "**missed**"}[f.Passed])
	}
	if err := writeTable(w, table); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, f := range r.Figures {
		fmt.Fprintf(w, "- %s: %s. %s.\n", f.Measure, f.How, f.Machine)
	}
	return nil
}

// writeSimulation writes the table of the simulated fleets.
func (r fleetRecord) writeSimulation(w io.Writer) error {
	s := r.Simulation
	if len(s.Runs) == 0 {
		return errors.New("no simulation on record")
	}
	fmt.Fprintf(w, "A task takes %s, a message %s each way. A worker dies during a task with probability %g, and another takes its place after %s.\n\n",
		seconds(s.Piece), seconds(s.Latency), s.Die, seconds(s.Rest))
	table := text.Table{Header: []string{"workers", "tasks", "ideal, s", "time, s", "efficiency", "tasks a second", "processors busy", "CPU us a task", "heap, MB", "deaths", "tasks begun"}}
	for _, x := range s.Runs {
		table.Add(fmt.Sprint(x.Workers), fmt.Sprint(x.Pieces), fmt.Sprintf("%.1f", x.Ideal), fmt.Sprintf("%.1f", x.Seconds), fmt.Sprintf("%.2f", x.Efficiency),
			fmt.Sprintf("%.0f", x.Jobs), fmt.Sprintf("%.2f", x.Load), fmt.Sprintf("%.0f", x.PerJob), fmt.Sprintf("%.0f", x.Memory), fmt.Sprint(x.Deaths), fmt.Sprint(x.Begun))
	}
	if err := table.WriteMarkdown(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nServer, workers and client in one process on %s.\n", s.Machine)
	return err
}

// seconds formats a time in seconds.
func seconds(x float64) string { return time.Duration(x * float64(time.Second)).String() }

// plot draws the efficiency and the load of the simulated fleets over the number of workers.
func (r fleetRecord) plot() []byte {
	lines := plot.Lines{
		Text: plot.Text{
			Title:   "One server, more and more workers",
			Caption: "Efficiency is the ideal time over the real one; busy is the number of processors that server, workers and client kept busy together.",
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
