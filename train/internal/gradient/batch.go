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

	// Gradient is the derivative of the loss by each of the model's Params, after [Batch.Backward].
	Gradient []float32

	model    *Model
	n        int
	sets     []uint64 // inputs
	units    [][]float32
	slopesOf [][]float32 // one slice for each hidden layer, like units
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
	k.Clip(units)
	if len(m.layers) == 3 {
		s := m.layers[1]
		sums := b.units[1][:n*s.out]
		for i := range n {
			copy(sums[i*s.out:], m.Params[s.bias:][:s.out])
		}
		k.Multiply(f32.Rows(sums, s.out), f32.Rows(units, s.in), f32.Rows(m.Params[s.weights:], s.out), n, s.out, s.in)
		k.Clip(sums)
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
	clear(b.Gradient)
	b.addGradient(b.Gradient, 0, b.n, b.model.back)
}

// addGradient adds to a list like the model's Params the gradient of n positions from one on. Back are the transposed
// weights of the second hidden layer; nil takes these as they are, which is slower for many positions.
func (b *Batch) addGradient(to []float32, begin, n int, back []float32) {
	m, k := b.model, b.model.kernels
	top := len(m.layers) - 2 // the last hidden layer
	last := m.layers[top+1]
	rows := func(list []float32, width int) []float32 { return list[begin*width:][:n*width] }
	units, down := rows(b.units[top], last.in), rows(b.slopesOf[top], last.in)
	clear(down)
	for i, s := range b.Slopes[begin:][:n] {
		k.AddScaled(to[last.weights:][:last.in], units[i*last.in:][:last.in], s)
		to[last.bias] += s
		k.AddScaled(down[i*last.in:][:last.in], m.Params[last.weights:][:last.in], s)
	}
	k.ClipBack(down, units)
	if top == 1 {
		s, above := m.layers[1], down
		units, down = rows(b.units[0], s.in), rows(b.slopesOf[0], s.in)
		k.Multiply(f32.Rows(to[s.weights:], s.out), f32.Rows(units, s.in).Transposed(), f32.Rows(above, s.out), s.in, s.out, n)
		b.addRows(to[s.bias:][:s.out], above)
		if back == nil {
			for i := range n {
				k.Dots(down[i*s.in:][:s.in], m.Params[s.weights:][:s.in*s.out], above[i*s.out:][:s.out])
			}
		} else {
			clear(down)
			k.Multiply(f32.Rows(down, s.in), f32.Rows(above, s.out), f32.Rows(back, s.in), n, s.in, s.out)
		}
		k.ClipBack(down, units)
	}
	first := m.layers[0]
	k.AddToSets(to[first.weights:][:first.in*first.out], down, b.sets[begin:][:n], first.out)
	b.addRows(to[first.bias:][:first.out], down)
}

// addRows adds the slopes of the units of some positions to the gradient by their biases.
func (b *Batch) addRows(bias, slopes []float32) {
	for ; len(slopes) > 0; slopes = slopes[len(bias):] {
		b.model.kernels.AddScaled(bias, slopes[:len(bias)], 1)
	}
}

// AddGradient adds to sum, a list like the model's Params, the batch's gradient.
func (b *Batch) AddGradient(sum []float32) { b.model.kernels.AddScaled(sum, b.Gradient, 1) }

// Model returns the batch's model.
func (b *Batch) Model() *Model { return b.model }
