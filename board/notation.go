package board

import (
	"fmt"
	"strings"
)

// The text form of a position is one field a side and the side to move:
//
//	5:L...L.........:0 6:....D.........:0 L
//
// A side's field is its pieces in hand, its squares 1 to 14 in the order they are
// walked (its letter where it has a piece, a dot where not), and its pieces home.

const notationHint = `want "hand:squares:home" for light and for dark and the side to move, as in "7:..............:0 7:..............:0 L"`

var sideLetters = [2]byte{'L', 'D'}

// String returns the text form of p; [ParsePosition] reads it.
func (p Position) String() string {
	var s strings.Builder
	for _, side := range [2]Side{Light, Dark} {
		fmt.Fprintf(&s, "%d:", p.Hand(side))
		for square := Start + 1; square < Finish; square++ {
			if p.Count(side, square) > 0 {
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

// ParsePosition reads the text form written by [Position.String]. Any white space separates
// fields. The error names the invalid field and the reason.
func ParsePosition(text string) (Position, error) {
	fields := strings.Fields(text)
	if len(fields) != 3 {
		return Position{}, fmt.Errorf("position %q: %d fields (%s)", clip(text), len(fields), notationHint)
	}
	var x [Numbers]int
	for _, side := range [2]Side{Light, Dark} {
		if err := parseSide((*[16]int)(x[16*side:]), fields[side], sideLetters[side]); err != nil {
			return Position{}, fmt.Errorf("position %q: %s's field %w", clip(text), side, err)
		}
	}
	switch fields[2] {
	case "L":
	case "D":
		x[32] = 1
	default:
		return Position{}, fmt.Errorf("position %q: side to move is %q (want L or D)", clip(text), clip(fields[2]))
	}
	p, err := FromNumbers(x)
	if err != nil {
		return Position{}, fmt.Errorf("position %q: %w", clip(text), err)
	}
	return p, nil
}

// parseSide reads one side's field into the counts of its squares 0..15.
func parseSide(row *[16]int, field string, letter byte) error {
	const size = len("7:..............:0")
	if len(field) != size || field[1] != ':' || field[size-2] != ':' {
		return fmt.Errorf("%q: malformed (%s)", clip(field), notationHint)
	}
	for square := range row {
		c := field[square+1]
		switch {
		case square == Start || square == Finish:
			if square == Start {
				c = field[0]
			} else {
				c = field[size-1]
			}
			if c < '0' || c > '0'+MaxPieces {
				return fmt.Errorf("has %q for a count of pieces (want 0 to %d)", c, MaxPieces)
			}
			row[square] = int(c - '0')
		case c == letter:
			row[square] = 1
		case c != '.':
			return fmt.Errorf("has %q on square %d (want %q or '.')", c, square, letter)
		}
	}
	return nil
}

// clip shortens text from outside so that an error message stays readable.
func clip(s string) string {
	const most = 80
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}

// MarshalText returns the text form, so JSON can hold a Position.
func (p Position) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads the text form.
func (p *Position) UnmarshalText(text []byte) error {
	q, err := ParsePosition(string(text))
	if err != nil {
		return err
	}
	*p = q
	return nil
}

// lightTiles are Light's squares 1..14 on the 3 x 8 board; Dark's are the same
// with rows A and C exchanged.
var lightTiles = [15]string{"", "A4", "A3", "A2", "A1", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "A8", "A7"}

// Tile names square 1..14 of a side's path as a tile of the 3 x 8 board, such as
// "B4": rows A, B, C and columns 1 to 8. It returns "" for any other square.
func Tile(side Side, square int) string {
	if square <= Start || square >= Finish {
		return ""
	}
	tile := lightTiles[square]
	if side == Dark && tile[0] == 'A' {
		return "C" + tile[1:]
	}
	return tile
}

// Notation names m by the tiles of the 3 x 8 board, as in "A4-A1". A piece enters by "in-A4"
// and finishes by "A7-home". "x" after the tile marks a capture, "*" a rosette.
func (m Move) Notation(side Side) string {
	from, to := "in", "home"
	if m.From != Start {
		from = Tile(side, int(m.From))
	}
	if m.To != Finish {
		to = Tile(side, int(m.To))
	}
	s := from + "-" + to
	if m.Capture {
		s += "x"
	}
	if IsRosette(int(m.To)) {
		s += "*"
	}
	return s
}
