// Package book keeps openings of Reversi: positions, and for each the moves that were
// looked at, with scores. A book is made by playing against oneself ([Build]): every game
// follows the book's best lines, with some curiosity, to a position that is not in it,
// which a player then values move by move; the scores of the positions on the way follow
// by negamax. It is read and written as text, one position a line, so that books can be
// looked through, mended, and joined.
package book

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// Book holds positions up to symmetry. It is not for use by several goroutines while it
// grows.
type Book struct {
	positions map[board.Board][]move // by the canonical board
}

// move is a legal move of a canonical board.
type move struct {
	square board.Square
	score  float64 // discs for the side to move
}

// New returns an empty book.
func New() *Book { return &Book{positions: map[board.Board][]move{}} }

// Len returns the number of positions.
func (b *Book) Len() int { return len(b.positions) }

// Move returns the best move of a position and its score, if the book knows it.
func (b *Book) Move(at board.Board) (board.Square, float64, bool) {
	canonical, by := at.Canonical()
	moves := b.positions[canonical]
	if len(moves) == 0 {
		return board.None, 0, false
	}
	return moves[0].square.Symmetric(board.Undo(by)), moves[0].score, true
}

// Moves returns all moves that the book knows of a position, best first.
func (b *Book) Moves(at board.Board) []reversi.Hint {
	canonical, by := at.Canonical()
	var hints []reversi.Hint
	for _, m := range b.positions[canonical] {
		hints = append(hints, reversi.Hint{Square: m.square.Symmetric(board.Undo(by)), Score: m.score})
	}
	return hints
}

// Add notes the moves of a position, which must be legal, in place of what was known.
func (b *Book) Add(at board.Board, hints []reversi.Hint) error {
	canonical, by := at.Canonical()
	legal := canonical.Moves()
	var moves []move
	for _, h := range hints {
		s := h.Square.Symmetric(by)
		if s < 0 || s > 63 || legal&s.Bit() == 0 {
			return fmt.Errorf("%s is no legal move", h.Square)
		}
		if !(h.Score >= -64 && h.Score <= 64) {
			return fmt.Errorf("the score of %s is %v: want -64 to 64", h.Square, h.Score)
		}
		if slices.ContainsFunc(moves, func(m move) bool { return m.square == s }) {
			return fmt.Errorf("%s stands there twice", h.Square)
		}
		moves = append(moves, move{s, h.Score})
	}
	if len(moves) == 0 {
		return errors.New("a position without moves")
	}
	sortMoves(moves)
	b.positions[canonical] = moves
	return nil
}

// sortMoves puts the best first, of equals the first square.
func sortMoves(moves []move) {
	slices.SortFunc(moves, func(x, y move) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.square, y.square))
	})
}

// magic is the first line of a book.
const magic = "# reversi.book/1: 64 squares of the side to move (X), then its moves with scores in discs, best first"

// Write writes the book as text, sorted, so that equal books are equal files.
func (b *Book) Write(to io.Writer) error {
	out := bufio.NewWriter(to)
	fmt.Fprintln(out, magic)
	lines := make([]string, 0, len(b.positions))
	for at, moves := range b.positions {
		line := board.Position{Board: at}.Text()
		for _, m := range moves {
			line += fmt.Sprintf(" %s:%+.2f", m.square, m.score)
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	for _, line := range lines {
		fmt.Fprintln(out, line)
	}
	return out.Flush()
}

// Read reads what Write has written, or a person: of a position that comes twice the last
// line holds. Lines that begin with # are comments.
func Read(from io.Reader) (*Book, error) {
	b := New()
	in := bufio.NewScanner(from)
	in.Buffer(nil, 1<<16)
	for n := 1; in.Scan(); n++ {
		if line := strings.TrimSpace(in.Text()); line != "" && line[0] != '#' {
			if err := b.readLine(line); err != nil {
				return nil, fmt.Errorf("book, line %d: %w", n, err)
			}
		}
	}
	return b, in.Err()
}

func (b *Book) readLine(line string) error {
	fields := strings.Fields(line)
	p, err := board.ParsePosition(fields[0], "X")
	if err != nil {
		return err
	}
	var hints []reversi.Hint
	for _, f := range fields[1:] {
		name, score, _ := strings.Cut(f, ":")
		s, err := board.ParseSquare(name)
		if err != nil {
			return err
		}
		v, err := strconv.ParseFloat(score, 64)
		if err != nil {
			return fmt.Errorf("%q is no move with a score, such as f5:+0.50", f)
		}
		hints = append(hints, reversi.Hint{Square: s, Score: v})
	}
	return b.Add(p.Board, hints)
}

// Options say how a book is made.
type Options struct {
	Games   int             // games to play against oneself; each adds one position
	Discs   int             // no position has more discs; 24 if 0
	Curious float64         // how many discs a move may be worse than the best and still be tried; 1.5 if 0
	Seed    uint64          // of what is tried
	Player  reversi.Player  // values positions
	Report  func(games int) // hears of every game; may be nil
}

// Build plays games and adds what they find. A cancelled context ends it early with the
// context's error; the book holds what was found until then.
func (b *Book) Build(ctx context.Context, o Options) error {
	if o.Games < 1 || o.Player == nil || o.Discs < 0 || o.Discs > 60 || o.Curious < 0 {
		return fmt.Errorf("book: %d games to %d discs, curious by %v: want a player, at least 1 game, at most 60 discs", o.Games, o.Discs, o.Curious)
	}
	if o.Discs == 0 {
		o.Discs = 24
	}
	if o.Curious == 0 {
		o.Curious = 1.5
	}
	random := rand.New(rand.NewPCG(o.Seed, 64))
	for n := range o.Games {
		if err := b.game(ctx, o, random); err != nil {
			return err
		}
		if o.Report != nil {
			o.Report(n + 1)
		}
	}
	return nil
}

// game follows the book to a position that is not in it, adds that, and brings the scores
// of the positions on the way up to date.
func (b *Book) game(ctx context.Context, o Options, random *rand.Rand) error {
	var path []board.Board
	at := board.Start
	for {
		if at.Moves() == 0 {
			if at.Over() {
				break
			}
			at = at.Pass()
		}
		canonical, _ := at.Canonical()
		at = canonical
		moves, known := b.positions[at]
		if !known {
			if 64-at.Empties() > o.Discs {
				break
			}
			if err := b.value(ctx, o, at); err != nil {
				return err
			}
			path = append(path, at)
			break
		}
		path = append(path, at)
		s := try(random, moves, o.Curious).square
		at = at.Play(s, at.Flips(s))
	}
	for _, p := range slices.Backward(path) {
		b.update(p)
	}
	return nil
}

// try returns one of the moves that are at most so much worse than the best.
func try(random *rand.Rand, moves []move, curious float64) move {
	n := 1
	for n < len(moves) && moves[n].score >= moves[0].score-curious {
		n++
	}
	return moves[random.IntN(n)]
}

// value asks the player for the scores of all moves.
func (b *Book) value(ctx context.Context, o Options, at board.Board) error {
	o.Player.NewGame(o.Seed)
	c, err := o.Player.Choose(ctx, board.Position{Board: at}, reversi.Limits{AllMoves: true})
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return b.Add(at, c.Moves)
}

// update takes over the scores of the positions behind the moves, where the book knows
// them.
func (b *Book) update(at board.Board) {
	moves := b.positions[at]
	for i := range moves {
		next, sign := at.Play(moves[i].square, at.Flips(moves[i].square)), -1.0
		if next.Moves() == 0 {
			next, sign = next.Pass(), 1
		}
		canonical, _ := next.Canonical()
		if replies := b.positions[canonical]; len(replies) > 0 {
			moves[i].score = sign * replies[0].score
		}
	}
	sortMoves(moves)
}

// Join adds the positions of another book; where both know one, the other's holds.
func (b *Book) Join(other *Book) {
	for at, moves := range other.positions {
		b.positions[at] = slices.Clone(moves)
	}
}
