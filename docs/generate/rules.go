package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// writeRules writes the built-in rule sets, each with the picture of its path.
func writeRules(w io.Writer) error {
	table := text.Table{Header: []string{"rule set", "squares", "shared", "pieces", "dice", "safe rosettes", "roll after rosette", "roll after capture"}}
	yes := map[bool]string{true: "yes", false: "no"}
	for _, r := range board.List() {
		shared, d := 0, r.Definition()
		for square := 1; square < r.Finish(); square++ {
			if r.IsShared(square) {
				shared++
			}
		}
		table.Add("`"+r.Name()+"`", fmt.Sprint(r.Squares()), fmt.Sprint(shared), fmt.Sprint(r.Pieces()), diceText(r),
			yes[d.SafeRosettes], yes[d.RollAfterRosette], yes[d.RollAfterCapture])
	}
	if err := table.WriteMarkdown(w); err != nil {
		return err
	}
	for _, r := range board.List() {
		fmt.Fprintf(w, "\n**%s.** %s\n\n![%s](plots/rules-%s.svg)\n", r.Title(), r.Definition().About, trackLabel(r), r.Name())
	}
	return nil
}

// diceText returns the rolls and their weights.
func diceText(r *board.Rules) string {
	var parts []string
	for roll := range r.MaxRoll() + 1 {
		if weight := r.Weight(roll); weight > 0 {
			parts = append(parts, fmt.Sprintf("%d: %d", roll, weight))
		}
	}
	return fmt.Sprintf("%s of %d", strings.Join(parts, ", "), r.WeightSum())
}

func trackLabel(r *board.Rules) string { return "The board and Light's path of " + r.Title() }

// rulesPlots draws the path of each rule set.
func rulesPlots() (files []file) {
	for _, r := range board.List() {
		t := plot.Track{Label: trackLabel(r)}
		for column, tiles := range r.Definition().Board {
			for row, c := range tiles {
				if c == '#' {
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
		files = append(files, file{plotFolder + "/rules-" + r.Name() + ".svg", t.SVG()})
	}
	return files
}
