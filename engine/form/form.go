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

// Fields are the sums kept by engines for one side's choices: entries of the gradient and
// their sums, in that side's view.
//
//	 0       nothing: a piece in hand
//	 1..15   a piece on that square
//	20..31   a piece that lands on square 4..15 with an effect beyond its move: on a
//	         rosette, less the turn, which is not passed; in the combat zone, with
//	         the captured piece
//
// A candidate is then the difference between two fields, plus a constant. Fields 16..19 are not
// used.
type Fields [FieldCount]Sum

// FieldCount is how many fields there are, and SpecialField the distance from a square to
// its field among 20..31.
const (
	FieldCount   = 32
	SpecialField = 16
)

// Fields returns the fields for a side's choices.
func (f *Form) Fields(side board.Side) *Fields {
	fields := new(Fields)
	for square := 1; square <= board.Finish; square++ {
		piece := f.Piece(side, square)
		fields[square] = piece
		switch {
		case board.IsRosette(square):
			fields[SpecialField+square] = piece.Minus(f.Passing())
		case board.IsTakeable(square):
			fields[SpecialField+square] = piece.Plus(f.Piece(side.Other(), square))
		}
	}
	return fields
}

// At returns the fields at a position, or their differences for a change.
func (f *Fields) At(y *Point) (v [FieldCount]int32) {
	for i := range f {
		v[i] = f[i].At(y)
	}
	return v
}

// Step returns how a step changes the fields.
func (f *Fields) Step(s Step) (v [FieldCount]int32) {
	for i := range f {
		v[i] = f[i].Step(s)
	}
	return v
}

// Words packs numbers, each with as many bits as a word has room for, into words: the sum over the
// numbers moved to their places. A negative one borrows from the next.
func Words(words []uint64, v [FieldCount]int32) {
	each, width := FieldCount/len(words), 64*len(words)/FieldCount
	for i := range words {
		words[i] = 0
		for k, n := range v[i*each : (i+1)*each] {
			words[i] += uint64(int64(n)) << (k * width)
		}
	}
}

// Landing and Leaving return the fields whose difference, plus the constant, is the move's value.
func (s Step) Landing() int {
	if s.Special {
		return s.To + SpecialField
	}
	return s.To
}

func (s Step) Leaving() int { return s.From() }

// A key is a candidate times Codes, plus its step's code, so the highest key identifies
// the choice. Candidates are below 2^24, so keys stay within 2^30 of zero.
const (
	KeyShift = 5
	Codes    = 1 << KeyShift // codes of steps are below it
	PassCode = board.Finish * 2

	// NoKey is the key for no move: a pass, and less than any move's key even when
	// fields were added to it.
	NoKey = -1<<30 + PassCode
)

// Code returns a number below Codes, unique among the steps for its side and roll. Earlier moves
// in move order have higher codes, so the higher code wins among equal values.
func (s Step) Code() int32 {
	code := int32(board.Finish-s.To) * 2
	if s.Special {
		code++
	}
	return code
}

// MoveOf returns the move made by a code's step, for codes other than PassCode.
func MoveOf(code, roll uint32) board.Move {
	to := board.Finish - int(code>>1)
	return board.Move{
		From:    uint8(to - int(roll)),
		To:      uint8(to),
		Capture: code&1 != 0 && !board.IsRosette(to),
	}
}

// Keys returns, by landing field, the parts in the keys for a side's moves by a roll that are
// independent of the fields, and NoKey where there is no such move.
func (f *Form) Keys(side board.Side, roll int) (keys [FieldCount]int32) {
	for i := range keys {
		keys[i] = NoKey
	}
	for _, s := range Steps(side, roll)[1:] {
		keys[s.Landing()] = f.Constant(s)<<KeyShift + s.Code()
	}
	return keys
}
