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
}

// span is the place of a layer in the list of numbers. The output has width 1 for its one unit
// and counts as a row.
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

// unbounded is where units are clipped: nowhere above 0.
var unbounded = float32(math.Inf(1))

// padUnits returns a number of units up to a full register.
func padUnits(units int) int { return (units + f32.Width - 1) / f32.Width * f32.Width }

// SetParams sets all numbers to those of a list of the same length.
func (m *Model) SetParams(params []float32) {
	copy(m.Params, params)
	m.Changed()
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

// MoveTowards moves the numbers of m by a part of the way to those of a model of the same
// shape. It leaves m fit for [Batch.Forward], but for [Batch.Backward] only after
// [Model.Changed].
func (m *Model) MoveTowards(to *Model, part float32) {
	for i, x := range to.Params {
		m.Params[i] += float32(part * (x - m.Params[i]))
	}
}
