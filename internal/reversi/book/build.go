package book

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/search"
)

// Options control the building of a book.
type Options struct {
	Games   int             // games of self-play; each adds one position
	Discs   int             // no position has more discs; 24 if 0
	Curious float64         // how many discs a move may be worse than the best and still be tried; 1.5 if 0
	Seed    uint64          // of the moves tried
	Player  reversi.Player  // values positions
	Report  func(games int) // is called after every game; may be nil
}

// Build plays games and adds their new positions. Every game follows the book's best lines,
// with some exploration, to a position outside the book. The player values that position move
// by move, and the scores of the positions on the way follow by negamax. A cancelled context
// ends Build early with the context's error; the book keeps the results so far.
func (b *Book) Build(ctx context.Context, o Options) error {
	if o.Games < 1 || o.Player == nil || o.Discs < 0 || o.Discs > 60 || o.Curious < 0 {
		return fmt.Errorf("book: %d games to %d discs, curious by %v (want a player, at least 1 game, at most 60 discs)", o.Games, o.Discs, o.Curious)
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

// game follows the book to a position outside of it, adds the position, and updates the scores
// of the positions on the way.
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
		at, _ = at.Canonical()
		hints := b.Moves(at)
		if len(hints) == 0 {
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
		s := try(random, hints, o.Curious)
		at = at.Play(s, at.Flips(s))
	}
	for _, p := range slices.Backward(path) {
		if err := b.update(p); err != nil {
			return err
		}
	}
	return nil
}

// try returns one of the moves within a margin of the best.
func try(random *rand.Rand, hints []reversi.Hint, curious float64) board.Square {
	n := 1
	for n < len(hints) && hints[n].Score >= hints[0].Score-curious {
		n++
	}
	return hints[random.IntN(n)].Square
}

// value adds a position with the player's scores of all moves.
func (b *Book) value(ctx context.Context, o Options, at board.Board) error {
	o.Player.NewGame(o.Seed)
	c, err := o.Player.Choose(ctx, board.Position{Board: at}, reversi.Limits{AllMoves: true})
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return b.Add(at, c.Moves, c.Depth)
}

// update takes over the scores of the positions behind the moves of a canonical board,
// where the book knows them.
func (b *Book) update(at board.Board) error {
	k := b.key(at)
	for _, m := range slices.Clone(b.positions.Moves(k)) {
		s := board.Square(m.ID)
		if m.Depth == 0 || !legal(at, s) {
			continue
		}
		next, sign := at.Play(s, at.Flips(s)), search.Value(-1)
		if next.Moves() == 0 {
			next, sign = next.Pass(), 1
		}
		canonical, _ := next.Canonical()
		reply, known := b.positions.Best(b.key(canonical), 0)
		if !known {
			continue
		}
		if err := b.put(k, m.ID, sign*min(reply.Score, 64*eval.Disc), reply.Depth+1); err != nil {
			return err
		}
	}
	return nil
}
