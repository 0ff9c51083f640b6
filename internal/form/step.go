package form

import "github.com/seed-09dcdc84/ur/board"

// A Step is one way a turn can change a position: a pass if To is 0, otherwise the move of a
// piece by Roll to a square.
type Step struct {
	Side     board.Side
	Roll, To int
	Special  bool // lands on a rosette, or captures
}

// Steps returns every step of a roll of 1..4 that is legal in some position; the pass is the
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

// Capture reports whether the step sends a piece of the opponent back.
func (s Step) Capture() bool { return s.Special && !s.Rosette() }

// Change returns the change of the coordinates by the step.
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

// Engines with accumulators compare candidates instead of values: the change of V by a move in
// the mover's view, less the change by passing the turn alone. All moves but those to a rosette
// share that part, so it is subtracted from those few instead of added to the many. Of a
// position y,
//
//	candidate = Piece(to) - Piece(from) + Piece(the captured one) - Passing on a rosette,
//	            all at y, + Constant

// Constant returns the part of a move's candidate independent of the board.
func (f *Form) Constant(s Step) int32 {
	move, pass := s.Change(), Step{Side: s.Side}.Change()
	return int32(s.Side.Sign()) * (f.Value(&move) - f.Value(&pass))
}

// linear returns the part of a move's candidate linear in the board.
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

// CandidateBound returns the largest magnitude of a candidate of either side, by its own form, in any
// position of the given number of pieces. Engines that compute in fewer bits than 32 use it when they
// bind brains. It is the extreme over a superset of the legal positions: see [Sum.Bounds].
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
