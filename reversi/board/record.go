package board

import (
	"fmt"
	"iter"
	"strings"
)

// Record is a game: where it began, and the moves. Passes are own moves here
// but not in text, where they follow from the rules.
type Record struct {
	From  Position
	Moves []Square
}

// ParseRecord reads moves as text, such as "f5d6c3", from a position. Blanks, commas and hyphens between moves are
// skipped, and so are numbers, as in "1. f5 d6 2. c3". Passes may be left out, because they follow from the rules. An
// illegal move is an error with its number.
func ParseRecord(from Position, text string) (Record, error) {
	r := Record{From: from}
	p := from
	text = trimMoveSeparators(text)
	for n := 1; text != ""; n++ {
		if len(text) < 2 {
			return r, fmt.Errorf("move %d: incomplete square %q", n, text)
		}
		s, err := ParseSquare(text[:2])
		if err != nil {
			return r, fmt.Errorf("move %d: %w", n, err)
		}
		text = text[2:]
		if s == Pass && len(text) >= 2 && strings.EqualFold(text[:2], "ss") { // rest of "pass"
			text = text[2:]
		}
		text = trimMoveSeparators(text)
		if p, err = r.AddFrom(p, s); err != nil {
			return r, fmt.Errorf("move %d: %w", n, err)
		}
	}
	return r, nil
}

// AddFrom plays a move at p, the end of the record, and before it the pass that may be left out. It returns the new
// end.
func (r *Record) AddFrom(p Position, s Square) (Position, error) {
	if s != Pass && p.Moves() == 0 && !p.Over() {
		r.Moves = append(r.Moves, Pass)
		p = Position{p.Board.Pass(), p.Side.Other()}
	}
	next, err := p.Play(s)
	if err == nil {
		r.Moves = append(r.Moves, s)
	}
	return next, err
}

// trimMoveSeparators removes the text before a move that is none itself. "--" is a pass.
func trimMoveSeparators(text string) string {
	for {
		text = strings.TrimLeft(text, " \t\r\n,;")
		number := strings.TrimLeft(text, "0123456789")
		switch {
		case strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "--"):
			text = text[1:]
		case number != text && strings.HasPrefix(number, "."):
			text = strings.TrimLeft(number, ".")
		default:
			return text
		}
	}
}

// Positions returns the number of every move and the position before it, and at last the position after all
// moves. They must be legal; ParseRecord and Add ensure this.
func (r Record) Positions() iter.Seq2[int, Position] {
	return func(yield func(int, Position) bool) {
		p, err := r.From, error(nil)
		for i := 0; err == nil && yield(i, p) && i < len(r.Moves); i++ {
			p, err = p.Play(r.Moves[i])
		}
	}
}

// End returns the position after the last move.
func (r Record) End() (end Position) {
	for _, end = range r.Positions() {
	}
	return end
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
	problem := fmt.Sprintf("got %d words before the first semicolon", len(words))
	switch len(words) {
	case 0:
		return p, false, nil
	case 1:
		problem = fmt.Sprintf("got only %.70q before the first semicolon", words[0])
		if len(words[0]) == 64 {
			problem = "the side to move is missing"
		}
	case 2:
		p, err = ParsePosition(words[0], words[1])
		return p, err == nil, err
	}
	return p, false, fmt.Errorf("%s (want 64 squares, a blank, and X or O, such as %q)", problem, StartPosition().String())
}
