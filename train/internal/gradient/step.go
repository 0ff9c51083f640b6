package gradient

import (
	"math"

	"github.com/seed-09dcdc84/ur/internal/samebits"
	"github.com/seed-09dcdc84/ur/train/internal/f32"
)

// Adam takes steps by the method of Kingma and Ba ("Adam: a method for stochastic
// optimization", 2015), with its usual settings. Its lists are its whole state.
type Adam struct {
	First  []float32 `json:"first"`  // running means of the gradient
	Second []float32 `json:"second"` // and of its square
	Steps  int64     `json:"steps"`
}

const (
	adamFirst   = 0.9
	adamSecond  = 0.999
	adamEpsilon = 1e-8
)

var adamDecay = f32.Decay{
	KeepFirst: adamFirst, NewFirst: 1 - adamFirst, KeepSecond: adamSecond, NewSecond: 1 - adamSecond, Epsilon: adamEpsilon,
}

// NewAdam returns the state before the first step of a model.
func NewAdam(m *Model) *Adam {
	return &Adam{First: make([]float32, len(m.Params)), Second: make([]float32, len(m.Params))}
}

// Step moves the weights of a model against a gradient, multiplied by scale: 1 divided by the
// number of positions turns a sum into a mean.
func (a *Adam) Step(m *Model, gradient []float32, scale float32, rate float64) {
	a.Steps++
	keepFirst, keepSecond := samebits.Power(adamFirst, int(a.Steps)), samebits.Power(adamSecond, int(a.Steps))
	size := float32(rate * math.Sqrt(1-keepSecond) / (1 - keepFirst))
	m.kernels.Adam(m.Params, gradient, a.First, a.Second, scale, size, adamDecay)
	m.Changed()
}

// Step64 takes a step of Adam in float64: it brings the running means of the gradient and of its
// square up to date, those of the steps before, and moves the weights at a rate. Steps counts this
// one. The order of its operations is fixed, so results have the same bits on every machine.
func Step64(weights, gradient, first, second []float64, steps int, rate float64) {
	keepFirst, keepSecond := 1-samebits.Power(adamFirst, steps), 1-samebits.Power(adamSecond, steps)
	for k, g := range gradient {
		first[k] = float64(adamFirst*first[k]) + float64((1-adamFirst)*g)
		second[k] = float64(adamSecond*second[k]) + float64((1-adamSecond)*g*g)
		weights[k] -= rate * (first[k] / keepFirst) / (math.Sqrt(second[k]/keepSecond) + adamEpsilon)
	}
}

// Traces are eligibility traces: for each number of a model, how much it had to do with
// recent values (Sutton, "Learning to predict by the methods of temporal differences",
// 1988). They have the length of the model's Params, and are zero at the beginning of a game.
type Traces []float32

// Add adds the gradient of a computed logit of a batch, times a slope. It needs no transposed
// weights, so the weights may change after every position.
func (e Traces) Add(b *Batch, position int, slope float32) {
	m, k := b.model, b.model.kernels
	top := len(m.layers) - 2
	last := m.layers[top+1]
	units := b.units[top][position*last.in:][:last.in]
	k.AddScaled(e[last.weights:][:last.in], units, slope)
	e[last.bias] += slope
	back := b.slopesOf[top][:last.in]
	clear(back)
	k.AddScaled(back, m.Params[last.weights:][:last.in], slope)
	k.ClipBack(back, units, m.high)
	if top == 1 {
		s := m.layers[1]
		below := b.units[0][position*s.in:][:s.in]
		k.Multiply(f32.Rows(e[s.weights:], s.out), f32.Rows(below, 1), f32.Rows(back, s.out), s.in, s.out, 1)
		k.AddScaled(e[s.bias:][:s.out], back, 1)
		down := b.slopesOf[0][:s.in]
		k.Dots(down, m.Params[s.weights:][:s.in*s.out], back)
		k.ClipBack(down, below, m.high)
		back = down
	}
	first := m.layers[0]
	k.AddScaled(e[first.bias:][:first.out], back, 1)
	k.AddToSets(e[first.weights:][:first.in*first.out], back, b.sets[position:][:1], first.out)
}

// Follow moves the weights of a model by step times the traces, and lets these decay. It
// leaves the model fit for Forward and for Add, but for [Batch.Backward] only after
// [Model.Changed].
func (e Traces) Follow(m *Model, step, decay float32) { m.kernels.Follow(m.Params, e, step, decay) }
