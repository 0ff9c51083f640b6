// Package array holds the engines that sum getValue anew for every board, except those in package
// ur: the oracle array16/scalar, array16/zeroskip, and array16/avx2 and array16/neon.
package array

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

var (
	// Array8Scalar is array8/scalar, the oracle on bytes.
	Array8Scalar = ur.TurnByTurn("array8/scalar",
		func(b *ur.Brain) ur.Evaluator[board.Array8] { return &scalarBytes{*b} })

	// RowsScalar is rows/scalar. It splits the quadratic form by player.
	RowsScalar = ur.TurnByTurn("rows/scalar",
		func(b *ur.Brain) ur.Evaluator[board.Rows] { return newScalarRows(b) })

	// BitsScalar is bits/scalar. It visits the pieces on a bitboard.
	BitsScalar = ur.TurnByTurn("bits/scalar",
		func(b *ur.Brain) ur.Evaluator[board.Bits] { return (*scalarBits)(b.PairWeights()) })
)

// Engines that not every build has; nil elsewhere.
var (
	Array8AVX2 ur.Engine // array8/avx2
	AVX512     ur.Engine // array16/avx512
	Archsimd   ur.Engine // array16/archsimd, with GOEXPERIMENT=simd and Go 1.27
	SIMD       ur.Engine // array16/simd, likewise
)

// scalarBytes is the oracle on a byte board: 561 products, most by zero.
type scalarBytes struct{ brain ur.Brain }

func (e *scalarBytes) Values(dst []int32, boards []board.Array8) {
	for i := range boards {
		dst[i] = ur.ValueByDefinition(&e.brain, &boards[i])
	}
}

// scalarBits walks the bits set in a bitboard. It needs no pass over empty squares
// at all: the loop runs once for each piece on the path.
type scalarBits ur.PairWeights

func (e *scalarBits) Values(dst []int32, boards []board.Bits) {
	var z ur.Nonzero
	for i, b := range boards {
		z.Reset()
		for _, side := range [2]board.Side{board.Light, board.Dark} {
			first := 16 * int(side)
			z.Add(first+board.Start, int32(b.Hand(side)))
			for row := b.Row(side); row != 0; row &= row - 1 {
				z.Add(first+bits.TrailingZeros16(row), 1)
			}
			z.Add(first+board.Finish, int32(b.Home(side)))
		}
		z.Add(board.TurnNumber, int32(b.Turn()))
		dst[i] = z.Value((*ur.PairWeights)(e))
	}
}

// scalarRows splits the quadratic form by player: Light's half, Dark's half, the cross terms
// between them, and the turn's terms. Empty rows are skipped, and all loops run over 16
// entries, a width that needs no bounds checks.
type scalarRows struct {
	own   [2][16][16]int16 // each side's own triangle, by side
	cross [16][16]int16    // cross[d][l]: Dark's square d with Light's square l
	turn  [2][16]int16     // the turn with each square, by side
	both  int16            // the turn with itself
}

func newScalarRows(b *ur.Brain) *scalarRows {
	e := &scalarRows{both: b.At(board.TurnNumber, board.TurnNumber)}
	for i := range 16 {
		for j := range 16 {
			e.own[board.Light][i][j] = b.At(board.LightNumbers+i, board.LightNumbers+j)
			e.own[board.Dark][i][j] = b.At(board.DarkNumbers+i, board.DarkNumbers+j)
			e.cross[i][j] = b.At(board.DarkNumbers+i, board.LightNumbers+j)
		}
		e.turn[board.Light][i] = b.At(board.TurnNumber, board.LightNumbers+i)
		e.turn[board.Dark][i] = b.At(board.TurnNumber, board.DarkNumbers+i)
	}
	return e
}

func (e *scalarRows) Values(dst []int32, boards []board.Rows) {
	for i := range boards {
		dst[i] = e.value(&boards[i])
	}
}

func (e *scalarRows) value(b *board.Rows) int32 {
	light, dark := &b.Row[board.Light], &b.Row[board.Dark]
	var v int32
	for i := range 16 {
		if n := int32(light[i]); n != 0 {
			v += n * dotRow(&e.own[board.Light][i], light)
		}
		if n := int32(dark[i]); n != 0 {
			v += n * (dotRow(&e.own[board.Dark][i], dark) + dotRow(&e.cross[i], light))
		}
	}
	if b.Turn == board.Dark {
		v += dotRow(&e.turn[board.Light], light) + dotRow(&e.turn[board.Dark], dark) + int32(e.both)
	}
	return v
}

// dotRow returns the product between a row of weights and a row of pieces.
func dotRow(weights *[16]int16, row *[16]uint8) int32 {
	var sum int32
	for i, n := range row {
		sum += int32(weights[i]) * int32(n)
	}
	return sum
}

// Sparse is array16/sparse. It skips the zeros of the vector and of the matrix.
var Sparse = ur.TurnByTurn("array16/sparse",
	func(b *ur.Brain) ur.Evaluator[board.Array16] { return newSparse(b) })

// sparse has the brain's weights by pairs, and for each row the set of columns whose weight is not
// 0. A product is computed only if both numbers and their weight are not 0: 15 in the mean of the
// classic brain's games, 444 of whose 561 weights are 0, and at most 120 of any brain. Binding a
// brain takes one pass over its weights. No sum overflows: it is that of the oracle, whose other
// products are 0.
type sparse struct {
	weight  ur.PairWeights
	columns [board.Numbers]uint64 // bit j of row i >= j
}

func newSparse(b *ur.Brain) *sparse {
	e := &sparse{weight: *b.PairWeights()}
	for i := range e.columns {
		for j := range i + 1 {
			if b.At(i, j) != 0 {
				e.columns[i] |= 1 << j
			}
		}
	}
	return e
}

func (e *sparse) Values(dst []int32, boards []board.Array16) {
	for i := range boards {
		dst[i] = e.value(&boards[i].Number)
	}
}

// value packs the numbers other than 0 into a bit set, without a branch, and intersects it with the
// columns of each row.
func (e *sparse) value(x *[board.Numbers]int16) (v int32) {
	var set uint64
	for k, n := range x {
		set |= uint64(uint32(-int32(n))>>31) << k // the sign bit of -n is set for n > 0
	}
	for rows := set; rows != 0; rows &= rows - 1 {
		i := bits.TrailingZeros64(rows)
		row, sum := &e.weight[i], int32(0)
		for columns := set & e.columns[i]; columns != 0; columns &= columns - 1 {
			j := bits.TrailingZeros64(columns)
			sum += int32(row[j&63]) * int32(x[j])
		}
		v += sum * int32(x[i])
	}
	return v
}
