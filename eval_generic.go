package ur

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/board"
)

// The evaluators in pure Go, from the definition on. Each is an engine on the
// board it reads.

var (
	// Array16Scalar is array16/scalar, the oracle: getValue as the rules define it.
	Array16Scalar = TurnByTurn("array16/scalar",
		func(b *Brain) Evaluator[board.Array16] { return &scalarArray[int16]{*b} })

	// Array16Zeroskip is array16/zeroskip, the oracle without the products by zero.
	Array16Zeroskip = TurnByTurn("array16/zeroskip",
		func(b *Brain) Evaluator[board.Array16] { return (*zeroskip)(symmetric(b)) })

	// Array8Scalar is array8/scalar, the oracle on bytes.
	Array8Scalar = TurnByTurn("array8/scalar",
		func(b *Brain) Evaluator[board.Array8] { return &scalarArray[uint8]{*b} })

	// RowsScalar is rows/scalar. It splits the quadratic form by player.
	RowsScalar = TurnByTurn("rows/scalar",
		func(b *Brain) Evaluator[board.Rows] { return newScalarRows(b) })

	// BitsScalar is bits/scalar. It visits the pieces of a bitboard.
	BitsScalar = TurnByTurn("bits/scalar",
		func(b *Brain) Evaluator[board.Bits] { return (*scalarBits)(symmetric(b)) })
)

// valueByDefinition is getValue as the rules define it: the sum over i >= j of
// B[i][j] * x[i] * x[j]. Everything else must equal it.
func valueByDefinition[T int16 | uint8](b *Brain, x *board.Array[T]) int32 {
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

// scalarArray is the oracle on either array board: 561 products, most of them by
// zero.
type scalarArray[T int16 | uint8] struct{ brain Brain }

func (e *scalarArray[T]) Values(dst []int32, boards []board.Array[T]) {
	for i := range boards {
		dst[i] = valueByDefinition(&e.brain, &boards[i])
	}
}

// symmetricWeights holds the weight of every pair of numbers in either order, in rows of 64, so
// an index below 64 needs no bounds check.
type symmetricWeights [board.Numbers][64]int16

func symmetric(b *Brain) *symmetricWeights {
	w := new(symmetricWeights)
	for i := range board.Numbers {
		for j := range board.Numbers {
			w[i][j] = b.Pair(i, j)
		}
	}
	return w
}

// nonzero lists the numbers of a board other than 0. A legal board has at most 15: seven pieces
// of each side fill at most seven numbers, and the turn is one.
type nonzero struct {
	index [board.Numbers + 1]uint8
	count [board.Numbers + 1]int32
	n     int
}

// add appends a number; a zero is overwritten by the next call. There is no branch on the
// count, because it is unpredictable on real boards.
func (z *nonzero) add(index int, count int32) {
	z.index[z.n] = uint8(index)
	z.count[z.n] = count
	if count != 0 {
		z.n++
	}
}

// value sums the weights of all pairs listed: about 50 instead of 561.
func (z *nonzero) value(w *symmetricWeights) int32 {
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

// zeroskip skips the rows and products that are zero: it lists the nonzero numbers of the board
// and sums over pairs of those. It saves nine tenths of the oracle's products for one pass over
// the board.
type zeroskip symmetricWeights

func (e *zeroskip) Values(dst []int32, boards []board.Array16) {
	var z nonzero
	for i := range boards {
		z.n = 0
		for k, count := range boards[i].Number {
			z.add(k, int32(count))
		}
		dst[i] = z.value((*symmetricWeights)(e))
	}
}

// scalarBits walks the set bits of a bitboard. It needs no pass over empty squares
// at all: the loop runs once for each piece on the path.
type scalarBits symmetricWeights

func (e *scalarBits) Values(dst []int32, boards []board.Bits) {
	var z nonzero
	for i, b := range boards {
		z.n = 0
		for _, side := range [2]board.Side{board.Light, board.Dark} {
			first := 16 * int(side)
			z.add(first+board.Start, int32(b.Hand(side)))
			for row := b.Row(side); row != 0; row &= row - 1 {
				z.add(first+bits.TrailingZeros16(row), 1)
			}
			z.add(first+board.Finish, int32(b.Home(side)))
		}
		z.add(board.TurnNumber, int32(b.Turn()))
		dst[i] = z.value((*symmetricWeights)(e))
	}
}

// scalarRows splits the quadratic form by player: Light's half, Dark's half, the cross terms
// between them, and the terms of the turn. Empty rows are skipped, and all loops run over 16
// entries, a width that needs no bounds checks.
type scalarRows struct {
	own   [2][16][16]int16 // each side's own triangle, by side
	cross [16][16]int16    // cross[d][l]: Dark's square d with Light's square l
	turn  [2][16]int16     // the turn with each square, by side
	both  int16            // the turn with itself
}

func newScalarRows(b *Brain) *scalarRows {
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

// dotRow returns the product of a row of weights with a row of pieces.
func dotRow(weights *[16]int16, row *[16]uint8) int32 {
	var sum int32
	for i, n := range row {
		sum += int32(weights[i]) * int32(n)
	}
	return sum
}
