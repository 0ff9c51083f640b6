package gradient

import (
	"math"

	"github.com/seed-09dcdc84/ur/internal/f32"
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
	t := float64(a.Steps)
	size := float32(rate * math.Sqrt(1-math.Pow(adamSecond, t)) / (1 - math.Pow(adamFirst, t)))
	m.kernels.Adam(m.Params, gradient, a.First, a.Second, scale, size, adamDecay)
	m.Changed()
}

// Fits reports whether a could be the state of a model, to check a state from a file.
func (a *Adam) Fits(m *Model) bool {
	return a != nil && len(a.First) == len(m.Params) && len(a.Second) == len(m.Params) && a.Steps >= 0
}
