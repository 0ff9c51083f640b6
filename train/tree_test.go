package train

import (
	"slices"
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

// Two trees learn from the same games, whose results add up to one, and both become stronger than the
// start.
func TestTreeAgainstTree(t *testing.T) {
	rival := testkit.Must(play.ParsePlayer("tree"))(t)
	tree := learnerOf[*treeLearner](t, &TreeConfig{Seed: 5, Rival: rival})
	result(t, tree, 40)
	own, other := tree.nodes[0], tree.nodes[1]
	testkit.Equal(t, []int{own.Games, other.Games}, []int{1000, 1000}, "games of the roots")
	testkit.Near(t, own.Result+other.Result, 1000, 1e-6, "sum of the results of both")
	for i, n := range tree.nodes[2:] {
		testkit.FatalIf(t, (i-n.Parent)%2 != 0, "node %d is of another tree than its parent %d", i+2, n.Parent)
	}
	scores := measure(t, tree, nil)
	testkit.ErrorIf(t, scores[0].Rate() < 0.75, "%v", scores[0])
	testkit.ErrorIf(t, len(tree.drawNodes()) < drawnNodes, "%d nodes are drawn", len(tree.drawNodes()))
}

// The statistics count the children, and a small tree is drawn with the numbers of its nodes.
func TestTreeStatistics(t *testing.T) {
	tree := learnerOf[*treeLearner](t, &TreeConfig{Seed: 5})
	testkit.NoError(t, tree.SetState([]treeNode{{Parent: -1, Games: 4, Result: 3}, {Parent: 0, Square: 1, Games: 3, Result: 2},
		{Parent: 0, Square: 2, Games: 1, Result: 1}, {Parent: 1, Square: 3, Games: 1, Result: 0.5}, {Parent: 1, Square: 4, Games: 1}}))
	testkit.Equal(t, tree.statistics(),
		"// Tree: 5 nodes, 2 with children, 2.00 each and at most 2; depth 2, mean 1.2 (balanced: 2.3)\n", "statistics")
	testkit.WantText(t, testkit.Written(t, tree.WriteSVG), ">0: 3.0/4<", ">3: 0.5/1<", "5 of 5 sets")
}

// A mutation is no larger than asked for, and the constants of exploration change the tree.
func TestTreeConstants(t *testing.T) {
	shape := func(c TreeConfig) (nodes []treeNode) {
		c.Seed = 5
		tree := learnerOf[*treeLearner](t, &c)
		result(t, tree, 8)
		return tree.nodes
	}
	usual := shape(TreeConfig{})
	for _, n := range shape(TreeConfig{Gain: 3}) {
		testkit.ErrorIf(t, n.Gain < -3 || n.Gain > 3, "a gain of %d", n.Gain)
	}
	for _, other := range []TreeConfig{{Exploration: 1}, {Prior: 10}} {
		testkit.ErrorIf(t, slices.Equal(shape(other), usual), "%+v changes nothing", other)
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
		sample := 1 + steps*treeStep
		if sample > labelledNodes {
			sample = drawnNodes
		}
		testkit.ErrorIf(t, len(nodes) < sample || len(nodes) >= 2*sample,
			"%d nodes, want %d and where they part", len(nodes), sample)
		for i, n := range nodes[1:] {
			testkit.Equal(t, 0 <= n.Parent && n.Parent <= i, true, "node %d hangs on %d, drawn before", i+1, n.Parent)
		}
		result(t, tree, 1)
	}
}
