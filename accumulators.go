package ur

import (
	"math/bits"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
)

// Accumulators: what the engines share that keep sums over the board while a game
// goes on. The idea is that of NNUE, the "efficiently updatable neural network" of
// Yu Nasu (2018), by which Stockfish plays: a move changes few inputs, so the sums
// over all inputs are corrected instead of computed again.
//
// For a quadratic form with matrix S, a position x and a move that adds d to it, in
// the coordinates of [form],
//
//	V(x+d) - V(x) = d·Sx + V(d)
//
// V(d) is a constant of the move. d is not zero at the two squares of the move, at
// the square of a captured piece and at the turn, so that d·Sx is a sum of at most
// four entries of the gradient Sx; and when the move is made, the gradient changes
// by Sd, a constant of the move again.

// fields is how many sums are kept for the choices of one side. They are entries of
// the gradient and sums of them, as that side sees them: negated for Dark, so that
// the highest is best.
//
//	 0       nothing: the entry of a piece in hand
//	 1..15   a piece on that square
//	20..31   a piece that lands on square 4..15 where that does more than move it: on
//	         a rosette, less the turn, which is not passed; in the combat zone, less
//	         the piece that it captures
//
// What a move is worth is then the difference of two fields, plus a constant. The
// value of the turn is left out where it is passed, by all moves alike. Fields
// 16..19 are not used.
//
// No field reaches 2^22: an entry of Bx + xB is below 22 * 2^15, since the numbers
// of a board sum to 15 at most and seven at most stand on the diagonal, and a field
// is a sum of at most four such entries.
const (
	fields       = 32
	specialField = 16 // from a square to its field among 20..31
)

// sum is one field as weights of the coordinates.
type sum [board.Numbers]int32

// fieldSums are the fields for the choices of one side by its brain.
type fieldSums [fields]sum

// sums returns the fields for the choices of a side by the brain of form f.
func (f *form) sums(side board.Side) *fieldSums {
	sums := new(fieldSums)
	own, opp := 16*int(side), 16*int(side.Other())
	sign := 1 - 2*int32(side)
	for i := range board.Numbers {
		for square := 1; square <= board.Finish; square++ {
			sums[square][i] = sign * f[own+square][i]
			switch {
			case board.IsRosette(square):
				// Passing the turn adds sign to it, and sign * sign is 1.
				sums[specialField+square][i] = sign*f[own+square][i] - f[turnNumber][i]
			case board.IsShared(square):
				sums[specialField+square][i] = sign * (f[own+square][i] - f[opp+square][i])
			}
		}
	}
	return sums
}

// of returns the sum at a position, or its difference for a change of position.
func (s *sum) of(y *[board.Numbers]int32) int32 {
	var v int32
	for i, w := range s {
		v += w * y[i]
	}
	return v
}

// at returns the fields at a position, or their differences for a change of it.
func (s *fieldSums) at(y *[board.Numbers]int32) (v [fields]int32) {
	for i := range s {
		v[i] = s[i].of(y)
	}
	return v
}

// bounds returns the lowest and the highest that the sum can be at any position of
// a game with the given number of pieces. Either side contributes at most one piece
// for each square 1..14 and any number at the finish, and its hand nothing, so the
// extreme of its part puts pieces on the best squares as long as they beat both the
// finish and the hand. That both sides cannot hold one square of the combat zone
// only narrows the range.
func (s *sum) bounds(pieces int) (low, high int32) {
	low = int32(pieces)*s[piecesNumber] + min(0, s[turnNumber])
	high = int32(pieces)*s[piecesNumber] + max(0, s[turnNumber])
	for _, offset := range [2]int{lightOffset, darkOffset} {
		squares := slices.Clone(s[offset+1 : offset+board.Finish])
		finish := s[offset+board.Finish]
		slices.Sort(squares)
		for i := range pieces {
			low += min(0, finish, squares[i])
			high += max(0, finish, squares[len(squares)-1-i])
		}
	}
	return low, high
}

// packed is a position in one word, 32 bits for each side, Light's first:
//
//	bits  0..3   pieces in hand + 7: bit 3 is set when there is one, and stands
//	             where square 0 would
//	bits  4..17  squares 1..14
//	bits 19..22  pieces home + 8 - pieces: bit 22 is set when all are
//	bit  31      of Dark's half: Dark is to move
//
// A move adds a constant, and the questions that a turn asks are single bits.
type packed uint64

const (
	packedSquare   = 3 // bit of square 0
	packedHome     = 19
	packedTurn     = 63
	packedMovers   = 0x7fff << packedSquare                        // hand and squares 1..14
	packedLandings = 0xffff << packedSquare &^ (1 << packedSquare) // squares 1..15
	packedRosettes = (1<<4 | 1<<8 | 1<<14) << packedSquare
	packedShared   = 0x1fe0 << packedSquare
	packedSafe     = 1 << board.SafeSquare << packedSquare
	packedOver     = 1<<22 | 1<<54
)

// pack converts a position.
func pack(p board.Position) packed {
	s := packed(p.Turn()) << packedTurn
	for _, side := range [2]board.Side{board.Light, board.Dark} {
		half := packed(p.Hand(side)+7) | packed(p.Home(side)+8-p.Pieces())<<packedHome
		for square := 1; square < board.Finish; square++ {
			half |= packed(p.Count(side, square)) << (square + packedSquare)
		}
		s |= half << (32 * side)
	}
	return s
}

// unpack converts back, given the pieces of each player.
func (s packed) unpack(pieces int) board.Position {
	var x board.Array16
	for side := range 2 {
		half := s >> (32 * side)
		x.Number[16*side+board.Start] = int16(half&15) - 7
		for square := 1; square < board.Finish; square++ {
			x.Number[16*side+square] = int16(half >> (square + packedSquare) & 1)
		}
		x.Number[16*side+board.Finish] = int16(half>>packedHome&15) - 8 + int16(pieces)
	}
	x.Number[turnNumber] = int16(s.turn())
	return x.Position()
}

// over reports whether a side has every piece home.
func (s packed) over() bool { return s&packedOver != 0 }

// winner returns who has won a game that is over.
func (s packed) winner() board.Side { return board.Side(s >> 54 & 1) }

// turn returns the side to move.
func (s packed) turn() board.Side { return board.Side(s >> packedTurn) }

// candidates returns the legal moves of a roll, each as the bit of the field that
// the moving piece lands on.
func (s packed) candidates(roll uint32) uint32 {
	mine := bits.RotateLeft64(uint64(s), int(s>>packedTurn)*32)
	own, opp := uint32(mine), uint32(mine>>32)
	to := own & packedMovers << (roll & 7) & packedLandings &^ (own | opp&packedSafe)
	special := to & (opp&packedShared | packedRosettes)
	return (to^special)>>packedSquare | special<<(specialField-packedSquare)
}

// step is one way in which a turn can change a position: a pass when to is 0, and
// else the move of a piece by roll to a square.
type step struct {
	side     board.Side
	roll, to int
	special  bool // lands on a rosette, or captures
}

// steps returns every step that a roll of 1..4 can lead to, legal somewhere.
func steps(side board.Side, roll int) []step {
	list := []step{{side: side, roll: roll}}
	for to := roll; to <= board.Finish; to++ {
		rosette := board.IsRosette(to)
		if !rosette {
			list = append(list, step{side, roll, to, false})
		}
		if rosette || board.IsShared(to) {
			list = append(list, step{side, roll, to, true})
		}
	}
	return list
}

// codes is how many codes of steps there are.
const codes = 1 << keyShift

// code returns a number below codes that tells the step from all others of its side
// and roll. It is the higher the earlier the move stands in the order of moves, so
// that of two equal values the higher code is to be chosen.
func (s step) code() int32 {
	code := int32(board.Finish-s.to) * 2
	if s.special {
		code++
	}
	return code
}

// passCode is the code of a pass on any roll.
const passCode = board.Finish * 2

// moveOf returns the move that the step of a code is, for codes other than passCode.
func moveOf(code, roll uint32) board.Move {
	to := board.Finish - int(code>>1)
	return board.Move{
		From:    uint8(to - int(roll)),
		To:      uint8(to),
		Capture: code&1 != 0 && !board.IsRosette(to),
	}
}

// landing and leaving return the fields whose difference the move is worth.
func (s step) landing() int {
	if s.special {
		return s.to + specialField
	}
	return s.to
}

func (s step) leaving() int  { return s.to - s.roll }
func (s step) rosette() bool { return board.IsRosette(s.to) }
func (s step) capture() bool { return s.special && !s.rosette() }

// change returns what the step adds to the coordinates.
func (s step) change() (d [board.Numbers]int32) {
	if !s.rosette() {
		d[turnNumber] = 1 - 2*int32(s.side)
	}
	if s.to == 0 {
		return d
	}
	own, opp := 16*int(s.side), 16*int(s.side.Other())
	d[own+s.to] = 1
	if s.leaving() != board.Start {
		d[own+s.leaving()] = -1
	}
	if s.capture() {
		d[opp+s.to] = -1
	}
	return d
}

// packed returns what the step adds to a packed position.
func (s step) packed() packed {
	var d packed
	if !s.rosette() {
		d = 1 << packedTurn // modulo 2^64, adding it also takes it away
	}
	if s.to == 0 {
		return d
	}
	own, opp := 32*s.side, 32*s.side.Other()
	d += packedPiece(s.to)<<own - packedPiece(s.leaving())<<own
	if s.capture() {
		d += packedPiece(board.Start)<<opp - packedPiece(s.to)<<opp
	}
	return d
}

// packedPiece returns one piece on a square.
func packedPiece(square int) packed {
	switch square {
	case board.Start:
		return 1
	case board.Finish:
		return 1 << packedHome
	}
	return 1 << (square + packedSquare)
}

// The counts of one game in one word. A game has at most DefaultTurnLimit turns,
// which is below 2^21.
const (
	countMove    = 1
	countCapture = 1 << 21
	countRosette = 1 << 42
	countMask    = 1<<21 - 1
)

// counts returns what the step adds to the counts of its game.
func (s step) counts() uint64 {
	var n uint64
	if s.to != 0 {
		n += countMove
	}
	if s.capture() {
		n += countCapture
	}
	if s.rosette() {
		n += countRosette
	}
	return n
}

// addGame adds a game that ended in a position, after so many turns.
func (t *Tally) addGame(end packed, turns int, counts uint64) {
	moves := int64(counts & countMask)
	t.Wins[end.winner()]++
	t.Turns += int64(turns)
	t.Moves += moves
	t.Captures += int64(counts / countCapture & countMask)
	t.Rosettes += int64(counts / countRosette & countMask)
	t.Passes += int64(turns) - moves
}

// A key is what a candidate is worth, times codes, plus its code, so that the highest
// key is the choice and tells which it is. Values differ by less than 2^24 and the
// turn is worth less than 2^20, so keys stay within 2^30 of zero.
const keyShift = 5

// noKey is the key of no move: a pass, and less than the key of any move even when
// fields were added to it.
const noKey = -1<<30 + passCode

// gain returns V(d) of the step as its own side sees it.
func (s step) gain(f *form) int32 {
	d := s.change()
	var twice int32
	for i := range d {
		for j := range d {
			twice += f[i][j] * d[i] * d[j]
		}
	}
	return twice / 2 * (1 - 2*int32(s.side))
}

// lowestBit[m*lowestBitFactor>>27] is the number of the bit in m = c & -c, and 0 for
// no bit: a perfect hash by a de Bruijn sequence (Leiserson, Prokop and Randall,
// "Using de Bruijn Sequences to Index a 1 in a Computer Word", 1998). On amd64 it
// takes less than [bits.TrailingZeros32], which by default becomes BSF there and is
// slow on many CPUs.
const lowestBitFactor = 0x077cb531

var lowestBit = newLowestBit()

func newLowestBit() (t [32]uint8) {
	for i := range uint32(32) {
		t[uint32(1)<<i*lowestBitFactor>>27] = uint8(i)
	}
	return t
}

// formCoordinates returns a position in the coordinates of a [form].
func formCoordinates(p board.Position) [board.Numbers]int32 {
	var y [board.Numbers]int32
	for i, n := range p.Numbers() {
		y[i] = int32(n)
	}
	y[piecesNumber], y[darkOffset] = int32(p.Pieces()), 0
	return y
}
