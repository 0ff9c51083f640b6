// Package form defines a position's value and its change by a move in one coordinate
// system. Every engine with accumulators, and every learner, fills its own layout from it.
//
// getValue is a quadratic form in 33 numbers. One side's numbers always sum to its pieces,
// so the hands need not be counted: a piece on a square is a piece that has left the hand, and
// a position is a [Point] with the coordinates
//
//	 0       each player's number of pieces, all in hand
//	 1..15   Light's pieces on that square, each taken from the hand
//	17..31   Dark's pieces on that square less 16, likewise
//	32       the turn
//
// Coordinate 16 stays 0. Entering then changes one coordinate instead of two, and a square's
// value is linear in its coordinate whatever the hand. With S the [Form]'s matrix, V(y)
// = y·Sy / 2, and a [Step] that adds d to the coordinates changes the value by
//
//	V(y+d) - V(y) = d·Sy + V(d)
//
// V(d) is a constant for the step. d is nonzero only at the move's two squares, at a
// captured piece's square and at the turn, so d·Sy is a sum of at most four entries in the
// gradient Sy. The step changes the gradient by Sd, again a constant for the step. Sums over a
// board that every move corrects instead of recomputing are the accumulators in NNUE, the
// "efficiently updatable neural network" by Yu Nasu (2018), used in Stockfish.
package form

import (
	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

// Coordinates for counts instead of squares. Those for squares are [board.Side.Number].
const (
	Pieces = board.LightNumbers
	Turn   = board.TurnNumber
)

// A Form is a brain as the symmetric matrix S: entry [i][j] is the joint value that coordinates i
// and j have at 1; on the diagonal it is twice the value of i alone. An entry is a sum of at most
// four weights, those on the diagonal twice: below 2^19.
type Form [board.Numbers][board.Numbers]int32

// Both returns the forms for both sides' brains.
func Both(s ur.Setup) (forms [2]*Form) {
	for side := range board.Side(2) {
		forms[side] = Of(s.Brain(side))
	}
	return forms
}

// Of returns a brain's form.
func Of(b *ur.Brain) *Form {
	f := new(Form)
	for i := range board.Numbers {
		for j := range i + 1 {
			for _, s := range terms(i) {
				for _, t := range terms(j) {
					f[i][j] += s.times * t.times * polar(b, s.number, t.number)
				}
			}
			f[j][i] = f[i][j]
		}
	}
	return f
}

// term is a number on the board, and how often it counts.
type term struct {
	number int
	times  int32
}

// terms returns a coordinate in terms of the board's numbers.
func terms(coordinate int) [2]term {
	switch coordinate {
	case Pieces:
		return [2]term{{board.LightNumbers, 1}, {board.DarkNumbers, 1}}
	case board.DarkNumbers:
		return [2]term{}
	case Turn:
		return [2]term{{board.TurnNumber, 1}}
	}
	return [2]term{{coordinate, 1}, {coordinate &^ 15, -1}}
}

// polar returns the entry in row i and column j of B + B^T.
func polar(b *ur.Brain, i, j int) int32 {
	if i == j {
		return 2 * int32(b.At(i, i))
	}
	return int32(b.Pair(i, j))
}

// A Point is a position, or a position's change, in a form's coordinates.
type Point [board.Numbers]int32

// At returns a position as a point.
func At(p board.Position) Point {
	var y Point
	for i, n := range p.Numbers() {
		y[i] = int32(n)
	}
	y[Pieces], y[board.DarkNumbers] = int32(p.Pieces()), 0
	return y
}

// Value returns V(y), which equals getValue for a position.
func (f *Form) Value(y *Point) int32 {
	var twice int32
	for i, n := range y {
		if n == 0 {
			continue
		}
		for j, m := range y {
			twice += f[i][j] * n * m
		}
	}
	return twice / 2
}
