package valuenet

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
)

// Integer is a net in integers, for play. Its arithmetic is exact, so every [Engine] gives the same values.
//
// With x a position's input set (see [InputSet]), a value is
//
//	u = max(0, b1 + sum of the rows w1[i], i in x)      int16
//	v = max(0, b2 + w2 u) >> shift                      int32
//	V = b3 + w3 v                                       int32
//
// and with one hidden layer V = b2 + w2 u. [Quantise] ensures that no sum exceeds its width at any legal position;
// partial sums may, since they wrap around.
//
// V divided by the scale is the logarithm of the odds that the side to move wins.
type Integer struct {
	Shape // the original net's shape

	width   int     // first layer's width, padded to a multiple of 32 units
	first   []int16 // rows of the inputs, of that width
	bias    []int16 // biases by unit
	columns int     // second layer's columns, padded to a multiple of 16; 0 where there is none

	// second[(b*width/2+j)*32 + 2*k+l] leads from unit 2j+l to unit 16b+k in the second hidden layer.
	second     []int16
	secondBias []int32
	shift      uint8 // shift for units in the second hidden layer

	last     []int32 // weights of the output; with one hidden layer they fit 16 bits
	lastBias int32

	scale float64 // scale for values
	inner float64 // scale of the sums of the second hidden layer
}

// Register sizes to which layers are padded.
const (
	widthUnits  = 32
	columnUnits = 16
)

// Quantise returns the net in integers, with steps as fine as the sums' widths allow. It returns an error when uneven
// weights make the integers a different net: a layer would be all zero, or the probability to win differs by more than
// maxQuantiseError at one among quantiseChecks positions.
func Quantise(n *Net) (*Integer, error) {
	if err := n.Check(); err != nil {
		return nil, err
	}
	q, err := quantiseNet(n)
	if err != nil {
		return nil, err
	}
	if worst := q.worstError(n); !(worst <= maxQuantiseError) {
		return nil, fmt.Errorf("net: its weights are too uneven for integers: the probability to win is off by %.2f (want at most %v)", worst, maxQuantiseError)
	}
	return q, nil
}

// Bounds for the check in Quantise. Learned nets are off by 0.001 or less, nets with a few
// weights a thousand times the others by 0.3 or more.
const (
	quantiseChecks   = 512
	maxQuantiseError = 0.1
)

// worstError returns the largest difference between the net's probabilities to win and
// its integers', over a fixed set of positions.
func (q *Integer) worstError(n *Net) float64 {
	rng := rand.New(rand.NewPCG(1, 7))
	worst := 0.0
	for range quantiseChecks {
		set := n.randomSet(rng)
		worst = max(worst, math.Abs(q.Chance(q.valueOfSet(set))-Logistic(float64(n.logitOfSet(set)))))
	}
	return worst
}

// quantiseNet is Quantise for a legal net, without its check.
func quantiseNet(n *Net) (*Integer, error) {
	q := &Integer{Shape: n.Shape, width: roundUp(n.Hidden[0], widthUnits)}
	scale, most := q.quantiseFirst(&n.Layers[0], n.Shape)
	if len(n.Hidden) == 2 {
		q.columns = roundUp(n.Hidden[1], columnUnits)
		scale, most = q.quantiseSecond(&n.Layers[1], scale, most)
	}
	q.scale = q.quantiseLast(&n.Layers[len(n.Layers)-1], scale, most)
	if q.scale < 1 {
		return nil, fmt.Errorf("net: weights too uneven for integers: a logit of 1 would be %g", q.scale)
	}
	return q, nil
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// largestPower returns the largest power of two, at most 2^most, that satisfies test; it may be a fraction.
func largestPower(most int, test func(scale float64) bool) float64 {
	scale := math.Ldexp(1, most)
	for !test(scale) && scale > 0x1p-60 {
		scale /= 2
	}
	return scale
}

// quantiseNumber returns x in steps of 1/scale.
func quantiseNumber(x float32, scale float64) float64 { return math.Round(float64(x) * scale) }

// quantiseFirst sets the first layer. It returns its units' scale and each unit's maximum.
func (q *Integer) quantiseFirst(l *Layer, s Shape) (scale float64, most []float64) {
	most = make([]float64, q.width)
	scale = largestPower(12, func(scale float64) bool {
		for o := range l.Out {
			low, high := l.boundSums(o, scale, layoutOf(s.Rules))
			if low < math.MinInt16 || high > math.MaxInt16 {
				return false
			}
			most[o] = max(0, high)
		}
		return true
	})
	q.first, q.bias = make([]int16, l.In*q.width), make([]int16, q.width)
	for o := range l.Out {
		q.bias[o] = int16(quantiseNumber(l.Bias[o], scale))
		for in := range l.In {
			q.first[in*q.width+o] = int16(quantiseNumber(l.inputRow(in)[o], scale))
		}
	}
	return scale, most
}

// boundSums returns bounds for a unit's sum in the first layer, in steps of 1/scale, and
// for every number in it: up to seven squares on each side, and one from each one-hot group,
// add to the bias; under other rules as many squares as pieces.
func (l *Layer) boundSums(unit int, scale float64, at layout) (low, high float64) {
	bias := quantiseNumber(l.Bias[unit], scale)
	low, high = bias, bias
	largest := math.Abs(bias)
	group := func(first, n, members int) {
		weights := make([]float64, n)
		for i := range weights {
			weights[i] = quantiseNumber(l.inputRow(first + i)[unit], scale)
			largest = max(largest, math.Abs(weights[i]))
		}
		slices.Sort(weights)
		for i := range members {
			low += min(0, weights[i])
			high += max(0, weights[n-1-i])
		}
	}
	group(0, at.squares, at.pieces)
	group(at.squares, at.squares, at.pieces)
	for i := range 4 {
		group(int(at.first[i]), at.pieces+1, 1)
	}
	return min(low, -largest), max(high, largest)
}

// sumBits is the width of sums in the later layers, and unitBits a unit's maximum width
// in the second hidden layer, so that enough is left for the output's weights.
const (
	sumBits  = 31
	unitBits = 16
)

// reachOf returns a unit's largest possible absolute sum, in weights' steps of 1/scale
// and with unit for the inputs, whose largest values are given.
func (l *Layer) reachOf(o int, scale, unit float64, most []float64) float64 {
	bias := quantiseNumber(l.Bias[o], scale*unit)
	low, high := bias, bias
	for in := range l.In {
		product := most[in] * quantiseNumber(l.inputRow(in)[o], scale)
		low, high = low+min(0, product), high+max(0, product)
	}
	return max(-low, high, math.Abs(bias))
}

// weightScale returns the finest scale at which a layer's weights fit 16 bits and its sums fit theirs.
func (l *Layer) weightScale(unit float64, most []float64) float64 {
	return largestPower(14, func(scale float64) bool {
		for _, w := range l.Weights {
			if math.Abs(float64(w))*scale+0.5 > math.MaxInt16 {
				return false
			}
		}
		for o := range l.Out {
			if l.reachOf(o, scale, unit, most) >= 1<<sumBits {
				return false
			}
		}
		return true
	})
}

// quantiseSecond sets the second hidden layer.
func (q *Integer) quantiseSecond(l *Layer, unit float64, most []float64) (scale float64, mostOut []float64) {
	weights := l.weightScale(unit, most)
	scale = weights * unit
	q.inner = scale
	q.second, q.secondBias = make([]int16, q.width*q.columns), make([]int32, q.columns)
	mostOut = make([]float64, q.columns)
	reach := 0.0
	for o := range l.Out {
		q.secondBias[o] = int32(quantiseNumber(l.Bias[o], scale))
		for in := range l.In {
			q.second[q.secondIndex(in, o)] = int16(quantiseNumber(l.inputRow(in)[o], weights))
		}
		mostOut[o] = l.reachOf(o, weights, unit, most)
		reach = max(reach, mostOut[o])
	}
	for reach >= 1<<unitBits {
		reach /= 2
		q.shift++
	}
	for o := range mostOut {
		mostOut[o] = math.Floor(min(mostOut[o], math.MaxInt32) / float64(int64(1)<<q.shift))
	}
	return scale / float64(int64(1)<<q.shift), mostOut
}

// secondIndex returns where the weight from a unit to one in the second layer stands.
func (q *Integer) secondIndex(in, out int) int {
	return (out/columnUnits*(q.width/2)+in/2)*2*columnUnits + out%columnUnits*2 + in%2
}

// quantiseLast sets the output, and returns the scale for values.
func (q *Integer) quantiseLast(l *Layer, unit float64, most []float64) float64 {
	weights := l.weightScale(unit, most)
	q.lastBias = int32(quantiseNumber(l.Bias[0], weights*unit))
	q.last = make([]int32, len(most))
	for in, w := range l.Weights {
		q.last[in] = int32(quantiseNumber(w, weights))
	}
	return weights * unit
}

// Bytes returns how much memory its numbers take.
func (q *Integer) Bytes() int {
	return 2*(len(q.first)+len(q.bias)+len(q.second)) + 4*(len(q.secondBias)+len(q.last))
}

// valueOfSet returns a position's value by its inputs, straight from the definition: the oracle for all engines.
func (q *Integer) valueOfSet(set uint64) int32 {
	units := slices.Clone(q.bias)
	for input := range len(q.first) / q.width {
		if set>>input&1 != 0 {
			for o, w := range q.first[input*q.width:][:q.width] {
				units[o] += w
			}
		}
	}
	inputs := make([]int32, q.width)
	for o, u := range units {
		inputs[o] = int32(max(0, u))
	}
	if q.columns > 0 {
		sums := slices.Clone(q.secondBias)
		for o := range sums {
			for in, u := range inputs {
				sums[o] += u * int32(q.second[q.secondIndex(in, o)])
			}
			sums[o] = max(0, sums[o]) >> q.shift
		}
		inputs = sums
	}
	value := q.lastBias
	for in, u := range inputs {
		value += u * q.last[in]
	}
	return value
}

// Value returns a position's value to the side to move, before the roll. The game must not be over.
func (q *Integer) Value(p board.Position) int32 { return q.valueOfSet(InputSet(q.Rules, p)) }

// Chance returns the probability for a value.
func (q *Integer) Chance(value int32) float64 { return Logistic(float64(value) / q.scale) }

// Start returns the probability that Light wins from the start under the net's rules.
func (q *Integer) Start() float64 { return q.Win(q.Rules.Start()) }

// Win returns the probability, 0 to 1, that the side to move wins. A finished game has the
// value 1 for its winner and 0 for the loser.
func (q *Integer) Win(p board.Position) float64 {
	if winner, over := p.Winner(); over {
		if winner == p.Turn() {
			return 1
		}
		return 0
	}
	return q.Chance(q.Value(p))
}
