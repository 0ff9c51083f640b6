package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// fleetRecord is the record of the benchmarks of package fleet.
type fleetRecord []experiment.Row

// origin describes the machine.
func (r fleetRecord) origin() string {
	p := r[0].Provenance
	day, _, _ := strings.Cut(p.Date, "T")
	return fmt.Sprintf("%s, %d cores, load %s, %s, %s", p.Processor(), p.Cores, p.Load, p.Built(), day)
}

// fleetMeasures are the figures of one server, in the order of the page.
var fleetMeasures = []struct{ benchmark, unit, measure string }{
	{"Jobs", "jobs/s", "tasks a second, with one worker and one client in the process of the server"},
	{"OpenTasks", "B/open-task", "bytes for each task that waits, in server and client together"},
}

// writeFigures writes the figures of one server.
func (r fleetRecord) writeFigures(w io.Writer) error {
	table := text.Table{Header: []string{"measure", "figure"}}
	for _, m := range fleetMeasures {
		row := find(r, m.benchmark)
		if row.Name == "" {
			return fmt.Errorf("no benchmark %s on record", m.benchmark)
		}
		table.Add(m.measure, text.Count(row.Metrics[m.unit]))
	}
	if err := table.WriteMarkdown(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s.\n", r.origin())
	return err
}

// simulations returns the rows of the simulated fleets, in the order of their workers.
func (r fleetRecord) simulations() []experiment.Row {
	return slices.DeleteFunc(slices.Clone(r), func(row experiment.Row) bool { return row.Keys["workers"] == "" })
}

// writeSimulation writes the table of the simulated fleets.
func (r fleetRecord) writeSimulation(w io.Writer) error {
	table := text.Table{Header: []string{"workers", "efficiency", "tasks a second", "busy processors", "heap, MB", "deaths"}}
	for _, x := range r.simulations() {
		m := x.Metrics
		table.Add(x.Keys["workers"], fmt.Sprintf("%.2f", m["efficiency"]), text.Figure(m["tasks/s"]), fmt.Sprintf("%.2f", m["busy-processors"]), fmt.Sprintf("%.0f", m["heap-MB"]), fmt.Sprint(m["deaths"]))
	}
	if err := writeTable(w, table); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s.\n", r.origin())
	return err
}

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
	for _, x := range r.simulations() {
		lines.X = append(lines.X, x.Keys["workers"])
		for i, v := range []float64{x.Metrics["efficiency"], x.Metrics["busy-processors"]} {
			lines.Lines[i].Values = append(lines.Lines[i].Values, plot.Interval{Middle: v, Lo: v, Hi: v, Text: fmt.Sprintf("%.2f", v)})
		}
	}
	return lines.SVG(true)
}
