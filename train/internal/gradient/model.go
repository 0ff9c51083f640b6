// Package gradient trains networks: values of many positions at once, the gradient of a loss by
// the weights, Adam's steps, and eligibility traces.
//
// A [Model] is a net with layers padded to the width of the kernels and all numbers in one
// list, the space of the steps. The padding stays zero. A [Batch] is the memory for some
// positions. All arithmetic is that of package f32, whose tiers give the same bits.
package gradient

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/samebits"
	"github.com/seed-09dcdc84/ur/train/internal/f32"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// Model is a net in its trainable form. Batches may read it concurrently; after a change of
// Params, call [Model.Changed] before they read it again.
type Model struct {
	// Params are all numbers of the net, layer by layer: weights as in [valuenet.Layer], with
	// the units padded to a multiple of 16, and the biases behind them.
	Params []float32

	shape   valuenet.Shape
	kernels *f32.Kernels
	layers  []span
	back    []float32 // the weights of the second hidden layer, transposed
	counts  bool      // see LearnCounts
}

// span is the place of a layer in the list of numbers. The output has width 1 for its one unit and counts as a row.
type span struct {
	in, out       int // units, padded
	weights, bias int
}

// NewModel returns the model of a copy of a net.
func NewModel(n *valuenet.Net) (*Model, error) {
	if err := n.Check(); err != nil {
		return nil, err
	}
	m := &Model{shape: n.Shape, kernels: f32.Best()}
	in, size := n.Inputs(), 0
	for i, layer := range n.Layers {
		s := span{in: in, out: padUnits(layer.Out), weights: size}
		if i == len(n.Layers)-1 {
			s.out = 1
		}
		s.bias = size + s.in*s.out
		size = s.bias + padUnits(s.out)
		m.layers = append(m.layers, s)
		in = s.out
	}
	m.Params = make([]float32, size)
	for i, layer := range n.Layers {
		s := m.layers[i]
		for row := range layer.In {
			copy(m.Params[s.weights+row*s.out:], layer.Weights[row*layer.Out:][:layer.Out])
		}
		copy(m.Params[s.bias:], layer.Bias)
	}
	if len(m.layers) == 3 {
		m.back = make([]float32, m.layers[1].in*m.layers[1].out)
	}
	m.Changed()
	return m, nil
}

// padUnits returns a number of units up to a full register.
func padUnits(units int) int { return (units + f32.Width - 1) / f32.Width * f32.Width }

// SetParams sets all numbers to those of a list of the same length.
func (m *Model) SetParams(params []float32) {
	copy(m.Params, params)
	m.Changed()
}

// Clone returns a copy.
func (m *Model) Clone() *Model {
	c := *m
	c.Params, c.back = slices.Clone(m.Params), slices.Clone(m.back)
	return &c
}

// LearnCounts makes the numbers of pieces in hand and home inputs by themselves, instead of an input for each
// number: from then on, the weights from the input of a number are that number times those from the input of 1.
func (m *Model) LearnCounts() {
	m.counts = true
	m.spreadCounts()
	m.Changed()
}

// eachCount calls f with every number of pieces but 1, the row of its weights in a list like Params, and the row
// of one piece, if the model learns by counts.
func (m *Model) eachCount(list []float32, f func(n float32, row, one []float32)) {
	if !m.counts {
		return
	}
	width := m.layers[0].out
	first, size := valuenet.CountInputs(m.shape.Rules)
	for _, input := range first {
		row := func(n int) []float32 { return list[(int(input)+n)*width:][:width] }
		for n := range size {
			if n != 1 {
				f(float32(n), row(n), row(1))
			}
		}
	}
}

// gatherCounts turns the derivatives by the weights of all numbers of pieces into those by the weights of one.
func (m *Model) gatherCounts(gradient []float32) {
	m.eachCount(gradient, func(n float32, row, one []float32) {
		m.kernels.AddScaled(one, row, n)
		clear(row)
	})
}

// spreadCounts sets the weights of all numbers of pieces by those of one.
func (m *Model) spreadCounts() {
	m.eachCount(m.Params, func(n float32, row, one []float32) {
		clear(row)
		m.kernels.AddScaled(row, one, n)
	})
}

// Changed must be called when Params were changed.
func (m *Model) Changed() {
	if m.back == nil {
		return
	}
	s := m.layers[1]
	for i := range s.in {
		for o, w := range m.Params[s.weights+i*s.out:][:s.out] {
			m.back[o*s.in+i] = w
		}
	}
}

// Net returns the net with the numbers as they are.
func (m *Model) Net() *valuenet.Net {
	n, err := valuenet.NewNet(m.shape)
	if err != nil {
		panic(fmt.Sprintf("gradient: the shape was checked: %v", err))
	}
	for i := range n.Layers {
		layer, s := &n.Layers[i], m.layers[i]
		for row := range layer.In {
			copy(layer.Weights[row*layer.Out:][:layer.Out], m.Params[s.weights+row*s.out:])
		}
		copy(layer.Bias, m.Params[s.bias:])
	}
	return n
}

// MoveTowards moves the numbers of m by a part of the way to those of a model of the same shape. It leaves m fit for
// [Batch.Forward], but for [Batch.Backward] only after [Model.Changed].
func (m *Model) MoveTowards(to *Model, part float32) {
	for i, x := range to.Params {
		m.Params[i] += float32(part * (x - m.Params[i]))
	}
}

// Adam takes steps by the method of Kingma and Ba ("Adam: a method for stochastic
// optimization", 2015), with its usual settings. Its lists are its whole state. The order of its
// operations is fixed, so results have the same bits on every machine.
type Adam[F float32 | float64] struct {
	First  []F   `json:"first"`  // running means of the gradient
	Second []F   `json:"second"` // and of its square
	Steps  int64 `json:"steps"`
}

// NewAdam returns the state before the first step with n weights.
func NewAdam[F float32 | float64](n int) *Adam[F] {
	return &Adam[F]{First: make([]F, n), Second: make([]F, n)}
}

// Clone returns a copy that later steps do not change.
func (a *Adam[F]) Clone() *Adam[F] {
	return &Adam[F]{slices.Clone(a.First), slices.Clone(a.Second), a.Steps}
}

// next counts a step, and returns the parts of the running means that the steps so far make up.
func (a *Adam[F]) next() (first, second float64) {
	a.Steps++
	return 1 - samebits.Power(f32.AdamFirst, int(a.Steps)), 1 - samebits.Power(f32.AdamSecond, int(a.Steps))
}

// Step moves weights against a gradient at a rate.
func (a *Adam[F]) Step(weights, gradient []F, rate float64) {
	first, second := a.next()
	f32.Adam(weights, gradient, a.First, a.Second, 1, F(rate), F(first), F(second))
}

// Step moves the weights of a model against a gradient, multiplied by scale: 1 divided by the
// number of positions turns a sum into a mean. It may change the gradient.
func (m *Model) Step(a *Adam[float32], gradient []float32, scale float32, rate float64) {
	m.gatherCounts(gradient)
	first, second := a.next()
	m.kernels.Adam(m.Params, gradient, a.First, a.Second, scale, float32(rate*math.Sqrt(second)/first))
	m.spreadCounts()
	m.Changed()
}

// Traces are eligibility traces: for each number of a model, how much it had to do with
// recent values (Sutton, "Learning to predict by the methods of temporal differences",
// 1988). They have the length of the model's Params, and are zero at the beginning of a game.
type Traces []float32

// Add adds the gradient of a computed logit of a batch, times a slope. It needs no transposed
// weights, so the weights may change after every position.
func (e Traces) Add(b *Batch, position int, slope float32) {
	b.Slopes[position] = slope
	b.addGradient(e, position, 1, nil)
	b.model.gatherCounts(e)
}

// Follow moves the weights of a model by step times the traces, and lets these decay. It leaves the model fit for
// Forward and for Add, but for [Batch.Backward] only after [Model.Changed].
func (e Traces) Follow(m *Model, step, decay float32) {
	m.kernels.Follow(m.Params, e, step, decay)
	m.spreadCounts()
}
