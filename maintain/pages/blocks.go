package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// writeRules writes the built-in rule sets, each with its board and path.
func writeRules(w io.Writer) error {
	table := text.Table{Narrow: true, Header: []string{"rule set", "squares", "shared", "pieces", "ways to roll 0, 1, ...",
		"safe rosettes", "roll after rosette", "roll after capture"}}
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
	if err := writeTable(w, table); err != nil {
		return err
	}
	drawn := make(map[string]bool)
	for _, r := range board.List() {
		fmt.Fprintf(w, "\n**%s.** %s\n", r.Title(), r.Definition().About)
		if drawing := boardText(r); !drawn[drawing] {
			drawn[drawing] = true
			fmt.Fprintf(w, "\n```text\n%s```\n", drawing)
		}
	}
	return nil
}

// diceText returns the weights of the rolls from 0 on.
func diceText(r *board.Rules) string {
	var weights []string
	for roll := range r.MaxRoll() + 1 {
		weights = append(weights, fmt.Sprint(r.Weight(roll)))
	}
	return fmt.Sprintf("%s of %d", strings.Join(weights, "+"), r.WeightSum())
}

// boardText returns the board of a rule set: the numbers of Light's squares on each tile, "-" on others,
// and a star on rosettes.
func boardText(r *board.Rules) string {
	numbers, rosettes := make(map[[2]int]string), make(map[[2]int]string)
	for square := 1; square < r.Finish(); square++ {
		for side := range board.Dark + 1 {
			column, row := r.TileAt(side, square)
			at := [2]int{column, row}
			if side == board.Light {
				numbers[at] = strings.TrimPrefix(fmt.Sprintf("%s/%d", numbers[at], square), "/")
			}
			if r.IsRosette(square) {
				rosettes[at] = "*"
			}
		}
	}
	var out strings.Builder
	for column, tiles := range r.Definition().Board {
		line := ""
		for row, c := range tiles {
			cell, at := "", [2]int{column, row}
			if c == '#' {
				cell = cmp.Or(numbers[at], "-") + rosettes[at]
			}
			line += fmt.Sprintf("%-7s", cell)
		}
		fmt.Fprintln(&out, strings.TrimRight(line, " "))
	}
	return out.String()
}
