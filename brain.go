package ur

import "github.com/seed-09dcdc84/ur/board"

// Weights is the number of weights of a [Brain]: the lower triangle of a 33 x 33
// matrix with its diagonal.
const Weights = board.Numbers * (board.Numbers + 1) / 2

// A Brain is the lower triangle of the matrix B of the quadratic form V, row by
// row: B[0][0], B[1][0], B[1][1], B[2][0], ... Entry (i, j) stands at
// [WeightIndex](i, j).
//
// Any 16-bit weights are allowed. No value overflows int32: on a legal board the
// numbers of each side sum to at most 7 and the turn is at most 1, so the sum of
// x[i]*x[j] over i >= j is at most 162, and |V| at most 162 * 32768 < 2^23.
type Brain [Weights]int16

// WeightIndex returns the index in a [Brain] of the weight in row i, column j,
// for 0 <= j <= i < 33.
func WeightIndex(i, j int) int { return i*(i+1)/2 + j }

// At returns the matrix entry in row i and column j, which is 0 above the
// diagonal.
func (b *Brain) At(i, j int) int16 {
	if j > i {
		return 0
	}
	return b[WeightIndex(i, j)]
}

// Pair returns the weight of x[i]*x[j], in either order of i and j.
func (b *Brain) Pair(i, j int) int16 {
	if j > i {
		i, j = j, i
	}
	return b[WeightIndex(i, j)]
}

// Value returns V of a position, by the double loop of the definition. It is meant
// for a few positions; an [Engine] is the fast way to many.
func (b *Brain) Value(p board.Position) int32 {
	var x board.Array16
	x.Set(p)
	return valueByDefinition(b, &x)
}
