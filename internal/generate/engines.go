package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/internal/bench/record"
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
	table := text.Table{Header: []string{r.Environment.Processor() + ", one core", "us/game", "games/s", "speedup"}}
	for _, engine := range steps {
		row, ok := r.Results.Find(engine, bench.Game)
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
		s := r.Scaling
		if s == nil {
			continue
		}
		found = true
		fmt.Fprintf(w, "%s, %d cores, %s, %d samples of %s:\n\n", r.Environment.Processor(), s.Cores, s.Engine, s.Samples, s.BenchTime)
		s.Table().WriteMarkdown(w)
		fmt.Fprintln(w)
	}
	if !found {
		return errors.New("no record has a scaling")
	}
	fmt.Fprintln(w, bench.ScalingLegend)
	return nil
}

// writeEngine writes the figures of an engine in each record.
func writeEngine(w io.Writer, engine string, records []record.Record) error {
	found := 0
	for _, r := range records {
		table, ok := engineTable(r, engine)
		reason := skipped(r, engine)
		if !ok && reason == "" {
			continue
		}
		if found++; found > 1 {
			fmt.Fprintln(w)
		}
		if ok {
			table.WriteMarkdown(w)
		} else {
			fmt.Fprintf(w, "%s: not measured, %s.\n", r.Environment.Processor(), reason)
		}
	}
	if found == 0 {
		return fmt.Errorf("no record has an engine %q, only %s", engine, strings.Join(recordedEngines(records), ", "))
	}
	return nil
}

// engineTable returns the table of an engine: one row for each level, with the ratio to the
// baseline and to the engine before it on the ladder. The latter is a ratio of medians.
func engineTable(r record.Record, engine string) (text.Table, bool) {
	engines := r.Results.EngineNames()
	step := slices.Index(engines, engine)
	if step < 0 {
		return text.Table{}, false
	}
	t := text.Table{Header: []string{r.Environment.Processor(), "median"}}
	if step > 0 {
		t.Header = append(t.Header, "ratio to "+r.Results.Baseline)
	}
	before := ""
	if step > 0 && engines[step-1] != r.Results.Baseline {
		before = engines[step-1]
		t.Header = append(t.Header, "ratio to "+before)
	}
	add := func(cells ...string) { t.Rows = append(t.Rows, cells[:len(t.Header)]) }
	memory := 0
	for _, level := range bench.Levels() {
		row, ok := r.Results.Find(engine, level)
		if !ok {
			continue
		}
		memory = max(memory, row.Bytes)
		label := row.Unit
		if level == bench.Match {
			label += ", " + level.Heading()
		}
		last, _ := r.Results.Find(before, level)
		add(label, text.Figure(row.Median), row.FormatRatio(), formatQuotient(row.Median, last.Median))
		if row.NsPerCandidate > 0 {
			first, _ := r.Results.Find(r.Results.Baseline, level)
			add("ns/candidate", text.Figure(row.NsPerCandidate),
				formatQuotient(row.NsPerCandidate, first.NsPerCandidate), formatQuotient(row.NsPerCandidate, last.NsPerCandidate))
		}
	}
	if memory > 0 {
		add("bytes", text.Count(float64(memory)), "", "")
	}
	return t, true
}

// formatQuotient prints a/b, or nothing when there is no b.
func formatQuotient(a, b float64) string {
	if b == 0 {
		return ""
	}
	return text.Figure(a / b)
}

// skipped returns the reason why the record has no figures of an engine, or "".
func skipped(r record.Record, engine string) string {
	for _, s := range r.Results.Skipped {
		if s.Engine == engine {
			return s.Reason
		}
	}
	return ""
}

// recordedEngines lists the engines that any of the records has.
func recordedEngines(records []record.Record) []string {
	var engines []string
	for _, r := range records {
		for _, engine := range r.Results.EngineNames() {
			if !slices.Contains(engines, engine) {
				engines = append(engines, engine)
			}
		}
	}
	return engines
}
