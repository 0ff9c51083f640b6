package main

import (
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	reversi "github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/search/tictactoe"
)

// Lines to a depth are those of perft, and a game of tic-tac-toe has at most nine plies.
func TestGrowth(t *testing.T) {
	testkit.Equal(t, countLines(reversi.Start, 5, without(reversiChildren)), 1396, "lines of Reversi to depth 5")
	g := growthOf("tictactoe", 3, tictactoe.Position{}, without(childrenOf[tictactoe.Position](tictactoe.Game{})))
	testkit.ErrorIf(t, g.plies < 5 || g.plies > 9 || g.moves < 3 || g.moves > 9 || g.base < 3 || g.base > 9, "%+v", g)
}
