package form

import (
	"slices"

	"github.com/seed-09dcdc84/ur/board"
)

// A Step is one way a turn can change a position: a pass if To is 0, otherwise a move by Roll
// to a square.
type Step struct {
	Side     board.Side
	Roll, To int
	Special  bool // lands on a rosette, or captures
}

// Steps returns every step for a roll of 1..4 that is legal in some position; the pass is the
// first.
func Steps(side board.Side, roll int) []Step {
	list := []Step{{Side: side, Roll: roll}}
	for to := roll; to <= board.Finish; to++ {
		rosette := board.IsRosette(to)
		if !rosette {
			list = append(list, Step{side, roll, to, false})
		}
		if rosette || board.IsShared(to) {
			list = append(list, Step{side, roll, to, true})
		}
	}
	return list
}

// From is the square left by the moving piece.
func (s Step) From() int { return s.To - s.Roll }

// Rosette reports whether the step ends on a rosette, so the turn does not pass.
func (s Step) Rosette() bool { return board.IsRosette(s.To) }

// Capture reports whether the step sends an opponent's piece back.
func (s Step) Capture() bool { return s.Special && !s.Rosette() }

// Change returns how the step changes the coordinates.
func (s Step) Change() Point {
	var d Point
	if !s.Rosette() {
		d[Turn] = int32(s.Side.Sign())
	}
	if s.To == 0 {
		return d
	}
	d[s.Side.Number(s.To)] = 1
	if s.From() != board.Start {
		d[s.Side.Number(s.From())] = -1
	}
	if s.Capture() {
		d[s.Side.Other().Number(s.To)] = -1
	}
	return d
}

// Engines with accumulators compare candidates instead of values: how V changes by a move in the
// mover's view, less the change by passing the turn alone. All moves but those to a rosette share
// that part, so it is subtracted from those few instead of added to the many. At a position y,
//
//	candidate = Piece(to) - Piece(from) + Piece(the captured one) - Passing on a rosette,
//	            all at y, + Constant

// Constant returns the part in a move's candidate independent from the board.
func (f *Form) Constant(s Step) int32 {
	move, pass := s.Change(), Step{Side: s.Side}.Change()
	return int32(s.Side.Sign()) * (f.Value(&move) - f.Value(&pass))
}

// linear returns the linear part in a move's candidate.
func (f *Form) linear(s Step) Sum {
	sum := f.Piece(s.Side, s.To).Minus(f.Piece(s.Side, s.From()))
	if s.Capture() {
		sum = sum.Plus(f.Piece(s.Side.Other(), s.To))
	}
	if s.Rosette() {
		sum = sum.Minus(f.Passing())
	}
	return sum
}

// CandidateBound returns how large either side's candidates, by its own form, can become in any
// position with the given number of pieces. Engines that compute in fewer bits than 32 use it when they
// bind brains. It is the extreme over a superset of all legal positions: see [Sum.Bounds].
func CandidateBound(forms [2]*Form, pieces int) int {
	bound := int32(0)
	for side := range board.Side(2) {
		f := forms[side]
		for roll := 1; roll <= board.FinkelRoll; roll++ {
			for _, s := range Steps(side, roll)[1:] {
				sum, constant := f.linear(s), f.Constant(s)
				constant += sum[Turn] * int32(side)
				low, high := sum.onSquares(pieces)
				bound = max(bound, high+constant, -(low + constant))
			}
		}
	}
	return int(bound)
}

// A Sum is a linear form on the board, as weights by coordinates: a row in a [Form], or combined
// rows. An accumulator holds its value at a position.
//
// No combination of four rows reaches 2^22 at a position: an entry in Bx + xB is below 22 *
// 2^15, since a board's numbers sum to 15 at most and seven at most stand on the diagonal.
type Sum [board.Numbers]int32

// Piece returns what one more piece is worth to side on a square, in side's view: negated for Dark,
// so the highest is best. Removing the piece gains its opponent as much. It is 0 for square 0.
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

// Passing returns what the end of a side's turn is worth. Both sides see it alike: the change in
// the turn's number and their view on it have the same sign.
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

// At returns the sum at a position, or its difference for a position's change.
func (s *Sum) At(y *Point) int32 {
	var v int32
	for i, w := range s {
		v += w * y[i]
	}
	return v
}

// Land returns how the sum changes when side lands on a square and the turn passes, unless
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

// Leave returns how the sum changes when side's piece leaves a square: 0 for the hand,
// which is not counted.
func (s *Sum) Leave(side board.Side, square int) int32 {
	if square == board.Start {
		return 0
	}
	return -s[side.Number(square)]
}

// Step returns how the sum changes by a step: At for its change.
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

// Bounds returns the sum's lowest and highest value at any position in a game with the
// given number of pieces.
func (s *Sum) Bounds(pieces int) (low, high int32) {
	low, high = s.onSquares(pieces)
	return low + min(0, s[Turn]), high + max(0, s[Turn])
}

// onSquares returns the sum's bounds without the turn. Either side contributes at most one
// piece for each square 1..14 and any number at the finish, and its hand nothing. So the
// extreme puts pieces on the best squares as long as they beat both the finish and the hand.
// Two sides cannot share a square in the combat zone; that only narrows the range.
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
