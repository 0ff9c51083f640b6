package gradient

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// eachShape calls test with a random net of every kind of shape, with and without padding, its model, and
// a batch of some positions whose values are computed and whose slopes are random.
func eachShape(t *testing.T, test func(t *testing.T, n *valuenet.Net, m *Model, b *Batch, positions []board.Position)) {
	for _, hidden := range [][]int{{5}, {16}, {80}, {16, 5}, {33, 17}, {48, 32}} {
		t.Run(fmt.Sprint(hidden), func(t *testing.T) {
			n := testkit.Must(valuenet.NewNet(valuenet.Shape{Hidden: hidden}))(t)
			n.Randomise(1)
			rng := rand.New(rand.NewPCG(2, 3))
			for l := range n.Layers {
				testkit.Fill(n.Layers[l].Bias, func() float32 { return float32(rng.NormFloat64() / 8) })
			}
			testkit.Fill(n.Layers[len(n.Layers)-1].Weights, func() float32 { return float32(rng.NormFloat64() / 4) })
			positions := make([]board.Position, 1+rng.IntN(21))
			testkit.Fill(positions, func() board.Position { return board.Finkel().Random(rng, 1+rng.IntN(7)) })
			m := testkit.Must(NewModel(n))(t)
			b := NewBatch(m, len(positions))
			for _, p := range positions {
				b.Add(p)
			}
			b.Forward()
			testkit.Fill(b.Slopes, func() float32 { return float32(rng.NormFloat64()) })
			test(t, n, m, b, positions)
		})
	}
}

// TestForward compares with the formula, and with the reference of package valuenet.
func TestForward(t *testing.T) {
	eachShape(t, func(t *testing.T, n *valuenet.Net, m *Model, b *Batch, positions []board.Position) {
		for i, p := range positions {
			want := logit64(n, weights64(n), p)
			for _, got := range []float64{float64(b.Logits[i]), float64(n.Logit(p))} {
				testkit.Near(t, got, want, 1e-5*(1+math.Abs(want)), "logit %d", i)
			}
		}
	})
}

// weights64 are the numbers of a net in float64, by layer: weights, then biases.
func weights64(n *valuenet.Net) (list [][]float64) {
	for _, layer := range n.Layers {
		var numbers []float64
		for _, w := range slices.Concat(layer.Weights, layer.Bias) {
			numbers = append(numbers, float64(w))
		}
		list = append(list, numbers)
	}
	return list
}

// logit64 is the formula of a net in float64, by the numbers of a net that is given.
func logit64(n *valuenet.Net, weights [][]float64, p board.Position) float64 {
	units := make([]float64, n.Inputs())
	for i := range units {
		units[i] = float64(valuenet.InputSet(board.Finkel(), p) >> i & 1)
	}
	for l, layer := range n.Layers {
		sums := slices.Clone(weights[l][layer.In*layer.Out:])
		for i, u := range units {
			for o := range sums {
				sums[o] += u * weights[l][i*layer.Out+o]
			}
		}
		for o := range sums {
			if l < len(n.Layers)-1 {
				sums[o] = max(0, sums[o])
			}
		}
		units = sums
	}
	return units[0]
}

// TestGradient compares with differences of the loss sum of slope * logit in float64.
func TestGradient(t *testing.T) {
	eachShape(t, func(t *testing.T, n *valuenet.Net, m *Model, b *Batch, positions []board.Position) {
		rng := rand.New(rand.NewPCG(4, 5))
		b.Backward()
		ofGradient := *m
		ofGradient.Params = b.Gradient
		weights := weights64(n)
		loss := func() (sum float64) {
			for i, p := range positions {
				sum += float64(b.Slopes[i]) * logit64(n, weights, p)
			}
			return sum
		}
		const step = 1e-7
		for l, derivatives := range weights64(ofGradient.Net()) {
			for trial := range 60 {
				i := rng.IntN(len(weights[l]))
				if trial == 0 {
					i = len(weights[l]) - 1
				}
				kept := weights[l][i]
				weights[l][i] = kept + step
				up := loss()
				weights[l][i] = kept - step
				want := (up - loss()) / (2 * step)
				weights[l][i] = kept
				testkit.Near(t, derivatives[i], want, 1e-4*(1+math.Abs(want)), "layer %d: slope %d", l+1, i)
			}
		}
	})
}

// TestPaddingStaysZero takes steps and looks at the numbers that no net has.
func TestPaddingStaysZero(t *testing.T) {
	eachShape(t, func(t *testing.T, n *valuenet.Net, m *Model, b *Batch, positions []board.Position) {
		adam := NewAdam[float32](len(m.Params))
		for range 3 {
			b.Forward()
			b.Backward()
			m.Step(adam, b.Gradient, 1, 0.01)
		}
		again := testkit.Must(NewModel(m.Net()))(t)
		testkit.Equal(t, fmt.Sprint(again.Params) == fmt.Sprint(m.Params), true, "the padding is as it was")
	})
}

// TestAdam follows the first steps of the method as it is published.
func TestAdam(t *testing.T) {
	n := testkit.Must(valuenet.NewNet(valuenet.Shape{Hidden: []int{1}}))(t)
	m := testkit.Must(NewModel(n))(t)
	adam := NewAdam[float32](len(m.Params))
	gradient := make([]float32, len(m.Params))
	w, first, second := 0.0, 0.0, 0.0
	for i, g := range []float64{1, -0.5, 0.25, 3} {
		gradient[0] = float32(g)
		m.Step(adam, gradient, 1, 0.1)
		first, second = 0.9*first+0.1*g, 0.999*second+0.001*g*g
		unbiased, variance := first/(1-math.Pow(0.9, float64(i+1))), second/(1-math.Pow(0.999, float64(i+1)))
		w -= 0.1 * unbiased / math.Sqrt(variance)
		testkit.Near(t, float64(m.Params[0]), w, 1e-5, "the weight after step %d", i+1)
	}
}

// TestTraces adds gradients one position at a time and compares with the whole batch.
func TestTraces(t *testing.T) {
	eachShape(t, func(t *testing.T, n *valuenet.Net, m *Model, b *Batch, positions []board.Position) {
		b.Backward()
		traces := make(Traces, len(m.Params))
		for i, slope := range b.Slopes {
			traces.Add(b, i, slope)
		}
		for i, want := range b.Gradient {
			testkit.Near(t, float64(traces[i]-want), 0, 1e-4*(1+math.Abs(float64(want))),
				"the error of number %d of the gradient, %v", i, want)
		}
	})
}
