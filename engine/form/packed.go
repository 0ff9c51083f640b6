package form

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

// Packed is a position in one word, 32 bits for each side, Light's first:
//
//	bits  0..3   pieces in hand + 7: bit 3 is set when there is one, in the place
//	             of square 0
//	bits  4..17  squares 1..14
//	bits 19..22  pieces home + 8 - pieces: bit 22 is set when all are
//	bit  31      in Dark's half: Dark is to move
//
// A move adds a constant, and each test in a turn is a single bit.
type Packed uint64

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

// Pack converts a position.
func Pack(p board.Position) Packed {
	s := Packed(p.Turn()) << packedTurn
	for _, side := range [2]board.Side{board.Light, board.Dark} {
		half := Packed(p.Hand(side)+7) | Packed(p.Home(side)+8-p.Pieces())<<packedHome
		for square := 1; square < board.Finish; square++ {
			half |= Packed(board.Finkel().Count(p, side, square)) << (square + packedSquare)
		}
		s |= half << (32 * side)
	}
	return s
}

// Position converts back, given each player's pieces.
func (s Packed) Position(pieces int) board.Position {
	var x board.Array16
	for side := range board.Side(2) {
		half := s >> (32 * side)
		x.Number[side.Number(board.Start)] = int16(half&15) - 7
		for square := 1; square < board.Finish; square++ {
			x.Number[side.Number(square)] = int16(half >> (square + packedSquare) & 1)
		}
		x.Number[side.Number(board.Finish)] = int16(half>>packedHome&15) - 8 + int16(pieces)
	}
	x.Number[board.TurnNumber] = int16(s.Turn())
	return x.Position()
}

// Over reports whether a side has every piece home.
func (s Packed) Over() bool { return s&packedOver != 0 }

// Winner returns who won a finished game.
func (s Packed) Winner() board.Side { return board.Side(s >> 54 & 1) }

// Turn returns the side to move.
func (s Packed) Turn() board.Side { return board.Side(s >> packedTurn) }

// Candidates returns the legal moves for a roll, each as the bit in the moving piece's
// destination field.
func (s Packed) Candidates(roll uint32) uint32 {
	mine := bits.RotateLeft64(uint64(s), int(s>>packedTurn)*32)
	own, opp := uint32(mine), uint32(mine>>32)
	to := own & packedMovers << (roll & 7) & packedLandings &^ (own | opp&packedSafe)
	special := to & (opp&packedShared | packedRosettes)
	return (to^special)>>packedSquare | special<<(SpecialField-packedSquare)
}

// Packed returns how the step changes a packed position.
func (s Step) Packed() Packed {
	var d Packed
	if !s.Rosette() {
		d = 1 << packedTurn // modulo 2^64, adding it also takes it away
	}
	if s.To == 0 {
		return d
	}
	own, opp := 32*s.Side, 32*s.Side.Other()
	d += packedPiece(s.To)<<own - packedPiece(s.From())<<own
	if s.Capture() {
		d += packedPiece(board.Start)<<opp - packedPiece(s.To)<<opp
	}
	return d
}

// packedPiece returns one piece on a square.
func packedPiece(square int) Packed {
	switch square {
	case board.Start:
		return 1
	case board.Finish:
		return 1 << packedHome
	}
	return 1 << (square + packedSquare)
}

// One game's counts in one word. A game has at most [ur.DefaultTurnLimit] turns, below 2^21.
const (
	countMove    = 1
	countCapture = 1 << 21
	countRosette = 1 << 42
	countMask    = 1<<21 - 1
)

// Counts returns how the step changes the game's counts.
func (s Step) Counts() uint64 {
	var n uint64
	if s.To != 0 {
		n += countMove
	}
	if s.Capture() {
		n += countCapture
	}
	if s.Rosette() {
		n += countRosette
	}
	return n
}

// AddGame adds a game to a tally, by its final position and number of turns.
func AddGame(t *ur.Tally, end Packed, turns int, counts uint64) {
	moves := int64(counts & countMask)
	t.Wins[end.Winner()]++
	t.Turns += int64(turns)
	t.Moves += moves
	t.Captures += int64(counts / countCapture & countMask)
	t.Rosettes += int64(counts / countRosette & countMask)
	t.Passes += int64(turns) - moves
}

// BitNumber[(c&-c)*BitFactor>>27] is the number of the lowest bit in c, and 0 for no bit: a
// perfect hash by a de Bruijn sequence (Leiserson, Prokop and Randall, "Using de Bruijn
// Sequences to Index a 1 in a Computer Word", 1998). On amd64 it is faster than
// [bits.TrailingZeros32], which by default becomes BSF, slow on many CPUs. It is not a
// function, because a call leaves an instruction behind even where it is inlined.
var BitNumber = newBitNumber()

// BitFactor is BitNumber's de Bruijn sequence.
const BitFactor = 0x077cb531

func newBitNumber() (t [32]uint8) {
	for i := range uint32(32) {
		t[uint32(1)<<i*BitFactor>>27] = uint8(i)
	}
	return t
}

// Rolls returns the rolls in a game with the given key from a turn on that is a multiple of
// [board.RollsPerWord], one in each nibble.
func Rolls(key uint64, turn int) uint64 {
	word := board.DiceWord(key, uint64(turn/board.RollsPerWord))
	word -= word >> 1 & 0x5555555555555555
	return word&0x3333333333333333 + word>>2&0x3333333333333333
}
