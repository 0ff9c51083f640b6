// Package valuenet holds value networks for the Royal Game of Ur: their inputs, their weights and
// weight files, and the integer nets used in play.
//
// A [Net] has one or two hidden layers and returns the probability that the side to move wins, before the dice are
// thrown. It is learned in float32. Players use an [Integer] net, quantised from it by [Quantise]. Its arithmetic is
// exact, so every implementation (the scalar oracle, accumulators that follow the moves, vectors) gives the same bits,
// and two programs with the same net play the same games.
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
	"math/bits"
	"slices"
	"strconv"
	"strings"

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

// Logit returns the argument to the output's logistic function: the logarithm of the odds that the side to move wins.
// This is the reference for faster float computations; sums run over the inputs in ascending order.
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

// activation is the name of the activation function in all hidden units, max(0, x).
const activation = "relu"

// Shape is everything about a net but its weights.
type Shape struct {
	Rules  *board.Rules // nil for Finkel's, which a [Net] has whole
	Hidden []int        // units of the hidden layers: one or two of them, 1 to 4096 each

	counts bool // true while a file with counts is read; see [Net.fromCounts]
}

// Limits for a shape. The largest net has about 17 million weights.
const (
	maxHidden = 4096
	maxLayers = 2 // hidden ones
)

// checkUnits returns an error for invalid hidden layers.
func (s Shape) checkUnits() error {
	if len(s.Hidden) < 1 || len(s.Hidden) > maxLayers {
		return fmt.Errorf("shape: a net has 1 or %d hidden layers, got %d", maxLayers, len(s.Hidden))
	}
	for _, units := range s.Hidden {
		if units < 1 || units > maxHidden {
			return fmt.Errorf("shape: a hidden layer has 1 to %d units, got %d", maxHidden, units)
		}
	}
	return nil
}

// check returns an error for an invalid shape.
func (s Shape) check() error {
	if err := s.checkUnits(); err != nil {
		return err
	}
	switch r := s.rules(); {
	case s.counts && !r.IsFinkel():
		return fmt.Errorf("shape: features %q under the rule set %q (want %q)", countsName, r.Name(), squaresName)
	case s.Inputs() > maxInputs:
		return fmt.Errorf("shape: %d inputs of the rule set %q with %d pieces (want at most %d)", s.Inputs(), r.Name(), r.Pieces(), maxInputs)
	}
	return nil
}

// rules returns the rule set. A net for Finkel's rules has all their pieces.
func (s Shape) rules() *board.Rules {
	if s.Rules == nil || s.Rules.IsFinkel() {
		return board.Finkel()
	}
	return s.Rules
}

// widths returns the units in all layers, the inputs first and the output last.
func (s Shape) widths() []int {
	return append(append([]int{s.Inputs()}, s.Hidden...), 1)
}

// Weights returns how many numbers a net with the shape has, biases among them.
func (s Shape) Weights() int {
	n, widths := 0, s.widths()
	for i, in := range widths[:len(widths)-1] {
		n += (in + 1) * widths[i+1]
	}
	return n
}

// String describes the shape, as in "squares-256-32-relu", with the rule set's name in
// front unless that is Finkel's. Squares are the kind of inputs.
func (s Shape) String() string {
	name := fmt.Sprintf("%s-%s-%s", s.featureName(), joinInts(s.Hidden, "-"), activation)
	if rules := s.rulesText(); rules != "" {
		return rules + "-" + name
	}
	return name
}

// ParseHidden reads the units in hidden layers, as in "80" or "256,32".
func ParseHidden(text string) ([]int, error) {
	var hidden []int
	for part := range strings.SplitSeq(text, ",") {
		units, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("hidden units %q: not a list of numbers (want one for each layer, as in 80 or 256,32)", text)
		}
		hidden = append(hidden, units)
	}
	return hidden, Shape{Hidden: hidden}.checkUnits()
}

// joinInts writes numbers with something between them.
func joinInts(numbers []int, between string) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", between)
}

// Files may hold nets with other inputs, the 32 counts of TD-Ur: the moving side's pieces on the squares 0 to 15 of its
// path, hand and home among them, and then those on the other side's. They are converted when they are read.
const (
	squaresName = "squares"
	countsName  = "counts"
	countsCount = 2 * (board.Finish + 1)
)

// readNames sets the shape, except for the hidden layers, to the names in a file.
func (s *Shape) readNames(rules, features, function string) (err error) {
	s.Rules, err = parseRules(rules)
	s.Rules, s.counts = s.rules(), features == countsName
	switch {
	case err != nil:
		return err
	case features != squaresName && features != countsName:
		return fmt.Errorf("unknown features %q (want %s or %s)", features, squaresName, countsName)
	case function != activation:
		return fmt.Errorf("unknown activation %q (want %q)", function, activation)
	}
	return nil
}

// featureName returns the name for the kind of inputs.
func (s Shape) featureName() string {
	if s.counts {
		return countsName
	}
	return squaresName
}

// fromCounts turns a net with counts into an equivalent one with squares: a count in hand
// becomes one input for each possible number.
func (n *Net) fromCounts() {
	from := n.Layers[0]
	at := layoutOf(n.rules())
	to := Layer{In: at.countInputs(), Out: from.Out, Weights: make([]float32, at.countInputs()*from.Out), Bias: from.Bias}
	for side := range 2 {
		counts := side * (board.Finish + 1)
		for square := 1; square < board.Finish; square++ {
			copy(to.inputRow(side*at.squares+square-1), from.inputRow(counts+square))
		}
		for home, first := range at.first[2*side:][:2] {
			for pieces := range at.pieces + 1 {
				row := to.inputRow(int(first) + pieces)
				for o, w := range from.inputRow(counts + home*board.Finish) {
					row[o] = w * float32(pieces)
				}
			}
		}
	}
	n.Layers[0], n.counts = to, false
}

// logitOfSet is [Net.Logit] for a position given by its inputs.
func (n *Net) logitOfSet(set uint64) float32 {
	first := &n.Layers[0]
	units := append([]float32(nil), first.Bias...)
	for ; set != 0; set &= set - 1 {
		for o, w := range first.inputRow(bits.TrailingZeros64(set)) {
			units[o] += w
		}
	}
	for l := range n.Layers[1:] {
		layer := &n.Layers[l+1]
		sums := append([]float32(nil), layer.Bias...)
		for i, u := range units {
			a := max(u, 0)
			for o, w := range layer.inputRow(i) {
				sums[o] += float32(w * a)
			}
		}
		units = sums
	}
	return units[0]
}
