package tui

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/session"
)

// Grid is a board as it is drawn: on its side, its last column on top and its rows from left to
// right, with Light below it.
type Grid struct {
	Style    *Style
	Rules    *board.Rules
	Position board.Position
	Moves    []board.Move // whose numbers, from 1, stand where they end

	Cursor *board.Move // move of the side to move, whose two ends are marked; nil: none
	Last   []play.Turn // whose moves are marked

	Margin int  // columns left of the board, at least 2
	Width  int  // tile width in columns, at least 3; from 7 on all pieces of a player fit in
	Height int  // tile height in lines, at least 2
	Path   bool // number the squares in path order
}

const top = 2 // number of lines above the tiles: the numbers of the rows and a border

// Columns returns how wide the drawing is.
func (g *Grid) Columns() int { return g.Margin + g.Rules.Rows()*(g.Width+1) + 1 }

// Lines returns how high the drawing is.
func (g *Grid) Lines() int {
	l := g.newLayout()
	return top + len(l.places)*(g.Height+1) + len(l.below)
}

// placeAt returns the place at a column and a line of the drawing, with its tile's line.
func (g *Grid) placeAt(x, y int) (p place, line int) {
	x, y = x-g.Margin-1, y-top
	l := g.newLayout()
	row, column := y/(g.Height+1), x/(g.Width+1)
	if x < 0 || y < 0 || x%(g.Width+1) == g.Width || y%(g.Height+1) == g.Height || row >= len(l.places) ||
		column >= len(l.places[row]) {
		return place{}, 0
	}
	return l.places[row][column], y % (g.Height + 1)
}

// Ends reports whether a move of the side to move begins or ends at a column and a line of the
// drawing, from 0.
func (g *Grid) Ends(x, y int, m board.Move) (from, to bool) {
	turn := g.Position.Turn()
	p, line := g.placeAt(x, y)
	if p.span > 0 {
		return p.beside == turn && line != 1 && m.From == board.Start,
			p.beside == turn && line == 1 && int(m.To) == g.Rules.Finish()
	}
	return p.isSquare(turn, int(m.From)), p.isSquare(turn, int(m.To))
}

// pieceOn returns whose piece stands on a place, if any does.
func (g *Grid) pieceOn(p place) (side board.Side, ok bool) {
	for side = board.Light; side <= board.Dark; side++ {
		if square := p.squares[side]; square != 0 && g.Rules.Count(g.Position, side, square) > 0 {
			return side, true
		}
	}
	return 0, false
}

// moveTo returns the number, from 1, of the move of a side to a square, or 0.
func (g *Grid) moveTo(side board.Side, square int) int {
	if side != g.Position.Turn() || square == 0 {
		return 0
	}
	return 1 + slices.IndexFunc(g.Moves, func(m board.Move) bool { return int(m.To) == square })
}

// Draw returns the lines of the drawing, without spaces at their ends.
func (g *Grid) Draw() []string {
	l := g.newLayout()
	c := canvas{uv.NewBuffer(g.Columns(), g.Lines())}
	for column := range g.Rules.Rows() {
		number := strconv.Itoa(column + 1)
		c.putText(g.Margin+column*(g.Width+1)+g.Width/2+2-len(number), 0, nil, number)
	}
	for row, places := range l.places {
		y := top + row*(g.Height+1)
		c.putText(g.Margin-2, y+g.middleLine(), nil, string(rune('A'+len(l.places)-1-row)))
		for column, p := range places {
			x := g.Margin + 1 + column*(g.Width+1)
			switch {
			case p.isTile():
				c.drawBox(g.Style, x-1, y-1, g.Width+1, g.Height+1)
				if g.Style.painted {
					c.fillArea(x, y, g.Width, g.Height, lipgloss.Color(g.tileColor(p)))
				}
				g.tileHead(c, p, x, y)
				g.drawTile(c, p, x, y)
			case p.span > 0 && (column == 0 || places[column-1] != p):
				g.drawPiles(c, p.beside, x, y, p.span*(g.Width+1)-1)
			}
		}
	}
	for i, side := range l.below {
		y := g.Lines() - len(l.below) + i
		c.putText(g.Margin, y, nil,
			fmt.Sprintf("%s: hand %d, home %d", session.SideNames[side], g.Position.Hand(side), g.Position.Home(side)))
		g.drawNumber(c, g.Columns(), y, g.moveTo(side, g.Rules.Finish()))
	}
	lines := strings.Split(c.Render(), "\n")
	for y := range lines {
		lines[y] = strings.TrimRight(lines[y], " ")
	}
	return lines
}

// tileHead draws the top of a tile: its number on the path, its rosette, and the number of the move to
// it. A narrow one has room for the number of the move only.
func (g *Grid) tileHead(c canvas, p place, x, y int) {
	const numberWidth = 3
	turn := g.Position.Turn()
	square, number, sign := cmp.Or(p.squares[turn], p.squares[turn.Other()]), g.moveTo(turn, p.squares[turn]), 1
	if g.Path {
		sign = 2
	}
	g.drawNumber(c, x+g.Width, y, number)
	if number > 0 && sign+1+numberWidth > g.Width {
		return
	}
	if g.Path {
		c.putText(x, y, &g.Style.Faint, strconv.Itoa(square))
	}
	if g.Rules.IsRosette(square) {
		c.putText(x+sign, y, &g.Style.rosette, g.Style.Rosette)
	}
}

// drawTile draws the piece of a tile, with marks beside the middle.
func (g *Grid) drawTile(c canvas, p place, x, y int) {
	s, width, middle := g.Style, 1, y+g.middleLine()
	side, occupied := g.pieceOn(p)
	left := x + (g.Width-width)/2
	switch {
	case occupied && g.hasLargeTiles():
		width = discWidth
		left = x + (g.Width-width)/2
		for i, line := range s.Disc[side] {
			c.putText(left, y+1+i, &s.Side[side], line)
		}
	case occupied:
		c.putText(left, middle, &s.Side[side], s.Piece[side])
	case g.isChosen(p):
		c.putText(left, middle, nil, s.Missing)
	case g.movedFrom(p):
		c.putText(left, middle, &s.Faint, s.Missing)
	}
	switch {
	case g.isChosen(p):
		c.putText(left-1, middle, &s.number, s.Chosen[0])
		c.putText(left+width, middle, &s.number, s.Chosen[1])
	case g.movedTo(p):
		c.putText(left-1, middle, nil, s.Moved[0])
		c.putText(left+width, middle, nil, s.Moved[1])
	}
}

// middleLine is a tile's line with its piece, or with the middle of a large one.
func (g *Grid) middleLine() int {
	if g.hasLargeTiles() {
		return 1 + discLines/2
	}
	return 1
}

// hasLargeTiles reports whether tiles have room for large pieces.
func (g *Grid) hasLargeTiles() bool { return g.Width >= discWidth+3 && g.Height >= discLines+2 }

// movedTo reports whether a marked move ended on a place.
func (g *Grid) movedTo(p place) bool {
	return slices.ContainsFunc(g.Last,
		func(t play.Turn) bool { return !t.Passed() && p.isSquare(t.Side(), int(t.Move().To)) })
}

// movedFrom reports whether a marked move began on a place.
func (g *Grid) movedFrom(p place) bool {
	return slices.ContainsFunc(g.Last,
		func(t play.Turn) bool { return !t.Passed() && p.isSquare(t.Side(), int(t.Move().From)) })
}

// isChosen reports whether the cursor is on a move from or to a place.
func (g *Grid) isChosen(p place) bool {
	turn := g.Position.Turn()
	return g.Cursor != nil && (p.isSquare(turn, int(g.Cursor.From)) || p.isSquare(turn, int(g.Cursor.To)))
}

// tileColor returns the colour of a painted tile.
func (g *Grid) tileColor(p place) string {
	switch {
	case g.isChosen(p):
		return chosenColor
	case g.movedTo(p):
		return movedColor
	case g.Rules.IsRosette(max(p.squares[0], p.squares[1])):
		return rosetteColor
	case p.squares[0] != 0 && p.squares[1] != 0:
		return sharedColor
	}
	return tileColor
}

// drawPiles draws a player's pieces in hand and home, one below the other, in a width.
func (g *Grid) drawPiles(c canvas, side board.Side, x, y, width int) {
	const name = len(" hand ")
	all, number := g.Position.Pieces(), g.moveTo(side, g.Rules.Finish())
	for line, pile := range [2]struct {
		name           string
		square, pieces int
	}{{"hand", board.Start, g.Position.Hand(side)}, {"home", g.Rules.Finish(), g.Position.Home(side)}} {
		var pen *lipgloss.Style
		if g.Cursor != nil && side == g.Position.Turn() &&
			(int(g.Cursor.From) == pile.square || int(g.Cursor.To) == pile.square) {
			pen = &g.Style.number
			c.putText(x, y+line, pen, g.Style.Chosen[0])
			c.putText(x+name-1, y+line, pen, g.Style.Chosen[1])
		}
		c.putText(x+1, y+line, pen, pile.name)
		pieces, ink := strings.Repeat(g.Style.Piece[side], pile.pieces), &g.Style.Side[side]
		if all > width-name || line == 1 && number > 0 {
			pieces, ink = fmt.Sprintf("%d/%d", pile.pieces, all), nil
		}
		c.putText(x+name, y+line, ink, pieces)
	}
	g.drawNumber(c, x+width, y+1, number)
}

// drawNumber draws the number of a move left of a column.
func (g *Grid) drawNumber(c canvas, x, y, n int) {
	if n == 0 {
		return
	}
	text, pen := fmt.Sprintf("(%d)", n), &g.Style.number
	if g.Cursor != nil && *g.Cursor == g.Moves[n-1] {
		pen = &g.Style.Cursor
	}
	c.putText(x-len(text), y, pen, text)
}

// canvas is a drawing by lines and columns.
type canvas struct{ *uv.Buffer }

// putText writes a text of signs one column wide. A nil pen is plain.
func (c canvas) putText(x, y int, pen *lipgloss.Style, text string) {
	for _, sign := range text {
		at := c.CellAt(x, y)
		at.Content, at.Style.Fg, at.Style.Attrs = string(sign), nil, 0
		if pen != nil {
			at.Style.Fg, at.Style.Bg = colorOf(pen.GetForeground()), cmp.Or(colorOf(pen.GetBackground()), at.Style.Bg)
		}
		if pen != nil && pen.GetBold() {
			at.Style.Attrs = uv.AttrBold
		}
		x++
	}
}

// colorOf returns a colour, nil for none.
func colorOf(c color.Color) color.Color {
	if c == (lipgloss.NoColor{}) {
		return nil
	}
	return c
}

func (c canvas) fillArea(x, y, width, height int, paint color.Color) {
	for _, line := range c.Lines[y : y+height] {
		for i := range line[x : x+width] {
			line[x+i].Style.Bg = paint
		}
	}
}

// drawBox draws lines around a rectangle, joined with the lines there.
func (c canvas) drawBox(s *Style, x, y, width, height int) {
	join := func(x, y, direction int) {
		meeting := slices.Index(s.corners, c.CellAt(x, y).Content)
		c.putText(x, y, &s.line, s.corners[max(0, meeting)|direction])
	}
	for _, edge := range [2]int{y, y + height} {
		for i := x; i < x+width; i++ {
			join(i, edge, 8)
			join(i+1, edge, 4)
		}
	}
	for _, edge := range [2]int{x, x + width} {
		for i := y; i < y+height; i++ {
			join(edge, i, 2)
			join(edge, i+1, 1)
		}
	}
}

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

// isTile reports whether a place is a tile.
func (p place) isTile() bool { return p.squares != [2]int{} }

// isSquare reports whether a place is a square of a side's path.
func (p place) isSquare(side board.Side, square int) bool {
	return square != 0 && p.squares[side] == square
}

func (g *Grid) newLayout() (l layout) {
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
