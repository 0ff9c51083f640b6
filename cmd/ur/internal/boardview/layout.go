package boardview

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/board"
)

// layout maps places of the grid to squares and hands. A gap of the board beside the first tile of a
// path shows the player's pieces in hand and home. A player without such a gap has a line below the
// board.
type layout struct {
	width   int // of a tile
	columns int
	places  [][]place // by row and column of the grid
	below   []board.Side
}

// place is a tile of the grid, a gap with pieces of a player, or nothing.
type place struct {
	squares [2]int // of each side's path on a tile, 0 for none

	// Of a gap with pieces: how many tiles wide it is, and whose they are.
	span   int
	beside board.Side
}

// exists reports whether a place is a tile.
func (p place) exists() bool { return p.squares != [2]int{} }

// is reports whether a place is a square of a side's path.
func (p place) is(side board.Side, square int) bool { return square != 0 && p.squares[side] == square }

// layout returns the layout of the grid.
func (g *Grid) layout() *layout {
	if g.laid == nil || g.laid.width != g.Width {
		g.laid = newLayout(g.Rules, g.Width, max(board.FinkelPieces, g.Position.Pieces()))
	}
	return g.laid
}

// newLayout lays a board out in tiles of a width.
func newLayout(r *board.Rules, width, pieces int) *layout {
	l := &layout{width: width, columns: r.Rows(), places: make([][]place, r.Columns())}
	for row := range l.places {
		l.places[row] = make([]place, l.columns)
		for column := range l.columns {
			for side := range board.Dark + 1 {
				l.places[row][column].squares[side] = r.SquareAt(side, l.tileName(row, column))
			}
		}
	}
	for _, side := range [2]board.Side{board.Dark, board.Light} {
		if !l.placePieces(r, side, 1+len("hand ")+pieces) {
			l.below = append(l.below, side)
		}
	}
	return l
}

// tileName names the tile of a place.
func (l *layout) tileName(row, column int) string {
	return fmt.Sprintf("%c%d", 'A'+len(l.places)-1-row, column+1)
}

// placePieces finds a gap for a player's pieces in the row of the first tile of its path, of as many
// tiles as a number of columns needs. It returns false if there is none.
func (l *layout) placePieces(r *board.Rules, side board.Side, need int) bool {
	first, entry := r.TileAt(side, 1)
	row := l.places[len(l.places)-1-first]
	free := func(column int) bool {
		return column >= 0 && column < l.columns && row[column] == place{}
	}
	begin := -1 // of the gap nearest to the first tile
	for column := range l.columns {
		if free(column) && !free(column-1) && (begin < 0 || distance(column, entry) < distance(begin, entry)) {
			begin = column
		}
	}
	if begin < 0 {
		return false
	}
	end := begin // behind the gap
	for free(end) {
		end++
	}
	span := (need + 1 + l.width) / (l.width + 1)
	if span > end-begin {
		return false
	}
	for column := begin; column < begin+span; column++ {
		row[column] = place{span: span, beside: side}
	}
	return true
}

func distance(a, b int) int { return max(a-b, b-a) }
