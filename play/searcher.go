package play

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/search"
)

// Searcher is an instance of a player that searches, under the player's rule set with any number of pieces. It
// serves one goroutine.
type Searcher struct {
	player    Search
	searchers [board.MaxPieces + 1]*search.DiceSearcher[board.Position, *searchGame] // by pieces, once they are needed
}

// NewSearcher returns a new instance.
func (s Search) NewSearcher() *Searcher { return &Searcher{player: s} }

// of returns the searcher for positions with a number of pieces.
func (s *Searcher) of(ctx context.Context, pieces int) (*search.DiceSearcher[board.Position, *searchGame], error) {
	if found := s.searchers[pieces]; found != nil {
		return found, nil
	}
	o := s.player.Options
	g, err := s.player.game(ctx, pieces)
	if err == nil && s.player.Memory > 0 {
		o.Table, err = search.NewTable(s.player.Memory)
	}
	if err != nil {
		return nil, err
	}
	s.searchers[pieces], err = search.NewDice(g, o)
	return s.searchers[pieces], err
}

// Search searches a position before its roll, [search.NoRoll], or after, until a limit is
// reached. The best move is numbered in the result as in [board.Rules.Moves]. A pass has
// none and gives -1. It returns ctx's error when that has ended, and damage in a table.
func (s *Searcher) Search(ctx context.Context, p board.Position, roll int, l search.Limits) (search.Result, error) {
	if winner, over := p.Winner(); over {
		return search.Result{}, fmt.Errorf("the game is over, %s has won", winner)
	}
	searcher, err := s.of(ctx, p.Pieces())
	if err != nil {
		return search.Result{}, err
	}
	index, err := searcher.Game().rollIndex(roll)
	if err != nil {
		return search.Result{}, err
	}
	result, err := searcher.Search(ctx, p, index, l)
	if result.ID == passID {
		result.Best = -1
	}
	return result, cmp.Or(err, ctx.Err(), searcher.Game().damage())
}

// Choose searches. A time limit makes choices depend on the machine; a limit in depth or
// nodes does not.
func (s *Searcher) Choose(ctx context.Context, t *Turn) (int, error) {
	if len(t.Moves) == 1 {
		return 0, nil
	}
	if s.player.book != nil {
		if move, known := bookMove(s.player.book, t); known {
			return move, nil
		}
	}
	if s.player.Fresh {
		searcher, err := s.of(ctx, t.Position.Pieces())
		if err != nil {
			return 0, err
		}
		searcher.Table().Clear()
	}
	r, err := s.Search(ctx, t.Position, t.Roll, s.player.Limits)
	return max(0, r.Best), err
}

// By returns "search".
func (s *Searcher) By() string { return "search" }

// Evaluate searches, for the values of all moves.
func (s *Searcher) Evaluate(ctx context.Context, p board.Position, roll int) (e Evaluation, err error) {
	if winner, over := p.Winner(); over {
		if e.Best = -1; winner == p.Turn() {
			e.Win = 1
		}
		return e, nil
	}
	limits := s.player.Limits
	limits.AllMoves = true
	r, err := s.Search(ctx, p, roll, limits)
	e = Evaluation{Win: winOf(r.Value), Best: r.Best, Search: &r, searcher: s}
	for _, v := range r.Moves {
		e.Moves = append(e.Moves, winOf(v))
	}
	return e, err
}

// line returns the expected continuation after a search to a depth, whose best move is given,
// if every later roll is the likeliest: at most a number of moves in notation, the best move
// first. It searches on from there with the table's entries.
func (s *Searcher) line(ctx context.Context, p board.Position, best board.Move, depth, most int) ([]string, error) {
	r := s.player.rules
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
	searcher, err := s.of(ctx, p.Pieces())
	if err != nil {
		return err
	}
	return cmp.Or(searcher.FillBook(ctx, b, p, fill), searcher.Game().damage())
}
