package board

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// A position's text form is one field a side and the side to move:
//
//	5:L...L.........:0 6:....D.........:0 L
//
// A side's field is its pieces in hand, the squares on its path in the order they are walked
// (its letter where it has a piece, a dot where not), and its pieces home.

var sideLetters = [2]byte{'L', 'D'}

// FormatPosition returns a position's text form; [Rules.ParsePosition] reads it.
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
