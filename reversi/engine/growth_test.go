package engine

import (
	_ "embed"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// growing holds positions of self-play with 20 to 40 empty squares.
//
//go:embed testdata/midgame.obf
var growing string

// growingBoards returns the positions that a search to a depth does not finish.
func growingBoards(t *testing.T, depth int) (list []board.Board) {
	t.Helper()
	for line := range strings.Lines(growing) {
		p, ok, err := board.ParseOBF(strings.TrimSpace(line))
		testkit.FatalIf(t, err != nil || !ok, "%q: %v", line, err)
		if p.Board.Empties() > depth {
			list = append(list, p.Board)
		}
	}
	return list
}

// prediction is a cut by ProbCut, the value above alpha or not.
type prediction struct {
	board.Board
	alpha int
	above bool
}

// nodeCounts are the numbers of nodes of at least three plies, but for those that order moves.
type nodeCounts struct {
	byPly          [65]int
	windows        int // nodes whose window is no null window
	cut, all       int // nodes with a null window
	table, probCut int // of these, those that they ended
	first, later   int // of the moves that cut
	depths         [65]struct {
		nodes, probCut int
		sample         []prediction
	}
}

// watch returns the function that counts a search from a number of empty squares. It keeps a random sample
// of 60 predictions of a depth.
func (c *nodeCounts) watch(random *rand.Rand, root int) func(reason, node, int, int, int, int, uint8) {
	return func(by reason, n node, alpha, value, depth, empties int, level uint8) {
		if level == levelExact {
			return
		}
		c.byPly[root-empties]++
		if by == byWindow {
			c.windows++
			return
		}
		at := &c.depths[depth]
		at.nodes++
		if value > alpha {
			c.cut++
		} else {
			c.all++
		}
		switch {
		case by == byTable:
			c.table++
		case by == byProbCut:
			c.probCut++
			at.probCut++
			p := prediction{board.Board{Own: n.own, Opp: n.opp}, alpha, value > alpha}
			if len(at.sample) < 60 {
				at.sample = append(at.sample, p)
			} else if i := random.IntN(at.probCut); i < len(at.sample) {
				at.sample[i] = p
			}
		case value > alpha && by == byFirst:
			c.first++
		case value > alpha:
			c.later++
		}
	}
}

// share returns a part in percent.
func share(part, all int) float64 { return 100 * float64(part) / max(1, float64(all)) }

// checkPredictions counts the predictions of sampled nodes up to depth 10 that a search without ProbCut
// contradicts.
func (c *nodeCounts) checkPredictions(t *testing.T, exact *Engine) (wrong, checked int) {
	for depth := range 11 {
		at, errs := &c.depths[depth], 0
		for _, p := range at.sample {
			if exact.Value(p.Board, depth, p.alpha, p.alpha+1) > p.alpha != p.above {
				errs++
			}
		}
		wrong, checked = wrong+errs, checked+len(at.sample)
		if at.nodes > 0 {
			t.Logf("  %2d plies: %7d nodes, %.1f %% by ProbCut, %d of %d predictions are wrong", depth, at.nodes, share(at.probCut, at.nodes), errs, len(at.sample))
		}
	}
	for depth := 11; depth < len(c.depths); depth++ {
		if at := &c.depths[depth]; at.nodes > 0 {
			t.Logf("  %2d plies: %7d nodes, %.1f %% by ProbCut", depth, at.nodes, share(at.probCut, at.nodes))
		}
	}
	return wrong, checked
}

// A search to two plies more takes about twice the nodes: so wide are the margins of ProbCut, and so good is the
// order of moves. Without ProbCut, depth 12 has other values, by less than a disc on average. With UR_LONG the
// figures of docs/reversi.md are printed (-v).
func TestGrowth(t *testing.T) {
	testkit.SkipIf(t, testing.Short(), "searches two million nodes")
	shallowest, deepest := testkit.Trials(10, 8), testkit.Trials(12, 20)
	weights := learned(t)
	exact := solver(t, Options{Weights: weights, Without: probCutting, TableBits: 18})
	before := uint64(0)
	for depth := shallowest; depth <= deepest; depth += 2 {
		nodes, surprise, squares := uint64(0), 0.0, 0.0
		c, random := new(nodeCounts), rand.New(rand.NewPCG(uint64(depth), 47))
		boards := growingBoards(t, depth)
		boards = boards[:testkit.Trials(len(boards)/8, len(boards))]
		for _, b := range boards {
			s := solver(t, Options{Weights: weights, TableBits: 18})
			s.searchers[0].watch = c.watch(random, b.Empties())
			r := testkit.Must(s.Search(t.Context(), b, Limits{Depth: depth}))(t)
			nodes += r.Nodes
			if depth != 12 || !testkit.Long() {
				continue
			}
			full := testkit.Must(exact.Search(t.Context(), b, Limits{Depth: depth}))(t)
			d := float64(r.Value-full.Value) / eval.Disc
			surprise, squares = surprise+math.Abs(d), squares+float64(d*d)
		}
		null, first := c.cut+c.all, share(c.first, c.first+c.later)
		t.Logf("depth %d: %.2f million nodes; of three plies or more %d with a window, %d that cut, %d that do not", depth, float64(nodes)/1e6, c.windows, c.cut, c.all)
		t.Logf("  ended by the table %.1f %%, by ProbCut %.1f %%; cuts by the first move %.1f %%; by ply %v", share(c.table, null), share(c.probCut, null), first, c.byPly[:depth-2])
		wrong, checked := c.checkPredictions(t, exact)
		rate := share(wrong, checked)
		testkit.ErrorIf(t, rate > 5 || first < 65,
			"depth %d: %.1f %% of %d predictions are wrong (want at most 5), %.1f %% of cuts are by the first move (want at least 65)",
			depth, rate, checked, first)
		limit := 2.5
		if depth == 18 {
			limit = 2
		}
		growth := float64(nodes) / float64(before)
		testkit.ErrorIf(t, depth > max(shallowest, 10) && growth > limit,
			"depth %d: %.2f times the nodes of depth %d (want at most %.1f)", depth, growth, depth-2, limit)
		before = nodes
		if squares > 0 {
			n := float64(len(boards))
			t.Logf("depth 12 without ProbCut: values differ by %.2f discs on average, the root of the mean square is %.2f", surprise/n, math.Sqrt(squares/n))
			testkit.ErrorIf(t, surprise/n > 0.6,
				"depth 12: ProbCut changes values by %.2f discs on average (want at most 0.6)", surprise/n)
		}
	}
}
