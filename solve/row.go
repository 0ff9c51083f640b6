package solve

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/board"
)

// row is one side's squares 1..14, in the order of the index: the shared squares 5..12 in bits
// 0..7, the safe squares 1..4, 13, 14 in bits 8..13.
type row uint16

func makeRow(shared, safe int) row { return row(shared | safe<<sharedSquares) }

// rowOf converts a set of squares with square s at bit s.
func rowOf(squares uint16) row {
	safe := squares>>1&0xf | squares>>13&3<<4
	return row(squares>>firstShared&0xff | safe<<sharedSquares)
}

// squares converts back to a set with square s at bit s.
func (r row) squares() uint16 {
	safe := uint16(r.safe())
	return uint16(r.shared())<<firstShared | safe&0xf<<1 | safe>>4<<13
}

func (r row) shared() int { return int(r & (sharedSets - 1)) }
func (r row) safe() int   { return int(r >> sharedSquares) }
func (r row) pieces() int { return bits.OnesCount16(uint16(r)) }

// progress is the sum of the occupied squares: a move raises it and only a capture lowers it.
func (r row) progress() int {
	sum := 0
	for s := r.squares(); s != 0; s &= s - 1 {
		sum += bits.TrailingZeros16(s)
	}
	return sum
}

// destinations returns the squares reachable with a roll of 1..4, 15 among them, bit s for
// square s, for a player with the given number of pieces left of which those not on r are in
// hand, against an opponent on a set of shared squares.
func (r row) destinations(left, roll, opp int) uint32 {
	const path, finish, safeShared = 0x7ffe, 1 << board.Finish, 1 << (board.SafeSquare - firstShared)
	own := uint32(r.squares())
	movers := own
	if left > r.pieces() {
		movers |= 1 << board.Start
	}
	taken := own | uint32(opp&safeShared)<<firstShared
	return movers << roll & (path | finish) &^ taken
}

// after returns r with a piece moved from one square, 0 for the hand, to another, 15
// for home.
func (r row) after(from, to int) row {
	squares := uint32(r.squares())&^(1<<from) | 1<<to
	return rowOf(uint16(squares) & 0x7ffe)
}
