package board

import "math/bits"

// Bits is a whole position in one word:
//
//	bits  0..15  Light's row: bit s is set when a piece stands on square s, 1..14
//	bits 16..31  Dark's row
//	bits 32..35  Light's pieces in hand    36..39  Dark's
//	bits 40..43  Light's pieces home       44..47  Dark's
//	bit  48      side to move
//
// Shifting the mover's row finds all moves for a roll at once. Any move is a single addition,
// because every field it changes holds at least the amount subtracted. Chess programs use
// bitboards in the same way.
type Bits uint64

const (
	bitsRow  = 16 // width of a row
	bitsHand = 32 // first bit of Light's hand; Dark's is 4 higher
	bitsHome = 40 // first bit of Light's home; Dark's is 4 higher
	bitsTurn = 48
)

// bitsTerms are the three terms in a side's moves, by square: leaving a square, landing on it
// (with the turn's change), and capturing on it.
type bitsTerms struct{ leave, land, capture [Finish + 1]Bits }

// bitsMove are the terms by side.
var bitsMove = [2]bitsTerms{newBitsTerms(Light), newBitsTerms(Dark)}

func newBitsTerms(me Side) bitsTerms {
	var t bitsTerms
	you := me.Other()
	pass := Bits(you)<<bitsTurn - Bits(me)<<bitsTurn
	for s := Start; s <= Finish; s++ {
		switch s {
		case Start:
			t.leave[s] = 1 << (bitsHand + 4*me)
		case Finish:
			t.land[s] = 1<<(bitsHome+4*me) + pass
		default:
			t.leave[s] = 1 << (bitsRow*int(me) + s)
			t.land[s] = t.leave[s]
			if !IsRosette(s) {
				t.land[s] += pass
			}
			t.capture[s] = 1<<(bitsHand+4*you) - 1<<(bitsRow*int(you)+s)
		}
	}
	return t
}

// Set makes the board hold p.
func (b *Bits) Set(p Position) {
	*b = Bits(p.squares[Light]) | Bits(p.squares[Dark])<<bitsRow | Bits(p.turn)<<bitsTurn
	for _, side := range [2]Side{Light, Dark} {
		*b |= Bits(p.Hand(side))<<(bitsHand+4*side) | Bits(p.home[side])<<(bitsHome+4*side)
	}
}

// Position converts back. The board must be legal.
func (b *Bits) Position() Position {
	p := Position{
		squares: [2]uint32{uint32(b.Row(Light)), uint32(b.Row(Dark))},
		home:    [2]uint8{uint8(b.Home(Light)), uint8(b.Home(Dark))},
		turn:    b.Turn(),
	}
	p.pieces = uint8(bits.OnesCount16(b.Row(Light)) + b.Hand(Light) + b.Home(Light))
	return p
}

// Row returns the squares 1..14 that side holds, square s at bit s.
func (b Bits) Row(side Side) uint16 { return uint16(b >> (bitsRow * (side & 1))) }

// Hand returns how many pieces side has not entered.
func (b Bits) Hand(side Side) int { return int(b >> (bitsHand + 4*(side&1)) & 0xf) }

// Home returns how many pieces side has finished.
func (b Bits) Home(side Side) int { return int(b >> (bitsHome + 4*(side&1)) & 0xf) }

// Turn returns the side to move.
func (b Bits) Turn() Side { return Side(b >> bitsTurn & 1) }

// Futures fills f; see [Layout]. A shift finds all destinations in the mover's row; the moving piece
// stands roll squares before its own.
func (b *Bits) Futures(f *Futures[Bits], roll int) {
	f.clearMoves()
	me := b.Turn()
	own, opp := uint32(b.Row(me)), uint32(b.Row(me.Other()))
	movers := own
	if b.Hand(me) != 0 {
		movers |= 1 << Start
	}
	to := movers << (roll & 7) & (pathSet | 1<<Finish) &^ (own | opp&(1<<SafeSquare))
	terms := &bitsMove[me]
	for ; to != 0 && roll != 0; to &= to - 1 {
		square := bits.TrailingZeros32(to)
		capture := opp&sharedSet>>square&1 != 0
		next := f.addMove(square-roll, square, capture)
		*next = *b + terms.land[square&15] - terms.leave[(square-roll)&15]
		if capture {
			*next += terms.capture[square&15]
		}
	}
	if f.N == 0 {
		*f.addPass() = *b ^ 1<<bitsTurn
	}
}
