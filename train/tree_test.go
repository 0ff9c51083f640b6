package train

import (
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play"
)

// TestTreeReproducesWhatWasPublished wants about 90 % against random and 70 % against
// the next best greedy player after 10,000 games.
func TestTreeReproducesWhatWasPublished(t *testing.T) {
	testkit.SkipIf(t, testing.Short(), "10,000 games")
	tree := learnerOf[*treeLearner](t, &TreeConfig{Seed: 1})
	before := measure(t, tree, nil)
	result(t, tree, 10_000/treeStep)
	after := measure(t, tree, nil)
	for i, least := range []float64{0.90, 0.66, 0.90} { // random, greedy, greedy:linear
		_, high := after[i].Interval()
		testkit.ErrorIf(t, high < least || before[i].Rate() > 0.4,
			"from %v to %v, want about %g", before[i], after[i], least)
	}
}

// TestTreeIsOfItsGames counts what every node should have.
func TestTreeIsOfItsGames(t *testing.T) {
	tree := learnerOf[*treeLearner](t, &TreeConfig{Seed: 5})
	result(t, tree, 10)
	games := make([]int, len(tree.nodes))
	for i := len(tree.nodes) - 1; i > 0; i-- {
		games[i]++ // its own
		games[tree.nodes[i].Parent] += games[i]
	}
	for i, n := range tree.nodes {
		testkit.ErrorIf(t, n.Games != games[i] || n.Result < 0 || n.Result > float64(n.Games),
			"node %d has a result of %g in %d games, want %d games", i, n.Result, n.Games, games[i])
	}
}

// TestSquaresSeatPlaysItsValues compares it with the brain of the same values.
func TestSquaresSeatPlaysItsValues(t *testing.T) {
	v := play.SquareValues{-3, 5, 5, 20, -8, 9, 30, 41, 12, 12, 60, 55, 70, 90, 100}
	instance := new(squaresInstance)
	for i, value := range v {
		instance.values[i+1] = int(value)
	}
	brain := testkit.Must(play.Brain{Spec: "squares", Weights: v.Brain()}.Player().New(engine.Oracle()))(t)
	for _, p := range randomPositions(7, 2000) {
		for roll := 1; roll <= board.FinkelRoll; roll++ {
			moves := board.Finkel().Moves(nil, p, roll)
			if len(moves) == 0 {
				continue
			}
			turn := &play.Turn{Rules: board.Finkel(), Position: p, Roll: roll, Moves: moves}
			want := testkit.Must(brain.Choose(t.Context(), turn))(t)
			got := testkit.Must(instance.Choose(t.Context(), turn))(t)
			testkit.MustEqual(t, got, want, "%v, roll %d: the move", p.Numbers(), roll)
		}
	}
}

// Every drawn node but the root hangs on one that is drawn.
func TestTreeDrawings(t *testing.T) {
	tree := learnerOf[*treeLearner](t, &TreeConfig{Seed: 5})
	for steps := range 12 {
		svg := testkit.Written(t, tree.WriteSVG)
		nodes := tree.drawNodes()
		testkit.Equal(t, strings.Count(svg, "<circle"), len(nodes), "circles")
		sample := min(drawnNodes, 1+steps*treeStep)
		testkit.ErrorIf(t, len(nodes) < sample || len(nodes) >= 2*sample,
			"%d nodes, want %d and where they part", len(nodes), sample)
		for i, n := range nodes[1:] {
			testkit.Equal(t, 0 <= n.Parent && n.Parent <= i, true, "node %d hangs on %d, drawn before", i+1, n.Parent)
		}
		result(t, tree, 1)
	}
}
