package book

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// Edax's text form of a book has a line for each position:
//
//	64 SQUARES X,LEVEL,MOVE,SCORE
//
// X is the side to move. MOVE is the best move that leads out of the book, with its score in
// discs, or "--" where every move leads to a position of the book. Scores of the other moves
// follow by negamax.

// edaxNone is the score of no move.
const edaxNone = -127

// WriteEdax writes the book in Edax's text form. Scores are rounded to discs, and the results of
// games are left out.
func (b *Book) WriteEdax(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, at := range b.boards() {
		move, score, level := "--", edaxNone, 1
		for _, m := range b.positions.Moves(b.key(at)) {
			level = max(level, m.Depth)
		}
		for _, h := range b.Moves(at) {
			next, _, over := after(at, h.Square)
			if over || b.positions.Moves(b.key(next)) == nil {
				move, score = h.Square.String(), int(math.Round(h.Score))
				break
			}
		}
		if _, err := fmt.Fprintf(out, "%s X,%d,%s,%d\n", board.Position{Board: at}.Text(), min(level, 60), move, score); err != nil {
			return err
		}
	}
	return out.Flush()
}

// ReadEdax adds the positions of a book in Edax's text form.
func (b *Book) ReadEdax(r io.Reader) error {
	var inner []board.Board // positions whose moves all lead to positions of the book
	in := bufio.NewScanner(r)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		if line == "" {
			continue
		}
		at, known, err := b.readEdaxLine(line)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if !known {
			inner = append(inner, at)
		}
	}
	if err := in.Err(); err != nil {
		return err
	}
	return b.negamax(inner...)
}

// readEdaxLine reads a position, and adds it to the book if the line has a move.
func (b *Book) readEdaxLine(line string) (at board.Board, known bool, err error) {
	fields := strings.Split(line, ",")
	if len(fields) != 4 {
		return at, false, fmt.Errorf("%d fields (want board, level, move and score)", len(fields))
	}
	squares, side, _ := strings.Cut(strings.TrimSpace(fields[0]), " ")
	p, err := board.ParsePosition(squares, strings.TrimSpace(side))
	if err != nil {
		return at, false, err
	}
	level, err := strconv.Atoi(strings.TrimSpace(fields[1]))
	if err != nil || level < 0 || level > 60 {
		return at, false, fmt.Errorf("invalid level %q (want 0 to 60)", fields[1])
	}
	score, err := strconv.Atoi(strings.TrimSpace(fields[3]))
	if err != nil {
		return at, false, fmt.Errorf("invalid score %q (want whole discs)", fields[3])
	}
	at, by := p.Board.Canonical()
	name := strings.ToLower(strings.TrimSpace(fields[2]))
	if score == edaxNone || name == "--" {
		return at, false, nil
	}
	s, err := board.ParseSquare(name)
	if err != nil || s == board.Pass { // a book holds no passes here
		return at, false, err
	}
	return at, true, b.Add(at, []reversi.Hint{{Square: s.Symmetric(by), Score: float64(score)}}, max(1, level))
}
