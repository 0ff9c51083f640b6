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

	// Rival is the player to learn from, in games against it; the zero Player means greedy.
	Rival play.Player `flag:"rival" help:"player to learn from, in games against it" json:"rival"`

	// Engine and Parallel serve the rival and measuring; neither changes the result.
	Engine   ur.Engine
	Parallel int `flag:"parallel" help:"threads that play when measuring (default one per processor)"`
}

// maxTreeNodes is how many nodes a tree may have: the search for the one to expand
// looks at all of them after every game.
const maxTreeNodes = 100_000

// treeLearner is a [Learner] of square values. It grows a tree of greedy players, each with its own
// values, from one without preferences. A new node is a copy of an existing one with a new
// random gain of stepping onto one of the squares from the one before; the values of that
// square and of all behind it change with it. It plays one game, and the result counts for all
// its ancestors, too. The node with the highest upper confidence bound is copied next: UCB1
// (Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem",
// 2002), over the mean result of a node and all its descendants.
//
// Neighbouring squares rise together, so the tree learns from few games: with perturbed single
// values, a capture is worth hardly more than any other move, and after 10,000 games the values
// win 76 % against random instead of 94 %. Gains are redrawn instead of added to, which leaves
// a way out of every family. The result of a game is a margin with less luck than the winner
// alone: 1/2 and half the difference in squares walked, as a share of all squares. A node with
// few games counts like its parent, to the weight of a few games; otherwise luck in the first
// would decide.
//
// The learned values are the mean of the latest quarter of the nodes.
type treeLearner struct {
	config    *TreeConfig
	nodes     []treeNode
	values    []treeValues     // one for each node
	instances [2]play.Instance // the learner's, and the rival's
	instance  *squaresInstance
}

// treeNode is a set of square values in a tree.
type treeNode struct {
	Parent int     `json:"p"` // -1 for the root
	Square int     `json:"s"` // 1..15: where the gain is another than the parent's
	Gain   int     `json:"g"` // there
	Games  int     `json:"n"` // games with all descendants
	Result float64 `json:"r"` // sum of their results, each 0..1
}

// treeValues are a piece's values on squares 0..15.
type treeValues [board.Finish + 1]int

// The tree's constants, the best of powers of two or three around them.
const (
	treeExploration = 0.02 // factor of the width of a bound
	treePrior       = 3    // games of the parent that count for a node
	treeGain        = 50   // largest gain
	treeStep        = 25   // games of a step
	treeTurnLimit   = 4000 // turns in one game
)

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
	instance := new(squaresInstance)
	t := &treeLearner{config: c, instance: instance, instances: [2]play.Instance{instance, rival}}
	t.addNode(treeNode{Parent: -1})
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

// growNode makes a node, plays its game, and updates its ancestors.
func (t *treeLearner) growNode(ctx context.Context) error {
	n := len(t.nodes)
	key := seedFor(t.config.Seed, seedOfSigns, uint64(n))
	draw := func(k, below uint64) int {
		number, _ := bits.Mul64(board.DiceWord(key, k), below)
		return int(number)
	}
	child := treeNode{Parent: t.bestNode(), Square: 1 + draw(0, board.Finish), Gain: draw(1, 2*treeGain+1) - treeGain}
	t.addNode(child)
	result, err := t.playNode(ctx, n)
	if err != nil {
		return err
	}
	for i := n; i >= 0; i = t.nodes[i].Parent {
		t.nodes[i].Games++
		t.nodes[i].Result += result
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

// bestNode returns the node with the highest upper confidence bound, the first of equal
// ones.
func (t *treeLearner) bestNode() int {
	logGames := 2 * samebits.Log(float64(len(t.nodes)))
	best, highest := 0, math.Inf(-1)
	for i := range t.nodes {
		width := float64(treeExploration * math.Sqrt(logGames/float64(t.nodes[i].Games+treePrior)))
		if bound := t.meanResult(i) + width; bound > highest {
			best, highest = i, bound
		}
	}
	return best
}

// meanResult returns the mean result of a node and its descendants, with that of its parent for
// prior.
func (t *treeLearner) meanResult(i int) float64 {
	prior := 0.5
	if parent := t.nodes[i].Parent; parent >= 0 {
		prior = t.nodes[parent].meanWith(0.5)
	}
	return t.nodes[i].meanWith(prior)
}

// meanWith returns the mean result with a prior.
func (n *treeNode) meanWith(prior float64) float64 {
	return (n.Result + float64(treePrior*prior)) / float64(n.Games+treePrior)
}

// playNode lets a node play a game against the rival, and returns the result. Nodes
// of even numbers are Dark, those of odd ones Light; one and the next share their
// dice. A game without end is lost.
func (t *treeLearner) playNode(ctx context.Context, node int) (result float64, err error) {
	light := node % 2
	t.instance.values = t.values[node]
	var last board.Position
	game := play.Game{
		Seed: seedFor(t.config.Seed, seedOfDice), Number: uint64((node - 1) / 2),
		Instances: [2]play.Instance{t.instances[1-light], t.instances[light]},
		Pieces:    t.config.Pieces, TurnLimit: treeTurnLimit,
		Observe: func(turn *play.Turn) { last = turn.Next },
	}
	_, err = game.Play(ctx)
	if _, ok := errors.AsType[*ur.TurnLimitError](err); ok {
		return 0, nil
	}
	side := board.Side(1 - light)
	lead := squaresWalked(last, side) - squaresWalked(last, side.Other())
	return 0.5 + 0.5*float64(lead)/float64(board.Finish*t.config.Pieces), err
}

// squaresWalked returns how many squares the pieces of a player have walked.
func squaresWalked(p board.Position, side board.Side) (squares int) {
	for square := 1; square <= board.Finish; square++ {
		squares += square * board.Finkel().Count(p, side, square)
	}
	return squares
}

// squaresInstance is a greedy player of values that may change between games. It chooses like
// play.SquareValues.
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
	latest := t.values[len(t.values)*3/4:]
	var sums treeValues
	largest := 1
	for square := range sums {
		for _, v := range latest {
			sums[square] += v[square]
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

// Result returns the values.
func (t *treeLearner) Result() (player any, comment string) { return t.Values(), "" }

// State returns the tree.
func (t *treeLearner) State() any { return t.nodes }

// SetState takes a tree over.
func (t *treeLearner) SetState(state any) error {
	nodes := state.([]treeNode)
	if len(nodes) < 1 || len(nodes) > maxTreeNodes+treeStep {
		return fmt.Errorf("a tree of %d nodes (want 1 to %d)", len(nodes), maxTreeNodes)
	}
	for i, n := range nodes {
		switch {
		case i == 0 && n.Parent != -1 || i > 0 && (n.Parent < 0 || n.Parent >= i):
			return fmt.Errorf("node %d: node %d cannot be its parent", i, n.Parent)
		case i > 0 && (n.Square < 1 || n.Square > board.Finish):
			return fmt.Errorf("node %d: there is no square %d", i, n.Square)
		case n.Gain < -treeGain || n.Gain > treeGain:
			return fmt.Errorf("node %d: a gain of %d (want at most %d)", i, n.Gain, treeGain)
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
