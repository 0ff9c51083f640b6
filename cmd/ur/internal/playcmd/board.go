package playcmd

import (
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
)

// The board lies on its side: rows C, B and A from top to bottom, columns 1 to 8
// from left to right, so that Light sits below it. The tiles A5, A6, C5 and C6 do
// not exist; in their place are each player's pieces, in hand beside the tile where
// they enter and home beside the tile they leave from.
const (
	gridRows    = 3
	gridColumns = 8
	tileWidth   = 7 // all pieces of a player fit in
	handColumn  = 4 // column 5
	homeColumn  = 5 // column 6
)

// gridSides are the players whose pieces are kept in the gaps of a grid row: Dark's
// on top, Light's at the bottom.
var gridSides = map[int]board.Side{0: board.Dark, 2: board.Light}

// grid is the board as it is drawn.
type grid struct {
	paint *palette
	tiles [gridRows][gridColumns]tile
	pad   [2]gridPad // by side
}

// tile is a place on the board. A tile is two lines high.
type tile struct {
	exists  bool
	rosette bool
	piece   string // painted; "" when the tile is empty
	number  int    // of the move that ends here, from 1; 0 for none
}

// gridPad is a player's pieces beside the path.
type gridPad struct{ hand, home, pieces, homeNumber int }

// newGrid lays out a position and the moves that can be made.
func newGrid(paint *palette, p board.Position, moves []board.Move) *grid {
	g := &grid{paint: paint}
	for _, side := range []board.Side{board.Light, board.Dark} {
		for square := board.Start + 1; square < board.Finish; square++ {
			t := g.at(side, square)
			t.exists = true
			t.rosette = board.IsRosette(square)
			if p.Count(side, square) > 0 {
				t.piece = paint.piece(side)
			}
		}
		g.pad[side] = gridPad{hand: p.Hand(side), home: p.Home(side), pieces: p.Pieces()}
	}
	for i, m := range moves {
		if m.To == board.Finish {
			g.pad[p.Turn()].homeNumber = i + 1
		} else {
			g.at(p.Turn(), int(m.To)).number = i + 1
		}
	}
	return g
}

// at returns the tile of a square of a side's path.
func (g *grid) at(side board.Side, square int) *tile {
	name := board.Tile(side, square)
	return &g.tiles['C'-name[0]][name[1]-'1']
}

// exists reports whether there is a tile at a place, which may lie off the grid.
func (g *grid) exists(row, column int) bool {
	return row >= 0 && row < gridRows && column >= 0 && column < gridColumns && g.tiles[row][column].exists
}

// String draws the board, 68 columns wide and 11 lines high.
func (g *grid) String() string {
	var s strings.Builder
	s.WriteString("   ")
	for column := range gridColumns {
		fmt.Fprintf(&s, "    %d   ", column+1)
	}
	text := strings.TrimRight(s.String(), " ") + "\n"
	for row := range gridRows {
		text += "   " + g.border(row) + "\n"
		text += "   " + g.content(row, g.upper) + "\n"
		text += fmt.Sprintf(" %c ", 'C'-row) + g.content(row, g.lower) + "\n"
	}
	return text + "   " + g.border(gridRows) + "\n"
}

// corners are the box drawing characters by the directions in which lines leave
// them: 1 up, 2 down, 4 left, 8 right.
var corners = [16]string{" ", "╵", "╷", "│", "╴", "┘", "┐", "┤", "╶", "└", "┌", "├", "─", "┴", "┬", "┼"}

// border draws the line above a row.
func (g *grid) border(row int) string {
	horizontal := func(column int) bool { return g.exists(row-1, column) || g.exists(row, column) }
	vertical := func(row, column int) bool { return g.exists(row, column-1) || g.exists(row, column) }
	var s strings.Builder
	for column := range gridColumns + 1 {
		corner := 0
		for bit, line := range [4]bool{vertical(row-1, column), vertical(row, column), horizontal(column - 1), horizontal(column)} {
			if line {
				corner |= 1 << bit
			}
		}
		s.WriteString(corners[corner])
		switch {
		case column == gridColumns:
		case horizontal(column):
			s.WriteString(strings.Repeat("─", tileWidth))
		default:
			s.WriteString(strings.Repeat(" ", tileWidth))
		}
	}
	return g.paint.line.Sprint(s.String())
}

// content draws a line of a row's tiles, each by the given function.
func (g *grid) content(row int, draw func(row, column int) string) string {
	var s strings.Builder
	for column := range gridColumns + 1 {
		if g.exists(row, column-1) || g.exists(row, column) {
			s.WriteString(g.paint.line.Sprint("│"))
		} else {
			s.WriteByte(' ')
		}
		if column < gridColumns {
			s.WriteString(draw(row, column))
		}
	}
	return s.String()
}

// upper draws the first line of a tile: its rosette, and the number of the move
// that ends there.
func (g *grid) upper(row, column int) string {
	t := g.tiles[row][column]
	if !t.exists {
		return g.upperPad(g.pad[gridSides[row]], column)
	}
	rosette := " "
	if t.rosette {
		rosette = g.paint.rosette.Sprint("✿")
	}
	return " " + rosette + "  " + g.number(t.number)
}

// lower draws the second line of a tile: its piece.
func (g *grid) lower(row, column int) string {
	t := g.tiles[row][column]
	switch {
	case !t.exists:
		return g.lowerPad(gridSides[row], column)
	case t.piece == "":
		return strings.Repeat(" ", tileWidth)
	}
	return "   " + t.piece + "   "
}

// upperPad draws what a gap is for.
func (g *grid) upperPad(pad gridPad, column int) string {
	if column == handColumn {
		return " hand  "
	}
	return "home" + g.number(pad.homeNumber)
}

// lowerPad draws a player's pieces in hand or home.
func (g *grid) lowerPad(side board.Side, column int) string {
	pieces := g.pad[side].hand
	if column == homeColumn {
		pieces = g.pad[side].home
	}
	rest := g.pad[side].pieces - pieces
	return g.paint.side[side].Sprint(strings.Repeat(glyphs[side], pieces)) +
		g.paint.line.Sprint(strings.Repeat("·", rest)) +
		strings.Repeat(" ", tileWidth-pieces-rest)
}

// number draws the number of a move, or as much space.
func (g *grid) number(n int) string {
	if n == 0 {
		return "   "
	}
	return g.paint.number.Sprintf("(%d)", n)
}
