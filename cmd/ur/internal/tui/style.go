package tui

import (
	"os"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/seed-09dcdc84/ur/board"
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
