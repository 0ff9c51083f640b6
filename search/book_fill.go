package search

import (
	"context"
	"fmt"
)

// Fill limits a book made by search.
type Fill struct {
	Plies  int    // longest line of moves in the book
	Margin Value  // moves scoring at most this much less than the best are followed
	Limits Limits // of the search of each position; AllMoves is implied
}

// Describer is a game with texts of positions, for readers of books.
type Describer[P any] interface {
	// Describe returns one line.
	Describe(p *P) string
}

// FillBook makes a book by search. It scores every move of a position after a roll, stored under
// [Key.Roll], follows the moves within the margin, and rescores these by the positions after
// them: the value of a move is the mean over the rolls that follow. Positions the book already
// holds to Limits.Depth are not searched again, so an interrupted fill can be resumed. When ctx
// is done, FillBook returns its error and keeps the scores found so far.
func (s *DiceSearcher[P, G]) FillBook(ctx context.Context, b *Book, root P, fill Fill) error {
	f := newFiller[P](b, fill, s.game)
	values := map[Key]backed{}
	var value func(p P, key Key, plies int) (backed, error)
	value = func(p P, key Key, plies int) (backed, error) {
		if f.seen[key] >= plies {
			return values[key], nil
		}
		f.seen[key] = plies
		mean := backed{depth: MaxDepth}
		var sum Value
		for roll, weight := range s.weights {
			var list List[P]
			s.game.Moves(&p, roll, &list)
			if list.n == 0 {
				return backed{}, nil
			}
			search := func(l Limits) (Result, error) { return s.Search(ctx, p, roll, l) }
			if err := f.position(ctx, f.text(&p, roll), key.Roll(roll), &list, plies, search, value); err != nil {
				return backed{}, err
			}
			best := b.Moves(key.Roll(roll))[0]
			sum += weight * best.Score
			mean.depth = min(mean.depth, best.Depth)
		}
		mean.value = s.mean(sum)
		values[key] = mean
		return mean, nil
	}
	_, err := value(root, s.game.Key(&root), fill.Plies)
	return err
}

// backed returns the value of a position computed from the book's entries below it, and the
// least depth of the scores used: 0 when the book has no entries.
type backed struct {
	value Value
	depth int
}

// filler fills a book.
type filler[P any] struct {
	book     *Book
	fill     Fill
	seen     map[Key]int // depth in plies of the positions filled
	describe func(p *P) string
}

func newFiller[P any](b *Book, fill Fill, game any) *filler[P] {
	fill.Limits.AllMoves = true
	f := &filler[P]{book: b, fill: fill, seen: map[Key]int{}}
	if d, ok := game.(Describer[P]); ok {
		f.describe = d.Describe
	}
	return f
}

// text returns the text of a position and its roll; "" when the game has none.
func (f *filler[P]) text(p *P, roll int) string {
	switch {
	case f.describe == nil:
		return ""
	case roll == NoRoll:
		return f.describe(p)
	}
	return fmt.Sprintf("%s, roll %d", f.describe(p), roll)
}

// position scores the moves of a position, and rescores the followed ones from below.
func (f *filler[P]) position(ctx context.Context, text string, key Key, list *List[P], plies int,
	search func(Limits) (Result, error), value func(P, Key, int) (backed, error)) error {
	if !f.filled(key, list) {
		r, err := search(f.fill.Limits)
		if err == nil {
			err = ctx.Err()
		}
		if err == nil && r.Depth == 0 {
			err = fmt.Errorf("a search of %+v finished no depth (want more time or nodes)", f.fill.Limits)
		}
		if err != nil {
			return err
		}
		for i := range list.n {
			if err := f.book.Score(key, list.slots[i].ID, r.Moves[i], r.Depth); err != nil {
				return err
			}
		}
		if err := f.book.SetText(key, text); err != nil {
			return err
		}
	}
	if plies <= 1 {
		return nil
	}
	least := f.book.Moves(key)[0].Score - f.fill.Margin
	for i := range list.n {
		m := &list.slots[i]
		if f.book.move(key, m.ID).Score < least {
			continue
		}
		behind, err := value(m.Next, m.Key, plies-1)
		if err == nil && behind.depth > 0 {
			err = f.book.Score(key, m.ID, turned(m, behind.value), min(behind.depth+1, MaxDepth))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// filled reports whether the book has all moves of a position to the depth wanted.
func (f *filler[P]) filled(key Key, list *List[P]) bool {
	for i := range list.n {
		if m := f.book.move(key, list.slots[i].ID); f.fill.Limits.Depth == 0 || m.Depth < f.fill.Limits.Depth {
			return false
		}
	}
	return true
}
