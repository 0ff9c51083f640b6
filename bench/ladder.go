package bench

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// The ladder is the table of a run: an engine a row, in the order measured.

// ladderTable makes the table of the levels that were measured.
func (r Results) ladderTable() table {
	t := table{header: []string{"engine"}}
	var levels []Level
	for _, level := range Levels() {
		if slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Level == level }) {
			levels = append(levels, level)
			t.header = append(t.header, level.heading())
		}
	}
	if slices.Contains(levels, Game) {
		t.header = append(t.header, unitGames)
	}
	for _, level := range ratioLevels(levels) {
		t.header = append(t.header, string(level)+" ratio")
	}
	for _, engine := range r.engines() {
		t.rows = append(t.rows, r.ladderRow(engine, levels))
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
		cell(level, func(row Row) string { return formatFigure(row.Median) })
	}
	if slices.Contains(levels, Game) {
		cell(Game, func(row Row) string { return formatCount(gamesPerSecond(row.Median)) })
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
	ratio := Interval{r.Ratio, r.RatioLo, r.RatioHi}
	if ratio.Covers(1) {
		return "~ " + ratio.format()
	}
	return ratio.format()
}

// format prints an estimate with its interval: "0.25 [0.24, 0.26]".
func (i Interval) format() string {
	return fmt.Sprintf("%s [%s, %s]", formatFigure(i.Median), formatFigure(i.Lo), formatFigure(i.Hi))
}

// formatFigure prints three significant digits or more, and never an exponent.
func formatFigure(x float64) string {
	_, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 2, 64), "e")
	magnitude, err := strconv.Atoi(exponent)
	if err != nil {
		return strconv.FormatFloat(x, 'g', 3, 64) // infinite, or not a number
	}
	return strconv.FormatFloat(x, 'f', max(0, 2-magnitude), 64)
}

// formatCount prints a large number without a fraction, with commas between
// thousands.
func formatCount(x float64) string {
	digits := strconv.FormatFloat(x, 'f', 0, 64)
	var grouped strings.Builder
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			grouped.WriteByte(',')
		}
		grouped.WriteRune(digit)
	}
	return grouped.String()
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
	r.ladderTable().writeText(w)
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "%s skipped: %s\n", s.Engine, s.Reason)
	}
	fmt.Fprintf(w, "\n%s\n", r.legend())
	if t := r.counterTable(); len(t.rows) > 0 {
		fmt.Fprintln(w)
		t.writeText(w)
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
func (r Results) WriteMarkdown(w io.Writer) { r.ladderTable().writeMarkdown(w) }

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
