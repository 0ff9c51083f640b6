package boardview

import (
	"slices"

	"github.com/seed-09dcdc84/ur/board"
)

// layout maps places of the grid to squares and hands. A gap of the board beside the first tile of a
// path shows the player's pieces in hand and home. A player without such a gap has a line below the
// board.
type layout struct {
	places [][]place // rows and columns of the grid
	below  []board.Side
}

// place is a tile of the grid, a gap with pieces of a player, or nothing.
type place struct {
	squares [2]int // number on each side's path, 0 for none

	// Of a gap with pieces: how many tiles wide it is, and whose they are.
	span   int
	beside board.Side
}

// exists reports whether a place is a tile.
func (p place) exists() bool { return p.squares != [2]int{} }

// is reports whether a place is a square of a side's path.
func (p place) is(side board.Side, square int) bool { return square != 0 && p.squares[side] == square }

func (g *Grid) layout() (l layout) {
	l.places = make([][]place, g.Rules.Columns()) // it lies on its side
	for row := range l.places {
		l.places[row] = make([]place, g.Rules.Rows())
	}
	at := func(side board.Side, square int) (row []place, column int) {
		first, column := g.Rules.TileAt(side, square)
		return l.places[len(l.places)-1-first], column
	}
	for square := 1; square <= g.Rules.Squares(); square++ {
		for side := range board.Dark + 1 {
			row, column := at(side, square)
			row[column].squares[side] = square
		}
	}
	for _, side := range [2]board.Side{board.Dark, board.Light} {
		if row, entry := at(side, 1); !g.placePieces(row, entry, side) {
			l.below = append(l.below, side)
		}
	}
	return l
}

// placePieces gives the gap of a row nearest to a column to a player's pieces. It returns false if
// there is none with room for them.
func (g *Grid) placePieces(row []place, entry int, side board.Side) bool {
	need := 1 + len("hand ") + max(board.FinkelPieces, g.Position.Pieces())
	span := (need + 1 + g.Width) / (g.Width + 1)
	var gap []place
	least := len(row)
	for begin := range len(row) - span + 1 {
		free := !slices.ContainsFunc(row[begin:begin+span], func(p place) bool { return p != place{} })
		distance := max(begin-entry, entry-begin)
		if free && (begin == 0 || row[begin-1] != place{}) && distance < least {
			gap, least = row[begin:begin+span], distance
		}
	}
	for i := range gap {
		gap[i] = place{span: span, beside: side}
	}
	return gap != nil
}
