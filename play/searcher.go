package play

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/search"
)

// Searcher searches positions in games under one rule set with one number of pieces. It serves one
// goroutine.
type Searcher struct {
	game     *searchGame
	searcher *search.DiceSearcher[board.Position, *searchGame]
	table    *search.Table
}

// Search searches a position before its roll, [search.NoRoll], or after, until a limit is
// reached. The best move is numbered in the result as in [board.Rules.Moves]. A pass has
// none and gives -1. It returns ctx's error when that has ended, and damage in a table.
func (s *Searcher) Search(ctx context.Context, p board.Position, roll int, l search.Limits) (search.Result, error) {
	r := s.game.rules
	if p.Pieces() != r.Pieces() {
		return search.Result{}, fmt.Errorf("position has %d pieces a side (want %d)", p.Pieces(), r.Pieces())
	}
	if winner, over := p.Winner(); over {
		return search.Result{}, fmt.Errorf("the game is over, %s has won", winner)
	}
	index, err := s.game.rollIndex(roll)
	if err != nil {
		return search.Result{}, err
	}
	result, err := s.searcher.Search(ctx, p, index, l)
	if result.ID == passID {
		result.Best = -1
	}
	return result, cmp.Or(err, ctx.Err(), s.game.damage())
}

// line returns the expected continuation after a search to a depth, whose best move is given,
// if every later roll is the likeliest: at most a number of moves in notation, the best move
// first. It searches on from there with the table's entries.
func (s *Searcher) line(ctx context.Context, p board.Position, best board.Move, depth, most int) ([]string, error) {
	r := s.game.rules
	return Follow(r, p, best, min(depth, most), r.Notation, func(p board.Position, made int) (int, error) {
		result, err := s.Search(ctx, p, LikelyRoll(r), search.Limits{Depth: depth - made, First: depth - made})
		if result.Depth == 0 {
			return -1, err
		}
		return result.Best, err
	})
}

// LikelyRoll returns a rule set's likeliest roll, the longest among several: 2 with the dice in
// all built-in ones.
func LikelyRoll(r *board.Rules) int {
	likely := 0
	for roll := range r.MaxRoll() + 1 {
		if r.Weight(roll) >= r.Weight(likely) {
			likely = roll
		}
	}
	return likely
}

// Follow returns the game after a first move if every later roll is the [LikelyRoll]: at most a
// number of moves as name writes them, such as [board.Rules.Notation], the first one included, or
// "pass". The function choose returns the number of the next move, given the moves made so far, or
// -1 to end the line.
func Follow(r *board.Rules, p board.Position, first board.Move, most int, name func(board.Side, board.Move) string,
	choose func(p board.Position, made int) (int, error)) ([]string, error) {
	line := []string{name(p.Turn(), first)}
	p = r.Apply(p, first)
	for len(line) < most {
		if _, over := p.Winner(); over {
			break
		}
		moves := r.Moves(nil, p, LikelyRoll(r))
		if len(moves) == 0 {
			line = append(line, "pass")
			p = p.Pass()
			continue
		}
		best, err := choose(p, len(line))
		if err != nil || best < 0 {
			return line, err
		}
		line = append(line, name(p.Turn(), moves[best]))
		p = r.Apply(p, moves[best])
	}
	return line, nil
}

// BookGame returns the name for a rule set's game in opening books.
func BookGame(r *board.Rules) string {
	if r.Equal(board.Finkel()) {
		return "ur"
	}
	return "ur-" + r.Name()
}

// bookWorth is the bonus in a book for a move that won all its games: five points in the
// probability to win.
const bookWorth = search.MaxValue / 10

// BookKey returns a position's key after a roll in a book.
func BookKey(r *board.Rules, p board.Position, roll int) search.Key {
	index := 0 // index of the roll among the dice's
	for lower := range roll {
		if r.Weight(lower) > 0 {
			index++
		}
	}
	return keyOf(&p).Roll(index)
}

// bookMove returns the number of a turn's best legal move by a book.
func bookMove(b *search.Book, t *Turn) (n int, known bool) {
	best, known := b.Best(BookKey(t.Rules, t.Position, t.Roll), bookWorth)
	if !known {
		return 0, false
	}
	n = slices.IndexFunc(t.Moves, func(m board.Move) bool { return m.From == best.ID })
	return max(0, n), n >= 0
}

// FillBook adds search results for a position and the positions after it to a book, as
// [search.DiceSearcher.FillBook] does.
func (s *Searcher) FillBook(ctx context.Context, b *search.Book, p board.Position, fill search.Fill) error {
	return cmp.Or(s.searcher.FillBook(ctx, b, p, fill), s.game.damage())
}
