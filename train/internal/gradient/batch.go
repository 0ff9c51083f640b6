package gradient

import (
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/train/internal/f32"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// Batch is memory for the values of a number of positions and for the gradient by all numbers
// of a model. It is not safe for concurrent use.
type Batch struct {
	// Logits are the values of the added positions, once computed; see [valuenet.Net.Logit].
	Logits []float32

	// Slopes are the derivatives of the caller's loss by each logit.
	Slopes []float32

	// Gradient is the derivative of the loss by each of the model's Params, after
	// [Batch.Backward].
	Gradient []float32

	model    *Model
	n        int
	sets     []uint64 // inputs
	units    [][]float32
	slopesOf [][]float32 // by hidden layer, as units
}

// NewBatch returns memory for up to size positions.
func NewBatch(m *Model, size int) *Batch {
	b := &Batch{model: m, Gradient: make([]float32, len(m.Params)), Logits: make([]float32, 0, size), Slopes: make([]float32, 0, size)}
	b.sets = make([]uint64, size)
	for _, s := range m.layers[:len(m.layers)-1] {
		b.units = append(b.units, make([]float32, size*s.out))
		b.slopesOf = append(b.slopesOf, make([]float32, size*s.out))
	}
	return b
}

// Clear removes all positions.
func (b *Batch) Clear() { b.n = 0 }

// Len returns how many positions there are.
func (b *Batch) Len() int { return b.n }

// Add adds a position of the rules of the model's net, which are Finkel's unless its shape has
// others, and returns its index. It panics if the batch is full.
func (b *Batch) Add(p board.Position) int {
	b.sets[b.n] = valuenet.InputSet(b.model.shape.Rules, p)
	b.n++
	return b.n - 1
}

// Forward computes the logits of all positions.
func (b *Batch) Forward() {
	m, k, n := b.model, b.model.kernels, b.n
	first := m.layers[0]
	units := b.units[0][:n*first.out]
	bias, table := m.Params[first.bias:][:first.out], m.Params[first.weights:][:first.in*first.out]
	k.SumSets(units, bias, table, b.sets[:n])
	k.Clip(units, m.high)
	if len(m.layers) == 3 {
		s := m.layers[1]
		sums := b.units[1][:n*s.out]
		for i := range n {
			copy(sums[i*s.out:], m.Params[s.bias:][:s.out])
		}
		k.Multiply(f32.Rows(sums, s.out), f32.Rows(units, s.in), f32.Rows(m.Params[s.weights:], s.out), n, s.out, s.in)
		k.Clip(sums, m.high)
		units = sums
	}
	last := m.layers[len(m.layers)-1]
	b.Logits, b.Slopes = b.Logits[:n], b.Slopes[:n]
	k.Dots(b.Logits, units, m.Params[last.weights:][:last.in])
	for i := range b.Logits {
		b.Logits[i] += m.Params[last.bias]
	}
}

// Backward computes the gradient from Slopes. The units must be those of Forward.
func (b *Batch) Backward() {
	m, k, n := b.model, b.model.kernels, b.n
	clear(b.Gradient)
	slopes := f32.Rows(b.Slopes, 1)
	top := len(m.layers) - 2 // the last hidden layer
	last := m.layers[top+1]
	units := b.units[top][:n*last.in]
	k.Multiply(f32.Rows(b.Gradient[last.weights:], last.in), slopes.Transposed(), f32.Rows(units, last.in), 1, last.in, n)
	for _, s := range b.Slopes {
		b.Gradient[last.bias] += s
	}
	back := b.slopesOf[top][:n*last.in]
	clear(back)
	k.Multiply(f32.Rows(back, last.in), slopes, f32.Rows(m.Params[last.weights:], last.in), n, last.in, 1)
	k.ClipBack(back, units, m.high)
	if top == 1 {
		s := m.layers[1]
		below := b.units[0][:n*s.in]
		k.Multiply(f32.Rows(b.Gradient[s.weights:], s.out), f32.Rows(below, s.in).Transposed(), f32.Rows(back, s.out), s.in, s.out, n)
		b.addRows(s, back)
		down := b.slopesOf[0][:n*s.in]
		clear(down)
		k.Multiply(f32.Rows(down, s.in), f32.Rows(back, s.out), f32.Rows(m.back, s.in), n, s.in, s.out)
		k.ClipBack(down, below, m.high)
		back = down
	}
	first := m.layers[0]
	k.AddToSets(b.Gradient[first.weights:][:first.in*first.out], back, b.sets[:n], first.out)
	b.addRows(first, back)
}

// addRows adds the slopes of the units of all positions to the gradient by their biases.
func (b *Batch) addRows(s span, slopes []float32) {
	bias := b.Gradient[s.bias:][:s.out]
	for i := range b.n {
		b.model.kernels.AddScaled(bias, slopes[i*s.out:][:s.out], 1)
	}
}

// AddGradient adds to sum, a list like the model's Params, the gradient of the batch.
func (b *Batch) AddGradient(sum []float32) { b.model.kernels.AddScaled(sum, b.Gradient, 1) }

// Model returns the model of the batch.
func (b *Batch) Model() *Model { return b.model }
