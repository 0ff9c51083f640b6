package boardview

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
)

// The board lies on its side: rows C, B and A from top to bottom, columns 1 to 8 from left to
// right, with Light below it. The tiles A5, A6, C5 and C6 do not exist; their space shows each
// player's pieces, in hand beside the entry tile and home beside the exit tile.
const (
	gridRows    = 3
	gridColumns = 8
	handColumn  = 4 // column 5
	homeColumn  = 5 // column 6
)

// padSide returns the player whose pieces are kept in the gap of a grid row: Dark's on
// top, Light's at the bottom.
func padSide(row int) board.Side {
	if row == 0 {
		return board.Dark
	}
	return board.Light
}

// Grid is a board as it is drawn.
type Grid struct {
	Style    *Style
	Position board.Position
	Moves    []board.Move // whose numbers, from 1, stand where they end

	Cursor *board.Move // of the side to move, whose two ends are marked; nil: none
	Last   []Mark      // the last moves; the latest last

	Margin int  // columns left of the board, at least 2
	Width  int  // of a tile in columns, at least 6; from 7 on all pieces of a player fit in
	Height int  // of a tile in lines, at least 2
	Path   bool // number the squares in path order
}

// Mark is a move shown on a board.
type Mark struct {
	Side     board.Side
	From, To int
}

// Columns returns how wide the drawing is.
func (g *Grid) Columns() int { return g.Margin + gridColumns*(g.Width+1) + 1 }

// Lines returns how high the drawing is.
func (g *Grid) Lines() int { return 2 + gridRows*(g.Height+1) }

// place is a tile of the grid, or where there is none.
type place struct {
	exists bool
	square int        // of the path, 1 to 14
	side   board.Side // whose path it is; of a shared one either
}

// at returns the place of a row and a column, on the grid or off it.
func at(row, column int) place {
	if row < 0 || row >= gridRows || column < 0 || column >= gridColumns {
		return place{}
	}
	return places[row][column]
}

var places = func() (grid [gridRows][gridColumns]place) {
	for side := board.Light; side <= board.Dark; side++ {
		for square := board.Start + 1; square < board.Finish; square++ {
			tile := board.Tile(side, square)
			grid['C'-tile[0]][tile[1]-'1'] = place{true, square, side}
		}
	}
	return grid
}()

// piece returns whose piece stands on a place, if any does.
func (g *Grid) piece(p place) (side board.Side, ok bool) {
	for side = board.Light; side <= board.Dark; side++ {
		if (side == p.side || board.IsShared(p.square)) && g.Position.Count(side, p.square) > 0 {
			return side, true
		}
	}
	return 0, false
}

// is reports whether a place is a square of a side's path.
func (p place) is(side board.Side, square int) bool {
	return p.exists && p.square == square && (p.side == side || board.IsShared(square))
}

// moveTo returns the number, from 1, of the move to a square of the side to move, or 0.
func (g *Grid) moveTo(square int) int {
	for i, m := range g.Moves {
		if int(m.To) == square {
			return i + 1
		}
	}
	return 0
}

// String draws the board.
func (g *Grid) String() string {
	indent := strings.Repeat(" ", g.Margin)
	var s strings.Builder
	s.WriteString(indent)
	for column := range gridColumns {
		fmt.Fprintf(&s, " %*d%*s", g.Width/2+1, column+1, g.Width-g.Width/2-1, "")
	}
	text := strings.TrimRight(s.String(), " ") + "\n"
	for row := range gridRows {
		text += indent + g.border(row) + "\n"
		for line := range g.Height {
			label := indent
			if line == g.middleLine() {
				label = strings.Repeat(" ", g.Margin-2) + string(rune('C'-row)) + " "
			}
			text += label + g.content(row, line) + "\n"
		}
	}
	return text + indent + g.border(gridRows) + "\n"
}

// border draws the line above a row.
func (g *Grid) border(row int) string {
	exists := func(row, column int) bool { return at(row, column).exists }
	horizontal := func(column int) bool { return exists(row-1, column) || exists(row, column) }
	vertical := func(row, column int) bool { return exists(row, column-1) || exists(row, column) }
	var s strings.Builder
	for column := range gridColumns + 1 {
		corner := 0
		for bit, line := range [4]bool{vertical(row-1, column), vertical(row, column), horizontal(column - 1), horizontal(column)} {
			if line {
				corner |= 1 << bit
			}
		}
		s.WriteString(g.Style.corners[corner])
		switch {
		case column == gridColumns:
		case horizontal(column):
			s.WriteString(strings.Repeat(g.Style.horizontal, g.Width))
		default:
			s.WriteString(strings.Repeat(" ", g.Width))
		}
	}
	return g.Style.render(g.Style.line, s.String())
}

// content draws a line of a row's tiles.
func (g *Grid) content(row, line int) string {
	var s strings.Builder
	for column := 0; column <= gridColumns; column++ {
		if at(row, column).exists || at(row, column-1).exists {
			s.WriteString(g.Style.render(g.Style.line, g.Style.corners[1|2]))
		} else if column != homeColumn || g.Width >= padWidth {
			s.WriteByte(' ')
		}
		switch {
		case column == gridColumns:
		case at(row, column).exists:
			s.WriteString(g.Style.under(g.color(at(row, column)), g.tile(at(row, column), line)))
		case g.Width >= padWidth:
			s.WriteString(g.widePad(padSide(row), column, line))
		case column == handColumn:
			s.WriteString(g.narrowPad(padSide(row), line))
		}
	}
	return s.String()
}

// tile draws a line of a tile: on top its number on the path, its rosette and the number of the
// move to it, and below them its piece.
func (g *Grid) tile(p place, line int) string {
	const numberWidth = 3
	switch line {
	case 0:
		text := " "
		if g.Path {
			text = g.Style.Faint(fmt.Sprintf("%-2d", p.square))
		}
		rosette := " "
		if board.IsRosette(p.square) {
			rosette = g.Style.RosetteSign()
		}
		used := 1 + numberWidth + 1
		if g.Path {
			used++
		}
		number := 0
		if p.is(g.Position.Turn(), p.square) {
			number = g.moveTo(p.square)
		}
		return text + rosette + strings.Repeat(" ", g.Width-used) + g.number(number)
	case g.middleLine():
		if disc := g.disc(p, line); disc != "" {
			return disc
		}
		return g.middle(p)
	}
	if disc := g.disc(p, line); disc != "" {
		return disc
	}
	return strings.Repeat(" ", g.Width)
}

// middleLine is the line of a tile with its piece, or with the middle of a large one.
func (g *Grid) middleLine() int {
	if g.large() {
		return 1 + discLines/2
	}
	return 1
}

// middle draws the piece of a tile, with its marks.
func (g *Grid) middle(p place) string {
	piece, marks := " ", [2]string{" ", " "}
	if side, ok := g.piece(p); ok {
		piece = g.Style.Pieces(side, 1)
	}
	switch {
	case g.chosen(p):
		marks = g.Style.Chosen
		if piece == " " {
			piece = g.Style.Missing
		}
		marks[0], marks[1] = g.Style.Number(marks[0]), g.Style.Number(marks[1])
	case g.movedTo(p):
		marks = g.Style.Moved
	case g.movedFrom(p) && piece == " ":
		piece = g.Style.Faint(g.Style.Missing)
	}
	left := (g.Width - 1) / 2
	return strings.Repeat(" ", left-1) + marks[0] + piece + marks[1] + strings.Repeat(" ", g.Width-left-2)
}

// movedTo reports whether a marked move ended on a place.
func (g *Grid) movedTo(p place) bool {
	return slices.ContainsFunc(g.Last, func(m Mark) bool { return p.is(m.Side, m.To) })
}

// movedFrom reports whether a marked move began on a place.
func (g *Grid) movedFrom(p place) bool {
	return slices.ContainsFunc(g.Last, func(m Mark) bool { return p.is(m.Side, m.From) })
}

// chosen reports whether the cursor is on a move from or to a place.
func (g *Grid) chosen(p place) bool {
	turn := g.Position.Turn()
	return g.Cursor != nil && (p.is(turn, int(g.Cursor.From)) || p.is(turn, int(g.Cursor.To)))
}

// color returns the colour of a painted tile.
func (g *Grid) color(p place) string {
	switch {
	case g.chosen(p):
		return chosenColor
	case g.movedTo(p):
		return movedColor
	case board.IsRosette(p.square):
		return rosetteColor
	case board.IsShared(p.square):
		return sharedColor
	}
	return tileColor
}

// large reports whether tiles have room for large pieces.
func (g *Grid) large() bool { return g.Width >= discWidth+3 && g.Height >= discLines+2 }

// disc draws a line of a large piece, with the marks of its tile beside its middle; "" where a
// tile has no piece.
func (g *Grid) disc(p place, line int) string {
	side, ok := g.piece(p)
	if !ok || !g.large() || line < 1 || line > discLines {
		return ""
	}
	marks := [2]string{" ", " "}
	if line == 1+discLines/2 {
		switch {
		case g.chosen(p):
			marks = [2]string{g.Style.Number(g.Style.Chosen[0]), g.Style.Number(g.Style.Chosen[1])}
		case g.movedTo(p):
			marks = g.Style.Moved
		}
	}
	left := (g.Width - discWidth) / 2
	return strings.Repeat(" ", left-1) + marks[0] + g.Style.Of(side, g.Style.Disc[side][line-1]) + marks[1] + strings.Repeat(" ", g.Width-discWidth-left-1)
}

// padWidth is the width of a tile with room for all pieces of a player.
const padWidth = board.MaxPieces

// widePad draws a player's pieces in hand or home, as wide as a tile.
func (g *Grid) widePad(side board.Side, column, line int) string {
	rest := strings.Repeat(" ", g.Width-padWidth)
	hand := column == handColumn
	switch {
	case line == 0 && hand:
		return g.padName(side, board.Start, " hand  ") + rest
	case line == 0:
		return g.padName(side, board.Finish, "home") + g.number(g.homeNumber(side)) + rest
	case line != g.middleLine():
		return strings.Repeat(" ", padWidth) + rest
	}
	pieces := g.Position.Home(side)
	if hand {
		pieces = g.Position.Hand(side)
	}
	missing := g.Position.Pieces() - pieces
	return g.Style.Pieces(side, pieces) + g.Style.render(g.Style.line, strings.Repeat(g.Style.Missing, missing)) +
		strings.Repeat(" ", padWidth-pieces-missing) + rest
}

// narrowPad shows a player's pieces in hand and home in figures, as wide as two tiles.
func (g *Grid) narrowPad(side board.Side, line int) string {
	width := 2*g.Width + 1
	text, number, square := "", 0, board.Start
	switch line {
	case 0:
		return g.drawnPad(side, "hand ", board.Start, g.Position.Hand(side))
	case 1:
		square = board.Finish
		number = g.homeNumber(side)
		if number == 0 {
			return g.drawnPad(side, "home ", square, g.Position.Home(side))
		}
		text = fmt.Sprintf("home %d/%d", g.Position.Home(side), g.Position.Pieces())
	}
	return " " + g.padName(side, square, text) + strings.Repeat(" ", width-len(text)-4) + g.number(number)
}

// drawnPad draws pieces in hand or home beside the name of the place, as wide as two tiles.
func (g *Grid) drawnPad(side board.Side, name string, square, pieces int) string {
	width := 2*g.Width + 1
	mark := " "
	if g.atCursor(side, square) {
		mark, name = g.Style.Number(g.Style.Chosen[0]), g.Style.Number(strings.TrimSpace(name)+g.Style.Chosen[1])
	}
	return mark + name + g.Style.Pieces(side, pieces) + strings.Repeat(" ", width-1-len("hand ")-pieces)
}

// atCursor reports whether the cursor is on a move from or to a place beside the path.
func (g *Grid) atCursor(side board.Side, square int) bool {
	return g.Cursor != nil && side == g.Position.Turn() && (int(g.Cursor.From) == square || int(g.Cursor.To) == square)
}

// padName paints the name of a place beside the path, with the mark of the cursor.
func (g *Grid) padName(side board.Side, square int, text string) string {
	if !g.atCursor(side, square) {
		return text
	}
	if bare := strings.TrimSpace(text); bare != text {
		return g.Style.Number("[" + bare + "]" + strings.Repeat(" ", len(text)-len(bare)-2))
	}
	return g.Style.Number(text)
}

// homeNumber returns the number of the move that brings a piece of a side home, or 0.
func (g *Grid) homeNumber(side board.Side) int {
	if side != g.Position.Turn() {
		return 0
	}
	return g.moveTo(board.Finish)
}

// number draws the number of a move, or as much space.
func (g *Grid) number(n int) string {
	if n == 0 {
		return "   "
	}
	text := fmt.Sprintf("(%d)", n)
	if g.Cursor != nil && *g.Cursor == g.Moves[n-1] {
		return g.Style.Cursor(text)
	}
	return g.Style.Number(text)
}

// Hit is the object at a point of a drawing.
type Hit struct {
	Tile string     // "" beside the path
	Side board.Side // whose hand or home it is, when Tile is ""
	Home bool       // and not the hand
}

// At returns the object at a column and a line of the board, from 0.
func (g *Grid) At(x, y int) (hit Hit, ok bool) {
	x, y = x-g.Margin-1, y-2
	if x < 0 || y < 0 || x%(g.Width+1) == g.Width || y%(g.Height+1) == g.Height {
		return hit, false
	}
	column, row := x/(g.Width+1), y/(g.Height+1)
	if row >= gridRows || column >= gridColumns {
		return hit, false
	}
	if p := places[row][column]; p.exists {
		return Hit{Tile: board.Tile(p.side, p.square)}, true
	}
	hit = Hit{Side: padSide(row), Home: column == homeColumn}
	if g.Width < padWidth {
		hit.Home = y%(g.Height+1) == 1
	}
	return hit, true
}

// Ends reports whether a move of the side to move begins or ends where a point hit.
func (g *Grid) Ends(h Hit, m board.Move) (from, to bool) {
	turn := g.Position.Turn()
	if h.Tile == "" {
		return h.Side == turn && !h.Home && m.From == board.Start, h.Side == turn && h.Home && m.To == board.Finish
	}
	return h.Tile == board.Tile(turn, int(m.From)), h.Tile == board.Tile(turn, int(m.To))
}
