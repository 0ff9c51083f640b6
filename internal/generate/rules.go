package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// writeRules writes the built-in rule sets, each with the picture of its path.
func writeRules(w io.Writer) error {
	table := text.Table{Header: []string{"rule set", "squares", "shared", "pieces", "dice", "safe rosettes", "roll after rosette", "roll after capture"}}
	yes := map[bool]string{true: "yes", false: "no"}
	for _, r := range rules.List() {
		shared := 0
		for square := 1; square < r.Finish(); square++ {
			if r.IsShared(square) {
				shared++
			}
		}
		table.Add("`"+r.Name()+"`", fmt.Sprint(r.Squares()), fmt.Sprint(shared), fmt.Sprint(r.Pieces()), diceText(r),
			yes[r.SafeRosettes()], yes[r.RollAfterRosette()], yes[r.RollAfterCapture()])
	}
	if err := writeTable(w, table); err != nil {
		return err
	}
	for _, r := range rules.List() {
		fmt.Fprintf(w, "\n**%s.** %s\n\n![%s](plots/rules-%s.svg)\n", r.Title(), r.About(), trackLabel(r), r.Name())
	}
	return nil
}

// diceText returns the rolls and their weights.
func diceText(r *rules.Rules) string {
	var parts []string
	for roll := range r.MaxRoll() + 1 {
		if weight := r.Weight(roll); weight > 0 {
			parts = append(parts, fmt.Sprintf("%d: %d", roll, weight))
		}
	}
	return fmt.Sprintf("%s of %d", strings.Join(parts, ", "), r.WeightSum())
}

func trackLabel(r *rules.Rules) string { return "The board and Light's path of " + r.Title() }

// rulesPlots draws the path of each rule set.
func rulesPlots() (files []file) {
	for _, r := range rules.List() {
		t := plot.Track{Label: trackLabel(r)}
		for column := range r.Columns() {
			for row := range r.Rows() {
				if r.HasTile(column, row) {
					t.Tiles = append(t.Tiles, [2]int{column, row})
				}
			}
		}
		for square := 1; square < r.Finish(); square++ {
			column, row := r.TileAt(board.Light, square)
			t.Path = append(t.Path, [2]int{column, row})
			for side := range board.Dark + 1 {
				if column, row := r.TileAt(side, square); r.IsRosette(square) {
					t.Rosettes = append(t.Rosettes, [2]int{column, row})
				}
			}
		}
		files = append(files, file{plotFolder + "/rules-" + r.Name() + ".svg", t.SVG(true)})
	}
	return files
}

// writeSolutions writes the runs of "ur solve" on record.
func writeSolutions(w io.Writer, rows []experiment.Row) error {
	table := text.Table{Header: []string{"rule set", "pieces", "positions", "who begins wins", "residual", "threads", "s", "memory", "machine"}}
	for _, row := range rows {
		m := row.Metrics
		table.Add("`"+row.Keys["rules"]+"`", row.Keys["pieces"], text.Grouped(int64(m["positions"])), fmt.Sprintf("%.10f %%", 100*m["start"]),
			fmt.Sprintf("%.1e", m["residual"]), fmt.Sprint(m["threads"]), text.Figure(row.Median), fmt.Sprintf("%.2f GB", m["peak_bytes"]/1e9), row.Provenance.Processor())
	}
	return writeTable(w, table)
}

// writeEffects writes a row for each rule set with a match of greedy against itself.
func writeEffects(w io.Writer, rows []experiment.Row) error {
	table := text.Table{Header: []string{"rule set", "turns", "captures", "to rosettes", "passes", "light wins", "of perfect games", "luck", "regret of random", "of greedy", "of net", "of net@2"}}
	for _, r := range rules.List() {
		of := "/rules=" + r.Name()
		figure := func(format, name string, value func(row experiment.Row) float64) string {
			row := find(rows, name)
			if row.Name == "" {
				return ""
			}
			return fmt.Sprintf(format, value(row))
		}
		line := []string{"`" + r.Name() + "`"}
		match := find(rows, "Match"+of+"/light=greedy/dark=greedy").Metrics
		if match == nil {
			continue
		}
		for _, count := range []string{"turns", "captures", "rosettes", "passes"} {
			line = append(line, fmt.Sprintf("%.1f", match[count]/match["games"]))
		}
		line = append(line, fmt.Sprintf("%.1f %%", 100*match["light_wins"]/match["games"]),
			figure("%.10f %%", "Table"+of, func(row experiment.Row) float64 { return 100 * row.Median }),
			figure("%.0f %%", "Match"+of+"/light=net/dark=greedy", func(row experiment.Row) float64 {
				share := row.Metrics["luck.std_err"] / row.Metrics["luck.raw_std_err"]
				return 100 * (1 - share*share)
			}))
		for _, player := range []string{"random", "greedy", "net", "net@2"} {
			line = append(line, figure("%.3f", "Regret"+of+"/player="+player, func(row experiment.Row) float64 { return row.Median }))
		}
		table.Add(line...)
	}
	return writeTable(w, table)
}
