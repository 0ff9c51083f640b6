package analysis_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/analysis"
)

// The reasons for a move sum to the difference in value between it and the best other move.
func TestWhy(t *testing.T) {
	rng, brain, finkel := rand.New(rand.NewPCG(69, 1)), ur.DefaultBrain(), board.Finkel()
	explained := 0
	for range 500 {
		p, roll := finkel.Random(rng, 7), 1+rng.IntN(4)
		turn := &play.Turn{Rules: finkel, Position: p, Roll: roll, Moves: finkel.Moves(nil, p, roll)}
		a := &analysis.Advice{}
		for i := range turn.Moves {
			if a.Win = append(a.Win, rng.Float64()); a.Win[i] > a.Win[a.Best] {
				a.Best = i
			}
		}
		for i, m := range turn.Moves {
			w := a.Why(turn, i)
			if len(turn.Moves) == 1 {
				testkit.ErrorIf(t, w != nil, "a forced move is explained by %+v", w)
				continue
			}
			other := -1
			for k, win := range a.Win {
				if k != i && (other < 0 || win > a.Win[other]) {
					other = k
				}
			}
			testkit.Equal(t, w.Over, turn.Notation(turn.Moves[other]), "the other move")
			want := brain.Value(finkel.Apply(p, m)) - brain.Value(finkel.Apply(p, turn.Moves[other]))
			sum := int32(0)
			for _, r := range w.Reasons {
				sum += r.Points
			}
			want *= int32(turn.Side().Sign())
			testkit.ErrorIf(t, w.Points != want || sum != want, "%+v sums to %d, want %d", w, sum, want)
			explained++
		}
	}
	testkit.ErrorIf(t, explained < 500, "%d moves are explained, want 500 or more", explained)
	other := board.List()[1]
	turn := &play.Turn{Rules: other, Position: other.Start(), Moves: make([]board.Move, 2)}
	testkit.ErrorIf(t, (&analysis.Advice{Win: make([]float64, 2)}).Why(turn, 0) != nil,
		"a brain explains a move under the rules %s", other.Name())
}

func TestTextOfWhy(t *testing.T) {
	w := analysis.Why{Over: "in-A2", Points: -3, Reasons: []analysis.Reason{{"Light A2", -12}, {"4 other pairs", 9}}}
	testkit.Equal(t, w.Text("B1-B4*"), "The built-in brain values B1-B4* over in-A2 by -3, of which\n\n"+
		"     -12  Light A2\n      +9  4 other pairs\n", "text")
}
