package solve

import (
	"iter"
	"math/bits"

	"github.com/seed-09dcdc84/ur/board"
)

// row is one side's squares in index order: the shared squares in the low bits, in
// the order they are walked, and the safe squares above them.
type row uint32

func (r row) pieceCount() int { return bits.OnesCount32(uint32(r)) }

// rowLayout converts between squares on a path, square s at bit s, and rows.
type rowLayout struct {
	shared, safe int     // numbers of squares
	squareOf     []uint8 // bit of a row -> square
	bitOf        []uint8 // square -> bit of a row
	finish       int

	rowBytes     [3][256]row    // a byte of squares -> its part of the row
	squaresBytes [3][256]uint32 // a byte of a row -> its part of the squares
	sharedFlip   []uint16       // see flip

	again        uint32 // squares that grant another roll
	captureAgain bool   // captures do so
	protected    int    // shared squares on which a piece cannot be captured
}

func newRowLayout(r *board.Rules) rowLayout {
	d := r.Definition()
	t := rowLayout{finish: r.Finish(), bitOf: make([]uint8, r.Finish()+1), captureAgain: d.RollAfterCapture}
	for _, shared := range []bool{true, false} {
		for square := 1; square <= r.Squares(); square++ {
			if r.IsShared(square) == shared {
				t.bitOf[square] = uint8(len(t.squareOf))
				t.squareOf = append(t.squareOf, uint8(square))
			}
		}
		if shared {
			t.shared = len(t.squareOf)
		}
	}
	t.safe = len(t.squareOf) - t.shared
	if len(t.squareOf) > maxSquares || t.shared > maxShared {
		return t // NewIndex refuses it
	}
	for bit, square := range t.squareOf {
		for set := range 256 {
			if set>>(square%8)&1 != 0 {
				t.rowBytes[square/8][set] |= 1 << bit
			}
			if set>>(bit%8)&1 != 0 {
				t.squaresBytes[bit/8][set] |= 1 << square
			}
		}
		if d.RollAfterRosette && r.IsRosette(int(square)) {
			t.again |= 1 << square
		}
		if r.IsSafe(int(square)) {
			t.protected |= 1 << bit
		}
	}
	t.sharedFlip = make([]uint16, t.sharedSets())
	for set := range t.sharedFlip {
		for bit := range t.shared {
			if set>>bit&1 != 0 {
				t.sharedFlip[set] |= 1 << t.bitOf[r.Across(int(t.squareOf[bit]))]
			}
		}
	}
	return t
}

func (t *rowLayout) sharedSets() int { return 1 << t.shared }
func (t *rowLayout) rowSets() int    { return 1 << len(t.squareOf) }

func (t *rowLayout) makeRow(shared, safe int) row { return row(shared | safe<<t.shared) }
func (t *rowLayout) sharedOf(r row) int           { return int(r) & (t.sharedSets() - 1) }
func (t *rowLayout) safeOf(r row) int             { return int(r) >> t.shared }

// isShared reports whether a square 1 and up, or the finish, is shared.
func (t *rowLayout) isShared(square int) bool {
	return square != t.finish && int(t.bitOf[square]) < t.shared
}

// rowOf converts a set of squares with square s at bit s.
func (t *rowLayout) rowOf(squares uint32) row {
	return t.rowBytes[0][squares&0xff] | t.rowBytes[1][squares>>8&0xff] | t.rowBytes[2][squares>>16&0xff]
}

// squares converts back to a set with square s at bit s.
func (t *rowLayout) squares(r row) uint32 {
	return t.squaresBytes[0][r&0xff] | t.squaresBytes[1][r>>8&0xff] | t.squaresBytes[2][r>>16&0xff]
}

// flip converts a row from the numbering along one side's path to the numbering along the other's. It is
// its own inverse, and changes nothing where both sides walk the shared tiles in the same order.
func (t *rowLayout) flip(r row) row {
	return t.makeRow(t.flipShared(t.sharedOf(r)), t.safeOf(r))
}

func (t *rowLayout) flipShared(shared int) int { return int(t.sharedFlip[shared]) }

// disjointSets yields the sets of shared squares without a square in own, in ascending order.
func (t *rowLayout) disjointSets(own int) iter.Seq[int] {
	free := t.sharedSets() - 1 - own
	return func(yield func(int) bool) {
		for opp := 0; yield(opp) && opp != free; {
			opp = (opp - free) & free
		}
	}
}

// progress is the sum over occupied squares: a move raises it and only a capture lowers it.
func (t *rowLayout) progress(r row) int {
	sum := 0
	for ; r != 0; r &= r - 1 {
		sum += int(t.squareOf[bits.TrailingZeros32(uint32(r))])
	}
	return sum
}

// destinations returns the squares reachable with a roll from 1 up, the finish among them, bit
// s for square s, for a player on r with the given number of pieces left, of which those not on
// r are in hand, against an opponent on a set of shared squares.
func (t *rowLayout) destinations(r row, left, roll, opp int) uint32 {
	own := t.squares(r)
	movers := own
	if left > r.pieceCount() {
		movers |= 1 << board.Start
	}
	taken := own
	if opp &= t.protected; opp != 0 {
		taken |= t.squares(row(opp))
	}
	return movers << roll & (2<<t.finish - 2) &^ taken
}

// rowAfter returns r with a piece moved from one square, 0 for the hand, to another.
func (t *rowLayout) rowAfter(r row, from, to int) row {
	if from != board.Start {
		r &^= 1 << t.bitOf[from]
	}
	if to != t.finish {
		r |= 1 << t.bitOf[to]
	}
	return r
}
