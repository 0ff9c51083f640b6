package movegen

import (
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// Columns that a step to the right or to the left can end on.
const (
	notA     = 0xfefefefefefefefe
	notH     = 0x7f7f7f7f7f7f7f7f
	anywhere = 0xffffffffffffffff
)

// step is a direction: a shift by a number of bits, up or down, and the possible target
// squares. They exclude steps that wrap around the board.
type step struct {
	bits uint
	up   bool
	ends uint64
}

var steps = [8]step{
	{1, true, notA}, {7, true, notH}, {8, true, anywhere}, {9, true, notA},
	{1, false, notH}, {7, false, notA}, {8, false, anywhere}, {9, false, notH},
}

func (d step) shift(set uint64) uint64 {
	if d.up {
		return set << d.bits & d.ends
	}
	return set >> d.bits & d.ends
}

// shiftLoop moves all discs of a set by one step at once, direction by direction, as
// long as there are discs of the other side to step on.
type shiftLoop struct{}

func (shiftLoop) Name() string         { return "shift" }
func (shiftLoop) Needs() []cpu.Feature { return nil }

func (shiftLoop) Moves(b board.Board) uint64 {
	var moves uint64
	for _, d := range steps {
		for on := d.shift(b.Own) & b.Opp; on != 0; {
			next := d.shift(on)
			moves |= next & b.Empty()
			on = next & b.Opp
		}
	}
	return moves
}

func (shiftLoop) Flips(b board.Board, s board.Square) uint64 {
	var flips uint64
	for _, d := range steps {
		var row uint64
		at := d.shift(s.Bit())
		for ; at&b.Opp != 0; at = d.shift(at) {
			row |= at
		}
		if at&b.Own != 0 {
			flips |= row
		}
	}
	return flips
}

func (g shiftLoop) Expand(b board.Board, moves uint64, c *Children) { expand(g, b, moves, c) }
