package gradient

import (
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/samebits"
	"github.com/seed-09dcdc84/ur/train/internal/f32"
)

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
// number of positions turns a sum into a mean.
func (m *Model) Step(a *Adam[float32], gradient []float32, scale float32, rate float64) {
	first, second := a.next()
	m.kernels.Adam(m.Params, gradient, a.First, a.Second, scale, float32(rate*math.Sqrt(second)/first))
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
}

// Follow moves the weights of a model by step times the traces, and lets these decay. It
// leaves the model fit for Forward and for Add, but for [Batch.Backward] only after
// [Model.Changed].
func (e Traces) Follow(m *Model, step, decay float32) { m.kernels.Follow(m.Params, e, step, decay) }
