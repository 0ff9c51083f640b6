package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/bench/record"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// searchGames are the games of the search techniques, in the order of the page.
var searchGames = []struct{ name, title string }{
	{"tictactoe", "Tic-tac-toe from the empty board to its end"},
	{"connectfour", "Connect four, three positions after fourteen moves, solved"},
	{"ur", "Ur, decisions at depth 4"},
	{"ur-net", "Ur by a net, decisions at depth 3: the leaves of a last ply together"},
}

// searchRecord is the record of the suite search.
type searchRecord []experiment.Row

// depths are the rows of regret by depth.
func (r searchRecord) depths() (rows []experiment.Row) {
	for _, row := range r {
		if strings.HasPrefix(row.Name, "Regret/") && row.Keys["curve"] == "squares" {
			rows = append(rows, row)
		}
	}
	return rows
}

// techniques are the rows of searches of a game.
func (r searchRecord) techniques(game string) (rows []experiment.Row) {
	for _, row := range r {
		if strings.HasPrefix(row.Name, "Search/") && row.Keys["game"] == game {
			rows = append(rows, row)
		}
	}
	return rows
}

// write writes the figures of the search techniques.
func (r searchRecord) write(w io.Writer) error {
	fmt.Fprintf(w, "%s, except where a table names another machine.\n", record.Origin(usual(r), ""))
	for _, game := range searchGames {
		rows := r.techniques(game.name)
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n### %s\n\n%s", game.title, elsewhere(rows, r))
		if err := writeTechniques(w, rows); err != nil {
			return fmt.Errorf("%s: %w", game.name, err)
		}
	}
	if depths := r.depths(); len(depths) > 0 {
		fmt.Fprint(w, "\n### Regret by depth in Ur\n\n")
		table := text.Table{Header: []string{"depth", "regret, points a decision", "without squares", "decisions", "us a decision"}}
		for _, d := range depths {
			plain := find(r, strings.Replace(d.Name, "squares", "plain", 1))
			table.Add(d.Keys["depth"], fmt.Sprintf("%.4f", d.Median), fmt.Sprintf("%.4f", plain.Median),
				text.Count(d.Metrics["decisions"]), text.Figure(d.Metrics["us/decision"]))
		}
		if err := table.WriteMarkdown(w); err != nil {
			return err
		}
		fmt.Fprint(w, "\n![Regret by depth and by time](plots/search.svg)\n")
	}
	fmt.Fprint(w, "\n### Goals\n\n")
	table := text.Table{Header: []string{"measure", "bar", "goal", "measured"}}
	for _, g := range r.goals() {
		table.Add(g.measure, g.bar, g.goal, g.measured)
	}
	return table.WriteMarkdown(w)
}

// writeTechniques writes the table of a game, and below it the techniques that cost more
// than they save.
func writeTechniques(w io.Writer, rows []experiment.Row) error {
	table := text.Table{Header: []string{"algorithm", "technique", "nodes", "us a search", "time to best"}}
	var costly []string
	for _, row := range rows {
		table.Add(row.Keys["algorithm"], technique(row.Keys), text.Count(row.Metrics["nodes/search"]),
			row.Interval().String(), row.RatioInterval().String())
		with, without := row.Keys["with"], row.Keys["without"]
		switch {
		case with != "" && row.RatioLo > 1:
			costly = append(costly, fmt.Sprintf("- %s costs more than it saves here.\n", with))
		case with == "" && without != "all" && without != "none" && row.RatioHi < 1:
			costly = append(costly, fmt.Sprintf("- %s costs more than it saves here, although the best configuration has it.\n", without))
		}
	}
	if err := writeTable(w, table); err != nil || costly == nil {
		return err
	}
	_, err := io.WriteString(w, "\n"+strings.Join(costly, ""))
	return err
}

// writeConnectFour writes the times of solvers of connect four.
func writeConnectFour(w io.Writer, rows []experiment.Row) error {
	titles := map[string]string{"pons": "Pons's", "examples": "examples/connectfour"}
	table := text.Table{Header: []string{"solver", "CPU time, s", "ratio"}}
	for _, row := range rows {
		table.Add(titles[row.Keys["solver"]], row.Interval().String(), row.RatioInterval().String())
	}
	if err := writeTable(w, table); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s.\n", record.Origin(rows, ""))
	return err
}

// technique describes the configuration of a row.
func technique(keys map[string]string) string {
	switch {
	case keys["with"] != "":
		return "best with " + keys["with"]
	case keys["without"] == "all":
		return "alone"
	case keys["without"] == "none":
		return "**best**"
	}
	return "best without " + keys["without"]
}

type searchGoal struct{ measure, bar, goal, measured string }

// goals compares the record with the goals.
func (r searchRecord) goals() []searchGoal {
	list := []searchGoal{
		{"nodes at depth 4, every leaf counted, best over expectiminimax", "0.2", "0.05", fmt.Sprintf("%.3f", r.nodesRatio("last-roll"))},
		{"the same, with the last ply in one call", "", "", fmt.Sprintf("%.3f", r.nodesRatio("none"))},
		{"median time of a decision at depth 6", "12 ms", "4 ms", r.figure("Median/game=ur/depth=6") + " ms"},
	}
	bars := map[string][2]string{"2": {"0.063", "0.055"}, "3": {"0.037", "0.030"}, "5": {"0.025", "0.015"}}
	for _, d := range r.depths() {
		if bar, ok := bars[d.Keys["depth"]]; ok {
			list = append(list, searchGoal{"regret at depth " + d.Keys["depth"], bar[0], bar[1], fmt.Sprintf("%.4f", d.Median)})
		}
	}
	for _, row := range r.techniques("tictactoe") {
		if row.Keys["without"] == "none" {
			list = append(list, searchGoal{"tic-tac-toe from the empty board", "100 us", "30 us", text.Figure(row.Median) + " us"})
		}
	}
	const threads = "Threads/game=ur/threads=2/figure="
	if find(r, threads+"speedup").Median != 0 {
		list = append(list, searchGoal{
			"two threads over one, to the same depth", "1.6", "1.9",
			fmt.Sprintf("%s, where two searches side by side get %s; by %s times the nodes and %s times the CPU time",
				r.figure(threads+"speedup"), r.figure(threads+"side-by-side"), r.figure(threads+"nodes"), r.figure(threads+"cpu")),
		})
	}
	for _, m := range r {
		if strings.HasPrefix(m.Name, "Match/") {
			list = append(list, searchGoal{
				fmt.Sprintf("`%s` against perfect play, %s games without luck", m.Keys["player"], text.Count(m.Metrics["games"])), "47.5 %", "49 %",
				fmt.Sprintf("%.2f %% ± %.2f", 100*m.Median, 100*(m.Hi-m.Median)),
			})
		}
	}
	return append(list, searchGoal{"largest overrun of 10 ms a move", "2.1 ms", "2.1 ms", r.figure("Overrun/game=ur/time=10ms") + " ms"},
		searchGoal{"a cancelled search comes back in", "10 ms", "10 ms", r.figure("Cancel/game=ur/threads=2") + " ms"})
}

// figure is the median of a benchmark.
func (r searchRecord) figure(name string) string { return text.Figure(find(r, name).Median) }

// nodesRatio compares the nodes of the best configuration without a technique, or "none",
// with those of the oracle, which visits every leaf.
func (r searchRecord) nodesRatio(without string) float64 {
	var best, oracle float64
	for _, row := range r.techniques("ur") {
		switch nodes := row.Metrics["nodes/search"]; {
		case row.Keys["without"] == without:
			best = nodes
		case row.Keys["algorithm"] == "expectiminimax":
			oracle = nodes
		}
	}
	if oracle == 0 {
		return 0
	}
	return best / oracle
}

// plot draws regret and time by depth.
func (r searchRecord) plot() []byte {
	chart := plot.Lines{
		Text: plot.Text{
			Title:    "Regret and time by search depth",
			Subtitle: record.Machine(r.depths()),
			Caption:  "Regret of the built-in brain as leaf over decisions of perfect play, in points of win probability, and the mean time of a decision in milliseconds. Both are on one logarithmic axis.",
			Label:    "Regret and time of a decision by depth of search",
		},
		XAxis: "depth in plies, each a roll and a move",
		Y:     "points, ms",
		Log:   true,
	}
	regret, spent := plot.Line{Name: "regret"}, plot.Line{Name: "time"}
	for _, d := range r.depths() {
		chart.X = append(chart.X, d.Keys["depth"])
		regret.Values = append(regret.Values, exactly(d.Median, " points"))
		spent.Values = append(spent.Values, exactly(d.Metrics["us/decision"]/1e3, " ms"))
	}
	chart.Lines = []plot.Line{regret, spent}
	return chart.SVG(true)
}

func exactly(x float64, unit string) plot.Interval {
	return plot.Interval{Lo: x, Middle: x, Hi: x, Text: text.Figure(x) + unit}
}
