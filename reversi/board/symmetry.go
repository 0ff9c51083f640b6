package board

import "math/bits"

// Symmetries is how many ways there are to lay the board on itself.
const Symmetries = 8

// Symmetric returns the board under symmetry n, 0 to 7: bit 0 mirrors columns, bit 1
// rows, and bit 2, last, exchanges both.
func (b Board) Symmetric(n int) Board {
	return Board{Own: symmetric(b.Own, n), Opp: symmetric(b.Opp, n)}
}

// Symmetric returns where symmetry n takes a square; a pass stays a pass.
func (s Square) Symmetric(n int) Square {
	if s < 0 || s > 63 {
		return s
	}
	if n&1 != 0 {
		s ^= 7
	}
	if n&2 != 0 {
		s ^= 56
	}
	if n&4 != 0 {
		s = s>>3 | s&7<<3
	}
	return s
}

// Undo returns the inverse to symmetry n.
func Undo(n int) int {
	if n&4 == 0 {
		return n
	}
	return n&4 | n&1<<1 | n&2>>1
}

// Canonical returns the least board among the eight symmetric ones, by own discs and then the
// other's, and the symmetry from b to it.
func (b Board) Canonical() (Board, int) {
	least, best := b, 0
	for n := 1; n < Symmetries; n++ {
		c := b.Symmetric(n)
		if c.Own < least.Own || c.Own == least.Own && c.Opp < least.Opp {
			least, best = c, n
		}
	}
	return least, best
}

func symmetric(set uint64, n int) uint64 {
	if n&1 != 0 {
		set = bits.ReverseBytes64(bits.Reverse64(set)) // the bits in every byte
	}
	if n&2 != 0 {
		set = bits.ReverseBytes64(set)
	}
	if n&4 != 0 {
		set = transpose(set)
	}
	return set
}

// transpose exchanges rows and columns by exchanging the off-diagonal parts of ever
// larger blocks (Warren, Hacker's Delight, 7-3).
func transpose(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}
