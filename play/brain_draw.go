package play

import (
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/plot"
)

// DrawBrain draws a brain's weights under a name, as an SVG.
func DrawBrain(name string, b *ur.Brain) []byte {
	m := plot.Matrix{At: func(row, column int) int { return int(b.At(row, column)) }}
	zeros := 0
	for _, w := range b {
		if w == 0 {
			zeros++
		}
	}
	for i := range board.Numbers {
		m.Names = append(m.Names, board.NumberName(i))
	}
	m.Text = plot.Text{
		Title:    name,
		Subtitle: fmt.Sprintf("%d weights, %d of them 0, hash %s", len(b), zeros, b.Hash()),
		Caption: "Each cell is the weight on the product of its row's and its column's number of pieces, blue for Light's " +
			"advantage and orange for Dark's. The value of a position is the sum of these products.",
		Label: "The weights of a brain, a cell for each pair of the board's 33 numbers.",
	}
	return m.SVG()
}
