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

// koggeStone fills along the other side's discs in three doubling steps instead of six
// single ones, without a branch: the parallel prefix of Kogge and Stone (1973), as
// computer chess uses it for sliding pieces.
type koggeStone struct{}

func (koggeStone) Name() string         { return "koggestone" }
func (koggeStone) Needs() []cpu.Feature { return nil }

// inner keeps horizontal and diagonal fills from wrapping around the board: discs in columns a
// and h end every such row of discs.
const inner = 0x7e7e7e7e7e7e7e7e

// fillUp returns the discs of through that lie in unbroken rows behind from, in steps
// of rising bits; fillDown in falling ones. Rows have at most six such discs: one step,
// then one more, then twice two.
func fillUp(from, through uint64, bits uint) uint64 {
	f := from << bits & through
	f |= f << bits & through
	through &= through << bits
	f |= f << (2 * bits) & through
	return f | f<<(2*bits)&through
}

func fillDown(from, through uint64, bits uint) uint64 {
	f := from >> bits & through
	f |= f >> bits & through
	through &= through >> bits
	f |= f >> (2 * bits) & through
	return f | f>>(2*bits)&through
}

func (koggeStone) Moves(b board.Board) uint64 {
	in := b.Opp & inner
	moves := fillUp(b.Own, in, 1)<<1 | fillDown(b.Own, in, 1)>>1
	moves |= fillUp(b.Own, in, 7)<<7 | fillDown(b.Own, in, 7)>>7
	moves |= fillUp(b.Own, b.Opp, 8)<<8 | fillDown(b.Own, b.Opp, 8)>>8
	moves |= fillUp(b.Own, in, 9)<<9 | fillDown(b.Own, in, 9)>>9
	return moves & b.Empty()
}

func (koggeStone) Flips(b board.Board, s board.Square) uint64 {
	at, in := s.Bit(), b.Opp&inner
	return ended(fillUp(at, in, 1), 1, b.Own) | endedDown(fillDown(at, in, 1), 1, b.Own) |
		ended(fillUp(at, in, 7), 7, b.Own) | endedDown(fillDown(at, in, 7), 7, b.Own) |
		ended(fillUp(at, b.Opp, 8), 8, b.Own) | endedDown(fillDown(at, b.Opp, 8), 8, b.Own) |
		ended(fillUp(at, in, 9), 9, b.Own) | endedDown(fillDown(at, in, 9), 9, b.Own)
}

// ended returns a row of discs if one of own lies behind it.
func ended(row uint64, bits uint, own uint64) uint64 {
	if row<<bits&own == 0 {
		return 0
	}
	return row
}

func endedDown(row uint64, bits uint, own uint64) uint64 {
	if row>>bits&own == 0 {
		return 0
	}
	return row
}

func (g koggeStone) Expand(b board.Board, moves uint64, c *Children) { expand(g, b, moves, c) }

// rays is the fastest in plain Go: moves by fills in doubling steps with one carry, and
// flips ray by ray, each by a word's lowest bit. See board.Moves and board.Flips.
type rays struct{}

func (rays) Name() string               { return "rays" }
func (rays) Needs() []cpu.Feature       { return nil }
func (rays) Moves(b board.Board) uint64 { return board.Moves(b.Own, b.Opp) }
func (rays) Flips(b board.Board, s board.Square) uint64 {
	return board.Flips(b.Own, b.Opp, s)
}

func (rays) Expand(b board.Board, moves uint64, c *Children) {
	n := 0
	for ; moves != 0; moves &= moves - 1 {
		s := board.First(moves)
		flips := board.Flips(b.Own, b.Opp, s)
		c.Flips[n] = flips
		c.Moves[n] = board.Moves(b.Opp^flips, b.Own^flips^s.Bit())
		n++
	}
	c.N = n
}
