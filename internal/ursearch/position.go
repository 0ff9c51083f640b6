package ursearch

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/search"
)

// Position is a position before its roll, as seen by the side to move: the names of the sides
// do not matter, so a position and its mirror image are equal.
type Position struct {
	word  word
	score int32 // of the brain that values leaves: see score.go; 0 without one
}

// word holds the places of the pieces: the side to move in the lower half, the other in the
// upper one. In each half,
//
//	bits  0..3   pieces in hand + 7: bit 3 is set when there is one, and stands
//	             at the place of square 0
//	bits  4..17  squares 1..14
//	bits 19..22  8 - pieces that are not home: bit 22 is set when all are home
//
// A move adds a constant to it, and half a rotation changes sides.
type word uint64

const (
	half          = 32
	startBit      = 3  // of square 0
	homeShift     = 19 // of the count of pieces home
	overBit       = 22
	halfBits      = 23
	halfMask      = 1<<halfBits - 1
	landings      = 0xfffe << startBit // squares 1..15
	movers        = 0x7fff << startBit // hand and squares 1..14
	sharedSet     = 0x1fe0 << startBit
	rosettes      = (1<<4 | 1<<8 | 1<<14) << startBit
	safeBit       = 1 << board.SafeSquare << startBit
	finishedGames = 1<<overBit | 1<<(overBit+half)
)

// wordOf converts a position.
func wordOf(p board.Position) word {
	me := p.Turn()
	return word(halfOf(p, me)) | word(halfOf(p, me.Other()))<<half
}

func halfOf(p board.Position, side board.Side) uint32 {
	return uint32(p.Hand(side)+7) | uint32(p.Squares(side))<<startBit | uint32(8-p.Pieces()+p.Home(side))<<homeShift
}

// own and opp are the halves.
func (w word) own() uint32 { return uint32(w) }
func (w word) opp() uint32 { return uint32(w >> half) }

// turned is w as the other side sees it.
func (w word) turned() word { return word(bits.RotateLeft64(uint64(w), half)) }

// left returns how many pieces each side has yet to bring home.
func (w word) left() (own, opp int) { return leftOf(w.own()), leftOf(w.opp()) }

func leftOf(h uint32) int { return 8 - int(h>>homeShift&15) }

func (w word) over() bool { return w&finishedGames != 0 }

// key names w. The halves together are below 2^46, so no two positions of one game share a key.
func (w word) key() search.Key {
	return search.KeyOf(uint64(w.own()&halfMask) | uint64(w.opp()&halfMask)<<halfBits)
}

// board converts back, in a game of a number of pieces: Light is to move.
func (w word) board(pieces int) board.Position {
	own, opp := w.left()
	p, err := board.FromSquares(pieces, board.Light,
		[2]uint16{uint16(w.own()>>startBit) & 0x7ffe, uint16(w.opp()>>startBit) & 0x7ffe}, [2]int{pieces - own, pieces - opp})
	if err != nil {
		panic(err) // a word comes from a position, by moves
	}
	return p
}

// destinations returns the squares a roll reaches, square s at bit s+startBit, and among these
// the ones with an effect beyond the move: rosettes and captures.
func (w word) destinations(roll int) (to, special uint32) {
	own, opp := w.own(), w.opp()
	to = own & movers << (roll & 7) & landings &^ (own | opp&safeBit)
	if roll == 0 {
		to = 0
	}
	return to, to & (opp&sharedSet | rosettes)
}

// step is the change of a word by a move, before sides change.
type step [16][2]word // by square landed on, and whether it is special there

// steps are by roll.
var steps = newSteps()

func newSteps() (t [board.MaxRoll + 1]step) {
	for roll := 1; roll <= board.MaxRoll; roll++ {
		for to := roll; to <= board.Finish; to++ {
			d := piece(to) - piece(to-roll)
			t[roll][to] = [2]word{d, d}
			if board.IsShared(to) && !board.IsRosette(to) {
				t[roll][to][1] += (piece(board.Start) - piece(to)) << half
			}
		}
	}
	return t
}

// piece is one piece of the side to move on a square.
func piece(square int) word {
	switch square {
	case board.Start:
		return 1
	case board.Finish:
		return 1 << homeShift
	}
	return 1 << (square + startBit)
}
