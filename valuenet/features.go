package valuenet

import (
	"fmt"
	"math/bits"

	"github.com/seed-09dcdc84/ur/board"
)

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
