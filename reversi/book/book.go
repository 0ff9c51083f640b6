// Package book keeps openings of Reversi in a [search.Book]. Symmetric positions share an
// entry. A book is made by self-play ([Book.Build]) and learns from the results of games
// ([Book.Learn]).
package book

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/search"
)

// Book is an opening book. Any number of goroutines may read a book while none changes it.
type Book struct {
	positions *search.Book
}

// game names Reversi in a file.
const game = "reversi"

// New returns an empty book.
func New() *Book {
	positions, _ := search.NewBook(game) // the name is legal
	return &Book{positions: positions}
}

// A book that exists would be extended.
//
//go:generate go run ../../cmd/reversi book build generated.txt --games 400 --discs 20 --player search:depth=10,exact=0
//go:generate mv -f generated.txt openings.txt

// shipped is the book of the program.
//
//go:embed openings.txt
var shipped []byte

// Shipped returns the book of the program, which must not be changed.
var Shipped = sync.OnceValues(func() (*Book, error) { return read(bytes.NewReader(shipped)) })

// Open reads a book from a file.
func Open(name string) (*Book, error) { return safefile.Parse(name, read) }

// read reads a file of a book. Its lines may end as on Windows.
func read(from io.Reader) (*Book, error) {
	file, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	positions, err := search.ReadBook(bytes.NewReader(bytes.ReplaceAll(file, []byte("\r\n"), []byte("\n"))), game)
	return &Book{positions: positions}, err
}

// Write writes the book. Equal books are equal files.
func (b *Book) Write(w io.Writer) error {
	_, err := b.positions.WriteTo(w)
	return err
}

// Len returns the number of positions.
func (b *Book) Len() int { return b.positions.Len() }

// keyOf returns the key of a canonical board in a file of a book.
func keyOf(canonical board.Board) search.Key {
	x := canonical.Own*0x9e3779b97f4a7c15 ^ bits.RotateLeft64(canonical.Opp, 32)*0xbf58476d1ce4e5b9
	y := bits.RotateLeft64(canonical.Own, 17)*0x94d049bb133111eb ^ canonical.Opp*0xd6e8feb86659fd93
	return search.Key{Index: x ^ x>>29, Check: y ^ y>>32 ^ x<<1}
}

// worth is the bonus in discs of a move that won all of many games, and the penalty of a move
// that lost them.
const worth = 4 * eval.Disc

// Move returns the best move of a position by its score and the results of its games, and
// the score in discs.
func (b *Book) Move(at board.Board) (board.Square, float64, bool) {
	canonical, by := at.Canonical()
	best, known := b.positions.Best(keyOf(canonical), worth)
	s := board.Square(best.ID).Symmetric(board.Undo(by))
	if !known || !legal(at, s) {
		return board.None, 0, false
	}
	return s, float64(best.Score) / eval.Disc, true
}

// legal reports whether a square of a file is a legal move.
func legal(at board.Board, s board.Square) bool { return s >= 0 && s < 64 && at.Moves()&s.Bit() != 0 }

// Moves returns a position's moves with scores, best first.
func (b *Book) Moves(at board.Board) []reversi.Hint {
	canonical, by := at.Canonical()
	var hints []reversi.Hint
	for _, m := range b.positions.Moves(keyOf(canonical)) {
		if s := board.Square(m.ID).Symmetric(board.Undo(by)); m.Depth > 0 && legal(at, s) {
			hints = append(hints, reversi.Hint{Square: s, Score: float64(m.Score) / eval.Disc})
		}
	}
	return hints
}

// Add sets the scores of moves of a position, found by a search to a depth.
func (b *Book) Add(at board.Board, hints []reversi.Hint, depth int) error {
	canonical, by := at.Canonical()
	k := keyOf(canonical)
	seen := uint64(0)
	for _, h := range hints {
		s := h.Square.Symmetric(by)
		switch {
		case !legal(canonical, s):
			return fmt.Errorf("illegal move %s", h.Square)
		case !(h.Score >= -64 && h.Score <= 64):
			return fmt.Errorf("the score of %s is %v (want -64 to 64)", h.Square, h.Score)
		case seen&s.Bit() != 0:
			return fmt.Errorf("%s comes twice", h.Square)
		}
		seen |= s.Bit()
		if err := b.put(k, uint8(s), search.Value(math.Round(h.Score*eval.Disc)), depth); err != nil {
			return err
		}
	}
	if seen == 0 {
		return errors.New("a position without moves")
	}
	return b.positions.SetText(k, board.Position{Board: canonical}.Text())
}

// put sets the score of a move and keeps its games.
func (b *Book) put(k search.Key, id uint8, score search.Value, depth int) error {
	m, moves := search.BookMove{ID: id}, b.positions.Moves(k)
	if i := slices.IndexFunc(moves, func(m search.BookMove) bool { return m.ID == id }); i >= 0 {
		m = moves[i]
	}
	m.Score, m.Depth = score, max(1, min(depth, search.MaxDepth))
	return b.positions.Put(k, m)
}

// Extend adds the position where a game leaves the book, valued as in [Book.Build], unless it has more than o.Discs
// discs.
func (b *Book) Extend(ctx context.Context, o Options, r board.Record) error {
	for i, p := range r.Positions() {
		canonical, _ := p.Canonical()
		switch {
		case i == len(r.Moves) || 64-p.Empties() > o.Discs:
			return nil
		case r.Moves[i] != board.Pass && b.positions.Moves(keyOf(canonical)) == nil:
			return cmp.Or(b.value(ctx, o, canonical), b.negamax())
		}
	}
	return nil
}

// Learn counts a finished game at its positions in the book.
func (b *Book) Learn(r board.Record) error {
	if !r.End().Over() {
		return errors.New("the game is not over")
	}
	for i, p := range r.Positions() {
		if i == len(r.Moves) || r.Moves[i] == board.Pass {
			continue
		}
		canonical, by := p.Canonical()
		if k := keyOf(canonical); b.positions.Moves(k) != nil {
			if err := b.positions.Learn(k, uint8(r.Moves[i].Symmetric(by)), reversi.ScoreFor(r, p.Side)); err != nil {
				return err
			}
		}
	}
	return nil
}
