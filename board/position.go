package board

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// Side is one player out of two. Light moves first.
type Side uint8

// The two players, with their values in entry 32 of the array form.
const (
	Light Side = 0
	Dark  Side = 1
)

// Other returns the opponent to s.
func (s Side) Other() Side { return s ^ 1 }

// Sign is 1 for Light, the maximizing side, and -1 for Dark, the minimizing side. It is also
// the change in the turn number when the side's turn ends.
func (s Side) Sign() int { return 1 - 2*int(s) }

// String returns "light" or "dark".
func (s Side) String() string {
	if s == Light {
		return "light"
	}
	return "dark"
}

// Start is the square on every path for pieces in hand. The path's squares follow from 1 on.
const Start = 0

// Position is a game's state between two turns: the pieces' places and the side to move.
// It is 12 bytes and comparable, and does not hold its rules: use it with the [Rules] that made
// it. This package's constructors and methods return only legal positions. The zero Position has
// no pieces and is not legal.
type Position struct {
	squares [2]uint32 // bit s of squares[side]: a piece of side on square s of its path
	home    [2]uint8
	pieces  uint8
	turn    Side
}

// StartPosition returns a game's start under any rules with a number of pieces a side: all in
// hand, Light to move. It panics unless pieces is 1 to [MaxPieces].
func StartPosition(pieces int) Position {
	if err := checkPieces(pieces); err != nil {
		panic(err)
	}
	return Position{pieces: uint8(pieces)}
}

// Start returns a game's start with the rule set's number of pieces.
func (r *Rules) Start() Position { return StartPosition(r.def.Pieces) }

// FromSquares builds a position from bit sets: bit s in squares[side] is side's piece on square s
// of its own path, and home[side] counts its pieces at home; the rest are in hand. pieces is 1 to
// [MaxPieces], not necessarily the rule set's. It returns an error if the result breaks the rules.
func (r *Rules) FromSquares(pieces int, turn Side, squares [2]uint32, home [2]int) (Position, error) {
	p := Position{squares: squares, pieces: uint8(min(max(pieces, 0), MaxPieces+1)), turn: turn}
	for side, n := range home {
		if n < 0 || n > MaxPieces {
			return Position{}, fmt.Errorf("%s: %d pieces home (want 0 to %d)", Side(side), n, pieces)
		}
		p.home[side] = uint8(n)
	}
	if err := r.Check(p); err != nil {
		return Position{}, err
	}
	return p, nil
}

// Check returns an error unless a position obeys the rules: 1 to [MaxPieces] pieces a side, at
// most that many on the path and home, no tile with two pieces, and at most one winner.
func (r *Rules) Check(p Position) error {
	if err := checkPieces(int(p.pieces)); err != nil {
		return err
	}
	for _, side := range [2]Side{Light, Dark} {
		if outside := p.squares[side] &^ (1<<(r.squares+1) - 2); outside != 0 {
			return fmt.Errorf("%s: a piece on square %d (want 1 to %d)", side, bits.TrailingZeros32(outside), r.squares)
		}
		if n := p.squaresWalked(side); n > int(p.pieces) {
			return fmt.Errorf("%s: %d pieces on the path and home (want at most %d)", side, n, p.pieces)
		}
	}
	if both := p.squares[Light] & r.crossPath(p.squares[Dark]); both != 0 {
		return fmt.Errorf("both sides have a piece on %s", r.Tile(Light, bits.TrailingZeros32(both)))
	}
	if p.home[Light] == p.pieces && p.home[Dark] == p.pieces {
		return errors.New("both sides have every piece home")
	}
	if p.turn > Dark {
		return fmt.Errorf("side to move: %d (want 0 for light or 1 for dark)", p.turn)
	}
	return nil
}

// crossPath returns the squares on the other path with the same tiles as a set of squares on one path.
func (r *Rules) crossPath(squares uint32) uint32 {
	return r.crossing[0][squares&0xff] | r.crossing[1][squares>>8&0xff] |
		r.crossing[2][squares>>16&0xff] | r.crossing[3][squares>>24]
}

// squaresWalked returns how many pieces side has moved from the hand.
func (p Position) squaresWalked(side Side) int {
	return bits.OnesCount32(p.squares[side]) + int(p.home[side])
}

// Pieces returns each side's number of pieces.
func (p Position) Pieces() int { return int(p.pieces) }

// Turn returns the side to move.
func (p Position) Turn() Side { return p.turn }

// Squares returns the occupied squares on side's path, square s at bit s.
func (p Position) Squares(side Side) uint32 { return p.squares[side] }

// Hand returns how many pieces side has not entered on the board yet.
func (p Position) Hand(side Side) int { return int(p.pieces) - p.squaresWalked(side) }

// Home returns how many pieces side has finished.
func (p Position) Home(side Side) int { return int(p.home[side]) }

// Count returns how many pieces side has on a square of its path, 0 to Finish.
func (r *Rules) Count(p Position, side Side, square int) int {
	switch square {
	case Start:
		return p.Hand(side)
	case r.Finish():
		return p.Home(side)
	}
	return int(p.squares[side] >> square & 1)
}

// Walked returns how many squares the pieces of a side have come from the hand.
func (r *Rules) Walked(p Position, side Side) (squares int) {
	for square := 1; square <= r.Finish(); square++ {
		squares += square * r.Count(p, side, square)
	}
	return squares
}

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

// Mirror returns p with the sides exchanged: Light's pieces become Dark's, and the turn changes.
func (p Position) Mirror() Position {
	p.squares[Light], p.squares[Dark] = p.squares[Dark], p.squares[Light]
	p.home[Light], p.home[Dark] = p.home[Dark], p.home[Light]
	p.turn = p.turn.Other()
	return p
}

// Random returns a legal unfinished position with a number of pieces a side and every piece on a
// random free square, so crowded, blocked and nearly finished positions are far more frequent
// than in play. It is meant for tests.
func (r *Rules) Random(rng *rand.Rand, pieces int) Position {
	for {
		p := StartPosition(pieces)
		p.turn = Side(rng.IntN(2))
		for piece := range 2 * pieces {
			side, square := Side(piece%2), rng.IntN(r.Finish()+1)
			held := p.squares[side] | r.crossPath(p.squares[side.Other()])
			switch {
			case square == r.Finish():
				p.home[side]++
			case square != Start && held>>square&1 == 0:
				p.squares[side] |= 1 << square
			}
		}
		if _, over := p.Winner(); !over {
			return p
		}
	}
}

var sideLetters = [2]byte{'L', 'D'}

// FormatPosition returns a position's text form, one field a side and the side to move:
//
//	5:L...L.........:0 6:....D.........:0 L
//
// A side's field is its pieces in hand, the squares on its path in the order they are walked
// (its letter where it has a piece, a dot where not), and its pieces home.
func (r *Rules) FormatPosition(p Position) string {
	var s strings.Builder
	for _, side := range [2]Side{Light, Dark} {
		fmt.Fprintf(&s, "%d:", p.Hand(side))
		for square := 1; square <= r.squares; square++ {
			if p.squares[side]>>square&1 != 0 {
				s.WriteByte(sideLetters[side])
			} else {
				s.WriteByte('.')
			}
		}
		fmt.Fprintf(&s, ":%d ", p.Home(side))
	}
	s.WriteByte(sideLetters[p.turn&1])
	return s.String()
}

// ParsePosition reads the text form written by [Rules.FormatPosition]. Any white space separates
// fields. Both sides have the same number of pieces, 1 to [MaxPieces]. The error names the invalid
// field and the accepted form.
func (r *Rules) ParsePosition(form string) (p Position, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("position %q: %w", text.Clip(form), err)
		}
	}()
	fields := strings.Fields(form)
	if len(fields) != 3 {
		return Position{}, fmt.Errorf("%d fields (%s)", len(fields), r.textHint())
	}
	var (
		squares [2]uint32
		home    [2]int
		pieces  [2]int
		turn    Side
	)
	for _, side := range [2]Side{Light, Dark} {
		hand, set, n, err := r.parseSide(fields[side], sideLetters[side])
		if err != nil {
			return Position{}, fmt.Errorf("%s's field %q: %w", side, text.Clip(fields[side]), err)
		}
		squares[side], home[side], pieces[side] = set, n, hand+bits.OnesCount32(set)+n
	}
	if pieces[Light] != pieces[Dark] {
		return Position{}, fmt.Errorf("%d pieces of light and %d of dark (want the same number)", pieces[Light], pieces[Dark])
	}
	switch fields[2] {
	case "L":
	case "D":
		turn = Dark
	default:
		return Position{}, fmt.Errorf("side to move %q (want L or D)", text.Clip(fields[2]))
	}
	return r.FromSquares(pieces[Light], turn, squares, home)
}

// parseSide reads one side's field.
func (r *Rules) parseSide(field string, letter byte) (hand int, squares uint32, home int, err error) {
	parts := strings.Split(field, ":")
	if len(parts) != 3 || len(parts[1]) != r.squares {
		return 0, 0, 0, fmt.Errorf("malformed (%s)", r.textHint())
	}
	for i, c := range []byte(parts[1]) {
		switch c {
		case letter:
			squares |= 1 << (i + 1)
		case '.':
		default:
			return 0, 0, 0, fmt.Errorf("%q on square %d (want %q or '.')", c, i+1, letter)
		}
	}
	if hand, err = parseCount(parts[0]); err == nil {
		home, err = parseCount(parts[2])
	}
	return hand, squares, home, err
}

// parseCount reads how many pieces there are, in digits only and without leading zeros.
func parseCount(digits string) (int, error) {
	n, err := strconv.ParseUint(digits, 10, 8)
	if err != nil || int(n) > MaxPieces || strconv.Itoa(int(n)) != digits {
		return 0, fmt.Errorf("%q for a count of pieces (want 0 to %d)", text.Clip(digits), MaxPieces)
	}
	return int(n), nil
}

// textHint shows a position's form by a game's start.
func (r *Rules) textHint() string {
	return fmt.Sprintf("want \"hand:squares:home\" of light, the same of dark, and the side to move, as in %q", r.FormatPosition(r.Start()))
}

// Notation names a move by the tiles on the board, as in "A4-A1". A piece enters by "in-A4" and
// finishes by "A7-home". "x" after the tile marks a capture, "*" a rosette.
func (r *Rules) Notation(side Side, m Move) string {
	from, to := "in", "home"
	if m.From != Start {
		from = r.Tile(side, int(m.From))
	}
	if int(m.To) != r.Finish() {
		to = r.Tile(side, int(m.To))
	}
	s := from + "-" + to
	if m.Capture {
		s += "x"
	}
	if r.IsRosette(int(m.To)) {
		s += "*"
	}
	return s
}
