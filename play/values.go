package play

import (
	"context"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
)

// AsSearch returns a player as one that searches positions of a rule set: a search itself, and a
// player with values of positions as a search of one ply. It returns false for a player without
// values. Of brains and the exact solution the values in the search are rounded.
func AsSearch(p Player, r *board.Rules) (Search, bool) {
	if level, ok := p.(Level); ok {
		p = Net{Spec: level.Name(), Value: level.value}
	}
	switch p := p.(type) {
	case Search:
		return p, true
	case valuer:
		return Search{
			spec: p.Name(), rules: r, limits: search.Limits{Depth: 1, First: 1},
			options: DefaultSearchOptions(), memory: aheadMemory, leaf: p,
		}, true
	}
	return Search{}, false
}

// ExactTable returns the table of a player that plays by the exact solution, for positions with
// at most a number of pieces a side to bring home. It returns false for any other player.
func ExactTable(ctx context.Context, p Player, pieces int) (t *solve.Table, ok bool, err error) {
	switch p := p.(type) {
	case Perfect:
		t, err = p.Table(ctx, pieces)
	case perfectLevel:
		t, err = p.Table(ctx, pieces)
	default:
		return nil, false, nil
	}
	return t, true, err
}
