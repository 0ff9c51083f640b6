package book

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/search"
)

// Options control a book's building.
type Options struct {
	Games   int             // games of self-play; each adds one position
	Discs   int             // no position has more discs; 24 if 0
	Curious float64         // discs by which a move may be worse to count as one ply deeper; 1.5 if 0
	Seed    uint64          // player's seed
	Player  reversi.Player  // values positions
	Report  func(games int) // is called after every game; may be nil
}

// Build adds the positions where games are most likely to leave the book: drop-out expansion
// (Lincke, "Strategies for the automatic construction of opening books", 2000). A line of moves
// costs one for every ply, and more for every move that is worse than the best of its position.
// The positions at the end of the cheapest lines out of the book come first. The player values all
// moves of a position, and the scores of all positions before it follow by negamax. A cancelled
// context ends Build early with the context's error; the book keeps the results so far.
func (b *Book) Build(ctx context.Context, o Options) error {
	if o.Games < 1 || o.Player == nil || o.Discs < 0 || o.Discs > 60 || o.Curious < 0 {
		return fmt.Errorf("book: %d games to %d discs, curious by %v (want a player, at least 1 game, at most 60 discs)", o.Games, o.Discs, o.Curious)
	}
	o.Discs = cmp.Or(o.Discs, 24)
	o.Curious = cmp.Or(o.Curious, 1.5)
	for n := 0; n < o.Games; {
		found := b.dropOuts(o, min(o.Games-n, 1+b.Len()/expansions))
		if len(found) == 0 {
			return nil // every line ends with its game, or has too many discs
		}
		for _, at := range found {
			if err := b.value(ctx, o, at); err != nil {
				return errors.Join(err, b.negamax())
			}
			if n++; o.Report != nil {
				o.Report(n)
			}
		}
		if err := b.negamax(); err != nil {
			return err
		}
	}
	return nil
}

// expansions is the part of a book that is added before scores and lines are computed again.
const expansions = 64

// leaf is a position at the end of a line, with the line's cost.
type leaf struct {
	at   board.Board
	cost float64
}

// frontier is a heap of positions, the cheapest first.
type frontier []leaf

func (f frontier) Len() int { return len(f) }
func (f frontier) Less(i, j int) bool {
	a, b := f[i], f[j]
	return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.at.Own, b.at.Own), cmp.Compare(a.at.Opp, b.at.Opp)) < 0
}
func (f frontier) Swap(i, j int) { f[i], f[j] = f[j], f[i] }
func (f *frontier) Push(x any)   { *f = append(*f, x.(leaf)) }
func (f *frontier) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}

// dropOuts returns up to n positions outside of the book, those of the cheapest lines first.
func (b *Book) dropOuts(o Options, n int) (found []board.Board) {
	start, _ := board.Start.Canonical()
	lines := &frontier{{at: start}}
	seen := map[board.Board]bool{}
	for lines.Len() > 0 && len(found) < n {
		line := heap.Pop(lines).(leaf)
		if seen[line.at] {
			continue
		}
		seen[line.at] = true
		hints := b.Moves(line.at)
		if len(hints) == 0 {
			found = append(found, line.at)
			continue
		}
		for _, h := range hints {
			next, _, over := after(line.at, h.Square)
			if !over && 64-next.Empties() <= o.Discs && !seen[next] {
				heap.Push(lines, leaf{next, line.cost + 1 + (hints[0].Score-h.Score)/o.Curious})
			}
		}
	}
	return found
}

// after returns the canonical board behind a move where a side can move, and the sign of its value
// for the side that made the move: 1 where the other side must pass.
func after(at board.Board, s board.Square) (next board.Board, sign search.Value, over bool) {
	next, sign = at.Play(s, at.Flips(s)), -1
	if next.Moves() == 0 {
		next, sign = next.Pass(), 1
	}
	over = next.Moves() == 0
	next, _ = next.Canonical()
	return next, sign, over
}

// value adds a position with the player's scores of all moves.
func (b *Book) value(ctx context.Context, o Options, at board.Board) error {
	o.Player.NewGame(o.Seed)
	c, err := o.Player.Choose(ctx, board.Position{Board: at}, reversi.Limits{AllMoves: true})
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return err
	}
	return b.Add(at, c.Moves, c.Depth)
}

// boards returns the book's canonical boards, those with the most discs first.
func (b *Book) boards() (all []board.Board) {
	for k := range b.positions.All() {
		if p, err := board.ParsePosition(b.positions.Text(k), "X"); err == nil && keyOf(p.Board) == k {
			all = append(all, p.Board)
		}
	}
	slices.SortStableFunc(all, func(x, y board.Board) int { return cmp.Compare(x.Empties(), y.Empties()) })
	return all
}

// negamax computes the scores of all moves with a known position behind them, from the last
// positions to the first.
func (b *Book) negamax() error {
	for _, at := range b.boards() {
		k := keyOf(at)
		for _, s := range board.Squares(at.Moves()) {
			next, sign, _ := after(at, s)
			reply, known := b.positions.Best(keyOf(next), 0)
			if !known {
				continue
			}
			if err := b.put(k, uint8(s), sign*min(reply.Score, 64*eval.Disc), reply.Depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}
