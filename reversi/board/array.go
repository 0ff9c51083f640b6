package board

// Array is a board as an array of squares, ordered as [Square]: 0 is empty, +1 a disc of
// the side to move, -1 the other side's. It is this game's oracle: everything faster
// must agree with it.
type Array [64]int8

// directions are the eight steps from a square to its neighbours, in columns and rows.
var directions = [8][2]int{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}

// ArrayOf returns a board as an array.
func ArrayOf(b Board) Array {
	var a Array
	for s := range Square(64) {
		switch {
		case b.Own&s.Bit() != 0:
			a[s] = 1
		case b.Opp&s.Bit() != 0:
			a[s] = -1
		}
	}
	return a
}

// Flips returns the discs turned over by the moving side's disc on s: in each direction the
// unbroken row of the other side's discs that an own disc ends. It is empty when s is
// not.
func (a *Array) Flips(s Square) uint64 {
	if a[s] != 0 {
		return 0
	}
	var flips uint64
	for _, d := range directions {
		var row uint64
		column, line := s.Column()+d[0], s.Row()+d[1]
		for ; 0 <= column && column < 8 && 0 <= line && line < 8; column, line = column+d[0], line+d[1] {
			at := SquareAt(column, line)
			if a[at] == 0 {
				break
			}
			if a[at] == 1 {
				flips |= row
				break
			}
			row |= at.Bit()
		}
	}
	return flips
}

// Moves returns the moving side's legal moves: squares that turn over at least one disc.
func (a *Array) Moves() uint64 {
	var moves uint64
	for s := range Square(64) {
		if a.Flips(s) != 0 {
			moves |= s.Bit()
		}
	}
	return moves
}
