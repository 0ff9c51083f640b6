// Package solvetest gives exact solutions of small games to tests.
package solvetest

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/solve"
)

// solutions holds the solutions found so far, by the number of pieces.
var solutions [board.FinkelPieces + 1]struct {
	sync.Once
	values solve.Values
	err    error
}

// Values returns the exact solution of the game with the given number of pieces, found once for
// all tests of a package: 2 take a moment, 3 half a second, 4 many. The caller may change it.
func Values(t testing.TB, pieces int) solve.Values {
	t.Helper()
	s := &solutions[pieces]
	s.Do(func() {
		// Another test may want it when this one has ended.
		solution, err := solve.Solve(context.WithoutCancel(t.Context()), pieces, solve.Options{})
		if s.err = err; err == nil {
			s.values = solution.Values
		}
	})
	if s.err != nil {
		t.Fatal(s.err)
	}
	return slices.Clone(s.values)
}
