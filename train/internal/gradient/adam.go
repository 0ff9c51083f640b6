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

// Fits reports whether a could be the state of a model, to check a state from a file.
func (a *Adam) Fits(m *Model) bool {
	return a != nil && len(a.First) == len(m.Params) && len(a.Second) == len(m.Params) && a.Steps >= 0
}
