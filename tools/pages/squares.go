package main

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/plot"
)

// squares draws the numbers of the squares under Finkel's rules.
func squares() file {
	r := board.Finkel()
	t := plot.Tiles{Text: plot.Text{
		Title:    "Squares",
		Subtitle: "Light walks row A and row B, Dark row C and row B",
		Caption: "Square 0 is the hand, 15 is home. Squares 5 to 12 belong to both sides. Orange frames are rosettes. In the " +
			"33 numbers of a board, Light's squares 0 to 15 come first, then Dark's, then the side to move.",
		Label: "The tiles of the board with the numbers of the squares on both paths.",
	}}
	for side := board.Light; side <= board.Dark; side++ {
		for square := 1; square < r.Finish(); square++ {
			if side == board.Dark && r.IsShared(square) {
				continue
			}
			letter, number := r.TileAt(side, square)
			t.Tiles = append(t.Tiles, plot.Tile{Column: number, Row: 2 - letter, Large: fmt.Sprint(square),
				Small: r.Tile(side, square), Strong: r.IsRosette(square)})
		}
	}
	return file{"docs/plots/squares.svg", t.SVG()}
}
