package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Fill limits a book made by search.
type Fill struct {
	Plies  int    // longest line of moves in the book
	Margin Value  // moves scoring at most this much less than the best are followed
	Limits Limits // limits for each position; AllMoves is implied
}

// Describer is a game that describes its positions to readers of books.
type Describer[P any] interface {
	// Describe returns one line.
	Describe(p *P) string
}

// FillBook makes a book by search. It scores all moves after a roll, stored under
// [Key.Roll], follows the moves within the margin, and rescores these by the positions after
// them: a move's value is the mean over the rolls that follow. Positions the book already
// holds to Limits.Depth are not searched again, so an interrupted fill can be resumed. When ctx
// is done, FillBook returns its error and keeps the scores found so far.
func (s *DiceSearcher[P, G]) FillBook(ctx context.Context, b *Book, root P, fill Fill) error {
	fill.Limits.AllMoves = true
	f := filler[P, G]{s, b, fill, map[Key]int{}, map[Key]backed{}}
	_, err := f.fillPosition(ctx, root, s.game.Key(&root), fill.Plies)
	return err
}

// backed is a position's value computed from the book's entries below it, and the least
// depth among the scores used: 0 when the book has no entries.
type backed struct {
	value Value
	depth int
}

// filler fills a book.
type filler[P any, G DiceGame[P]] struct {
	*DiceSearcher[P, G]
	book   *Book
	fill   Fill
	seen   map[Key]int // depth in plies of the positions filled
	values map[Key]backed
}

// fillPosition fills in a position after each roll and returns its value.
func (f *filler[P, G]) fillPosition(ctx context.Context, p P, key Key, plies int) (backed, error) {
	if f.seen[key] >= plies {
		return f.values[key], nil
	}
	f.seen[key] = plies
	mean := backed{depth: MaxDepth}
	var sum Value
	for roll, weight := range f.weights {
		var list List[P]
		f.game.Moves(&p, roll, &list)
		if list.n == 0 {
			return backed{}, nil
		}
		if err := f.scoreMoves(ctx, &p, roll, key.Roll(roll), list.All(), plies); err != nil {
			return backed{}, err
		}
		best := f.book.Moves(key.Roll(roll))[0]
		sum += weight * best.Score
		mean.depth = min(mean.depth, best.Depth)
	}
	mean.value = f.weightedMean(sum)
	f.values[key] = mean
	return mean, nil
}

// scoreMoves scores a position's moves after a roll, and rescores the followed ones from
// below.
func (f *filler[P, G]) scoreMoves(ctx context.Context, p *P, roll int, key Key, moves []Move[P], plies int) error {
	known := func(m Move[P]) BookMove { return f.book.findMove(key, m.ID) }
	depth := f.fill.Limits.Depth
	if slices.ContainsFunc(moves, func(m Move[P]) bool { return depth == 0 || known(m).Depth < depth }) {
		r, err := f.Search(ctx, *p, roll, f.fill.Limits)
		if err = cmp.Or(err, ctx.Err()); err == nil && r.Depth == 0 {
			err = fmt.Errorf("a search of %+v finished no depth (want more time or nodes)", f.fill.Limits)
		}
		for i := 0; i < len(moves) && err == nil; i++ {
			err = f.book.Score(key, moves[i].ID, r.Moves[i], r.Depth)
		}
		if d, ok := any(f.game).(Describer[P]); ok && err == nil {
			err = f.book.SetText(key, fmt.Sprintf("%s, roll %d", d.Describe(p), roll))
		}
		if err != nil {
			return err
		}
	}
	if plies <= 1 {
		return nil
	}
	least := f.book.Moves(key)[0].Score - f.fill.Margin
	for _, m := range moves {
		if known(m).Score < least {
			continue
		}
		behind, err := f.fillPosition(ctx, m.Next, m.Key, plies-1)
		if err == nil && behind.depth > 0 {
			err = f.book.Score(key, m.ID, moverValue(&m, behind.value), min(behind.depth+1, MaxDepth))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
