package movegen

import (
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

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
