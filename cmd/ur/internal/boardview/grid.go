package boardview

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/session"
)

// Grid is a board as it is drawn: on its side, its last column on top and its rows from left to
// right, with Light below it.
type Grid struct {
	Style    *Style
	Rules    *board.Rules
	Position board.Position
	Moves    []board.Move // whose numbers, from 1, stand where they end

	Cursor *board.Move // of the side to move, whose two ends are marked; nil: none
	Last   []Mark      // the last moves; the latest last

	Margin int  // columns left of the board, at least 2
	Width  int  // of a tile in columns, at least 3; from 7 on all pieces of a player fit in
	Height int  // of a tile in lines, at least 2
	Path   bool // number the squares in path order

	laid *layout // of the rules, for a width; nil until it is asked for
}

// Mark is a move shown on a board.
type Mark struct {
	Side     board.Side
	From, To int
}

// Columns returns how wide the drawing is.
func (g *Grid) Columns() int { return g.Margin + g.layout().columns*(g.Width+1) + 1 }

// Lines returns how high the drawing is.
func (g *Grid) Lines() int {
	l := g.layout()
	return 2 + len(l.places)*(g.Height+1) + len(l.below)
}

// at returns the place of a row and a column, on the grid or off it.
func (g *Grid) at(row, column int) place {
	l := g.layout()
	if row < 0 || row >= len(l.places) || column < 0 || column >= l.columns {
		return place{}
	}
	return l.places[row][column]
}

// piece returns whose piece stands on a place, if any does.
func (g *Grid) piece(p place) (side board.Side, ok bool) {
	for side = board.Light; side <= board.Dark; side++ {
		if square := p.squares[side]; square != 0 && g.layout().rules.Count(g.Position, side, square) > 0 {
			return side, true
		}
	}
	return 0, false
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
	l := g.layout()
	for column := range l.columns {
		fmt.Fprintf(&s, " %*d%*s", g.Width/2+1, column+1, g.Width-g.Width/2-1, "")
	}
	text := strings.TrimRight(s.String(), " ") + "\n"
	for row := range l.places {
		text += indent + g.border(row) + "\n"
		for line := range g.Height {
			label := indent
			if line == g.middleLine() {
				label = strings.Repeat(" ", g.Margin-2) + string(rune('A'+len(l.places)-1-row)) + " "
			}
			text += label + g.content(row, line) + "\n"
		}
	}
	text += indent + g.border(len(l.places)) + "\n"
	for _, side := range l.below {
		text += indent + g.pieceLine(side) + "\n"
	}
	return text
}

// border draws the line above a row.
func (g *Grid) border(row int) string {
	exists := func(row, column int) bool { return g.at(row, column).exists() }
	horizontal := func(column int) bool { return exists(row-1, column) || exists(row, column) }
	vertical := func(row, column int) bool { return exists(row, column-1) || exists(row, column) }
	var s strings.Builder
	columns := g.layout().columns
	for column := range columns + 1 {
		corner := 0
		for bit, line := range [4]bool{vertical(row-1, column), vertical(row, column), horizontal(column - 1), horizontal(column)} {
			if line {
				corner |= 1 << bit
			}
		}
		s.WriteString(g.Style.corners[corner])
		switch {
		case column == columns:
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
	columns := g.layout().columns
	for column := 0; column <= columns; column++ {
		if g.at(row, column).exists() || g.at(row, column-1).exists() {
			s.WriteString(g.Style.render(g.Style.line, g.Style.corners[1|2]))
		} else {
			s.WriteByte(' ')
		}
		if column == columns {
			break
		}
		p := g.at(row, column)
		switch {
		case p.exists():
			s.WriteString(g.Style.under(g.color(p), g.tile(p, line)))
		case p.span > 0:
			s.WriteString(g.pad(p.beside, line, p.span*(g.Width+1)-1))
			column += p.span - 1
		default:
			s.WriteString(strings.Repeat(" ", g.Width))
		}
	}
	return s.String()
}

// tile draws a line of a tile: on top its number on the path, its rosette and the number of the
// move to it, and below them its piece, with marks beside the middle.
func (g *Grid) tile(p place, line int) string {
	if line == 0 {
		return g.tileHead(p)
	}
	text, width, marks := " ", 1, [2]string{" ", " "}
	side, occupied := g.piece(p)
	middle := line == g.middleLine()
	switch {
	case occupied && g.large() && line <= discLines:
		text, width = g.Style.Of(side, g.Style.Disc[side][line-1]), discWidth
	case !middle:
	case occupied:
		text = g.Style.Pieces(side, 1)
	case g.chosen(p):
		text = g.Style.Missing
	case g.movedFrom(p):
		text = g.Style.Faint(g.Style.Missing)
	}
	switch {
	case !middle:
	case g.chosen(p):
		marks = [2]string{g.Style.Number(g.Style.Chosen[0]), g.Style.Number(g.Style.Chosen[1])}
	case g.movedTo(p):
		marks = g.Style.Moved
	}
	left := (g.Width - width) / 2
	return strings.Repeat(" ", left-1) + marks[0] + text + marks[1] + strings.Repeat(" ", g.Width-width-left-1)
}

// tileHead draws the top of a tile. A narrow one has room for the number of the move to it, or
// else for its number on the path and its rosette.
func (g *Grid) tileHead(p place) string {
	const numberWidth = 3
	turn := g.Position.Turn()
	square, number := p.squares[turn], 0
	if square != 0 {
		number = g.moveTo(square)
	} else {
		square = p.squares[turn.Other()]
	}
	text, used := " ", 1+numberWidth+1
	if g.Path {
		text = g.Style.Faint(fmt.Sprintf("%-2d", square))
		used++
	}
	rosette := " "
	if g.layout().rules.IsRosette(square) {
		rosette = g.Style.RosetteSign()
	}
	if g.Width >= used {
		return text + rosette + strings.Repeat(" ", g.Width-used) + g.number(number)
	}
	if number > 0 {
		return strings.Repeat(" ", g.Width-numberWidth) + g.number(number)
	}
	return text + rosette + strings.Repeat(" ", g.Width-(used-numberWidth))
}

// middleLine is the line of a tile with its piece, or with the middle of a large one.
func (g *Grid) middleLine() int {
	if g.large() {
		return 1 + discLines/2
	}
	return 1
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
	case g.layout().rules.IsRosette(max(p.squares[0], p.squares[1])):
		return rosetteColor
	case p.squares[0] != 0 && p.squares[1] != 0:
		return sharedColor
	}
	return tileColor
}

// large reports whether tiles have room for large pieces.
func (g *Grid) large() bool { return g.Width >= discWidth+3 && g.Height >= discLines+2 }

// pieces draws pieces, or their number where those of the game do not fit.
func (g *Grid) pieces(side board.Side, n, width int) string {
	if all := g.Position.Pieces(); all > width {
		return fit(fmt.Sprintf("%d/%d", n, all), width)
	}
	return g.Style.Pieces(side, n) + strings.Repeat(" ", width-n)
}

// fit fills a text up to a width.
func fit(text string, width int) string { return text + strings.Repeat(" ", max(0, width-len(text))) }

// pad shows a player's pieces in hand and home, one below the other, in a width.
func (g *Grid) pad(side board.Side, line, width int) string {
	if line > 1 {
		return strings.Repeat(" ", width)
	}
	home := g.layout().rules.Finish()
	number := g.homeNumber(side)
	switch {
	case line == 0:
		return g.drawnPad(side, "hand ", board.Start, g.Position.Hand(side), width)
	case number == 0:
		return g.drawnPad(side, "home ", home, g.Position.Home(side), width)
	}
	text := fmt.Sprintf("home %d/%d", g.Position.Home(side), g.Position.Pieces())
	name := text
	if g.atCursor(side, home) {
		name = g.Style.Number(text)
	}
	return " " + name + strings.Repeat(" ", max(0, width-len(text)-4)) + g.number(number)
}

// drawnPad draws pieces in hand or home beside the name of the place, in a width.
func (g *Grid) drawnPad(side board.Side, name string, square, pieces, width int) string {
	mark := " "
	if g.atCursor(side, square) {
		mark, name = g.Style.Number(g.Style.Chosen[0]), g.Style.Number(strings.TrimSpace(name)+g.Style.Chosen[1])
	}
	return mark + name + g.pieces(side, pieces, width-1-len("hand "))
}

// pieceLine shows a player's pieces in hand and home below the board.
func (g *Grid) pieceLine(side board.Side) string {
	text := fmt.Sprintf("%s: hand %d, home %d ", session.SideNames[side], g.Position.Hand(side), g.Position.Home(side))
	return strings.TrimRight(fit(text, g.layout().columns*(g.Width+1)-2)+g.number(g.homeNumber(side)), " ")
}

// atCursor reports whether the cursor is on a move from or to a place beside the path.
func (g *Grid) atCursor(side board.Side, square int) bool {
	return g.Cursor != nil && side == g.Position.Turn() && (int(g.Cursor.From) == square || int(g.Cursor.To) == square)
}

// homeNumber returns the number of the move that brings a piece of a side home, or 0.
func (g *Grid) homeNumber(side board.Side) int {
	if side != g.Position.Turn() {
		return 0
	}
	return g.moveTo(g.layout().rules.Finish())
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
	l := g.layout()
	if row >= len(l.places) || column >= l.columns {
		return hit, false
	}
	p := l.places[row][column]
	switch {
	case p.exists():
		return Hit{Tile: l.tile(p)}, true
	case p.span == 0:
		return hit, false
	}
	return Hit{Side: p.beside, Home: y%(g.Height+1) == 1}, true
}

// Ends reports whether a move of the side to move begins or ends where a point hit.
func (g *Grid) Ends(h Hit, m board.Move) (from, to bool) {
	turn, r := g.Position.Turn(), g.layout().rules
	if h.Tile == "" {
		return h.Side == turn && !h.Home && m.From == board.Start, h.Side == turn && h.Home && int(m.To) == r.Finish()
	}
	return h.Tile == r.Tile(turn, int(m.From)), h.Tile == r.Tile(turn, int(m.To))
}
