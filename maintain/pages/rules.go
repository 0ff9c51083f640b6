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
	table := text.Table{Header: []string{"rule set", "squares", "shared", "pieces", "dice", "safe rosettes",
		"roll after rosette", "roll after capture"}}
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
		fmt.Fprintf(w, "\n**%s.** %s\n\n```text\n%s```\n", r.Title(), r.Definition().About, boardText(r))
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
