package ur

import "github.com/seed-09dcdc84/ur/board"

// The evaluators for array boards in pure Go, from the definition on.

var (
	// Array16Scalar is array16/scalar, the oracle: getValue as the rules define it.
	Array16Scalar = TurnByTurn("array16/scalar",
		func(b *Brain) Evaluator[board.Array16] { return &scalar{*b} })

	// Array16Zeroskip is array16/zeroskip, the oracle without the products by zero.
	Array16Zeroskip = TurnByTurn("array16/zeroskip",
		func(b *Brain) Evaluator[board.Array16] { return (*zeroskip)(b.PairWeights()) })
)

// The engines in assembly are nil in a build without it. The engines that play many games side by
// side use those on Array16 for single positions.
var (
	Array16AVX2 Engine // array16/avx2
	Array16NEON Engine // array16/neon
)

// ValueByDefinition is getValue as the rules define it, on either array board: B[i][j] * x[i] * x[j],
// summed over i >= j. Everything else must equal it.
func ValueByDefinition[T int16 | uint8](b *Brain, x *board.Array[T]) int32 {
	var v int32
	k := 0
	for i := range board.Numbers {
		for j := 0; j <= i; j++ {
			v += int32(b[k]) * int32(x.Number[i]) * int32(x.Number[j])
			k++
		}
	}
	return v
}

// scalar is the oracle: 561 products, most by zero.
type scalar struct{ brain Brain }

func (e *scalar) Values(dst []int32, boards []board.Array16) {
	for i := range boards {
		dst[i] = ValueByDefinition(&e.brain, &boards[i])
	}
}

// PairWeights holds the weight for every pair of numbers in either order, in rows of 64, so an
// index below 64 needs no bounds check.
type PairWeights [board.Numbers][64]int16

// PairWeights returns a brain's weights by pairs: [Brain.Pair] for i and j at [i][j].
func (b *Brain) PairWeights() *PairWeights {
	w := new(PairWeights)
	for i := range board.Numbers {
		for j := range board.Numbers {
			w[i][j] = b.Pair(i, j)
		}
	}
	return w
}

// Nonzero lists a board's numbers other than 0, for evaluators that skip zeros. A legal
// board has at most 15: seven pieces on each side fill at most seven numbers, and the turn is
// one.
type Nonzero struct {
	index [board.Numbers + 1]uint8
	count [board.Numbers + 1]int32
	n     int
}

// Reset empties the list.
func (z *Nonzero) Reset() { z.n = 0 }

// Add appends a number; a zero is overwritten by the next call. There is no branch on the
// count, because it is unpredictable on real boards.
func (z *Nonzero) Add(index int, count int32) {
	z.index[z.n] = uint8(index)
	z.count[z.n] = count
	if count != 0 {
		z.n++
	}
}

// Value sums the weights for all listed pairs: about 50 instead of 561.
func (z *Nonzero) Value(w *PairWeights) int32 {
	var v int32
	for a := range z.n {
		row := &w[z.index[a]]
		var sum int32
		for b := 0; b <= a; b++ {
			sum += int32(row[z.index[b]&63]) * z.count[b]
		}
		v += sum * z.count[a]
	}
	return v
}

// zeroskip skips the rows and products that are zero: it lists the board's nonzero numbers
// and sums over pairs between those. It saves nine tenths of the oracle's products for one pass over
// the board.
type zeroskip PairWeights

func (e *zeroskip) Values(dst []int32, boards []board.Array16) {
	var z Nonzero
	for i := range boards {
		z.Reset()
		for k, count := range boards[i].Number {
			z.Add(k, int32(count))
		}
		dst[i] = z.Value((*PairWeights)(e))
	}
}
