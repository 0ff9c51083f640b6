package train

import (
	"context"
	"encoding/json"
	"math"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/net"
	"github.com/seed-09dcdc84/ur/net/gradient"
)

// tinyTD is a learner that is quick to test.
func tinyTD(t testing.TB, c TDConfig) *TD {
	t.Helper()
	c.Seed = 3
	if c.Pieces == 0 {
		c.Pieces = 3
	}
	if c.Hidden == "" {
		c.Hidden = "5"
	}
	d, err := NewTD(c)
	if err != nil {
		t.Fatal(err)
	}
	d.table = nil
	return d
}

// params64 are the weights of a net in float64, by layer: weights, then biases.
func params64(n *net.Net) (weights [][]float64) {
	for _, layer := range n.Layers {
		var list []float64
		for _, w := range append(append([]float32(nil), layer.Weights...), layer.Bias...) {
			list = append(list, float64(w))
		}
		weights = append(weights, list)
	}
	return weights
}

// plainNet is a net with one hidden layer in float64, with its gradient, as it is written in
// books.
type plainNet struct {
	features net.Features
	weights  [][]float64
	hidden   int
	past     [][][]float64 // gradients of the game under way
}

// light returns the probability that Light wins, and its gradient.
func (n *plainNet) light(p board.Position) (win float64, gradient [][]float64) {
	w, b := n.weights[0], n.weights[0][n.features.Inputs()*n.hidden:]
	v, c := n.weights[1], n.weights[1][n.hidden]
	logit := c
	units := make([]float64, n.hidden)
	for o := range units {
		units[o] = b[o]
		for _, in := range n.features.Append(nil, p) {
			units[o] += w[int(in.Index)*n.hidden+o] * float64(in.Value)
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
			gradient[0][n.features.Inputs()*n.hidden+o] = slope * v[o]
			for _, in := range n.features.Append(nil, p) {
				gradient[0][int(in.Index)*n.hidden+o] = slope * v[o] * float64(in.Value)
			}
		}
	}
	return win, gradient
}

// game plays a game and learns from it after each move, and returns the number of moves.
func (n *plainNet) game(p board.Position, dice board.Dice, lambda, rate float64) (moves int) {
	positions := []board.Position{p}
	for {
		options := p.Moves(nil, dice.Roll())
		if len(options) == 0 {
			p = p.Pass()
			continue
		}
		moves++
		best, most := p, -1.0
		for _, m := range options {
			after := p.Apply(m)
			win, _ := n.light(after)
			if p.Turn() == board.Dark {
				win = 1 - win
			}
			if winner, over := after.Winner(); over {
				n.step(positions, float64(1-winner), lambda, rate)
				return moves
			}
			if win > most {
				best, most = after, win
			}
		}
		value, _ := n.light(best)
		n.step(positions, value, lambda, rate)
		p = best
		positions = append(positions, p)
	}
}

// step learns from the last of the positions of a game, of which the gradients of all but
// that are known. The trace is a sum that is written out: of all gradients, as they were at
// their time, times lambda to the power of their age.
func (n *plainNet) step(positions []board.Position, next, lambda, rate float64) {
	value, gradient := n.light(positions[len(positions)-1])
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

// TestSequentialTD compares the learner with the formulas over some games.
func TestSequentialTD(t *testing.T) {
	for _, features := range []string{"squares", "counts"} {
		d := tinyTD(t, TDConfig{Sequential: true, Updates: SampleUpdates, Lambda: 0.6, Rate: 0.2, RateMoves: 1 << 40, NetConfig: NetConfig{Features: features, Pieces: 2}})
		last := d.model.Net()
		for i := range last.Layers[1].Weights {
			last.Layers[1].Weights[i] = float32(i%3) - 0.9
		}
		model, err := gradient.NewModel(last)
		if err != nil {
			t.Fatal(err)
		}
		copy(d.model.Params, model.Params)
		plain := plainNet{features: last.Features, weights: params64(last), hidden: last.Hidden[0]}
		var moves int64
		for game := range uint64(tdStepGames) {
			moves += int64(plain.game(board.StartPosition(2), board.NewDice(d.plain.seed, game), 0.6, 0.2))
		}
		got, err := d.Step(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if got != moves {
			t.Fatalf("%s: %d moves, the formulas make %d", features, got, moves)
		}
		for l, want := range plain.weights {
			for i, w := range params64(d.Net())[l] {
				if math.Abs(w-want[i]) > 1e-3*(1+math.Abs(want[i])) {
					t.Fatalf("%s: number %d of layer %d is %v, the formulas say %v", features, i, l+1, w, want[i])
				}
			}
		}
	}
}

// TestTDResumes holds that a learner goes on as if it had never stopped, on any number of
// threads.
func TestTDResumes(t *testing.T) {
	for _, c := range []TDConfig{{Lanes: 3}, {Sequential: true, Epsilon: 0.1}, {Lanes: 11, Plies: 2, Updates: SampleUpdates, NetConfig: NetConfig{Hidden: "6,4"}}} {
		whole := tinyTD(t, c)
		for range 4 {
			if _, err := whole.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		c.Parallel = 1
		first, second := tinyTD(t, c), tinyTD(t, c)
		for i := range 4 {
			d := first
			if i >= 2 {
				d = second
			}
			if i == 2 {
				state, err := first.State()
				if err != nil {
					t.Fatal(err)
				}
				if err := second.SetState(state); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := d.Step(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		a, _ := whole.State()
		b, _ := second.State()
		if string(a) != string(b) {
			t.Errorf("%+v: a learner that was interrupted has learned something else", c)
		}
	}
}

func TestTDRefuses(t *testing.T) {
	for name, c := range map[string]TDConfig{
		"lambda": {Lambda: 1.5}, "rate": {Rate: -1}, "epsilon": {Epsilon: 2}, "plies": {Plies: 3}, "lanes": {Lanes: -1},
		"one piece": {NetConfig: NetConfig{Pieces: 1}}, "features": {NetConfig: NetConfig{Features: "smells"}},
		"hidden": {NetConfig: NetConfig{Hidden: "a"}}, "activation": {NetConfig: NetConfig{Activation: "tanh"}},
		"start": {NetConfig: NetConfig{Start: "testdata/none.safetensors"}}, "rate moves": {RateMoves: -1},
	} {
		if _, err := NewTD(c); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	d := tinyTD(t, TDConfig{})
	for _, text := range []string{`{`, `{"params":[1]}`, `{}`} {
		if err := d.SetState(json.RawMessage(text)); err == nil {
			t.Errorf("the state %s is taken", text)
		}
	}
}

// TestTDLearns holds that some games of two pieces make a net better than it was.
func TestTDLearns(t *testing.T) {
	d := tinyTD(t, TDConfig{NetConfig: NetConfig{Hidden: "16", Pieces: 2}})
	before := tdError(d)
	for range 40 {
		if _, err := d.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if after := tdError(d); after > before/2 {
		t.Errorf("the error fell from %.4f to %.4f only", before, after)
	}
}

// tdError returns the squared error of the chances where a side needs one more piece and the
// other both.
func tdError(d *TD) (sum float64) {
	for _, p := range nearEnds() {
		miss := d.Net().Win(p) - 0.9
		sum += miss * miss
	}
	return sum
}

// nearEnds returns positions that are all but won for the side to move.
func nearEnds() (list []board.Position) {
	for square := 5; square <= 14; square++ {
		p, err := board.FromSquares(2, board.Light, [2]uint16{1 << square}, [2]int{1, 0})
		if err == nil {
			list = append(list, p)
		}
	}
	return list
}

// BenchmarkTD measures the learning of 80 hidden units at 1 ply on one thread.
func BenchmarkTD(b *testing.B) {
	for _, features := range []string{"squares", "counts"} {
		b.Run("features="+features, func(b *testing.B) {
			d, err := NewTD(TDConfig{Sequential: true, NetConfig: NetConfig{Hidden: "80", Features: features, Parallel: 1}})
			if err != nil {
				b.Fatal(err)
			}
			var moves int64
			for b.Loop() {
				n, err := d.Step(context.Background())
				if err != nil {
					b.Fatal(err)
				}
				moves += n
			}
			b.ReportMetric(float64(moves)/b.Elapsed().Seconds(), "moves/s")
		})
	}
}
