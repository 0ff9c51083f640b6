package puzzle

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// The puzzles that come with the program are at least 20, of every kind, and their numbers
// are near those of a search, or equal to the exact solution where it is in the cache.
func TestBuiltin(t *testing.T) {
	puzzles := testkit.Must(All())(t)
	of := map[string]int{}
	for i, p := range puzzles {
		of[p.Kind]++
		testkit.Equal(t, p.Number, i+1, "the number of puzzle %d", i+1)
	}
	for kind := range titles {
		testkit.ErrorIf(t, of[kind] < 2, "only %d puzzles are of kind %q", of[kind], kind)
	}
	testkit.ErrorIf(t, len(puzzles) < 20, "only %d puzzles", len(puzzles))
	e := testkit.Must(new(play.Evaluators).Find(t.Context(), board.Finkel()))(t)
	for _, p := range puzzles {
		check(t, p, e)
	}
}

// check compares a puzzle with the rules, and its numbers with those of an evaluator.
func check(t *testing.T, p *Puzzle, e play.Evaluator) {
	t.Helper()
	near := 0.03 // of a search by the net
	if e.By() == "table" {
		near = 1e-6
	}
	turn := p.MustTurn()
	v := testkit.Must(e.Evaluate(t.Context(), turn.Position, p.Roll))(t)
	testkit.FatalIf(t, p.Schema != schema || p.Title() == "" || turn.Position.Turn() != board.Light ||
		len(p.Moves) != len(turn.Moves) || len(p.Moves) < 2, "puzzle %d is %+v at %+v", p.Number, p, turn)
	best := p.Moves[p.Index(p.Best)]
	for i, m := range p.Moves {
		threat := risk(turn.Rules.Apply(turn.Position, turn.Moves[i]), board.Light)
		testkit.ErrorIf(t, m.Move != turn.Notation(turn.Moves[i]) || m.Regret != rounded(best.Win-m.Win) ||
			m.Regret < 0 || m.Risk != rounded(threat), "puzzle %d: move %d is %+v", p.Number, i, m)
		testkit.Near(t, m.Win, v.Moves[i], near, "puzzle %d: win of %s, by the %s", p.Number, m.Move, e.By())
	}
	for _, c := range p.Choices {
		testkit.ErrorIf(t, p.Index(c.Move) < 0, "puzzle %d: %s chooses %q, not a move", p.Number, c.Player, c.Move)
	}
}

// TD-Ur, which looks two plies ahead, does in the positions of its page what the page tells,
// so they are read from its picture rightly.
func TestPage(t *testing.T) {
	puzzles := testkit.Must(All())(t)
	for i, want := range []string{"B4-B6x", "in-A3"} {
		for _, c := range puzzles[i].Choices {
			testkit.ErrorIf(t, c.Player == "TD-Ur@2" && c.Move != want, "puzzle %d: TD-Ur makes %s, the page says %s",
				i+1, c.Move, want)
		}
	}
}

// risk is what a count over all throws says.
func TestRisk(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	seen := 0.0
	for range 2000 {
		p := board.Finkel().Random(rng, 7)
		side := p.Turn().Other()
		ways := 0
		for throw := range 16 { // four dice, a bit each
			roll := throw&1 + throw>>1&1 + throw>>2&1 + throw>>3
			for _, next := range board.Finkel().Futures(nil, p, roll) {
				if next.Hand(side) > p.Hand(side) {
					ways++
					break
				}
			}
		}
		testkit.MustEqual(t, risk(p, side), float64(ways)/16, "%v: risk", p.Numbers())
		testkit.Equal(t, risk(p, p.Turn()), 0, "the risk of who moves")
		seen += risk(p, side)
	}
	testkit.ErrorIf(t, seen == 0, "nothing is at risk")
}
