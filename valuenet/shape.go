package valuenet

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
)

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

// checkActivation returns an error where a file names another activation.
func checkActivation(name string) error {
	if name != activation {
		return fmt.Errorf("unknown activation %q (want %q)", name, activation)
	}
	return nil
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

// Files may hold nets with other inputs, the 32 counts of TD-Ur: the moving side's pieces
// on the squares 0 to 15 of its path, hand and home among them, and then those on the other
// side's. They are converted when they are read.
const (
	squaresName = "squares"
	countsName  = "counts"
	countsCount = 2 * (board.Finish + 1)
)

// setFeatures reads the kind of inputs, "squares" or "counts".
func (s *Shape) setFeatures(name string) error {
	if name != squaresName && name != countsName {
		return fmt.Errorf("unknown features %q (want %s or %s)", name, squaresName, countsName)
	}
	s.counts = name == countsName
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
