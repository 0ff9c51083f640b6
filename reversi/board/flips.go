package board

import "math/bits"

// rays holds, for a square, its rays in the directions of rising bits: along the row, and along
// the three lines that rise by a row; and the ray of falling bits in its own row.
type rays struct {
	row, column, slant, back uint64
	left                     uint64
	_                        [3]uint64 // one cache line
}

var raysFrom = func() (t [64]rays) {
	for s := range Square(64) {
		t[s] = rays{row: ray(s, 1, 0), column: ray(s, 0, 1), slant: ray(s, 1, 1), back: ray(s, -1, 1), left: ray(s, -1, 0)}
	}
	return t
}()

// ray returns the squares from s in a direction.
func ray(s Square, dc, dr int) uint64 {
	var set uint64
	for c, r := s.Column()+dc, s.Row()+dr; 0 <= c && c < 8 && 0 <= r && r < 8; c, r = c+dc, r+dr {
		set |= SquareAt(c, r).Bit()
	}
	return set
}

// Flips returns the discs turned over by a disc on the empty square s, for a side with the
// discs own. Along a ray of rising bits the first square without a disc of opp is the lowest
// bit of a word: an isolated bit, and a subtraction fills below it. Rays that fall by a row
// rise in the board turned upside down, which is a swap of bytes.
func Flips(own, opp uint64, s Square) uint64 {
	up, down := &raysFrom[s&63], &raysFrom[s&63^56]
	free := ^opp
	flips := rising(own, free, up.row) | rising(own, free, up.column) | rising(own, free, up.slant) | rising(own, free, up.back)
	ownDown, freeDown := bits.ReverseBytes64(own), bits.ReverseBytes64(free)
	flips |= bits.ReverseBytes64(rising(ownDown, freeDown, down.column) |
		rising(ownDown, freeDown, down.slant) | rising(ownDown, freeDown, down.back))

	// Falling in the row itself: the highest bit without a disc of opp.
	x := up.left & free
	end := uint64(1) << ((uint(bits.Len64(x)) - 1) & 63) & own & up.left
	return flips | (-end<<1)&up.left
}

// rising returns the discs turned over on one ray of rising bits: the squares before the first
// without a disc of the other side, if that square has a disc of own.
func rising(own, free, ray uint64) uint64 {
	x := ray & free
	end := x & -x & own
	before := end - 1
	if end == 0 {
		before = 0
	}
	return before & ray
}
