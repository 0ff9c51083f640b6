package analysis

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
)

// Advice by the table is what perfect play does, move after move of its line.
func TestAdvice(t *testing.T) {
	table, err := play.DefaultTables().Table(context.Background(), 2)
	if err != nil {
		t.Fatal(err)
	}
	judge := ByTable(table)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		p := board.RandomPosition(rng, 2)
		for roll := 1; roll <= board.MaxRoll; roll++ {
			moves := p.Moves(nil, roll)
			if len(moves) == 0 {
				continue
			}
			a, err := Advise(ForGames(judge), rules.Finkel(), rules.FromBoard(p), moves)
			if err != nil {
				t.Fatal(err)
			}
			best, worth := solve.BestMove(table, p, moves)
			if a.By != "table" || a.Best != best || a.Win[best] != worth || a.Regret(best) != 0 {
				t.Fatalf("%s, roll %d: %+v, want move %d worth %g", p, roll, a, best, worth)
			}
			for i, m := range moves {
				if a.Win[i] != solve.After(table, p, m) || a.Regret(i) < 0 {
					t.Fatalf("%s, roll %d: %+v", p, roll, a)
				}
			}
			checkLine(t, table, p, moves[best], a.Line)
		}
	}
}

// checkLine plays a line by the rules.
func checkLine(t *testing.T, table solve.Table, p board.Position, first board.Move, line []string) {
	t.Helper()
	if line[0] != first.Notation(p.Turn()) || len(line) > lineMoves {
		t.Fatalf("%s: line %q", p, line)
	}
	p = p.Apply(first)
	for _, text := range line[1:] {
		moves := p.Moves(nil, 2)
		if len(moves) == 0 {
			if text != "pass" {
				t.Fatalf("%s: line %q", p, line)
			}
			p = p.Pass()
			continue
		}
		best, _ := solve.BestMove(table, p, moves)
		if text != moves[best].Notation(p.Turn()) {
			t.Fatalf("%s: line %q, want %s", p, line, moves[best].Notation(p.Turn()))
		}
		p = p.Apply(moves[best])
	}
	if _, over := p.Winner(); !over && len(line) < lineMoves {
		t.Errorf("line %q ends before the game", line)
	}
}

// Without a table the net judges, and of moves that win at once finds the one that does.
func TestFindJudge(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	judge, err := FindJudge(6)
	if err != nil {
		t.Fatal(err)
	}
	p, err := board.FromSquares(6, board.Light, [2]uint16{1 << 14, 1 << 3}, [2]int{5, 3})
	if err != nil {
		t.Fatal(err)
	}
	moves := p.Moves(nil, 1)
	a, err := Advise(ForGames(judge), rules.Finkel(), rules.FromBoard(p), moves)
	if err != nil || a.Win[a.Best] != 1 || !slices.Equal(a.Line, []string{"A7-home"}) {
		t.Errorf("%+v, %v", a, err)
	}
}
