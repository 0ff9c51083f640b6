package bench

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// The ladder is the table of a run: an engine a row, in the order measured.

// levels are those that were measured, in their order.
func (r Results) levels() []Level {
	return slices.DeleteFunc(Levels(), func(level Level) bool {
		return !slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Level == level })
	})
}

// Table is that of the levels that were measured, with the ratios of times.
func (r Results) Table() text.Table {
	t := text.Table{Header: []string{"engine"}}
	levels := r.levels()
	for _, level := range levels {
		t.Header = append(t.Header, level.Heading())
	}
	if slices.Contains(levels, Game) {
		t.Header = append(t.Header, unitGames)
	}
	for _, level := range ratioLevels(levels) {
		t.Header = append(t.Header, string(level)+" ratio")
	}
	for _, engine := range r.EngineNames() {
		t.Add(r.ladderRow(engine, levels, ratioLevels(levels), Row.FormatRatio)...)
	}
	return t
}

// EngineNames lists the engines in the order measured.
func (r Results) EngineNames() []string {
	var engines []string
	for _, row := range r.Rows {
		if !slices.Contains(engines, row.Engine) {
			engines = append(engines, row.Engine)
		}
	}
	return engines
}

// ladderRow fills the row of one engine, with the ratios of some levels. A command may
// have no figure at some of the levels.
func (r Results) ladderRow(engine string, levels, ratios []Level, format func(Row) string) []string {
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
		cell(Game, func(row Row) string { return text.Count(GamesPerSecond(row.Median)) })
	}
	for _, level := range ratios {
		cell(level, format)
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

// FormatRatio prints the ratio with its interval, "~" in front when the interval
// has 1 in it: the data show no difference.
func (r Row) FormatRatio() string {
	if r.Engine == Baseline {
		return "1"
	}
	if r.ratio().Covers(1) {
		return "~ " + r.ratio().String()
	}
	return r.ratio().String()
}

// ratio is that to the baseline with its interval.
func (r Row) ratio() stat.Interval {
	return stat.Interval{Median: r.Ratio, Lo: r.RatioLo, Hi: r.RatioHi}
}

// reach is that of the interval of the ratio, 0 without one.
func (r Row) reach() float64 {
	if r.Ratio == 0 {
		return 0
	}
	return r.ratio().Reach()
}

// Samples is the number of samples behind every row.
func (r Results) Samples() int {
	if len(r.Rows) == 0 {
		return 0
	}
	return r.Rows[0].Samples
}

// Legend says how the figures of the table of [Results.Table] came about.
func (r Results) Legend() string {
	return fmt.Sprintf("Medians of samples taken in one run in random order. A ratio is the time over that of %s at\n"+
		"the same level, from samples of the same round, with its 95 %% confidence interval; ~ marks an\n"+
		"interval that includes 1: no difference shown.", r.Baseline) + r.remarks("\n")
}

// remarks are what else is to be known of the figures, each behind a separator.
func (r Results) remarks(separator string) string {
	remarks := ""
	for _, d := range descriptors() {
		if d.legend != "" && slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Level == d.level }) {
			remarks += " " + d.legend
		}
	}
	if r.Clock == experiment.CPUClock {
		remarks += separator + "Times are of the processor: what other programs take of it does not count."
	}
	if slices.ContainsFunc(r.Rows, func(row Row) bool { return row.Level == Turn && row.Lanes > 0 }) {
		remarks += separator + "Turns of engines that play games side by side are measured in whole games."
	}
	return remarks
}

// columns are those of a terminal.
const columns = 80

// terminalTable is the table for a terminal: how many times as fast as the baseline an
// engine is stands there as people say it, for as many levels as there is room for.
func (r Results) terminalTable() text.Table {
	levels := r.levels()
	times := ratioLevels(levels)
	for {
		t := r.timesTable(levels, times)
		if t.Width() > columns && len(times) > 1 {
			times = times[1:]
			continue
		}
		t.Narrow = t.Width() > columns
		return t
	}
}

// timesTable has a column for each level, and one for each of those whose ratios are
// shown.
func (r Results) timesTable(levels, times []Level) text.Table {
	t := text.Table{Header: []string{"engine"}}
	for _, level := range levels {
		heading := level.Unit()
		if level == Match {
			heading = "match"
		}
		t.Header = append(t.Header, heading)
	}
	if slices.Contains(levels, Game) {
		t.Header = append(t.Header, unitGames)
	}
	for _, level := range times {
		t.Header = append(t.Header, string(level)+"s, times")
	}
	for _, engine := range r.EngineNames() {
		t.Add(r.ladderRow(engine, levels, times, Row.formatTimes)...)
	}
	return t
}

// formatTimes prints how many times as fast as the baseline a row is, and how far its
// interval reaches: "x27.1 ±0.4%", with "~" in front when it has 1 in it.
func (r Row) formatTimes() string {
	if r.Engine == Baseline {
		return "x1"
	}
	mark := ""
	if r.ratio().Covers(1) {
		mark = "~"
	}
	return fmt.Sprintf("%s%s ±%s", mark, text.Times(r.Ratio), reachText(r.reach()))
}

// reachText prints a part as a percentage, rounded up.
func reachText(part float64) string {
	percent := math.Ceil(1000*part) / 10
	if percent >= 10 {
		return fmt.Sprintf("%.0f%%", percent)
	}
	return fmt.Sprintf("%.1f%%", percent)
}

// WriteText writes the ladder for a terminal of 80 columns.
func (r Results) WriteText(w io.Writer) error {
	out := &text.Writer{To: w}
	fmt.Fprintf(out, "%s, %s/%s, %s%s\n", r.CPU, r.OS, r.Arch, r.Go, experiment.CommitText(r.Commit))
	fmt.Fprintf(out, "%d samples, seed %d; corpus %s, signature %s\n\n", r.Samples(), r.Seed, r.Corpus, r.Signature)
	_ = r.terminalTable().WriteText(out) // out remembers its error
	for _, s := range r.Skipped {
		fmt.Fprintf(out, "%s skipped: %s\n", text.Plain(s.Engine), s.Reason)
	}
	legend := fmt.Sprintf("Medians of samples taken in one run in random order; x2 is twice as fast as %s "+
		"at the same level, from samples of the same round, ± how far the 95 %% confidence interval reaches; "+
		"~ marks one that includes 1: no difference shown.", r.Baseline)
	fmt.Fprintf(out, "\n%s\n", text.Wrap(legend+r.remarks(" "), "", columns))
	r.writeProgramRatios(out)
	if t := r.CounterTable(); len(t.Rows) > 0 {
		fmt.Fprintln(out)
		_ = t.WriteText(out)
		fmt.Fprintf(out, "\n%s\n", text.Wrap(CounterLegend, "", columns))
	}
	if r.Within > 0 {
		fmt.Fprintln(out, text.Wrap(r.stopped(), "", columns))
	}
	if r.Interrupted {
		fmt.Fprintln(out, "The run was interrupted; these samples were complete.")
	}
	return out.Err
}

// stopped says how a run ended that was to end by its intervals.
func (r Results) stopped() string {
	if r.Narrow {
		return fmt.Sprintf("Every ratio is within ±%.4g %% after %d rounds.", 100*r.Within, r.Samples())
	}
	worst := Row{}
	for _, row := range r.Rows {
		if row.reach() > worst.reach() {
			worst = row
		}
	}
	return fmt.Sprintf("Not every ratio is within ±%.4g %% after %d rounds: that of %s at the level %s is within ±%.2g %%.",
		100*r.Within, r.Samples(), worst.Engine, worst.Level, 100*worst.reach())
}

// WriteMarkdown writes the ladder as a table of GitHub's markdown, without what
// stands around it.
func (r Results) WriteMarkdown(w io.Writer) error { return r.Table().WriteMarkdown(w) }
