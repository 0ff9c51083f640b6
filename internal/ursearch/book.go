package ursearch

import (
	"context"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/search"
)

const (
	// BookGame names the game in opening books, for any number of pieces.
	BookGame = "ur"

	// BookWorth is the bonus in a book for a move that won all of its games: five points of the
	// probability to win.
	BookWorth = search.MaxValue / 10
)

// BookKey returns the key of a position after a roll in a book.
func BookKey(p board.Position, roll int) search.Key { return wordOf(p).key().Roll(roll) }

// BookMove returns the number of the best legal move of a position by a book.
func BookMove(b *search.Book, p board.Position, roll int, moves []board.Move) (n int, known bool) {
	best, known := b.Best(BookKey(p, roll), BookWorth)
	if !known {
		return 0, false
	}
	n = slices.IndexFunc(moves, func(m board.Move) bool { return m.From == best.ID })
	return max(0, n), n >= 0
}

// FillBook adds search results for a position and the positions after it to a book, as
// [search.DiceSearcher.FillBook] does.
func (s *Searcher) FillBook(ctx context.Context, b *search.Book, p board.Position, fill search.Fill) error {
	return s.look.fill(ctx, b, p, fill)
}

func (d *diceLooker[G]) fill(ctx context.Context, b *search.Book, p board.Position, fill search.Fill) error {
	return d.searcher.FillBook(ctx, b, d.game.Position(p), fill)
}

// Describe implements [search.Describer]: the side to move is Light.
func (g *Game) Describe(p *Position) string { return p.word.board(g.pieces).String() }

// Describe implements [search.Describer].
func (g *LeafGame) Describe(p *Position) string { return p.word.board(g.pieces).String() }
