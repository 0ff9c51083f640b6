// Package solvetest gives exact solutions of small games to tests.
package solvetest

import (
	"context"
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/solve"
)

// solutions holds the solutions found so far, by the number of pieces.
var solutions [board.FinkelPieces + 1]struct {
	sync.Once
	table *solve.Table
	err   error
}

// Game returns Finkel's rules with a number of pieces.
func Game(t testing.TB, pieces int) *board.Rules {
	t.Helper()
	return testkit.Must(board.Finkel().WithPieces(pieces))(t)
}

// Table returns the exact solution of Finkel's rules with the given number of pieces, found once for
// all tests of a package: 2 take a moment, 3 half a second, 4 many.
func Table(t testing.TB, pieces int) *solve.Table {
	t.Helper()
	s := &solutions[pieces]
	s.Do(func() {
		// Another test may want it when this one has ended.
		s.table, s.err = solve.Solve(context.WithoutCancel(t.Context()), Game(t, pieces), solve.Options{})
	})
	return testkit.Must(s.table, s.err)(t)
}

// Map returns a table in memory with f of every value of a table.
func Map(t *solve.Table, f func(float64) float64) *solve.Table {
	values := make([]float64, t.Index().Positions(t.Pieces()))
	for rank := range values {
		values[rank] = f(t.At(rank))
	}
	return solve.NewTable(t.Index(), t.Pieces(), values)
}
