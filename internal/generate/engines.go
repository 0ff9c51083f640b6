package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/bench/record"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// steps are the engines of the short ladder: the definition, and after it the fastest of
// each idea.
var steps = []string{"array16/scalar", "bits/scalar", "bits/incremental", "squares/avx2", "lanes/avx512"}

// writeSteps writes the short ladder of the first record that has all of its engines, with
// the speedup of each over the definition in whole games.
func writeSteps(w io.Writer, records []record.Record) error {
	for _, r := range records {
		if table, ok := stepsTable(r); ok {
			return table.WriteMarkdown(w)
		}
	}
	return errors.New("no record has all of " + strings.Join(steps, ", "))
}

// stepsTable returns the short ladder of a record, and whether the record has all of it.
func stepsTable(r record.Record) (text.Table, bool) {
	table := text.Table{Header: []string{r.Machine() + ", one core", "us/game", "games/s", "speedup"}}
	for _, engine := range steps {
		row, ok := r.Find(engine, bench.Game)
		if !ok {
			return table, false
		}
		table.Add(engine, text.Figure(row.Median), text.Count(bench.GamesPerSecond(row.Median)), text.Times(row.Ratio))
	}
	return table, true
}

// writeScaling writes the scaling of all records that have one.
func writeScaling(w io.Writer, records []record.Record) error {
	found := false
	for _, r := range records {
		scaling := r.Suite("scaling")
		if len(scaling) == 0 {
			continue
		}
		found = true
		fmt.Fprintf(w, "%s:\n\n", record.Origin(scaling, fmt.Sprintf("%d cores", scaling[0].Provenance.Cores)))
		experiment.Table(scaling).WriteMarkdown(w)
		fmt.Fprintln(w)
	}
	if !found {
		return errors.New("no record has a scaling")
	}
	fmt.Fprintln(w, record.ScalingLegend)
	return nil
}

// writeEngine writes the figures of an engine in each record.
func writeEngine(w io.Writer, engine string, records []record.Record) error {
	found := 0
	for _, r := range records {
		table, ok := engineTable(r, engine)
		if !ok {
			continue
		}
		if found++; found > 1 {
			fmt.Fprintln(w)
		}
		table.WriteMarkdown(w)
	}
	if found == 0 {
		return fmt.Errorf("no record has an engine %q, only %s", engine, strings.Join(recordedEngines(records), ", "))
	}
	return nil
}

// engineTable returns the table of an engine: one row for each level, with its
// speedup over the baseline and over the engine before it in the order of the ladder. The
// latter is a ratio of medians.
func engineTable(r record.Record, engine string) (text.Table, bool) {
	engines := r.Engines()
	place := slices.Index(engines, engine)
	if place < 0 {
		return text.Table{}, false
	}
	t := text.Table{Header: []string{r.Machine(), "median"}}
	if place > 0 {
		t.Header = append(t.Header, "speedup over "+bench.Baseline)
	}
	before := ""
	if place > 0 && engines[place-1] != bench.Baseline {
		before = engines[place-1]
		t.Header = append(t.Header, "over "+before)
	}
	add := func(cells ...string) { t.Rows = append(t.Rows, cells[:len(t.Header)]) }
	memory := 0.0
	for _, level := range bench.Levels() {
		row, ok := r.Find(engine, level)
		if !ok {
			continue
		}
		memory = max(memory, row.Metrics["bytes"])
		label := row.Unit
		if level == bench.Match {
			label += ", two brains"
		}
		last, _ := r.Find(before, level)
		add(label, text.Figure(row.Median), row.Speedup(), speedup(row.Median, last.Median))
		if row.NsPerCandidate > 0 {
			first, _ := r.Find(bench.Baseline, level)
			add("ns/candidate", text.Figure(row.NsPerCandidate),
				speedup(row.NsPerCandidate, first.NsPerCandidate), speedup(row.NsPerCandidate, last.NsPerCandidate))
		}
	}
	if memory > 0 {
		add("bytes", text.Count(memory), "", "")
	}
	return t, true
}

// speedup prints how many times as fast a time is as another, or nothing when there is
// none.
func speedup(time, other float64) string {
	if other == 0 {
		return ""
	}
	return text.Times(time / other)
}

// recordedEngines lists the engines that any of the records has.
func recordedEngines(records []record.Record) []string {
	var engines []string
	for _, r := range records {
		for _, engine := range r.Engines() {
			if !slices.Contains(engines, engine) {
				engines = append(engines, engine)
			}
		}
	}
	return engines
}
