package main

import (
	"errors"
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
	return writeBelow(w, table, find(r, fleetMeasures[0].benchmark))
}

// writeBelow writes a table, and below it the machine of a row, with its load.
func writeBelow(w io.Writer, table text.Table, row experiment.Row) error {
	if err := writeTable(w, table); err != nil {
		return err
	}
	p := row.Provenance
	day, _, _ := strings.Cut(p.Date, "T")
	_, err := fmt.Fprintf(w, "\n%s, %d cores, load %s, %s, %s.\n", p.Processor(), p.Cores, p.Load, p.Built(), day)
	return err
}

// simulations returns the rows of the simulated fleets, in the order of their workers.
func (r fleetRecord) simulations() []experiment.Row {
	return slices.DeleteFunc(slices.Clone(r), func(row experiment.Row) bool { return row.Keys["workers"] == "" })
}

// writeSimulation writes the table of the simulated fleets.
func (r fleetRecord) writeSimulation(w io.Writer) error {
	table := text.Table{Header: []string{"workers", "efficiency", "tasks a second", "busy processors", "heap, MB", "deaths"}}
	rows := r.simulations()
	for _, x := range rows {
		m := x.Metrics
		table.Add(x.Keys["workers"], fmt.Sprintf("%.2f", m["efficiency"]), text.Figure(m["tasks/s"]), fmt.Sprintf("%.2f", m["busy-processors"]), fmt.Sprintf("%.0f", m["heap-MB"]), fmt.Sprint(m["deaths"]))
	}
	if len(rows) == 0 {
		return errors.New("no simulated fleet on record")
	}
	return writeBelow(w, table, rows[0])
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
