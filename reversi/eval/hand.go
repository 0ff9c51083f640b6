package eval

import (
	"math/bits"

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
	return clip(v)
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
