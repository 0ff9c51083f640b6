package gradient

import "math"

// Adam takes steps by the method of Kingma and Ba ("Adam: a method for stochastic
// optimization", 2015), with its usual settings. Its lists are all that its steps change,
// beside the weights.
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

// NewAdam returns the state before the first step of a model.
func NewAdam(m *Model) *Adam {
	return &Adam{First: make([]float32, len(m.Params)), Second: make([]float32, len(m.Params))}
}

// Step moves the weights of a model against a gradient.
func (a *Adam) Step(m *Model, gradient []float32, rate float64) {
	a.Steps++
	t := float64(a.Steps)
	size := float32(rate * math.Sqrt(1-math.Pow(adamSecond, t)) / (1 - math.Pow(adamFirst, t)))
	first, second := a.First[:len(gradient)], a.Second[:len(gradient)]
	params := m.Params[:len(gradient)]
	for i, g := range gradient {
		f := float32(adamFirst*first[i]) + float32((1-adamFirst)*g)
		s := float32(adamSecond*second[i]) + float32(float32((1-adamSecond)*g)*g)
		first[i], second[i] = f, s
		params[i] -= float32(size*f) / (float32(math.Sqrt(float64(s))) + adamEpsilon)
	}
	m.Changed()
}
