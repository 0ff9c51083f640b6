package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
	"golang.org/x/perf/benchfmt"
)

// fleetRecord is the output of the benchmarks of package fleet, in Go's benchmark format.
type fleetRecord struct {
	machine string
	rows    []*benchfmt.Result
}

// readFleet reads a record.
func readFleet(name string) (r fleetRecord, err error) {
	f, err := os.Open(name)
	if err != nil {
		return r, err
	}
	defer f.Close()
	reader := benchfmt.NewReader(f, name)
	for reader.Scan() {
		switch row := reader.Result().(type) {
		case *benchfmt.Result:
			r.rows = append(r.rows, row.Clone())
		case *benchfmt.SyntaxError:
			return r, row
		}
	}
	if err := reader.Err(); err != nil {
		return r, err
	}
	if len(r.rows) == 0 {
		return r, fmt.Errorf("%s: no benchmarks", name)
	}
	first := r.rows[0]
	day, _, _ := strings.Cut(first.GetConfig("date"), "T")
	r.machine = fmt.Sprintf("%s, %s cores, load %s, %s, commit %s, %s", first.GetConfig("cpu"), first.GetConfig("cores"), first.GetConfig("load"),
		first.GetConfig("go"), first.GetConfig("commit"), day)
	return r, nil
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
		at := slices.IndexFunc(r.rows, func(row *benchfmt.Result) bool { return string(row.Name.Base()) == m.benchmark })
		if at < 0 {
			return fmt.Errorf("no benchmark %s on record", m.benchmark)
		}
		table.Add(m.measure, text.Count(original(r.rows[at], m.unit)))
	}
	if err := table.WriteMarkdown(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s.\n", r.machine)
	return err
}

// original returns a value in the unit of the benchmark, or 0 where there is none.
func original(row *benchfmt.Result, unit string) float64 {
	for _, v := range row.Values {
		if v.Unit == unit && v.OrigUnit == "" {
			return v.Value
		}
		if v.OrigUnit == unit {
			return v.OrigValue
		}
	}
	return 0
}

// simulated is a simulated fleet.
type simulated struct {
	workers                                 int
	efficiency, tasks, busy, memory, deaths float64
}

// simulations returns the simulated fleets by their number of workers.
func (r fleetRecord) simulations() (list []simulated) {
	for _, row := range r.rows {
		name := string(row.Name.Full())
		_, number, ok := strings.Cut(name, "Workers/workers=")
		if !ok {
			continue
		}
		number, _, _ = strings.Cut(number, "-")
		n, err := strconv.Atoi(number)
		if err != nil {
			continue
		}
		value := func(unit string) float64 { return original(row, unit) }
		list = append(list, simulated{n, value("efficiency"), value("tasks/s"), value("busy-processors"), value("heap-MB"), value("deaths")})
	}
	slices.SortFunc(list, func(a, b simulated) int { return cmp.Compare(a.workers, b.workers) })
	return list
}

// writeSimulation writes the table of the simulated fleets.
func (r fleetRecord) writeSimulation(w io.Writer) error {
	table := text.Table{Header: []string{"workers", "efficiency", "tasks a second", "busy processors", "heap, MB", "deaths"}}
	for _, x := range r.simulations() {
		table.Add(fmt.Sprint(x.workers), fmt.Sprintf("%.2f", x.efficiency), text.Figure(x.tasks), fmt.Sprintf("%.2f", x.busy), fmt.Sprintf("%.0f", x.memory), fmt.Sprint(x.deaths))
	}
	if err := writeTable(w, table); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s.\n", r.machine)
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
		lines.X = append(lines.X, strconv.Itoa(x.workers))
		for i, v := range []float64{x.efficiency, x.busy} {
			lines.Lines[i].Values = append(lines.Lines[i].Values, plot.Interval{Middle: v, Lo: v, Hi: v, Text: fmt.Sprintf("%.2f", v)})
		}
	}
	return lines.SVG(true)
}
