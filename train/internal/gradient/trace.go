package gradient

import "github.com/seed-09dcdc84/ur/train/internal/f32"

// Traces are eligibility traces: for each number of a model, how much it had to do with
// recent values (Sutton, "Learning to predict by the methods of temporal differences",
// 1988). They have the length of the model's Params.
type Traces []float32

// NewTraces returns zero traces.
func NewTraces(m *Model) Traces { return make(Traces, len(m.Params)) }

// Clear makes the traces zero, as at the beginning of a game.
func (e Traces) Clear() { clear(e) }

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
