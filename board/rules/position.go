package rules

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/seed-09dcdc84/ur/board"
)

// Position is a state of a game between two turns. It is 12 bytes and comparable, and does not
// hold its rules: use it with the [Rules] that made it. The zero Position is not legal.
type Position struct {
	squares [2]uint32 // bit s of squares[side]: a piece of side on square s of its path
	home    [2]uint8
	pieces  uint8
	turn    board.Side
}

// Start returns the start of a game: all pieces in hand, Light to move.
func (r *Rules) Start() Position { return Position{pieces: uint8(r.def.Pieces)} }

// FromSquares builds a position from bit sets: bit s of squares[side] is a piece of side on
// square s of its own path, and home[side] counts its pieces at home; the rest are in hand.
// pieces is 1 to [MaxPieces], not necessarily that of the rule set. It returns an error if the
// result breaks the rules.
func (r *Rules) FromSquares(pieces int, turn board.Side, squares [2]uint32, home [2]int) (Position, error) {
	p := Position{squares: squares, pieces: uint8(min(max(pieces, 0), MaxPieces+1)), turn: turn}
	for side, n := range home {
		if n < 0 || n > MaxPieces {
			return Position{}, fmt.Errorf("%s: %d pieces home (want 0 to %d)", board.Side(side), n, pieces)
		}
		p.home[side] = uint8(n)
	}
	if err := r.Check(p); err != nil {
		return Position{}, err
	}
	return p, nil
}

// FromBoard converts a legal position under Finkel's rules.
func FromBoard(p board.Position) Position {
	return Position{
		squares: [2]uint32{uint32(p.Squares(board.Light)), uint32(p.Squares(board.Dark))},
		home:    [2]uint8{uint8(p.Home(board.Light)), uint8(p.Home(board.Dark))},
		pieces:  uint8(p.Pieces()),
		turn:    p.Turn(),
	}
}

// Board converts a position of the rule set finkel, the inverse of [FromBoard]. It returns an
// error for more than 7 pieces.
func (p Position) Board() (board.Position, error) {
	return board.FromSquares(int(p.pieces), p.turn,
		[2]uint16{uint16(p.squares[board.Light]), uint16(p.squares[board.Dark])},
		[2]int{int(p.home[board.Light]), int(p.home[board.Dark])})
}

// Check returns an error unless a position obeys the rules: 1 to [MaxPieces] pieces a side, at
// most that many on the path and home, no tile with two pieces, and at most one winner.
func (r *Rules) Check(p Position) error {
	if err := checkPieces(int(p.pieces)); err != nil {
		return err
	}
	for _, side := range [2]board.Side{board.Light, board.Dark} {
		if outside := p.squares[side] &^ r.path(); outside != 0 {
			return fmt.Errorf("%s: a piece on square %d (want 1 to %d)", side, bits.TrailingZeros32(outside), r.squares)
		}
		if n := p.walked(side); n > int(p.pieces) {
			return fmt.Errorf("%s: %d pieces on the path and home (want at most %d)", side, n, p.pieces)
		}
	}
	if both := p.squares[board.Light] & r.cross(p.squares[board.Dark]); both != 0 {
		return fmt.Errorf("both sides have a piece on %s", r.Tile(board.Light, bits.TrailingZeros32(both)))
	}
	if p.home[board.Light] == p.pieces && p.home[board.Dark] == p.pieces {
		return errors.New("both sides have every piece home")
	}
	if p.turn > board.Dark {
		return fmt.Errorf("side to move: %d (want 0 for light or 1 for dark)", p.turn)
	}
	return nil
}

// path returns the set of all squares of a path.
func (r *Rules) path() uint32 { return 1<<(r.squares+1) - 2 }

// cross returns the squares of the other path on the same tiles as a set of squares of one path.
func (r *Rules) cross(squares uint32) uint32 {
	return r.crossing[0][squares&0xff] | r.crossing[1][squares>>8&0xff] |
		r.crossing[2][squares>>16&0xff] | r.crossing[3][squares>>24]
}

// walked returns how many pieces of side have left the hand.
func (p Position) walked(side board.Side) int {
	return bits.OnesCount32(p.squares[side]) + int(p.home[side])
}

// Pieces returns the number of pieces of each side.
func (p Position) Pieces() int { return int(p.pieces) }

// Turn returns the side to move.
func (p Position) Turn() board.Side { return p.turn }

// Squares returns the occupied squares of side's path, square s at bit s.
func (p Position) Squares(side board.Side) uint32 { return p.squares[side] }

// Hand returns how many pieces of side have not entered the board yet.
func (p Position) Hand(side board.Side) int { return int(p.pieces) - p.walked(side) }

// Home returns how many pieces of side have finished.
func (p Position) Home(side board.Side) int { return int(p.home[side]) }

// Count returns how many pieces of side stand on a square of its path, 0 to Finish.
func (r *Rules) Count(p Position, side board.Side, square int) int {
	switch square {
	case board.Start:
		return p.Hand(side)
	case r.Finish():
		return p.Home(side)
	}
	return int(p.squares[side] >> square & 1)
}

// Winner returns the side with every piece home, if any.
func (p Position) Winner() (side board.Side, over bool) {
	switch p.pieces {
	case p.home[board.Light]:
		return board.Light, true
	case p.home[board.Dark]:
		return board.Dark, true
	}
	return board.Light, false
}

// Mirror returns p with the sides exchanged: Light's pieces are Dark's, and the other side is to
// move.
func (p Position) Mirror() Position {
	p.squares[board.Light], p.squares[board.Dark] = p.squares[board.Dark], p.squares[board.Light]
	p.home[board.Light], p.home[board.Dark] = p.home[board.Dark], p.home[board.Light]
	p.turn = p.turn.Other()
	return p
}

// Random returns a legal unfinished position with every piece on a random free square, so
// crowded, blocked and nearly finished positions are far more frequent than in play. It is meant
// for tests.
func (r *Rules) Random(rng *rand.Rand) Position {
	for {
		p := Position{pieces: uint8(r.def.Pieces), turn: board.Side(rng.IntN(2))}
		for piece := range 2 * r.def.Pieces {
			side, square := board.Side(piece%2), rng.IntN(r.Finish()+1)
			held := p.squares[side] | r.cross(p.squares[side.Other()])
			switch {
			case square == r.Finish():
				p.home[side]++
			case square != board.Start && held>>square&1 == 0:
				p.squares[side] |= 1 << square
			}
		}
		if _, over := p.Winner(); !over {
			return p
		}
	}
}
