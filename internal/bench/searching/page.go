package searching

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Marks between which a document holds what is generated from a record.
const (
	PageBegin = "<!-- search:begin -->"
	PageEnd   = "<!-- search:end -->"
)

// ErrNoMarks says that a document has no place for the figures.
var ErrNoMarks = errors.New("no place for figures: want a line " + PageBegin + " and below it a line " + PageEnd)

// Replace returns a document with the figures of a record between its marks.
func (r *Record) Replace(document []byte, plotPath string) ([]byte, error) {
	begin, end := bytes.Index(document, []byte(PageBegin)), bytes.Index(document, []byte(PageEnd))
	if begin < 0 || end < begin {
		return nil, ErrNoMarks
	}
	var out bytes.Buffer
	out.Write(document[:begin])
	out.WriteString(PageBegin + "\n\n")
	r.write(&out, plotPath)
	out.Write(document[end:])
	return out.Bytes(), nil
}

// write writes the figures.
func (r *Record) write(out *bytes.Buffer, plotPath string) {
	fmt.Fprintf(out, "%s, %s, commit %s.\n\n", r.CPU, r.Go, r.Commit)
	for _, game := range []struct{ name, title string }{
		{"tictactoe", "Tic-tac-toe from the empty board to its end"}, {"ur", "Ur, decisions at depth 4"},
		{"ur-net", "Ur by a net, decisions at depth 3: the leaves of a last ply together"},
	} {
		fmt.Fprintf(out, "### %s\n\n", game.title)
		r.writeRows(out, game.name)
	}
	if len(r.Depths) > 0 {
		fmt.Fprintf(out, "### What a ply is worth in Ur\n\n| depth | regret, points a decision | without squares | decisions | us a decision |\n| ---: | ---: | ---: | ---: | ---: |\n")
		for _, d := range r.Depths {
			fmt.Fprintf(out, "| %d | %.4f | %.4f | %s | %s |\n", d.Depth, d.Regret, d.Plain, text.Count(float64(d.Decisions)), text.Figure(d.Time))
		}
		fmt.Fprintf(out, "\n![Regret by depth and by time](%s)\n\n", plotPath)
	}
	fmt.Fprintf(out, "### Goals\n\n| measure | bar | goal | measured |\n| --- | ---: | ---: | ---: |\n")
	for _, g := range r.goals() {
		fmt.Fprintf(out, "| %s | %s | %s | %s |\n", g.measure, g.bar, g.goal, g.measured)
	}
	out.WriteString("\n")
}

// writeRows writes the table of a game.
func (r *Record) writeRows(out *bytes.Buffer, game string) {
	out.WriteString("| algorithm | technique | nodes | us a search | time to best |\n| --- | --- | ---: | ---: | ---: |\n")
	for _, row := range r.Rows {
		if row.Game != game {
			continue
		}
		fmt.Fprintf(out, "| %s | %s | %s | %s [%s, %s] | %s [%s, %s] |\n", row.Algorithm, technique(row.Less), text.Count(row.Nodes),
			text.Figure(row.Time), text.Figure(row.Lo), text.Figure(row.Hi), text.Figure(row.Ratio), text.Figure(row.RatioLo), text.Figure(row.RatioHi))
	}
	out.WriteString("\n")
	for _, row := range r.Rows {
		if row.Game == game && strings.HasPrefix(row.Less, "plus-") && row.RatioLo > 1 {
			fmt.Fprintf(out, "- %s costs more than it saves here.\n", strings.TrimPrefix(row.Less, "plus-"))
		} else if row.Game == game && row.Less != "all" && row.Less != "none" && !strings.HasPrefix(row.Less, "plus-") && row.RatioHi < 1 {
			fmt.Fprintf(out, "- %s costs more than it saves here, though the best configuration has it.\n", row.Less)
		}
	}
	out.WriteString("\n")
}

// technique tells what a row does.
func technique(less string) string {
	switch plus, isPlus := strings.CutPrefix(less, "plus-"); {
	case less == "all":
		return "alone"
	case less == "none":
		return "**best**"
	case isPlus:
		return "best and " + plus
	}
	return "best without " + less
}

type goal struct{ measure, bar, goal, measured string }

// goals compares the record with what was aimed at.
func (r *Record) goals() []goal {
	list := []goal{
		{"nodes at depth 4, every leaf counted, best over expectiminimax", "0.2", "0.05", fmt.Sprintf("%.3f", r.nodesRatio("last-roll"))},
		{"the same, with the last ply in one call", "", "", fmt.Sprintf("%.3f", r.nodesRatio("none"))},
		{"median time of a decision at depth 6", "12 ms", "4 ms", text.Figure(r.SixMedian) + " ms"},
	}
	bars := map[int][2]string{2: {"0.063", "0.055"}, 3: {"0.037", "0.030"}, 5: {"0.025", "0.015"}}
	for _, d := range r.Depths {
		if bar, ok := bars[d.Depth]; ok {
			list = append(list, goal{fmt.Sprintf("regret at depth %d", d.Depth), bar[0], bar[1], fmt.Sprintf("%.4f", d.Regret)})
		}
	}
	for _, row := range r.Rows {
		if row.Game == "tictactoe" && row.Less == "none" {
			list = append(list, goal{"tic-tac-toe from the empty board", "100 us", "30 us", text.Figure(row.Time) + " us"})
		}
	}
	if r.Threads != 0 {
		list = append(list, goal{"two threads over one, to the same depth", "1.6", "1.9", r.threads()})
	}
	for _, m := range r.Matches {
		list = append(list, goal{
			fmt.Sprintf("`%s` against perfect play, %s games without luck", m.Player, text.Count(float64(m.Games))), "47.5 %", "49 %",
			fmt.Sprintf("%.2f %% ± %.2f", 100*m.Score, 100*1.96*m.StdErr),
		})
	}
	return append(list, goal{"largest overrun of 10 ms a move", "2.1 ms", "2.1 ms", text.Figure(r.Overrun) + " ms"},
		goal{"a cancelled search comes back in", "10 ms", "10 ms", text.Figure(r.Cancel) + " ms"})
}

// threads tells what two threads make of a search, and the machine of two.
func (r *Record) threads() string {
	s := text.Figure(r.Threads)
	if r.SideBySide != 0 {
		s += fmt.Sprintf(", where two searches side by side get %s", text.Figure(r.SideBySide))
	}
	s += fmt.Sprintf("; by %s times the nodes", text.Figure(r.ThreadNodes))
	if r.ThreadWork != 0 {
		s += fmt.Sprintf(" and %s times the work", text.Figure(r.ThreadWork))
	}
	return s
}

// nodesRatio compares the nodes of the best configuration less a technique, or "none", with
// those of the oracle, which visits every leaf.
func (r *Record) nodesRatio(less string) float64 {
	var best, oracle float64
	for _, row := range r.Rows {
		switch {
		case row.Game == "ur" && row.Less == less:
			best = row.Nodes
		case row.Game == "ur" && row.Algorithm == "expectiminimax":
			oracle = row.Nodes
		}
	}
	if oracle == 0 {
		return 0
	}
	return best / oracle
}

// Plot draws regret by depth, each with the time it takes.
func (r *Record) Plot() []byte {
	chart := plot.Lines{
		Text: plot.Text{
			Title:    "What a ply of look-ahead is worth",
			Subtitle: r.CPU,
			Caption:  "Regret of the built-in brain as leaf over decisions of perfect play, in points of win probability, and the mean time of a decision in milliseconds. Both are on one logarithmic axis.",
			Label:    "Regret and time of a decision by depth of search",
		},
		XAxis: "depth in plies, each a roll and a move",
		Y:     "points, ms",
		Log:   true,
	}
	regret, spent := plot.Line{Name: "regret"}, plot.Line{Name: "time"}
	for _, d := range r.Depths {
		chart.X = append(chart.X, fmt.Sprint(d.Depth))
		regret.Values = append(regret.Values, exactly(d.Regret, " points"))
		spent.Values = append(spent.Values, exactly(d.Time/1e3, " ms"))
	}
	chart.Lines = []plot.Line{regret, spent}
	return chart.SVG(true)
}

func exactly(x float64, unit string) plot.Interval {
	return plot.Interval{Lo: x, Middle: x, Hi: x, Text: text.Figure(x) + unit}
}
