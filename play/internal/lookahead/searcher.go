package lookahead

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
)

// Config sets the rules and the method of a search, and the value of its leaves.
type Config struct {
	Rules *board.Rules // with the pieces of the games
	Leaf  func() Leaf  // returns the leaf of a thread

	// Exact values positions of at most ExactPieces left a side, inside the search and at its
	// leaves. Nil for none.
	Exact       *solve.Table
	ExactPieces int

	Options search.Options
}

// Searcher searches positions of games of one rule set and number of pieces. It serves one
// goroutine.
type Searcher struct {
	game     *game
	searcher *search.DiceSearcher[board.Position, *game]
}

// New returns a searcher.
func New(c Config) (*Searcher, error) {
	if c.Exact != nil {
		c.ExactPieces = min(c.ExactPieces, c.Rules.Pieces())
		if err := c.Exact.Serves(c.ExactPieces); err != nil {
			return nil, err
		}
	}
	c.Options.Probe = c.Exact != nil
	g, err := newGame(&c)
	if err != nil {
		return nil, err
	}
	s, err := search.NewDice(g, c.Options)
	return &Searcher{g, s}, err
}

// Search searches a position before its roll, [search.NoRoll], or after, until a limit is
// reached. The number of the best move in the result is that of [board.Rules.Moves]. A pass has
// none and gives -1.
func (s *Searcher) Search(ctx context.Context, p board.Position, roll int, l search.Limits) (search.Result, error) {
	r := s.game.rules
	if p.Pieces() != r.Pieces() {
		return search.Result{}, fmt.Errorf("position has %d pieces a side (want %d)", p.Pieces(), r.Pieces())
	}
	if winner, over := p.Winner(); over {
		return search.Result{}, fmt.Errorf("the game is over, %s has won", winner)
	}
	index := search.NoRoll
	if roll != search.NoRoll {
		if index = slices.Index(s.game.rolls, roll); index < 0 {
			return search.Result{}, fmt.Errorf("roll %d of the rule set %q (want one of %v)", roll, r.Name(), s.game.rolls)
		}
	}
	result, err := s.searcher.Search(ctx, p, index, l)
	if result.ID == PassID {
		result.Best = -1
	}
	return result, err
}

// Line returns the expected continuation after a search to a depth, whose best move is given,
// if every later roll is the likeliest: at most a number of moves in notation, the best move
// first. It searches on from there with the entries of the table.
func (s *Searcher) Line(ctx context.Context, p board.Position, best board.Move, depth, most int) ([]string, error) {
	roll := LikelyRoll(s.game.rules)
	return Follow(s.game.rules, p, best, min(depth, most), s.game.rules.Notation, func(p board.Position, _ []board.Move, made int) (int, error) {
		r, err := s.Search(ctx, p, roll, search.Limits{Depth: depth - made, First: depth - made})
		if r.Depth == 0 {
			return -1, err
		}
		return r.Best, err
	})
}

// LikelyRoll returns the likeliest roll of a rule set, the longest of several: 2 with the dice of
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
// number of moves as name writes them, the first one included, or "pass". The function choose returns the
// number of the next move, given the moves made so far, or -1 to end the line.
func Follow(r *board.Rules, p board.Position, first board.Move, most int, name func(board.Side, board.Move) string,
	choose func(p board.Position, moves []board.Move, made int) (int, error)) ([]string, error) {
	roll := LikelyRoll(r)
	line := []string{name(p.Turn(), first)}
	p = r.Apply(p, first)
	for len(line) < most {
		if _, over := p.Winner(); over {
			break
		}
		moves := r.Moves(nil, p, roll)
		if len(moves) == 0 {
			line = append(line, "pass")
			p = p.Pass()
			continue
		}
		best, err := choose(p, moves, len(line))
		if err != nil || best < 0 {
			return line, err
		}
		line = append(line, name(p.Turn(), moves[best]))
		p = r.Apply(p, moves[best])
	}
	return line, nil
}

// BookGame returns the name of a rule set's game in opening books.
func BookGame(r *board.Rules) string {
	if r.Equal(board.Finkel()) {
		return "ur"
	}
	return "ur-" + r.Name()
}

// BookWorth is the bonus in a book for a move that won all of its games: five points of the
// probability to win.
const BookWorth = search.MaxValue / 10

// BookKey returns the key of a position after a roll in a book.
func BookKey(r *board.Rules, p board.Position, roll int) search.Key {
	index := 0 // of the roll among those of the dice
	for lower := range roll {
		if r.Weight(lower) > 0 {
			index++
		}
	}
	return keyOf(&p).Roll(index)
}

// BookMove returns the number of the best legal move of a position by a book.
func BookMove(b *search.Book, r *board.Rules, p board.Position, roll int, moves []board.Move) (n int, known bool) {
	best, known := b.Best(BookKey(r, p, roll), BookWorth)
	if !known {
		return 0, false
	}
	n = slices.IndexFunc(moves, func(m board.Move) bool { return m.From == best.ID })
	return max(0, n), n >= 0
}

// FillBook adds search results for a position and the positions after it to a book, as
// [search.DiceSearcher.FillBook] does.
func (s *Searcher) FillBook(ctx context.Context, b *search.Book, p board.Position, fill search.Fill) error {
	return s.searcher.FillBook(ctx, b, p, fill)
}
