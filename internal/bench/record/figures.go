package record

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// A document about the engines has blocks that are made from the records: what
// stands between two lines of these.
var (
	blockLine = regexp.MustCompile(`^<!-- (ladder|rungs|scaling|figures:\S+):(begin|end) -->$`)

	errNoBlock = errors.New(`want blocks between lines like "<!-- ladder:begin -->" and "<!-- ladder:end -->"`)
)

// ReplaceFigures returns a document with all its blocks replaced. A block
//
//	<!-- ladder:begin -->
//	<!-- ladder:end -->
//
// gets the ladders of all records as [WriteReport] writes them, a block "rungs" the ladder
// of one record in a few lines, a block
//
//	<!-- figures:array16/avx2:begin -->
//	<!-- figures:array16/avx2:end -->
//
// a table of what each record says of that engine, and a block "scaling" what several
// cores bring. Errors name the line: of a block without an end, of an
// end without a block, and of an engine in none of the records. Which engines this
// program has does not matter.
func ReplaceFigures(text []byte, records []Record) ([]byte, error) {
	out, blocks, err := replaceBlocks(text, blockLine, func(w io.Writer, name string) error {
		switch name {
		case "ladder":
			return WriteReport(w, records)
		case "rungs":
			return writeRungs(w, records)
		case "scaling":
			return writeScaling(w, records)
		}
		return writeFigures(w, strings.TrimPrefix(name, "figures:"), records)
	})
	if err == nil && blocks == 0 {
		err = errNoBlock
	}
	return out, err
}

// writeScaling writes the scaling of all records that have one.
func writeScaling(w io.Writer, records []Record) error {
	found := false
	for _, record := range records {
		s := record.Scaling
		if s == nil {
			continue
		}
		found = true
		fmt.Fprintf(w, "%s, %d cores, %s, %d samples of %s:\n\n", record.Environment.Processor(), s.Cores, s.Engine, s.Samples, s.BenchTime)
		s.Table().WriteMarkdown(w)
		fmt.Fprintln(w)
	}
	if !found {
		return errors.New("no record has a scaling")
	}
	fmt.Fprintln(w, bench.ScalingLegend)
	return nil
}

// writeFigures writes what each record says of an engine.
func writeFigures(w io.Writer, engine string, records []Record) error {
	found := 0
	for _, record := range records {
		table, ok := record.figures(engine)
		reason := record.skipped(engine)
		if !ok && reason == "" {
			continue
		}
		if found++; found > 1 {
			fmt.Fprintln(w)
		}
		if ok {
			table.WriteMarkdown(w)
		} else {
			fmt.Fprintf(w, "%s: not measured, %s.\n", record.Environment.Processor(), reason)
		}
	}
	if found == 0 {
		return fmt.Errorf("no record has an engine %q, only %s", engine, strings.Join(recordedEngines(records), ", "))
	}
	return nil
}

// figures makes the table of an engine: a level a row, and beside each figure its
// ratio to the baseline and to the rung before, which is the engine measured before
// it in the order of the ladder. The latter is a ratio of medians.
func (r Record) figures(engine string) (text.Table, bool) {
	engines := r.Results.EngineNames()
	rung := slices.Index(engines, engine)
	if rung < 0 {
		return text.Table{}, false
	}
	t := text.Table{Header: []string{r.Environment.Processor(), "median"}}
	if rung > 0 {
		t.Header = append(t.Header, "ratio to "+r.Results.Baseline)
	}
	before := ""
	if rung > 0 && engines[rung-1] != r.Results.Baseline {
		before = engines[rung-1]
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

// skipped returns why the record has no figures of an engine, or "".
func (r Record) skipped(engine string) string {
	for _, s := range r.Results.Skipped {
		if s.Engine == engine {
			return s.Reason
		}
	}
	return ""
}

// recordedEngines lists the engines that any of the records has.
func recordedEngines(records []Record) []string {
	var engines []string
	for _, record := range records {
		for _, engine := range record.Results.EngineNames() {
			if !slices.Contains(engines, engine) {
				engines = append(engines, engine)
			}
		}
	}
	return engines
}
