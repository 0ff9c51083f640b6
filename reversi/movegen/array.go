package movegen

import (
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// arrayWalk is the oracle: an array of 64 squares, walked in eight directions. Its time
// includes filling the array.
type arrayWalk struct{}

func (arrayWalk) Name() string         { return "array" }
func (arrayWalk) Needs() []cpu.Feature { return nil }

func (arrayWalk) Moves(b board.Board) uint64 {
	a := board.ArrayOf(b)
	return a.Moves()
}

func (arrayWalk) Flips(b board.Board, s board.Square) uint64 {
	a := board.ArrayOf(b)
	return a.Flips(s)
}

func (g arrayWalk) Expand(b board.Board, moves uint64, c *Children) { expand(g, b, moves, c) }
