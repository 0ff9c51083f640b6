package board

import "math/bits"

// Array is a position's array form (see [Numbers]) with entries of type T.
type Array[T int16 | uint8] struct{ Number [Numbers]T }

// Array16 is the 33-number board in 16-bit entries, 66 bytes: the layout in which getValue is
// defined. Sixteen bits is the most common multiplier width in AVX2 and AVX-512 (VPMADDWD), so
// a vector kernel reads the board without conversion.
type Array16 = Array[int16]

// Array8 is the 33-number board in bytes: half the memory of [Array16], at the
// price that every entry is widened before it can be multiplied by a 16-bit weight.
type Array8 = Array[uint8]

// Set makes the board hold p; see [Layout].
func (b *Array[T]) Set(p Position) {
	for i, n := range p.Numbers() {
		b.Number[i] = T(n)
	}
}

// Position converts back. The board must be legal; [FromNumbers] checks an untrusted one.
func (b *Array[T]) Position() Position {
	var x [Numbers]int
	for i, n := range b.Number {
		x[i] = int(n)
	}
	return fromCounts(&x)
}

// Futures fills f; see [Layout]. It first packs the mover's squares into a bit set, without a branch,
// because piece positions are unpredictable. Then it visits only the pieces with a legal move.
func (b *Array[T]) Futures(f *Futures[Array[T]], roll int) {
	f.clearMoves()
	me := 16 * int(b.Number[32]&1)
	you := 16 - me
	mine, theirs := (*[16]T)(b.Number[me:me+16]), (*[16]T)(b.Number[you:you+16])

	for movers := b.movableSquares(mine, theirs, roll); movers != 0; movers &= movers - 1 {
		from := bits.TrailingZeros32(movers)
		to := from + roll
		capture := sharedSet>>to&1 != 0 && theirs[to&15] != 0
		next := f.addMove(from, to, capture)
		*next = *b
		next.Number[me+from]--
		next.Number[me+to]++
		if capture {
			next.Number[you+to] = 0
			next.Number[you]++
		}
		next.Number[32] ^= T(1 &^ (uint32(rosetteSet) >> to)) // no branch: rosettes are as unpredictable as rolls
	}
	if f.N == 0 {
		next := f.addPass()
		*next = *b
		next.Number[32] ^= 1
	}
}

// movableSquares returns the squares whose piece can move by roll, square s at bit s.
func (*Array[T]) movableSquares(mine, theirs *[16]T, roll int) uint32 {
	if roll == 0 {
		return 0
	}
	var own uint32
	for square, n := range mine {
		own |= uint32(-int32(n)) >> 31 << square // the sign bit of -n is set for n > 0
	}
	blocked := own & pathSet
	if theirs[SafeSquare] != 0 {
		blocked |= 1 << SafeSquare
	}
	const path = pathSet | 1<<Start
	reach := uint32(1<<(Finish+1)-1) >> roll // squares from which the roll does not pass the finish
	return own & path & reach &^ (blocked >> roll)
}
