package ursearch

import (
	"cmp"
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
)

// Config sets the method of a search and the value of its leaves. Leaves are valued by Leaf, or
// else by Brain.
type Config struct {
	Pieces int // of each player, 1 to 7

	Brain *ur.Brain // nil for the built-in one
	Curve *Curve    // of the brain; nil for [CurveOf]

	Leaf     Leaf        // nil for one of ForkLeaf, or where there is none for the brain
	ForkLeaf func() Leaf // returns the leaf of a thread; nil when all may share Leaf

	// Exact values positions of at most ExactPieces left a side, inside the search
	// and at its leaves. Nil for none.
	Exact       solve.Table
	ExactPieces int

	Options search.Options
}

// Searcher searches positions of games of one number of pieces. It serves one goroutine.
type Searcher struct {
	look   looker
	pieces int
}

// looker hides the type of the searched game.
type looker interface {
	search(ctx context.Context, p board.Position, roll int, l search.Limits) (search.Result, error)
	ponder(ctx context.Context, p board.Position, roll int, l search.Limits) *search.Thought
	fill(ctx context.Context, b *search.Book, p board.Position, fill search.Fill) error
}

// game is the part of a game used by a looker.
type game interface {
	search.DiceGame[Position]
	Position(board.Position) Position
}

// diceLooker is a looker of a game.
type diceLooker[G game] struct {
	game     G
	searcher *search.DiceSearcher[Position, G]
}

func newLooker[G game](g G, o search.Options) (looker, error) {
	s, err := search.NewDice(g, o)
	if err != nil {
		return nil, err
	}
	return &diceLooker[G]{g, s}, nil
}

func (d *diceLooker[G]) search(ctx context.Context, p board.Position, roll int, l search.Limits) (search.Result, error) {
	return d.searcher.Search(ctx, d.game.Position(p), roll, l)
}

// New returns a searcher.
func New(c Config) (*Searcher, error) {
	if err := board.CheckPieces(c.Pieces); err != nil {
		return nil, err
	}
	exact := endgames{c.Exact, min(c.ExactPieces, c.Pieces)}
	if c.Exact != nil && exact.pieces > c.Exact.Pieces() {
		return nil, &solve.SmallTableError{Pieces: c.Exact.Pieces(), Want: exact.pieces}
	}
	c.Options.Probe = c.Exact != nil
	if c.Leaf == nil && c.ForkLeaf != nil {
		c.Leaf = c.ForkLeaf()
	}
	var look looker
	var err error
	if c.Leaf != nil {
		look, err = newLooker(newLeafGame(c.Pieces, c.Leaf, c.ForkLeaf, exact), c.Options)
	} else {
		c.Brain = cmp.Or(c.Brain, ur.DefaultBrain())
		if c.Curve == nil {
			c.Curve = CurveOf(c.Brain)
		}
		look, err = newLooker(NewGame(c.Brain, c.Curve, c.Pieces, c.Exact, exact.pieces), c.Options)
	}
	if err != nil {
		return nil, err
	}
	return &Searcher{look, c.Pieces}, nil
}

// Search searches a position before its roll, [search.NoRoll], or after, until a limit is
// reached. The number of the best move in the result is that of [board.Position.Moves]. A pass
// has none and gives -1.
func (s *Searcher) Search(ctx context.Context, p board.Position, roll int, l search.Limits) (search.Result, error) {
	if p.Pieces() != s.pieces {
		return search.Result{}, fmt.Errorf("position has %d pieces a side (want %d)", p.Pieces(), s.pieces)
	}
	if winner, over := p.Winner(); over {
		return search.Result{}, fmt.Errorf("the game is over, %s has won", winner)
	}
	r, err := s.look.search(ctx, p, roll, l)
	if r.ID == PassID {
		r.Best = -1
	}
	return r, err
}

// LikelyRoll is the likeliest roll: that of the lines returned by [Searcher.Line].
const LikelyRoll = 2

// Line returns the expected continuation after a search to a depth, whose best move is given,
// if every roll after the first is [LikelyRoll]. The line has at most a number of moves, the
// best move first, each as name writes it, such as [board.Move.Notation], or "pass". Line
// searches on from there with the entries of the table.
func (s *Searcher) Line(ctx context.Context, p board.Position, best board.Move, depth, most int, name func(board.Move, board.Side) string) ([]string, error) {
	choose := func(p rules.Position, _ []board.Move, made int) (int, error) {
		on, err := p.Board()
		if err != nil {
			return -1, err
		}
		return next(s.Search(ctx, on, LikelyRoll, search.Limits{Depth: depth - made, First: depth - made}))
	}
	return Follow(rules.Finkel(), rules.FromBoard(p), best, LikelyRoll, min(depth, most), name, choose)
}

// next returns the best move of a search as the next one of a line, -1 if the search has none.
func next(r search.Result, err error) (int, error) {
	if r.Depth == 0 {
		return -1, err
	}
	return r.Best, err
}

// Ponder begins to search a position in the background. Until the thought has been waited for,
// the searcher must not be used for anything else.
func (s *Searcher) Ponder(ctx context.Context, p board.Position, roll int, l search.Limits) *search.Thought {
	return s.look.ponder(ctx, p, roll, l)
}

func (d *diceLooker[G]) ponder(ctx context.Context, p board.Position, roll int, l search.Limits) *search.Thought {
	return d.searcher.Ponder(ctx, d.game.Position(p), roll, l)
}
