package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/samebits"
	"github.com/seed-09dcdc84/ur/play"
)

// TreeConfig sets how square values are learned. A zero number means the default.
type TreeConfig struct {
	Seed   uint64 `flag:"seed" help:"seed of all random choices" default:"1" json:"seed"`
	Pieces int    `flag:"pieces" help:"pieces of each player, 1 to 7" default:"4" range:"[1,7]" json:"pieces"`

	// Rival is the player to learn from, in games against it; the zero Player means greedy. The player named
	// tree stands for a second tree, which learns from the same games; the built-in values are greedy:tree.
	Rival play.Player `flag:"rival" help:"player to learn from, in games against it; tree is a second learner" json:"rival"`

	// Gain is the size of a mutation. Exploration is the factor of the width of a bound: 1 is that of UCB1,
	// for results from 0 to 1. Prior is how many games of its parent count for a node. The defaults are the
	// best of powers of two or three around them.
	Gain        int     `flag:"gain" help:"largest gain of a step onto a square, the size of a mutation" default:"50" range:"[1,1000]" json:"gain"`
	Exploration float64 `flag:"exploration" help:"factor of the width of confidence bounds; 1 is the textbook's" default:"0.02" range:"(0,100]" json:"exploration"`
	Prior       int     `flag:"prior" help:"games of the parent that count for a node" default:"3" range:"[1,1000]" json:"prior"`

	// Engine and Parallel serve the rival and measuring; neither changes the result.
	Engine   ur.Engine
	Parallel int `flag:"parallel" help:"threads that play when measuring (default one per processor)"`
}

// maxTreeNodes is how many nodes a tree may have: the search for the one to expand
// looks at all of them after every game.
const maxTreeNodes = 100_000

// treeLearner is a [Learner] of square values. It grows a tree of greedy players, each with its own values, from one
// without preferences. A new node is a copy of an existing one with a new random gain of stepping onto one of the
// squares from the one before; the values of that square and of all behind it change with it. It plays one game, and
// the result counts for all its ancestors, too. The node with the highest upper confidence bound is copied next: UCB1
// (Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem", 2002), over the mean result
// of a node and all its descendants.
//
// Neighbouring squares rise together, so the tree learns from few games: with perturbed single values, a capture is
// worth hardly more than any other move, and after 10,000 games the values win 76 % against random instead of 94 %.
// Gains are redrawn instead of added to, which leaves a way out of every family. The result of a game is a margin with
// less luck than the winner alone: 1/2 and half the difference in squares walked, as a share of all squares. A node
// with few games counts like its parent, to the weight of a few games; otherwise luck in the first would decide.
//
// The learned values are the mean of the latest quarter of the nodes.
//
// A second tree grows like the first one, by the same games. Of two trees node i belongs to tree i%2.
type treeLearner struct {
	config    *TreeConfig
	trees     int // 1 or 2
	nodes     []treeNode
	values    []treeValues        // one for each node
	instances [2]play.Instance    // the learner's, and the rival's
	squares   [2]*squaresInstance // players by the trees
}

// treeNode is a set of square values in a tree.
type treeNode struct {
	Parent int     `json:"p"` // -1 for a root
	Square int     `json:"s"` // 1..15: where the gain is another than the parent's
	Gain   int     `json:"g"` // there
	Games  int     `json:"n"` // games with all descendants
	Result float64 `json:"r"` // sum of their results, each 0..1
}

// treeValues are a piece's values on squares 0..15.
type treeValues [board.Finish + 1]int

const (
	treeStep      = 25   // games of a step
	treeTurnLimit = 4000 // turns in one game
)

// treeName is the spec of a rival: a second tree.
const treeName = "tree"

// Learner returns a tree with nothing but its root, and fills in the defaults of c.
func (c *TreeConfig) Learner(ctx context.Context) (Learner, error) {
	const name = "tree"
	if err := completeConfig(name, c); err != nil {
		return nil, err
	}
	common, err := play.MatchConfig{Pieces: c.Pieces, Parallel: c.Parallel, Engine: c.Engine}.CompleteGames(name)
	if err != nil {
		return nil, err
	}
	c.Engine, c.Parallel = common.Engine, common.Parallel
	if c.Rival.New == nil {
		c.Rival = play.Greedy
	}
	rival, err := c.Rival.New(c.Engine)
	if err != nil {
		return nil, err
	}
	if err := play.Prepare(ctx, c.Pieces, c.Rival); err != nil {
		return nil, err
	}
	t := &treeLearner{config: c, trees: 1, squares: [2]*squaresInstance{new(squaresInstance), new(squaresInstance)}}
	t.instances = [2]play.Instance{t.squares[0], rival}
	if c.Rival.Spec == treeName {
		t.trees, t.instances[1] = 2, t.squares[1]
	}
	for range t.trees {
		t.addNode(treeNode{Parent: -1})
	}
	return t, nil
}

// Step grows the tree by some nodes.
func (t *treeLearner) Step(ctx context.Context) (games int64, err error) {
	begin, before := len(t.nodes), slices.Clone(t.nodes)
	if begin >= maxTreeNodes {
		return 0, Finished(fmt.Sprintf("the tree has %d nodes", begin))
	}
	for range treeStep {
		if err := t.growNode(ctx); err != nil {
			t.nodes, t.values = t.nodes[:begin], t.values[:begin]
			copy(t.nodes, before)
			return 0, err
		}
	}
	return treeStep, nil
}

// growNode makes a node of each tree, plays their game, and updates their ancestors.
func (t *treeLearner) growNode(ctx context.Context) error {
	n := len(t.nodes)
	for tree := range t.trees {
		key := seedFor(t.config.Seed, seedOfSigns, uint64(n+tree))
		draw := func(k, below uint64) int {
			number, _ := bits.Mul64(board.DiceWord(key, k), below)
			return int(number)
		}
		t.addNode(treeNode{Parent: t.bestNode(tree, n), Square: 1 + draw(0, board.Finish),
			Gain: draw(1, uint64(2*t.config.Gain+1)) - t.config.Gain})
	}
	result, err := t.playNode(ctx, n)
	if err != nil {
		return err
	}
	for tree := range t.trees {
		for i := n + tree; i >= 0; i = t.nodes[i].Parent {
			t.nodes[i].Games++
			t.nodes[i].Result += result
		}
		result = 1 - result
	}
	return nil
}

// addNode enters a node.
func (t *treeLearner) addNode(n treeNode) {
	var v treeValues
	if n.Parent >= 0 {
		v = t.values[n.Parent]
		change := n.Gain - (v[n.Square] - v[n.Square-1])
		for square := n.Square; square <= board.Finish; square++ {
			v[square] += change
		}
	}
	t.nodes = append(t.nodes, n)
	t.values = append(t.values, v)
}

// bestNode returns the node of a tree with the highest upper confidence bound, the first of equal ones,
// among a number of all nodes.
func (t *treeLearner) bestNode(tree, nodes int) int {
	logGames := 2 * samebits.Log(float64(nodes/t.trees))
	best, highest := tree, math.Inf(-1)
	for i := tree; i < nodes; i += t.trees {
		width := float64(t.config.Exploration * math.Sqrt(logGames/float64(t.nodes[i].Games+t.config.Prior)))
		if bound := t.meanResult(i) + width; bound > highest {
			best, highest = i, bound
		}
	}
	return best
}

// meanResult returns the mean result of a node and its descendants, with that of its parent for prior.
func (t *treeLearner) meanResult(i int) float64 {
	prior := 0.5
	if parent := t.nodes[i].Parent; parent >= 0 {
		prior = t.meanWith(parent, 0.5)
	}
	return t.meanWith(i, prior)
}

// meanWith returns the mean result of a node with a prior.
func (t *treeLearner) meanWith(i int, prior float64) float64 {
	n, games := &t.nodes[i], t.config.Prior
	return (n.Result + float64(float64(games)*prior)) / float64(n.Games+games)
}

// playNode lets a node of the first tree play a game against the rival, or against the next node, and returns the
// result. In even games it is Dark, in odd ones Light; one and the next share their dice. A game without end is lost.
func (t *treeLearner) playNode(ctx context.Context, node int) (result float64, err error) {
	number := node / t.trees
	light := number % 2
	for tree := range t.trees {
		t.squares[tree].values = t.values[node+tree]
	}
	var last board.Position
	game := play.Game{
		Seed: seedFor(t.config.Seed, seedOfDice), Number: uint64((number - 1) / 2),
		Instances: [2]play.Instance{t.instances[1-light], t.instances[light]},
		Pieces:    t.config.Pieces, TurnLimit: treeTurnLimit,
		Observe: func(turn *play.Turn) { last = turn.Next },
	}
	_, err = game.Play(ctx)
	if _, ok := errors.AsType[*ur.TurnLimitError](err); ok {
		return 0, nil
	}
	side := board.Side(1 - light)
	lead := board.Finkel().Walked(last, side) - board.Finkel().Walked(last, side.Other())
	return 0.5 + 0.5*float64(lead)/float64(board.Finish*t.config.Pieces), err
}

// squaresInstance is a greedy player of values that may change between games. It chooses like play.SquareValues.
type squaresInstance struct{ values treeValues }

// Choose returns the first of the moves with the largest gain.
func (s *squaresInstance) Choose(_ context.Context, t *play.Turn) (int, error) {
	best, highest := 0, math.MinInt
	for i, m := range t.Moves {
		gain := s.values[m.To] - s.values[m.From]
		if m.Capture {
			gain += s.values[m.To]
		}
		if gain > highest {
			best, highest = i, gain
		}
	}
	return best, nil
}

// largestValue is the scale of written values.
const largestValue = 1000

// Values returns the learned values.
func (t *treeLearner) Values() play.SquareValues {
	from := len(t.values) / t.trees * 3 / 4 * t.trees
	var sums treeValues
	largest := 1
	for square := range sums {
		for i := from; i < len(t.values); i += t.trees {
			sums[square] += t.values[i][square]
		}
		largest = max(largest, sums[square], -sums[square])
	}
	var values play.SquareValues
	for i := range values {
		values[i] = int16(math.Round(float64(sums[i+1]) / float64(largest) * largestValue))
	}
	return values
}

// treeMatchGames is how many games measure the strength against each rival.
const treeMatchGames = 2000

// Measure plays against random, the player greedy, and greedy:linear.
func (t *treeLearner) Measure(ctx context.Context, before []Score) (scores []Score, _ *float64, err error) {
	linear, err := play.ParsePlayer("greedy:linear")
	if err != nil {
		return nil, nil, err
	}
	learner := play.Brain{Spec: "tree", Weights: t.Values().Brain()}.Player()
	for i, rival := range []play.Player{play.Random, play.Greedy, linear} {
		scores, err = appendScore(ctx, scores, before, play.MatchConfig{
			Players: []play.Player{learner, rival}, Games: treeMatchGames, Pieces: t.config.Pieces,
			Seed:   seedFor(t.config.Seed, seedOfMeasure, uint64(i), uint64(len(t.nodes))),
			Engine: t.config.Engine, Parallel: t.config.Parallel,
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return scores, nil, nil
}

// Result returns the values and the statistics of the tree.
func (t *treeLearner) Result() (player any, comment string) { return t.Values(), t.statistics() }

// State returns the tree.
func (t *treeLearner) State() any { return t.nodes }

// SetState takes a tree over.
func (t *treeLearner) SetState(state any) error {
	nodes := state.([]treeNode)
	if len(nodes) < t.trees || len(nodes)%t.trees != 0 || len(nodes) > maxTreeNodes+2*treeStep {
		return fmt.Errorf("a tree of %d nodes (want 1 to %d)", len(nodes), maxTreeNodes)
	}
	for i, n := range nodes {
		switch {
		case i < t.trees && n.Parent != -1 || i >= t.trees && (n.Parent < 0 || n.Parent >= i || (i-n.Parent)%t.trees != 0):
			return fmt.Errorf("node %d: node %d cannot be its parent", i, n.Parent)
		case i >= t.trees && (n.Square < 1 || n.Square > board.Finish):
			return fmt.Errorf("node %d: there is no square %d", i, n.Square)
		case max(n.Gain, -n.Gain) > t.config.Gain:
			return fmt.Errorf("node %d: a gain of %d (want at most %d)", i, n.Gain, t.config.Gain)
		case n.Games < 0 || !(n.Result >= 0 && n.Result <= float64(n.Games)):
			return fmt.Errorf("node %d: a result of %g in %d games", i, n.Result, n.Games)
		}
	}
	t.nodes, t.values = nil, nil
	for _, n := range nodes {
		t.addNode(n)
	}
	return nil
}
