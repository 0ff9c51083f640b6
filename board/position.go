package board

import (
	"errors"
	"fmt"
	"math/bits"
)

// Position is a state of the game between two turns: the places of the pieces and the side to
// move. It is 8 bytes and comparable. This package's constructors and methods return only legal
// positions. The zero Position has no pieces and is not legal; see [Position.Check].
type Position struct {
	squares [2]uint16 // bit s of squares[side]: a piece of side on square s, 1..14
	home    [2]uint8
	pieces  uint8
	turn    Side
}

// ErrPieces is wrapped by errors about a number of pieces outside 1..MaxPieces.
var ErrPieces = errors.New("number of pieces must be 1 to 7")

// NewPosition returns the start of a game with the given number of pieces a
// side: all in hand, Light to move.
func NewPosition(pieces int) (Position, error) {
	if err := CheckPieces(pieces); err != nil {
		return Position{}, err
	}
	return Position{pieces: uint8(pieces)}, nil
}

// StartPosition is [NewPosition] for a number of pieces known to be legal; it
// panics on any other.
func StartPosition(pieces int) Position {
	p, err := NewPosition(pieces)
	if err != nil {
		panic(err)
	}
	return p
}

// CheckPieces returns an error wrapping [ErrPieces] unless 1 <= pieces <= MaxPieces.
func CheckPieces(pieces int) error {
	if pieces < 1 || pieces > MaxPieces {
		return fmt.Errorf("%w, got %d", ErrPieces, pieces)
	}
	return nil
}

// FromNumbers converts the array form of a position: entries 0..15 count Light's pieces on
// squares 0..15, entries 16..31 Dark's, and entry 32 is the side to move. The error names the
// first entry that breaks the rules.
func FromNumbers(x [Numbers]int) (Position, error) {
	var p Position
	for i, n := range x[:32] {
		side, square := Side(i/16), i%16
		switch {
		case n < 0:
			return Position{}, fmt.Errorf("entry %d is %d (want a count of pieces, 0 or more)", i, n)
		case n > MaxPieces:
			return Position{}, fmt.Errorf("entry %d is %d (want at most %d pieces)", i, n, MaxPieces)
		case square == Start || n == 0:
			continue
		case square == Finish:
			p.home[side] = uint8(n)
		case n > 1:
			return Position{}, fmt.Errorf("entry %d is %d (want at most one piece on square %d)", i, n, square)
		default:
			p.squares[side] |= 1 << square
		}
	}
	light, dark := x[0]+p.walked(Light), x[16]+p.walked(Dark)
	if light != dark {
		return Position{}, fmt.Errorf("light has %d pieces, dark has %d (want equal numbers)", light, dark)
	}
	if x[32] != 0 && x[32] != 1 {
		return Position{}, fmt.Errorf("entry 32 is %d (want the side to move, 0 for light or 1 for dark)", x[32])
	}
	if err := CheckPieces(light); err != nil {
		return Position{}, err
	}
	p.pieces, p.turn = uint8(light), Side(x[32])
	if err := p.Check(); err != nil {
		return Position{}, err
	}
	return p, nil
}

// FromSquares builds a position from bit sets: bit s of squares[side] is a piece of side on
// square s, 1..14, and home[side] counts its pieces at home; the rest are in hand. It returns
// an error if the result breaks the rules.
func FromSquares(pieces int, turn Side, squares [2]uint16, home [2]int) (Position, error) {
	p := Position{squares: squares, pieces: uint8(min(max(pieces, 0), MaxPieces+1)), turn: turn}
	for side, n := range home {
		if n < 0 || n > MaxPieces {
			return Position{}, fmt.Errorf("%s has %d pieces home, must be 0 to %d", Side(side), n, MaxPieces)
		}
		p.home[side] = uint8(n)
	}
	if err := p.Check(); err != nil {
		return Position{}, err
	}
	return p, nil
}

// Check returns an error unless p obeys the rules: a legal number of pieces, at most that many
// on the path and home, no square held by both players, and at most one winner.
func (p Position) Check() error {
	if err := CheckPieces(int(p.pieces)); err != nil {
		return err
	}
	for _, side := range [2]Side{Light, Dark} {
		if p.squares[side]&^pathSet != 0 {
			return fmt.Errorf("%s has a piece on a square outside 1..14", side)
		}
		if n := p.walked(side); n > int(p.pieces) {
			return fmt.Errorf("%s has %d pieces on the path and home, more than %d", side, n, p.pieces)
		}
	}
	if both := p.squares[Light] & p.squares[Dark] & sharedSet; both != 0 {
		return fmt.Errorf("both players hold square %d", bits.TrailingZeros16(both))
	}
	if p.home[Light] == p.pieces && p.home[Dark] == p.pieces {
		return errors.New("both players have every piece home")
	}
	if p.turn > Dark {
		return fmt.Errorf("side to move is %d, must be 0 (light) or 1 (dark)", p.turn)
	}
	return nil
}

// Numbers returns the array form of p, the inverse of [FromNumbers].
func (p Position) Numbers() [Numbers]int {
	var x [Numbers]int
	for i := range 32 {
		x[i] = p.Count(Side(i/16), i%16)
	}
	x[32] = int(p.turn)
	return x
}

// Count returns how many pieces of side stand on square 0..15 of its path.
func (p Position) Count(side Side, square int) int {
	switch square {
	case Start:
		return int(p.pieces) - p.walked(side)
	case Finish:
		return int(p.home[side])
	}
	return int(p.squares[side] >> square & 1)
}

// walked returns how many pieces of side have left the hand.
func (p Position) walked(side Side) int {
	return bits.OnesCount16(p.squares[side]) + int(p.home[side])
}

// Pieces returns the number of pieces each player has, 1..MaxPieces.
func (p Position) Pieces() int { return int(p.pieces) }

// Turn returns the side to move.
func (p Position) Turn() Side { return p.turn }

// Squares returns the occupied squares 1..14 of side's path, square s at bit s.
func (p Position) Squares(side Side) uint16 { return p.squares[side] }

// Hand returns how many pieces of side have not entered the board yet.
func (p Position) Hand(side Side) int { return p.Count(side, Start) }

// Home returns how many pieces of side have finished.
func (p Position) Home(side Side) int { return p.Count(side, Finish) }

// Winner returns the side with every piece home, if any.
func (p Position) Winner() (side Side, over bool) {
	switch p.pieces {
	case p.home[Light]:
		return Light, true
	case p.home[Dark]:
		return Dark, true
	}
	return Light, false
}

// Mirror returns p with the players exchanged: Light's pieces are Dark's, and
// the other side is to move.
func (p Position) Mirror() Position {
	p.squares[Light], p.squares[Dark] = p.squares[Dark], p.squares[Light]
	p.home[Light], p.home[Dark] = p.home[Dark], p.home[Light]
	p.turn = p.turn.Other()
	return p
}
