package eval

import (
	"math/bits"
	"sync"

	"github.com/seed-09dcdc84/ur/reversi/board"
)

// Hand values positions by rules of thumb, with weights set by hand, each in values for
// one more than the other side has. Moves count for more early, discs only at the end.
type Hand struct {
	Mobility  int // legal moves
	Potential int // empty squares beside discs of the other side
	Corner    int // discs on corners
	Aslant    int // discs on squares aslant of an empty corner
	Edge      int // stable discs on edges
	Stable    int // other stable discs
	Parity    int // regions with an odd number of empty squares: the one to move gains
	Disc      int // discs, in proportion to the fullness of the board
}

// DefaultHand is a reasonable setting.
func DefaultHand() Hand {
	return Hand{Mobility: 28, Potential: 10, Corner: 150, Aslant: -90, Edge: 40, Stable: 24, Parity: 20, Disc: 32}
}

// Evaluate values a board.
func (h Hand) Evaluate(b board.Board) int {
	own, opp := b.Own, b.Opp
	v := h.Mobility * (bits.OnesCount64(board.Moves(own, opp)) - bits.OnesCount64(board.Moves(opp, own)))
	empty := b.Empty()
	v += h.Potential * (bits.OnesCount64(Neighbours(opp)&empty) - bits.OnesCount64(Neighbours(own)&empty))
	v += h.Corner * (bits.OnesCount64(own&corners) - bits.OnesCount64(opp&corners))
	aslant := aslantOf(empty & corners)
	v += h.Aslant * (bits.OnesCount64(own&aslant) - bits.OnesCount64(opp&aslant))
	mine, theirs := Stable(own, opp), Stable(opp, own)
	v += h.Edge * (bits.OnesCount64(mine&border) - bits.OnesCount64(theirs&border))
	v += h.Stable * (bits.OnesCount64(mine&^border) - bits.OnesCount64(theirs&^border))
	// Each quarter's parity is a cheap one for an endgame's separate regions.
	v += h.Parity * (2*(bits.OnesCount64(board.OddQuarters(empty))/16) - 4) / 4
	discs := bits.OnesCount64(own) - bits.OnesCount64(opp)
	v += h.Disc * discs * max(0, 40-2*bits.OnesCount64(empty)) / 40
	return Clip(v)
}

// Neighbours returns a set of squares with those beside them, in all eight directions.
func Neighbours(set uint64) uint64 {
	set |= set<<1&^columnA | set>>1&^columnH
	return set | set<<8 | set>>8
}

// aslantOf returns the given corners' diagonal neighbours.
func aslantOf(corners uint64) uint64 {
	return corners<<9&(1<<9) | corners<<7&(1<<14) | corners>>7&(1<<49) | corners>>9&(1<<54)
}

const (
	columnA = 0x0101010101010101
	columnH = columnA << 7
	row1    = 0xff
	row8    = row1 << 56
	corners = 1 | 1<<7 | 1<<56 | 1<<63
	border  = columnA | columnH | row1 | row8
)

// StableEdges holds own's discs on an eight-square edge that no sequence of moves on
// this edge turns over: own in the low byte of the index, the other side's discs in the high
// one. It is conservative, because it ignores legality elsewhere.
var StableEdges = sync.OnceValue(func() *[1 << 16]uint8 {
	var t [1 << 16]uint8
	done := make([]bool, 1<<16)
	var find func(own, opp int) uint8
	find = func(own, opp int) uint8 {
		at := own | opp<<8
		if done[at] {
			return t[at]
		}
		stable := uint8(own)
		for x := range 8 {
			if (own|opp)>>x&1 != 0 {
				continue
			}
			// Either side may come to set a disc here.
			f := int(board.Flips(uint64(own), uint64(opp), board.Square(x)))
			stable &= find(own|1<<x|f, opp&^f)
			f = int(board.Flips(uint64(opp), uint64(own), board.Square(x)))
			stable &= find(own&^f, opp|1<<x|f)
		}
		t[at], done[at] = stable, true
		return stable
	}
	for own := range 256 {
		for opp := range 256 {
			if own&opp == 0 {
				find(own, opp)
			}
		}
	}
	return &t
})

// packColumn gathers column a into a byte; spreadColumn takes it back. The last bit goes
// by itself: its products would meet those from the first, and carry.
func packColumn(x uint64) uint64 { return (x & columnA) * 0x0102040810204080 >> 56 }
func spreadColumn(x uint64) uint64 {
	return x&0x7f*0x0002040810204081&columnA | x>>7<<56
}

// stableEdges returns own's discs on the edges that nothing can turn over.
func stableEdges(own, opp uint64) uint64 {
	t := StableEdges()
	s := uint64(t[own&255|opp&255<<8])
	s |= uint64(t[own>>56|opp>>56<<8]) << 56
	s |= spreadColumn(uint64(t[packColumn(own)|packColumn(opp)<<8]))
	return s | spreadColumn(uint64(t[packColumn(own>>7)|packColumn(opp>>7)<<8]))<<7
}

// fullLines returns the squares on lines without an empty square, for the four kinds of lines.
func fullLines(taken uint64) (row, column, slant, back uint64) {
	r := taken & (taken >> 4)
	r &= r >> 2
	r &= r >> 1
	row = (r & columnA) * 255

	c := taken & bits.RotateLeft64(taken, 32)
	c &= bits.RotateLeft64(c, 16)
	column = c & bits.RotateLeft64(c, 8)

	// The masks are the squares whose first, second, or fourth neighbour is off the board.
	slant = reach(taken, 9, 0x01010101010101ff, 0x030303030303ffff, 0x0f0f0f0fffffffff) &
		reach(taken, -9, 0xff80808080808080, 0xffffc0c0c0c0c0c0, 0xfffffffff0f0f0f0)
	back = reach(taken, 7, 0x80808080808080ff, 0xc0c0c0c0c0c0ffff, 0xf0f0f0f0ffffffff) &
		reach(taken, -7, 0xff01010101010101, 0xffff030303030303, 0xffffffff0f0f0f0f)
	return row, column, slant, back
}

// reach returns the squares from which all squares in a direction are taken, in doubling steps; those of
// one, two, and four steps exist outside of the masks.
func reach(taken uint64, step int, one, two, four uint64) uint64 {
	taken &= bits.RotateLeft64(taken, step) | one
	taken &= bits.RotateLeft64(taken, 2*step) | two
	return taken & (bits.RotateLeft64(taken, 4*step) | four)
}

// Stable returns own's discs that no move can turn over. It starts with stable discs on edges
// and discs on four full lines. It then adds a disc if each of its four lines is full, ends at
// the disc, or has own's stable disc next to it. It does not find all stable discs.
func Stable(own, opp uint64) uint64 {
	row, column, slant, back := fullLines(own | opp)
	row |= columnA | columnH
	column |= row1 | row8
	slant |= border
	back |= border
	stable := stableEdges(own, opp) | own&row&column&slant&back
	if stable == 0 {
		return 0
	}
	for {
		more := own & (row | stable<<1 | stable>>1) & (column | stable<<8 | stable>>8) &
			(slant | stable<<9 | stable>>9) & (back | stable<<7 | stable>>7)
		if more&^stable == 0 {
			return stable
		}
		stable |= more
	}
}
