package ur

import (
	"slices"

	"github.com/seed-09dcdc84/ur/board"
)

// candidateBound returns the largest magnitude that a candidate of side can have in
// any position of the given number of pieces, by brain b; see candidateConstant for
// what a candidate is. Engines that compute in fewer bits than 32 ask for it when a
// brain is bound.
//
// A candidate is a constant plus a linear form of the board, g.d with the common
// part of the turn taken out. The bound is the extreme of that form over every
// board whose numbers of each side sum to the pieces, with at most one piece on each
// of the squares 1 to 14: a superset of the legal positions, over which the extreme
// is reached by putting the pieces on the squares of the largest coefficients.
func candidateBound(b *Brain, side board.Side, pieces int) int {
	bound := 0
	for roll := 1; roll <= board.MaxRoll; roll++ {
		for to := roll; to <= board.Finish; to++ {
			bound = max(bound, moveBound(b, side, pieces, moveChange(side, to-roll, to, false)))
			if isTakeable(to) {
				bound = max(bound, moveBound(b, side, pieces, moveChange(side, to-roll, to, true)))
			}
		}
	}
	return bound
}

// moveBound is candidateBound for one move.
func moveBound(b *Brain, side board.Side, pieces int, move change) int {
	constant := candidateConstant(b, side, move)
	linear := move
	linear[turnNumber] -= turnChange(side)
	var coefficient [board.Numbers]int
	for i, d := range linear {
		if d == 0 {
			continue
		}
		for j := range coefficient {
			coefficient[j] += d * doubled(b, i, j)
		}
	}
	if side == board.Dark { // the mover's point of view
		for j := range coefficient {
			coefficient[j] = -coefficient[j]
		}
	}
	constant += coefficient[turnNumber] * int(side)

	highest, lowest := constant, constant
	for side := range 2 {
		row := (*[16]int)(coefficient[16*side:])
		highest += largestSum(*row, pieces)
		for square := range row {
			row[square] = -row[square]
		}
		lowest -= largestSum(*row, pieces)
	}
	return max(highest, -lowest)
}

// largestSum returns the largest sum of coefficients that the given number of
// pieces can take, one on each of the squares 1 to 14 and any number on 0 and 15.
func largestSum(row [16]int, pieces int) int {
	unlimited := max(row[board.Start], row[board.Finish])
	single := row[board.Start+1 : board.Finish]
	slices.SortFunc(single, func(a, b int) int { return b - a })
	sum := 0
	for _, c := range single[:pieces] {
		sum += max(c, unlimited)
	}
	return sum
}
