package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/internal/bench/searching"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// searchGames are the games of the search techniques, in the order of the page.
var searchGames = []struct{ name, title string }{
	{"tictactoe", "Tic-tac-toe from the empty board to its end"},
	{"ur", "Ur, decisions at depth 4"},
	{"ur-net", "Ur by a net, decisions at depth 3: the leaves of a last ply together"},
}

// writeSearch writes the figures of the search techniques.
func writeSearch(w io.Writer, r *searching.Record) error {
	fmt.Fprintf(w, "%s, %s%s.\n", r.CPU, r.Go, experiment.CommitText(r.Commit))
	for _, game := range searchGames {
		fmt.Fprintf(w, "\n### %s\n\n", game.title)
		if err := writeTechniques(w, r, game.name); err != nil {
			return fmt.Errorf("%s: %w", game.name, err)
		}
	}
	if len(r.Depths) > 0 {
		fmt.Fprint(w, "\n### The worth of a ply in Ur\n\n")
		table := text.Table{Header: []string{"depth", "regret, points a decision", "without squares", "decisions", "us a decision"}}
		for _, d := range r.Depths {
			table.Add(fmt.Sprint(d.Depth), fmt.Sprintf("%.4f", d.Regret), fmt.Sprintf("%.4f", d.Plain), text.Count(float64(d.Decisions)), text.Figure(d.Time))
		}
		if err := table.WriteMarkdown(w); err != nil {
			return err
		}
		fmt.Fprint(w, "\n![Regret by depth and by time](plots/search.svg)\n")
	}
	fmt.Fprint(w, "\n### Goals\n\n")
	table := text.Table{Header: []string{"measure", "bar", "goal", "measured"}}
	for _, g := range searchGoals(r) {
		table.Add(g.measure, g.bar, g.goal, g.measured)
	}
	return table.WriteMarkdown(w)
}

// writeTechniques writes the table of a game, and below it the techniques that cost more
// than they save.
func writeTechniques(w io.Writer, r *searching.Record, game string) error {
	table := text.Table{Header: []string{"algorithm", "technique", "nodes", "us a search", "time to best"}}
	var costly []string
	for _, row := range r.Rows {
		if row.Game != game {
			continue
		}
		table.Add(row.Algorithm, technique(row.Less), text.Count(row.Nodes),
			fmt.Sprintf("%s [%s, %s]", text.Figure(row.Time), text.Figure(row.Lo), text.Figure(row.Hi)),
			fmt.Sprintf("%s [%s, %s]", text.Figure(row.Ratio), text.Figure(row.RatioLo), text.Figure(row.RatioHi)))
		plus, isPlus := strings.CutPrefix(row.Less, "plus-")
		switch {
		case isPlus && row.RatioLo > 1:
			costly = append(costly, fmt.Sprintf("- %s costs more than it saves here.\n", plus))
		case !isPlus && row.Less != "all" && row.Less != "none" && row.RatioHi < 1:
			costly = append(costly, fmt.Sprintf("- %s costs more than it saves here, although the best configuration has it.\n", row.Less))
		}
	}
	if err := writeTable(w, table); err != nil || costly == nil {
		return err
	}
	_, err := io.WriteString(w, "\n"+strings.Join(costly, ""))
	return err
}

// technique names the technique of a row.
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

type searchGoal struct{ measure, bar, goal, measured string }

// searchGoals compares the record with its bars and goals.
func searchGoals(r *searching.Record) []searchGoal {
	list := []searchGoal{
		{"nodes at depth 4, every leaf counted, best over expectiminimax", "0.2", "0.05", fmt.Sprintf("%.3f", nodesRatio(r, "last-roll"))},
		{"the same, with the last ply in one call", "", "", fmt.Sprintf("%.3f", nodesRatio(r, "none"))},
		{"median time of a decision at depth 6", "12 ms", "4 ms", text.Figure(r.SixMedian) + " ms"},
	}
	bars := map[int][2]string{2: {"0.063", "0.055"}, 3: {"0.037", "0.030"}, 5: {"0.025", "0.015"}}
	for _, d := range r.Depths {
		if bar, ok := bars[d.Depth]; ok {
			list = append(list, searchGoal{fmt.Sprintf("regret at depth %d", d.Depth), bar[0], bar[1], fmt.Sprintf("%.4f", d.Regret)})
		}
	}
	for _, row := range r.Rows {
		if row.Game == "tictactoe" && row.Less == "none" {
			list = append(list, searchGoal{"tic-tac-toe from the empty board", "100 us", "30 us", text.Figure(row.Time) + " us"})
		}
	}
	if r.Threads != 0 {
		list = append(list, searchGoal{"two threads over one, to the same depth", "1.6", "1.9", threads(r)})
	}
	for _, m := range r.Matches {
		list = append(list, searchGoal{
			fmt.Sprintf("`%s` against perfect play, %s games without luck", m.Player, text.Count(float64(m.Games))), "47.5 %", "49 %",
			fmt.Sprintf("%.2f %% ± %.2f", 100*m.Score, 100*1.96*m.StdErr),
		})
	}
	return append(list, searchGoal{"largest overrun of 10 ms a move", "2.1 ms", "2.1 ms", text.Figure(r.Overrun) + " ms"},
		searchGoal{"a cancelled search comes back in", "10 ms", "10 ms", text.Figure(r.Cancel) + " ms"})
}

// threads returns the speedup of two threads, and that of two independent searches.
func threads(r *searching.Record) string {
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
func nodesRatio(r *searching.Record, less string) float64 {
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

// searchPlot draws regret and time by depth.
func searchPlot(r *searching.Record) []byte {
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
