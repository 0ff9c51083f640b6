package form

import (
	"slices"

	"github.com/seed-09dcdc84/ur/board"
)

// A Sum is a linear form of the board, as weights of the coordinates: a row of a [Form], or a
// combination of rows. An accumulator holds its value at a position.
//
// No combination of four rows reaches 2^22 at a position: an entry of Bx + xB is below 22 *
// 2^15, since the numbers of a board sum to 15 at most and seven at most stand on the diagonal.
type Sum [board.Numbers]int32

// Piece returns the value of one more piece of side on a square, in side's view: negated for
// Dark, so the highest is best. Removing the piece gains its opponent as much. It is 0 for
// square 0.
func (f *Form) Piece(side board.Side, square int) Sum {
	if square == board.Start {
		return Sum{}
	}
	sum, sign := Sum(f[side.Number(square)]), int32(side.Sign())
	for i := range sum {
		sum[i] *= sign
	}
	return sum
}

// Passing returns the value of the end of a side's turn. Both sides see it alike: the change in
// the number of the turn and their view of it have the same sign.
func (f *Form) Passing() Sum { return Sum(f[Turn]) }

// Plus returns s + t.
func (s Sum) Plus(t Sum) Sum {
	for i, w := range t {
		s[i] += w
	}
	return s
}

// Minus returns s - t.
func (s Sum) Minus(t Sum) Sum {
	for i, w := range t {
		s[i] -= w
	}
	return s
}

// At returns the sum at a position, or its difference for a change of position.
func (s *Sum) At(y *Point) int32 {
	var v int32
	for i, w := range s {
		v += w * y[i]
	}
	return v
}

// Land returns the change of the sum when side lands on a square and the turn passes, unless
// the square is a rosette. Landing on square 0 is passing alone.
func (s *Sum) Land(side board.Side, square int) int32 {
	var v int32
	if square != board.Start {
		v = s[side.Number(square)]
	}
	if !board.IsRosette(square) {
		v += int32(side.Sign()) * s[Turn]
	}
	return v
}

// Leave returns the change of the sum when a piece of side leaves a square: 0 for the hand,
// which is not counted.
func (s *Sum) Leave(side board.Side, square int) int32 {
	if square == board.Start {
		return 0
	}
	return -s[side.Number(square)]
}

// Step returns the change of the sum by a step: At of its change.
func (s *Sum) Step(step Step) int32 {
	v := s.Land(step.Side, step.To)
	if step.To != 0 {
		v += s.Leave(step.Side, step.From())
	}
	if step.Capture() {
		v += s.Leave(step.Side.Other(), step.To)
	}
	return v
}

// Bounds returns the lowest and the highest value of the sum at any position of a game with the
// given number of pieces.
func (s *Sum) Bounds(pieces int) (low, high int32) {
	low, high = s.onSquares(pieces)
	return low + min(0, s[Turn]), high + max(0, s[Turn])
}

// onSquares returns the bounds of the sum without the turn. Either side contributes at most one
// piece for each square 1..14 and any number at the finish, and its hand nothing. So the
// extreme puts pieces on the best squares as long as they beat both the finish and the hand.
// Two sides cannot share a square of the combat zone; that only narrows the range.
func (s *Sum) onSquares(pieces int) (low, high int32) {
	low = int32(pieces) * s[Pieces]
	high = low
	for side := range board.Side(2) {
		path := s[side.Number(board.Start+1):side.Number(board.Finish)]
		squares, finish := slices.Clone(path), s[side.Number(board.Finish)]
		slices.Sort(squares)
		for i := range pieces {
			low += min(0, finish, squares[i])
			high += max(0, finish, squares[len(squares)-1-i])
		}
	}
	return low, high
}
