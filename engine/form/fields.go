package form

import "github.com/seed-09dcdc84/ur/board"

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

// Landing and Leaving return the fields whose difference, plus the constant, is the move's
// value.
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
