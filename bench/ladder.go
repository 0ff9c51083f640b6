package bench

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// The ladder is the table of a run: an engine a row, in the order measured.

// ladderTable makes the table of the levels that were measured.
func (r Results) ladderTable() text.Table {
	t := text.Table{Header: []string{"engine"}}
	var levels []Level
	for _, level := range Levels() {
		if slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Level == level }) {
			levels = append(levels, level)
			t.Header = append(t.Header, level.heading())
		}
	}
	if slices.Contains(levels, Game) {
		t.Header = append(t.Header, unitGames)
	}
	for _, level := range ratioLevels(levels) {
		t.Header = append(t.Header, string(level)+" ratio")
	}
	for _, engine := range r.engines() {
		t.Rows = append(t.Rows, r.ladderRow(engine, levels))
	}
	return t
}

// engines lists the engines in the order measured.
func (r Results) engines() []string {
	var engines []string
	for _, row := range r.Rows {
		if !slices.Contains(engines, row.Engine) {
			engines = append(engines, row.Engine)
		}
	}
	return engines
}

// ladderRow fills the row of one engine. A command may have no figure at some of the
// levels.
func (r Results) ladderRow(engine string, levels []Level) []string {
	cells := []string{engine}
	cell := func(level Level, format func(Row) string) {
		row, ok := r.Find(engine, level)
		if !ok {
			cells = append(cells, "-")
			return
		}
		cells = append(cells, format(row))
	}
	for _, level := range levels {
		cell(level, func(row Row) string { return text.Figure(row.Median) })
	}
	if slices.Contains(levels, Game) {
		cell(Game, func(row Row) string { return text.Count(gamesPerSecond(row.Median)) })
	}
	for _, level := range ratioLevels(levels) {
		cell(level, Row.formatRatio)
	}
	return cells
}

// ratioLevels are the levels whose ratios are shown. More than two would not fit in
// a terminal: the smallest and the whole say most.
func ratioLevels(levels []Level) []Level {
	if len(levels) > 2 && slices.Contains(levels, Game) {
		return []Level{levels[0], Game}
	}
	return levels[:min(2, len(levels))]
}

// formatRatio prints the ratio with its interval, "~" in front when the interval
// has 1 in it: the data show no difference.
func (r Row) formatRatio() string {
	if r.Engine == Baseline {
		return "1"
	}
	ratio := stat.Interval{Median: r.Ratio, Lo: r.RatioLo, Hi: r.RatioHi}
	if ratio.Covers(1) {
		return "~ " + ratio.String()
	}
	return ratio.String()
}

// samples is the number of samples behind every row.
func (r Results) samples() int {
	if len(r.Rows) == 0 {
		return 0
	}
	return r.Rows[0].Samples
}

// legend says how the figures of a ladder came about.
func (r Results) legend() string {
	legend := fmt.Sprintf("Medians of samples taken in one run in random order. A ratio is the time over that of %s at\n"+
		"the same level, from samples of the same round, with its 95 %% confidence interval; ~ marks an\n"+
		"interval that includes 1: no difference shown.", r.Baseline)
	if slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Level == Match }) {
		legend += " Two brains: us/game between brains that differ."
	}
	if r.Clock == CPUClock {
		legend += "\nTimes are of the processor: what other programs take of it does not count."
	}
	if slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Level == Turn && row.Lanes > 0 }) {
		legend += "\nTurns of engines that play games side by side are measured in whole games."
	}
	return legend
}

// WriteText writes the ladder for a terminal.
func (r Results) WriteText(w io.Writer) {
	fmt.Fprintf(w, "%s, %s/%s, %s%s\n", r.CPU, r.OS, r.Arch, r.Go, formatCommit(r.Commit))
	fmt.Fprintf(w, "%d samples, seed %d; corpus %s, signature %s\n\n", r.samples(), r.Seed, r.Corpus, r.Signature)
	r.ladderTable().WriteText(w)
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "%s skipped: %s\n", s.Engine, s.Reason)
	}
	fmt.Fprintf(w, "\n%s\n", r.legend())
	if t := r.counterTable(); len(t.Rows) > 0 {
		fmt.Fprintln(w)
		t.WriteText(w)
		fmt.Fprintf(w, "\n%s\n", counterLegend)
	}
	if r.Within > 0 {
		fmt.Fprintln(w, r.stopped())
	}
	if r.Interrupted {
		fmt.Fprintln(w, "The run was interrupted; these samples were complete.")
	}
}

// WriteMarkdown writes the ladder as a table of GitHub's markdown, without what
// stands around it.
func (r Results) WriteMarkdown(w io.Writer) { r.ladderTable().WriteMarkdown(w) }

// formatCommit prints a commit in 12 digits behind a comma, or nothing when it is
// not known.
func formatCommit(commit string) string {
	if commit == "" {
		return ""
	}
	commit, _, changed := strings.Cut(commit, dirty)
	commit = commit[:min(12, len(commit))]
	if changed {
		commit += dirty
	}
	return ", commit " + commit
}
