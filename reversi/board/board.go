// Package board implements the rules for Reversi: squares, boards, moves, flips, positions,
// game records, and their texts.
//
// The oracle is [Array]: 64 squares in an array, walked in eight directions. It is written to
// be compared with the rules. [Board] holds the same in two 64-bit words, with [Moves] and
// [Flips] as fast as possible in plain Go; package movegen lists other ways to compute both,
// and compares them.
//
// Square a1 is bit 0, h1 bit 7, a2 bit 8, h8 bit 63. Black, written X, moves first.
package board

import "math/bits"

// Board holds the discs, seen from the side to move: its own, and the other side's. The sets
// are disjoint.
type Board struct{ Own, Opp uint64 }

// Start is the initial board; Black is to move.
var Start = Board{Own: 1<<28 | 1<<35, Opp: 1<<27 | 1<<36}

// Moves returns the moving side's legal squares.
func (b Board) Moves() uint64 { return Moves(b.Own, b.Opp) }

// Flips returns the discs turned over by a disc on s, none if the move is illegal.
func (b Board) Flips(s Square) uint64 {
	if (b.Own|b.Opp)&s.Bit() != 0 {
		return 0
	}
	return Flips(b.Own, b.Opp, s)
}

// Play returns the board after a move that turns over flips, seen from the other side.
func (b Board) Play(s Square, flips uint64) Board {
	return Board{Own: b.Opp ^ flips, Opp: b.Own ^ flips ^ s.Bit()}
}

// Pass returns the board seen from the other side.
func (b Board) Pass() Board { return Board{Own: b.Opp, Opp: b.Own} }

// Empty returns the squares without a disc.
func (b Board) Empty() uint64 { return ^(b.Own | b.Opp) }

// Empties counts the squares without a disc.
func (b Board) Empties() int { return bits.OnesCount64(b.Empty()) }

// Over reports whether neither side can move.
func (b Board) Over() bool { return b.Moves() == 0 && b.Pass().Moves() == 0 }

// Score is a finished game's result for the side to move: the difference in discs, with
// the empty squares given to the winner; -64 to 64. An equal board scores 0, with any number of
// empty squares.
func (b Board) Score() int {
	own, opp := bits.OnesCount64(b.Own), bits.OnesCount64(b.Opp)
	empties := 64 - own - opp
	switch {
	case own > opp:
		return own - opp + empties
	case own < opp:
		return own - opp - empties
	}
	return 0
}

// Columns b to g: discs in the others end a horizontal or diagonal row.
const inner = 0x7e7e7e7e7e7e7e7e

// Moves returns the squares on which a side with the discs own may set one against opp: eight
// fills along rows of the other side's discs, by doubling steps (Kogge and Stone's prefix, as
// used in computer chess), except along rising columns, where the carry from one
// addition runs through a whole row.
func Moves(own, opp uint64) uint64 {
	in := opp & inner

	// Rising columns: a carry enters each disc row beside one of ours and leaves it on the
	// square after it. Disc rows without a carry stay as they are.
	moves := (in + (own << 1 & in)) &^ in

	f := own >> 1 & in
	f |= f >> 1 & in
	p := in & (in >> 1)
	f |= f >> 2 & p
	f |= f >> 2 & p
	moves |= f >> 1

	moves |= ends(own, opp, 8, 16) | ends(own, in, 7, 14) | ends(own, in, 9, 18)
	return moves &^ (own | opp)
}

// ends returns the squares behind rows of discs in through that begin beside own, both ways along lines
// whose squares are step bits apart; two is twice that, or the compiler would not inline it.
func ends(own, through uint64, step, two uint) uint64 {
	up, down := own<<step&through, own>>step&through
	up |= up << step & through
	down |= down >> step & through
	p := through & (through << step)
	up |= up << two & p
	up |= up << two & p
	p >>= step
	down |= down >> two & p
	return up<<step | (down|down>>two&p)>>step
}

// rays holds, for a square, its rays towards rising bits: along the row, and along
// the three lines that rise by a row; and the ray towards falling bits in its own row.
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

// Lines holds the lines through each square: its row, its column, and the slants that rise to h8 and
// to a8.
var Lines = func() (t [64][4]uint64) {
	for s := range Square(64) {
		for i, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
			t[s][i] = s.Bit() | ray(s, d[0], d[1]) | ray(s, -d[0], -d[1])
		}
	}
	return t
}()

// Flips returns the discs turned over by a disc on the empty square s, for a side with the
// discs own. Along a rising ray the first square without opp's disc is the lowest
// bit in a word: an isolated bit, and a subtraction fills below it. Rays that fall by a row
// rise in the board turned upside down: its bytes are swapped.
func Flips(own, opp uint64, s Square) uint64 {
	up, down := &raysFrom[s&63], &raysFrom[s&63^56]
	free := ^opp
	flips := rising(own, free, up.row) | rising(own, free, up.column) | rising(own, free, up.slant) | rising(own, free, up.back)
	ownDown, freeDown := bits.ReverseBytes64(own), bits.ReverseBytes64(free)
	flips |= bits.ReverseBytes64(rising(ownDown, freeDown, down.column) |
		rising(ownDown, freeDown, down.slant) | rising(ownDown, freeDown, down.back))

	// Falling in the row itself: the highest bit without opp's disc.
	x := up.left & free
	end := uint64(1) << ((uint(bits.Len64(x)) - 1) & 63) & own & up.left
	return flips | (-end<<1)&up.left
}

// rising returns the discs turned over on one rising ray: the squares before the first
// without the other side's disc, if that square has an own disc.
func rising(own, free, ray uint64) uint64 {
	x := ray & free
	end := x & -x & own
	before := end - 1
	if end == 0 {
		before = 0
	}
	return before & ray
}

// OddQuarters returns the board's quarters with an odd number of empty squares.
func OddQuarters(empty uint64) uint64 {
	t := empty ^ empty>>16
	t ^= t >> 8
	t ^= t >> 2
	t ^= t >> 1
	// One bit for each quarter: spread it over four columns, then four rows.
	return t & 0x0000001100000011 * 0x0f * 0x01010101
}
