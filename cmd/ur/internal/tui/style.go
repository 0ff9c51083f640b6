package tui

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/session"
)

// Style is a style of drawing. Colour never carries information alone.
type Style struct {
	glyphs
	Side                  [2]lipgloss.Style // pieces and names
	Strong, Faint, Cursor lipgloss.Style    // Cursor is of the chosen move
	rosette, number, line lipgloss.Style
	painted               bool // tiles have colours

	// InWords leaves out the signs of pieces: a screen reader would name them.
	InWords bool
}

// glyphs are a board's signs.
type glyphs struct {
	Piece      [2]string // one for each side
	Rosette    string
	DieUp      string // counts in a throw
	DieDown    string
	Missing    string               // a place without a piece beside the path
	Chosen     [2]string            // left and right of the piece at the cursor
	Moved      [2]string            // left and right of the last moved piece
	Full, Rest string               // the two parts of a bar
	Disc       [2][discLines]string // a large piece, by side
	Ellipsis   string
	corners    []string // index is the sum of their lines' directions: 1 up, 2 down, 4 left, 8 right
}

var unicode = glyphs{
	Piece: [2]string{"○", "●"}, Rosette: "✿", DieUp: "▲", DieDown: "△", Missing: "·",
	Chosen: [2]string{"[", "]"}, Moved: [2]string{"‹", "›"}, Full: "█", Rest: "░",
	Disc: [2][discLines]string{{"▄████▄", "██  ██", "▀████▀"}, {"▄████▄", "██████", "▀████▀"}}, Ellipsis: "…",
	corners: strings.Split(" ╵╷│╴┘┐┤╶└┌├─┴┬┼", ""),
}

var ascii = glyphs{
	Piece: [2]string{"o", "#"}, Rosette: "*", DieUp: "^", DieDown: ".", Missing: ".",
	Chosen: [2]string{"[", "]"}, Moved: [2]string{"<", ">"}, Full: "#", Rest: ".",
	Disc: [2][discLines]string{{".----.", "|    |", "'----'"}, {".####.", "######", "'####'"}}, Ellipsis: "...",
	corners: strings.Split(" |||-+++-+++-+++", ""),
}

// NewStyle returns a style with or without colour, in letters of ASCII or with signs of Unicode.
// Colour paints the tiles, too.
func NewStyle(color, asciiOnly bool) *Style {
	s := &Style{glyphs: unicode, painted: color}
	if asciiOnly {
		s.glyphs = ascii
	}
	if !color {
		return s
	}
	paint := func(color string) lipgloss.Style { return lipgloss.NewStyle().Foreground(lipgloss.Color(color)) }
	s.Side = [2]lipgloss.Style{board.Light: paint(lightColor).Bold(true), board.Dark: paint(darkColor).Bold(true)}
	s.rosette, s.number, s.line = paint("#ffd27a").Bold(true), paint("10").Bold(true), paint("8")
	s.Strong, s.Faint = lipgloss.NewStyle().Bold(true), paint("8")
	s.Cursor = paint("0").Background(lipgloss.Color("10")).Bold(true)
	return s
}

// The size of a large piece.
const (
	discWidth = 6
	discLines = 3
)

// Colours of tiles and pieces, those of shell and carnelian. The writer of the screen converts them to
// the terminal's nearest ones.
const (
	tileColor    = "#24384f" // lapis lazuli
	sharedColor  = "#2c4a68"
	rosetteColor = "#7a3b2a" // carnelian
	movedColor   = "#3d6b52"
	chosenColor  = "#8a6d1f"
	lightColor   = "#f6ecd2" // shell
	darkColor    = "#ff8a66"
)

// Pieces draws n pieces of a side.
func (s *Style) Pieces(side board.Side, n int) string {
	return s.Side[side].Render(strings.Repeat(s.Piece[side], n))
}

// Player is a side with its piece, as in "○ Light".
func (s *Style) Player(side board.Side) string { return s.Named(side, session.SideNames[side]) }

// Named is a name with a side's piece.
func (s *Style) Named(side board.Side, name string) string {
	if s.InWords {
		return name
	}
	return s.Side[side].Render(s.Piece[side] + " " + name)
}

// Padded is Player, padded to a column.
func (s *Style) Padded(side board.Side) string {
	return s.Player(side) + strings.Repeat(" ", len(session.SideNames[board.Light])-len(session.SideNames[side]))
}

// Dice draws a roll of a rule set: tetrahedra, each with its marked corner up or not. It draws
// nothing for dice of no built-in rule set.
func (s *Style) Dice(r *board.Rules, roll int) string {
	dice, up := diceOf(r), roll
	if roll > dice {
		up = 0 // none up counts as the longest roll
	}
	return strings.Repeat(s.DieUp, up) + strings.Repeat(s.DieDown, dice-up)
}

// diceOf returns the number of two-sided dice of a rule set: four, three of which none up counts
// as 4, or none for other weights of the rolls.
func diceOf(r *board.Rules) int {
	var weights []int
	for roll := range r.MaxRoll() + 1 {
		weights = append(weights, r.Weight(roll))
	}
	switch {
	case slices.Equal(weights, []int{1, 4, 6, 4, 1}):
		return 4
	case slices.Equal(weights, []int{0, 3, 3, 1, 1}):
		return 3
	}
	return 0
}

// UTF8 reports whether the locale of the environment uses UTF-8. The first set variable of
// LC_ALL, LC_CTYPE and LANG decides; if none is set, as on Windows, UTF-8 is assumed.
func UTF8() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := os.Getenv(name); value != "" {
			value = strings.ToLower(value)
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return true
}

// Happened describes a finished turn in a line, as in "● Dark 2: C4-C2, captures ○".
func (s *Style) Happened(t *play.Turn) string {
	return fmt.Sprintf("%s %d: %s", s.Player(t.Side()), t.Roll, s.turnOutcome(t))
}

// Line describes a finished turn in a line with its number, or in a sentence for a screen reader.
func (s *Style) Line(t *play.Turn) string {
	if s.InWords {
		return stepWords(t)
	}
	return s.Numbered(t) + "  " + s.turnOutcome(t)
}

func (s *Style) turnOutcome(t *play.Turn) string {
	switch {
	case t.Roll == 0:
		return "passes"
	case t.Passed():
		return "has no legal move and passes"
	}
	text := t.Text()
	if t.Move().Capture {
		text += ", captures " + s.Pieces(t.Side().Other(), 1)
	}
	if t.Rules.RollsAgain(t.Move()) {
		text += ", throws again"
	}
	return text
}

// Thrown is the side of a turn with its roll.
func (s *Style) Thrown(t *play.Turn) string {
	return s.Padded(t.Side()) + "  " + s.Dice(t.Rules, t.Roll) + " " + s.Strong.Render(strconv.Itoa(t.Roll))
}

// Numbered is a turn's number, from 1, its side and its roll.
func (s *Style) Numbered(t *play.Turn) string { return fmt.Sprintf("%4d  %s", t.Number+1, s.Thrown(t)) }

// moveNumber is the number of a move, from 1, marked if it is at the cursor.
func (s *Style) moveNumber(i, cursor int) string {
	if i == cursor {
		return s.Cursor.Render(fmt.Sprintf("[%d]", i+1))
	}
	return s.number.Render(fmt.Sprintf("(%d)", i+1))
}

// Moves lists a turn's moves with their numbers, in lines of a width. The cursor is the index of
// one of them.
func (s *Style) Moves(t *play.Turn, cursor, width int) []string {
	items := make([]string, len(t.Moves))
	for i, m := range t.Moves {
		items[i] = s.moveNumber(i, cursor) + " " + t.Notation(m)
	}
	return Flow(items, width)
}

// Flow puts items beside each other, in as many lines of a width as they need.
func Flow(items []string, width int) (lines []string) {
	for _, item := range items {
		last := len(lines) - 1
		if last < 0 || lipgloss.Width(lines[last]+"  "+item) > width {
			lines = append(lines, item)
		} else {
			lines[last] += "  " + item
		}
	}
	return lines
}

// Value is a move of a turn with the probability to win after it in per cent, exact or estimated, and
// its loss against the best.
func (s *Style) Value(t *play.Turn, i, cursor int, win, regret float64, exact bool) string {
	digits := 1
	if exact {
		digits = 2
	}
	if s.InWords {
		loss := "the best move"
		if regret > 0 {
			loss = fmt.Sprintf("%.*f points less than the best move", digits, 100*regret)
		}
		return fmt.Sprintf("Move %d, %s: %.*f %%, %s", i+1, moveWords(t.Rules, t.Side(), t.Moves[i]),
			digits, 100*win, loss)
	}
	loss := "best"
	if regret > 0 {
		loss = fmt.Sprintf("%+.*f", digits, -100*regret)
	}
	return fmt.Sprintf("%s %-9s %*.*f %%  %s", s.moveNumber(i, cursor), t.Notation(t.Moves[i]),
		4+digits, digits, 100*win, loss)
}

func stepWords(t *play.Turn) string {
	who := fmt.Sprintf("%s throws %d", session.SideNames[t.Side()], t.Roll)
	switch {
	case t.Roll == 0:
		return who + " and passes."
	case t.Passed():
		return who + ", has no legal move and passes."
	}
	return who + ": " + moveWords(t.Rules, t.Side(), t.Move()) + "."
}

// moveWords describes a move, as in "from A3 to B1, captures".
func moveWords(r *board.Rules, side board.Side, m board.Move) string {
	words := "from " + r.Tile(side, int(m.From))
	if m.From == board.Start {
		words = "a piece enters"
	}
	switch {
	case int(m.To) == r.Finish():
		words += " goes home"
	case m.From == board.Start:
		words += " on " + r.Tile(side, int(m.To))
	default:
		words += " to " + r.Tile(side, int(m.To))
	}
	if m.Capture {
		words += ", captures a piece of " + session.SideNames[side.Other()]
	}
	if r.IsRosette(int(m.To)) {
		words += ", a rosette"
	}
	if r.RollsAgain(m) {
		words += ", and throws again"
	}
	return words
}

// sideWords lists the places of a side's pieces.
func sideWords(r *board.Rules, p board.Position, side board.Side) string {
	var on []string
	for square := 1; square <= r.Squares(); square++ {
		if r.Count(p, side, square) == 0 {
			continue
		}
		tile := r.Tile(side, square)
		if r.IsSafe(square) {
			tile += " (safe)"
		}
		on = append(on, tile)
	}
	where := "none on the board"
	if len(on) > 0 {
		where = "on " + strings.Join(on, ", ")
	}
	return fmt.Sprintf("%s: %d in hand, %s, %d home.", session.SideNames[side], p.Hand(side), where, p.Home(side))
}

// QuestionWords describes a position and its legal moves.
func QuestionWords(t *play.Turn) string {
	side, r, p := t.Side(), t.Rules, t.Position
	var s strings.Builder
	fmt.Fprintf(&s, "%s\n%s\n", sideWords(r, p, side), sideWords(r, p, side.Other()))
	fmt.Fprintf(&s, "%s, you threw %d.\n", session.SideNames[side], t.Roll)
	for i, m := range t.Moves {
		fmt.Fprintf(&s, "%d: %s.\n", i+1, moveWords(r, side, m))
	}
	return s.String()
}
