// Package valuenet holds value networks for the Royal Game of Ur: their inputs, their weights and
// weight files, and the integer nets used in play.
//
// A [Net] has one or two hidden layers and returns the probability that the side to move wins,
// before the dice are thrown. It is learned in float32. Players use an [Integer] net, quantised
// from it by [Quantise]. Its arithmetic is exact, so every implementation (the scalar oracle,
// accumulators that follow the moves, vectors) gives the same bits, and two programs with the
// same net play the same games.
//
// The approach follows TD-Gammon (Tesauro, "Temporal difference learning and TD-Gammon", 1995),
// and the integer inference follows NNUE (Nasu, "Efficiently updatable neural-network-based
// evaluation functions for computer shogi", 2018).
package valuenet

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
)

// Net is a value network: its shape, its weights as they were learned, and their
// origin. Any number of goroutines may read it while none changes it.
type Net struct {
	Shape
	Layers []Layer // the hidden ones in their order, then the output

	// Meta describes the weights' origin, in words. It is kept in files.
	Meta map[string]string

	unhashed bool // it was read from a file without a hash
}

// Layer is one step from inputs to units.
type Layer struct {
	In, Out int

	// Weights[i*Out+o] leads from input i to unit o: an input's weights lie together, so a
	// layer with inputs 0 and 1 is a sum over rows.
	Weights []float32
	Bias    []float32 // biases by unit
}

// NewNet returns a net by shape with all weights zero, or an error about the shape.
func NewNet(s Shape) (*Net, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	n := &Net{Shape: s, Meta: map[string]string{}}
	n.Rules, n.Hidden = s.rules(), slices.Clone(s.Hidden)
	widths := s.widths()
	for i, in := range widths[:len(widths)-1] {
		out := widths[i+1]
		n.Layers = append(n.Layers, Layer{In: in, Out: out, Weights: make([]float32, in*out), Bias: make([]float32, out)})
	}
	return n, nil
}

// Randomise draws the weights from a seed: uniform, with the variance 2/n for a unit with n
// nonzero inputs (He et al., "Delving deep into rectifiers", 2015). The biases and the output's
// weights become 0, so every position starts at even odds.
func (n *Net) Randomise(seed uint64) {
	state := board.Mix(seed)
	for l := range n.Layers {
		layer := &n.Layers[l]
		clear(layer.Bias)
		active := float64(layer.In)
		if l == 0 {
			active = float64(n.maxActive())
		}
		bound := math.Sqrt(6 / active)
		for i := range layer.Weights {
			state++
			unit := float64(board.Mix(state)>>11) / (1 << 53)
			layer.Weights[i] = float32(bound * (2*unit - 1))
		}
	}
	clear(n.Layers[len(n.Layers)-1].Weights)
}

// Check returns an error when the weights do not match the shape, or one is not finite.
func (n *Net) Check() error {
	if err := n.Shape.check(); err != nil {
		return err
	}
	widths := n.widths()
	if len(n.Layers) != len(widths)-1 {
		return fmt.Errorf("net: %d layers (want %d)", len(n.Layers), len(widths)-1)
	}
	for i, layer := range n.Layers {
		if in, out := widths[i], widths[i+1]; layer.In != in || layer.Out != out || len(layer.Weights) != in*out || len(layer.Bias) != out {
			return fmt.Errorf("net: layer %d is not one of %d inputs and %d units", i+1, in, out)
		}
		if err := layer.checkFinite(); err != nil {
			return fmt.Errorf("net: layer %d: %w", i+1, err)
		}
	}
	return nil
}

// checkFinite returns an error naming a weight that is NaN or infinite.
func (l *Layer) checkFinite() error {
	for i, x := range slices.Concat(l.Weights, l.Bias) {
		if x-x == 0 {
			continue
		}
		name := fmt.Sprintf("the weight from input %d to unit %d", i/l.Out, i%l.Out)
		if i >= len(l.Weights) {
			name = fmt.Sprintf("the bias of unit %d", i%l.Out)
		}
		return fmt.Errorf("%s is %v: weights must be finite", name, x)
	}
	return nil
}

// Logit returns the argument to the output's logistic function: the logarithm of the odds that
// the side to move wins. This is the reference for faster float
// computations; sums run over the inputs in ascending order.
func (n *Net) Logit(p board.Position) float32 { return n.logitOfSet(InputSet(n.Rules, p)) }

// inputRow returns the weights from an input.
func (l *Layer) inputRow(in int) []float32 { return l.Weights[in*l.Out:][:l.Out] }

// Logistic returns 1 / (1 + exp(-x)), the probability to odds whose logarithm is x.
func Logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Hash returns 16 hexadecimal digits that distinguish nets: the first 8 bytes in a SHA-256 sum.
// It covers the shape's text and, layer by layer, the weights' little-endian bits
// and the biases'. The file's form and its metadata do not matter.
func (n *Net) Hash() string {
	sum := sha256.New()
	fmt.Fprintln(sum, n.Shape)
	var data []byte
	for _, layer := range n.Layers {
		for _, x := range slices.Concat(layer.Weights, layer.Bias) {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
	}
	sum.Write(data)
	return hex.EncodeToString(sum.Sum(nil)[:8])
}
