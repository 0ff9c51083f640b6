package ursearch

import (
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/solvetest"
	"github.com/seed-09dcdc84/ur/search"
)

// Nothing allocates after the first search, whatever values the leaves; also where the exact
// solution knows the root.
func TestNothingAllocatesAfterTheFirstSearch(t *testing.T) {
	exact := solvetest.Values(t, 2)
	for name, c := range map[string]Config{
		"brain": {Pieces: 7}, "exact behind": {Pieces: 3, Exact: exact, ExactPieces: 2},
		"exact root": {Pieces: 2, Exact: exact, ExactPieces: 2}, "exact leaves": {Pieces: 2, Leaf: TableLeaf(exact)},
	} {
		for _, o := range allOptions(t) {
			c.Options = o
			s := newTestSearcher(t, c)
			p := board.StartPosition(c.Pieces)
			for depth := 1; depth <= 2; depth++ {
				look := func() { lookUp(t, s, p, 2, search.Limits{Depth: depth}) }
				look()
				if n := testing.AllocsPerRun(3, look); n != 0 {
					t.Errorf("%s: a search of %s to depth %d allocates %v times", name, o.Algorithm, depth, n)
				}
				look = func() { lookUp(t, s, p, search.NoRoll, search.Limits{Depth: depth}) }
				look()
				if n := testing.AllocsPerRun(3, look); n != 0 {
					t.Errorf("%s: a search of %s before the roll to depth %d allocates %v times", name, o.Algorithm, depth, n)
				}
			}
		}
	}
}
