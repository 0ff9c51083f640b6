package train

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/samebits"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/train/internal/gradient"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// tinyTD is a learner that is quick to test.
func tinyTD(t testing.TB, c TDConfig) *tdLearner {
	t.Helper()
	c.Seed, c.Pieces, c.Hidden = 3, cmp.Or(c.Pieces, 3), cmp.Or(c.Hidden, "5")
	d := learnerOf[*tdLearner](t, &c)
	d.table = nil
	return d
}

// params64 are the weights of a net in float64, by layer: weights, then biases.
func params64(n *valuenet.Net) (weights [][]float64) {
	for _, layer := range n.Layers {
		var list []float64
		for _, w := range slices.Concat(layer.Weights, layer.Bias) {
			list = append(list, float64(w))
		}
		weights = append(weights, list)
	}
	return weights
}

// plainNet is a net with one hidden layer in float64, with its gradient, as it is written in
// books.
type plainNet struct {
	weights [][]float64
	hidden  int
	counts  bool          // whether numbers of pieces are inputs
	past    [][][]float64 // gradients of the game under way
}

// inputsOf returns the inputs of a position that are 1.
func inputsOf(p board.Position) (list []int) {
	for set := valuenet.InputSet(board.Finkel(), p); set != 0; set &= set - 1 {
		list = append(list, bits.TrailingZeros64(set))
	}
	return list
}

// light returns the probability that Light wins, and its gradient.
func (n *plainNet) light(p board.Position) (win float64, gradient [][]float64) {
	w, b := n.weights[0], n.weights[0][60*n.hidden:]
	v, c := n.weights[1], n.weights[1][n.hidden]
	logit := c
	units := make([]float64, n.hidden)
	for o := range units {
		units[o] = b[o]
		for _, in := range inputsOf(p) {
			units[o] += w[in*n.hidden+o]
		}
		logit += v[o] * max(0, units[o])
	}
	win = 1 / (1 + math.Exp(-logit))
	gradient = [][]float64{make([]float64, len(w)), make([]float64, len(v))}
	slope := win * (1 - win)
	if p.Turn() == board.Dark {
		win, slope = 1-win, -slope
	}
	gradient[1][n.hidden] = slope
	for o, u := range units {
		if u > 0 {
			gradient[1][o] = slope * u
			gradient[0][60*n.hidden+o] = slope * v[o]
			for _, in := range inputsOf(p) {
				gradient[0][in*n.hidden+o] = slope * v[o]
			}
		}
	}
	return win, gradient
}

// best returns the position after the best move of a roll, or after the pass, and V of it.
func (n *plainNet) best(p board.Position, roll int) (board.Position, float64) {
	options := board.Finkel().Moves(nil, p, roll)
	if len(options) == 0 {
		value, _ := n.light(p.Pass())
		return p.Pass(), value
	}
	sign := 1 - 2*float64(p.Turn())
	best, value, most := p, 0.0, math.Inf(-1)
	for _, m := range options {
		after := board.Finkel().Apply(p, m)
		win, _ := n.light(after)
		if winner, over := after.Winner(); over {
			return after, float64(1 - winner)
		}
		if sign*win > most {
			best, value, most = after, win, sign*win
		}
	}
	return best, value
}

// mean returns the mean of V after the best moves of all rolls.
func (n *plainNet) mean(p board.Position) (mean float64) {
	for roll, ways := range board.Finkel().Definition().Dice {
		_, value := n.best(p, roll)
		mean += float64(ways) / 16 * value
	}
	return mean
}

// game plays a game and learns from it after each turn, and returns the number of moves.
func (n *plainNet) game(p board.Position, dice board.Dice, lambda, rate float64) (moves int) {
	positions := []board.Position{p}
	for {
		roll := dice.Roll()
		next, _ := n.best(p, roll)
		if len(board.Finkel().Moves(nil, p, roll)) > 0 {
			moves++
		}
		n.step(positions, n.mean(p), lambda, rate)
		if _, over := next.Winner(); over {
			return moves
		}
		p = next
		positions = append(positions, p)
	}
}

// step learns from the last of the positions of a game, of which the gradients of all but
// that are known. The trace is a sum that is written out: of all gradients, as they were at
// their time, times lambda to the power of their age.
func (n *plainNet) step(positions []board.Position, next, lambda, rate float64) {
	value, gradient := n.light(positions[len(positions)-1])
	if n.counts {
		n.tieCounts(gradient[0])
	}
	n.past = append(n.past[:len(positions)-1], gradient)
	for age := range positions {
		past := n.past[len(positions)-1-age]
		for l := range past {
			for i, g := range past[l] {
				n.weights[l][i] += rate * (next - value) * math.Pow(lambda, float64(age)) * g
			}
		}
	}
}

// tieCounts makes the gradient that of a net with four counts: the derivative by the weight of a count is the sum
// of those by the weights of all numbers, each times its number.
func (n *plainNet) tieCounts(gradient []float64) {
	first, size := valuenet.CountInputs(board.Finkel())
	for _, input := range first {
		for o := range n.hidden {
			sum := 0.0
			for pieces := range size {
				sum += float64(pieces) * gradient[(int(input)+pieces)*n.hidden+o]
			}
			for pieces := range size {
				gradient[(int(input)+pieces)*n.hidden+o] = float64(pieces) * sum
			}
		}
	}
}

// withWeights gives a learner of two pieces a net whose units all have a say, and returns it as a plain one.
func withWeights(t testing.TB, m *gradient.Model) plainNet {
	t.Helper()
	n := m.Net()
	for i := range n.Layers[1].Weights {
		n.Layers[1].Weights[i] = float32(i%3) - 0.9
	}
	copy(m.Params, testkit.Must(gradient.NewModel(n))(t).Params)
	return plainNet{weights: params64(n), hidden: n.Hidden[0]}
}

// TestSequentialTD compares the learner with the formulas over some games.
func TestSequentialTD(t *testing.T) {
	for _, c := range []TDConfig{{Lambda: 0}, {Lambda: 0.6}, {Lambda: 0.6, Inputs: tdCounts}} {
		rate := 0.2
		if c.Inputs == tdCounts {
			rate = 0.05
		}
		d := tinyTD(t, TDConfig{Sequential: true, Lambda: c.Lambda, Inputs: c.Inputs, Rate: rate, RateMoves: 1 << 40,
			NetConfig: NetConfig{Pieces: 2}})
		plain := withWeights(t, d.model)
		plain.counts = c.Inputs == tdCounts
		var moves int64
		for game := range uint64(tdStepGames) {
			moves += int64(plain.game(board.StartPosition(2), board.Finkel().Dice(d.players[0].look.seed, game),
				c.Lambda, rate))
		}
		testkit.MustEqual(t, testkit.Must(d.Step(context.Background()))(t), moves, "lambda %g", c.Lambda)
		for l, want := range plain.weights {
			for i, w := range params64(d.net())[l] {
				testkit.Near(t, w, want[i], 1e-3*(1+math.Abs(want[i])), "lambda %g, %s: number %d of layer %d",
					c.Lambda, c.Inputs, i, l+1)
			}
		}
	}
}

// Where an earlier version has a side, its net chooses that side's moves, and those that the net would not make end
// a surprise.
func TestPoolChoosesMoves(t *testing.T) {
	d := tinyTD(t, TDConfig{Lambda: 0.6, Lanes: 32, Opponents: tdPool, NetConfig: NetConfig{Pieces: 2}})
	own := withWeights(t, d.mean)
	n := d.mean.Net()
	for i, w := range n.Layers[1].Weights {
		n.Layers[1].Weights[i] = 0.1 - w
	}
	rival := plainNet{weights: params64(n), hidden: own.hidden}
	for _, m := range d.pool {
		m.SetParams(testkit.Must(gradient.NewModel(n))(t).Params)
	}
	sides, cuts := [2]int{}, 0
	for _, p := range d.players {
		testkit.NoError(t, p.playGames(t.Context(), 5, 3))
		for _, lane := range p.lanes {
			_, side := p.rival(lane.number)
			sides[side]++
			dice := board.Finkel().Dice(p.look.seed, lane.number)
			for i, v := range lane.path[:len(lane.path)-1] {
				roll := dice.Roll()
				want, _ := own.best(v.position, roll)
				cut := false
				if side == v.position.Turn() {
					reply, _ := rival.best(v.position, roll)
					want, cut = reply, reply != want
				}
				testkit.MustEqual(t, lane.path[i+1].position, want, "game %d: the position after turn %d", lane.number, i)
				testkit.MustEqual(t, v.cut, cut, "game %d, turn %d: a surprise ends", lane.number, i)
				if cut {
					cuts++
				}
			}
		}
	}
	testkit.ErrorIf(t, sides[0] == 0 || sides[1] == 0 || cuts < 100, "rivals of %v games have %d other moves", sides, cuts)
}

// The pool has the latest of four versions for each doubling of the rounds.
func TestPoolKeepsVersions(t *testing.T) {
	d := tinyTD(t, TDConfig{Lanes: 1, Opponents: tdPool, NetConfig: NetConfig{Pieces: 2}})
	rounds := map[string]int64{}
	for round := int64(1); round <= 61; round++ {
		testkit.Must(d.Step(t.Context()))(t)
		rounds[fmt.Sprint(d.mean.Params)] = round
	}
	var kept []int64
	for _, m := range d.pool {
		kept = append(kept, rounds[fmt.Sprint(m.Params)])
	}
	slices.Sort(kept)
	testkit.Equal(t, fmt.Sprint(kept), "[16 20 24 28 32 40 48 56]", "the rounds of the versions")
}

// TestRoundTargets compares the targets of a round with lambda-returns that are written out,
// of values in float64.
func TestRoundTargets(t *testing.T) {
	d := tinyTD(t, TDConfig{Lambda: 0.6, Lanes: 5, NetConfig: NetConfig{Pieces: 2}})
	plain := withWeights(t, d.mean)
	player := d.players[0]
	testkit.NoError(t, player.playGames(t.Context(), 7, 1))
	for _, lane := range player.lanes {
		for i := range lane.path {
			value, _ := plain.light(lane.path[i].position)
			want := value
			for age := range lane.path[i:] {
				p := lane.path[i+age].position
				now, _ := plain.light(p)
				want += math.Pow(0.6, float64(age)) * (plain.mean(p) - now)
			}
			testkit.Near(t, float64(lane.path[i].target), want, 1e-4, "game %d, position %d of %d: the target",
				lane.number, i, len(lane.path))
		}
	}
}

// TestForwardView holds that moving all values of a game towards their lambda-returns is what
// eligibility traces add up to while weights stand still.
func TestForwardView(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 100 {
		const lambda = 0.8
		path, surprise, gradient := make([]tdVisit, 1+rng.IntN(30)), []float64{}, []float64{}
		for i := range path {
			surprise, gradient = append(surprise, rng.NormFloat64()), append(gradient, rng.NormFloat64())
			path[i].value = rng.Float32()
			path[i].target = path[i].value + float32(surprise[i])
			if path[i].cut = rng.IntN(8) == 0; path[i].cut {
				path[i].target, surprise[i] = path[i].value, 0
			}
		}
		traces, trace := 0.0, 0.0
		for i := range path {
			trace = lambda*trace + gradient[i]
			traces += surprise[i] * trace
			if path[i].cut {
				trace = 0
			}
		}
		lambdaReturns(path, lambda)
		forward := 0.0
		for i := range path {
			forward += float64(path[i].target-path[i].value) * gradient[i]
		}
		testkit.Near(t, forward, traces, 1e-4*(1+math.Abs(traces)), "%d positions: lambda-returns, by traces",
			len(path))
	}
}

// endingContext ends after a number of questions for its error.
type endingContext struct {
	context.Context
	left atomic.Int64
}

func (c *endingContext) Done() <-chan struct{} { return nil }

func (c *endingContext) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestTDStepIsWhole interrupts steps between two moves, two batches and two games: they end
// there, and change nothing.
func TestTDStepIsWhole(t *testing.T) {
	err := tinyTD(t, TDConfig{}).players[0].playGames(testkit.CanceledContext(), 0, 1)
	testkit.WantError(t, err, "", "games go on after an interruption")
	for _, c := range []TDConfig{{Lanes: 64}, {Sequential: true}} {
		d := tinyTD(t, c)
		before := steps(t, d, 2)
		ending := &endingContext{Context: t.Context()}
		ending.left.Store(2)
		testkit.WantError(t, testkit.ErrorOf(d.Step(ending)), "", "an interrupted step of %+v", c)
		testkit.Equal(t, stateOf(t, d), before, "%+v: the state after an interrupted step", c)
	}
}

// Games that are counted end it, whether they are played side by side or not.
func TestTDEndsAfterGames(t *testing.T) {
	for _, c := range []TDConfig{{Lanes: 3}, {Sequential: true}} {
		c.Games = 7
		d := tinyTD(t, c)
		steps := finishSteps(t, d)
		testkit.ErrorIf(t, d.games < c.Games || d.games-c.Games >= tdStepGames || steps == 0,
			"it has ended after %d games in %d steps, want %d games", d.games, steps, c.Games)
	}
}

// TestTDLearns holds that some games of two pieces make a net better than it was.
func TestTDLearns(t *testing.T) {
	d := tinyTD(t, TDConfig{Lambda: 0.85, NetConfig: NetConfig{Hidden: "16", Pieces: 2}})
	before := tdError(d)
	steps(t, d, 40)
	testkit.Near(t, tdError(d), 0, before/2, "the error, from %.4f", before)
}

// A net that wins most games of its measurement has beaten its rival, for good.
func TestNetBeatsRival(t *testing.T) {
	blitz := testkit.Must(board.Lookup("blitz"))(t)
	d := learnerOf[*tdLearner](t, &TDConfig{NetConfig: NetConfig{Rules: blitz, Start: "../valuenet/blitz.safetensors"}})
	d.table = nil
	scores := measure(t, d, nil)
	testkit.FatalIf(t, scores[0].Rate() < 0.6 || !scores[0].Beaten, "the built-in net has %v, want a beaten rival",
		scores)
	testkit.Equal(t, measure(t, tinyTD(t, TDConfig{}), scores)[0].Beaten, true, "a beaten rival stays beaten")
}

// tdError returns the squared error of the chances where a side needs one more piece and the
// other both: positions that are all but won for the side to move.
func tdError(d *tdLearner) (sum float64) {
	for square := 5; square <= 14; square++ {
		if p, err := board.Finkel().FromSquares(2, board.Light, [2]uint32{1 << square}, [2]int{1, 0}); err == nil {
			miss := samebits.Logistic(float64(d.net().Logit(p))) - 0.9
			sum += miss * miss
		}
	}
	return sum
}

// BenchmarkTD measures the learning of 80 hidden units at 1 ply on one thread.
func BenchmarkTD(b *testing.B) {
	for _, way := range []string{"sequential", "lanes"} {
		b.Run("way="+way, func(b *testing.B) {
			d := learnerOf[*tdLearner](b, &TDConfig{Lambda: 0.85, Sequential: way == "sequential",
				NetConfig: NetConfig{Hidden: "80", Parallel: 1}})
			var moves int64
			for b.Loop() {
				moves += testkit.Must(d.Step(b.Context()))(b)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(moves), "ns/move")
			b.ReportMetric(float64(moves)/b.Elapsed().Seconds(), "moves/s")
		})
	}
}
