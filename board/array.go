package board

// Array is the 33-number board of the rules with entries of type T: entries 0..15
// count Light's pieces on squares 0..15, entries 16..31 Dark's, and entry 32 is
// the side to move. See [Array16] and [Array8].
type Array[T int16 | uint8] [Numbers]T

// Set makes the board hold p.
func (b *Array[T]) Set(p Position) {
	for i, n := range p.Numbers() {
		b[i] = T(n)
	}
}

// Position converts back. The board must be legal; [FromNumbers] checks one that
// may not be.
func (b *Array[T]) Position() Position {
	p := Position{turn: Side(b[32])}
	pieces := 0
	for i, n := range b[:32] {
		side, square := i/16, i%16
		if side == int(Light) {
			pieces += int(n)
		}
		switch square {
		case Start:
		case Finish:
			p.home[side] = uint8(n)
		default:
			p.squares[side] |= uint16(n) << square
		}
	}
	p.pieces = uint8(pieces)
	return p
}

// Futures fills f with the boards that a roll of 0..4 can lead to. The game must
// not be over.
//
// It walks the mover's path from the start, as the oracle does, but reads and
// writes the array in place of asking a Position.
func (b *Array[T]) Futures(f *Futures[Array[T]], roll int) {
	f.Clear()
	me := 16 * int(b[32]&1)
	mine := (*[16]T)(b[me : me+16])
	you := 16 - me
	theirs := (*[16]T)(b[you : you+16])

	for from := 0; roll != 0 && from+roll <= Finish; from++ {
		if mine[from] == 0 {
			continue
		}
		to := from + roll
		if to != Finish && mine[to] != 0 {
			continue
		}
		capture := sharedSet>>to&1 != 0 && theirs[to] != 0
		if capture && to == SafeSquare {
			continue
		}
		next := f.Add(from, to, capture)
		*next = *b
		next[me+from]--
		next[me+to]++
		if capture {
			next[you+to] = 0
			next[you]++
		}
		if rosetteSet>>to&1 == 0 {
			next[32] ^= 1
		}
	}
	if f.N == 0 {
		next := f.AddPass()
		*next = *b
		next[32] ^= 1
	}
}
