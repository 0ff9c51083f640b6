package board

import (
	"fmt"
	"strings"
)

// Record is a game: where it began, and the moves. Passes are own moves here
// but not in text, where they follow from the rules.
type Record struct {
	From  Position
	Moves []Square
}

// ParseRecord reads moves as text, such as "f5d6c3", from a position. Blanks between moves are
// skipped. Passes may be left out, because they follow from the rules. An illegal move is an
// error with its number.
func ParseRecord(from Position, text string) (Record, error) {
	r := Record{From: from}
	p := from
	text = strings.Join(strings.Fields(text), "")
	for n := 1; text != ""; n++ {
		if len(text) < 2 {
			return r, fmt.Errorf("move %d: incomplete square %q", n, text)
		}
		s, err := ParseSquare(text[:2])
		if err != nil {
			return r, fmt.Errorf("move %d: %w", n, err)
		}
		text = strings.TrimPrefix(text[2:], "ss") // rest of "pass"
		if p.Moves() == 0 && !p.Over() {
			if p, err = p.Play(Pass); err != nil {
				return r, fmt.Errorf("move %d: %w", n, err)
			}
			r.Moves = append(r.Moves, Pass)
			if s == Pass {
				continue
			}
		}
		if p, err = p.Play(s); err != nil {
			return r, fmt.Errorf("move %d: %w", n, err)
		}
		r.Moves = append(r.Moves, s)
	}
	return r, nil
}

// End returns the position after the last move. All moves must be legal; ParseRecord and Add
// ensure this.
func (r Record) End() Position {
	p := r.From
	for _, s := range r.Moves {
		next, err := p.Play(s)
		if err != nil {
			return p
		}
		p = next
	}
	return p
}

// Add plays a move at the end.
func (r *Record) Add(s Square) error {
	if _, err := r.End().Play(s); err != nil {
		return err
	}
	r.Moves = append(r.Moves, s)
	return nil
}

// Text returns the moves as ParseRecord reads them, without passes.
func (r Record) Text() string {
	var text strings.Builder
	for _, s := range r.Moves {
		if s != Pass {
			text.WriteString(s.String())
		}
	}
	return text.String()
}

// ParseOBF reads a line in an .obf file, the usual format for sets of positions: 64 squares, a blank,
// and the side to move. The scores of moves behind a semicolon are skipped, and a % starts a comment.
// For a line with only blanks or a comment, ok is false.
func ParseOBF(line string) (p Position, ok bool, err error) {
	line, _, _ = strings.Cut(line, "%")
	position, _, _ := strings.Cut(line, ";")
	words := strings.Fields(position)
	switch len(words) {
	case 0:
		return p, false, nil
	case 2:
		p, err = ParsePosition(words[0], words[1])
		return p, err == nil, err
	}
	return p, false, fmt.Errorf("got %d words before the first semicolon (want 64 squares, a blank, and X or O, such as %q)", len(words), StartPosition().String())
}
