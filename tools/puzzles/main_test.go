package main

import (
	"errors"
	"math"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/puzzle"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// The search that found the built-in puzzles finds them again, where the exact solution is in the cache.
func TestBuiltIn(t *testing.T) {
	table, err := play.DefaultTables().Find(board.Finkel())
	_, missing := errors.AsType[*solve.MissingTableError](err)
	testkit.SkipIf(t, missing || testing.Short(), "without the exact solution they are not found again")
	testkit.NoError(t, err)
	puzzles := testkit.Must(puzzle.All())(t)
	finder := builtIn
	finder.table = table
	again := testkit.Must(finder.findPuzzles(t.Context()))(t)
	testkit.MustEqual(t, len(again), len(puzzles), "puzzles")
	for i, p := range puzzles {
		p.Choices = nil // TD-Ur's weights are not here
		testkit.Equal(t, again[i], p, "puzzle %d", i)
	}
}

// Equal searches find equal puzzles, of any number of pieces, with the values of the exact solution.
func TestFind(t *testing.T) {
	table := testkit.Must(play.DefaultTables().Table(t.Context(), solvetest.Game(t, 3)))(t)
	players := testkit.Must(parseNamed("simple=greedy,chance=random"))(t)
	s := finder{table: table, games: 300, seed: 3, player: "level:2", each: 2, players: players}
	first := testkit.Must(s.findPuzzles(t.Context()))(t)
	testkit.MustEqual(t, testkit.Must(s.findPuzzles(t.Context()))(t), first, "the puzzles of another search")
	testkit.FatalIf(t, len(first) < 4, "%d puzzles", len(first))
	for _, p := range first {
		turn := p.MustTurn()
		v := testkit.Must(play.TableEvaluator(table).Evaluate(t.Context(), turn.Position, p.Roll))(t)
		testkit.FatalIf(t, turn.Position.Pieces() != 3 || turn.Position.Turn() != board.Light || p.Title() == "" ||
			len(p.Moves) < 2, "puzzle %+v", p)
		best := p.Moves[p.Index(p.Best)]
		for i, m := range p.Moves {
			testkit.ErrorIf(t, m.Move != turn.Notation(turn.Moves[i]) || m.Regret < 0 ||
				math.Abs(best.Win-m.Win-m.Regret) > 1e-9 || math.Abs(v.Moves[i]-m.Win) > 1e-6,
				"puzzle %d: move %d is %+v", p.Number, i, m)
		}
		testkit.ErrorIf(t, len(p.Choices) != 2 || p.Choices[0].Player != "simple" || p.Index(p.Choices[0].Move) < 0 ||
			p.Index(p.Choices[1].Move) < 0, "puzzle %d: choices %+v", p.Number, p.Choices)
	}
}
