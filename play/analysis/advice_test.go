package analysis

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

// Advice by the table is what perfect play does, move after move of its line.
func TestAdvice(t *testing.T) {
	table, err := play.DefaultTables().Table(context.Background(), solvetest.Game(t, 2))
	if err != nil {
		t.Fatal(err)
	}
	e := play.TableEvaluator(table)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		p := board.Finkel().Random(rng, 2)
		for roll := 1; roll <= board.FinkelRoll; roll++ {
			moves := board.Finkel().Moves(nil, p, roll)
			if len(moves) == 0 {
				continue
			}
			a, err := Advise(t.Context(), e, &play.Turn{Rules: board.Finkel(), Position: p, Roll: roll, Moves: moves}, board.Finkel().Notation)
			if err != nil {
				t.Fatal(err)
			}
			best, worth := table.BestMove(p, moves)
			if a.By != "table" || a.Best != best || a.Win[best] != worth || a.Regret(best) != 0 {
				t.Fatalf("%s, roll %d: %+v, want move %d worth %g", board.Finkel().FormatPosition(p), roll, a, best, worth)
			}
			for i, m := range moves {
				if a.Win[i] != table.After(p, m) || a.Regret(i) < 0 {
					t.Fatalf("%s, roll %d: %+v", board.Finkel().FormatPosition(p), roll, a)
				}
			}
			checkLine(t, table, p, moves[best], a.Line)
		}
	}
}

// checkLine plays a line by the rules.
func checkLine(t *testing.T, table *solve.Table, p board.Position, first board.Move, line []string) {
	t.Helper()
	if line[0] != board.Finkel().Notation(p.Turn(), first) || len(line) > lineMoves {
		t.Fatalf("%s: line %q", board.Finkel().FormatPosition(p), line)
	}
	p = board.Finkel().Apply(p, first)
	for _, text := range line[1:] {
		moves := board.Finkel().Moves(nil, p, 2)
		if len(moves) == 0 {
			if text != "pass" {
				t.Fatalf("%s: line %q", board.Finkel().FormatPosition(p), line)
			}
			p = p.Pass()
			continue
		}
		best, _ := table.BestMove(p, moves)
		if text != board.Finkel().Notation(p.Turn(), moves[best]) {
			t.Fatalf("%s: line %q, want %s", board.Finkel().FormatPosition(p), line, board.Finkel().Notation(p.Turn(), moves[best]))
		}
		p = board.Finkel().Apply(p, moves[best])
	}
	if _, over := p.Winner(); !over && len(line) < lineMoves {
		t.Errorf("line %q ends before the game", line)
	}
}

// Without a table the net values, and of moves that win at once finds the one that does.
func TestEvaluatorsFind(t *testing.T) {
	sandbox.SetHome(t, t.TempDir())
	six, err := board.Finkel().WithPieces(6)
	if err != nil {
		t.Fatal(err)
	}
	e, err := new(play.Evaluators).Find(t.Context(), six)
	if err != nil {
		t.Fatal(err)
	}
	p, err := board.Finkel().FromSquares(6, board.Light, [2]uint32{1 << 14, 1 << 3}, [2]int{5, 3})
	if err != nil {
		t.Fatal(err)
	}
	moves := board.Finkel().Moves(nil, p, 1)
	a, err := Advise(t.Context(), e, &play.Turn{Rules: board.Finkel(), Position: p, Roll: 1, Moves: moves}, board.Finkel().Notation)
	if err != nil || a.Win[a.Best] != 1 || !slices.Equal(a.Line, []string{"A7-home"}) {
		t.Errorf("%+v, %v", a, err)
	}
}
