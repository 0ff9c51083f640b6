package ur

import "github.com/seed-09dcdc84/ur/board"

// This file holds the arithmetic of values that change by moves, which the engines
// with accumulators have in common. With g = (B + B^T) x, a move that changes the
// numbers of the board by d changes the value by
//
//	V(x + d) - V(x) = g.d + V(d)
//
// and g by (B + B^T) d. The d of a move has five entries at most: the square left,
// the square reached, a captured piece's square and its start, and the turn.

// doubled returns entry (i, j) of B + B^T.
func doubled(b *Brain, i, j int) int {
	if i == j {
		return 2 * int(b.At(i, i))
	}
	return int(b.Pair(i, j))
}

// isTakeable reports whether a piece on square can be captured.
func isTakeable(square int) bool { return board.IsShared(square) && square != board.SafeSquare }

// turnChange is what the end of side's turn adds to the number of the turn.
func turnChange(side board.Side) int { return 1 - 2*int(side) }

// change is a move as what it adds to the numbers of the board.
type change [board.Numbers]int

// moveChange returns the change of a move by side.
func moveChange(side board.Side, from, to int, capture bool) change {
	var d change
	own, opp := 16*int(side), 16*int(side.Other())
	d[own+from]--
	d[own+to]++
	if capture {
		d[opp+to]--
		d[opp+board.Start]++
	}
	if !board.IsRosette(to) {
		d[turnNumber] = turnChange(side)
	}
	return d
}

// A candidate is what engines with accumulators compare in place of values: the
// change of V by the move, from the mover's point of view, less what passing the
// turn alone would change. That part is common to all moves but those that end on a
// rosette, so it is taken from those few instead of being added to the many.

// candidateConstant returns the part of a candidate that does not depend on the
// board: V(d) of its change d, less B[32][32].
func candidateConstant(b *Brain, side board.Side, d change) int {
	v := -int(b.At(turnNumber, turnNumber))
	for i, x := range d {
		for j := 0; x != 0 && j <= i; j++ {
			v += int(b.At(i, j)) * x * d[j]
		}
	}
	if side == board.Dark {
		return -v
	}
	return v
}

// rowChanges returns what accumulator i gains when side lands on a square, with the
// turn passing unless it is a rosette, when it leaves one, and when it captures on
// one. Landing on square 0 stands for a pass, and leaving square 15 for nothing.
func rowChanges(b *Brain, i int, side board.Side, square int) (land, leave, take int) {
	own, opp := 16*int(side), 16*int(side.Other())
	if square != board.Start {
		land = doubled(b, i, own+square)
	}
	if !board.IsRosette(square) {
		land += turnChange(side) * doubled(b, i, turnNumber)
	}
	if square != board.Finish {
		leave = -doubled(b, i, own+square)
	}
	if isTakeable(square) {
		take = doubled(b, i, opp+board.Start) - doubled(b, i, opp+square)
	}
	return land, leave, take
}
