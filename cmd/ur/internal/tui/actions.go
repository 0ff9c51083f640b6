package tui

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// action is something a user can do: by a key of the full screen, or by typing the key or the name
// in lines.
type action struct {
	keys string // separated by spaces; the first one is shown
	name string // "": an action of the full screen only
	help string
	foot bool // named at the foot of the screen
	do   func() tea.Cmd
}

// findAction returns the action of a key or a name, or nil. Enter is the empty line.
func findAction(actions []action, word string) *action {
	if word == "" {
		word = "enter"
	}
	word = strings.ToLower(word)
	i := slices.IndexFunc(actions,
		func(a action) bool {
			return slices.Contains(strings.Fields(a.keys), word) || a.name != "" && (a.name == word || a.name == word+"s")
		})
	if i < 0 {
		return nil
	}
	return &actions[i]
}

func (a *action) firstKey() string { return strings.Fields(a.keys)[0] }

// pickHelp are the [picker]'s keys for the help, and the mouse.
var pickHelp = []action{
	{keys: "1-7", help: "make that move"},
	{keys: "arrows", help: "choose a move"},
	{keys: "enter", help: "make it"},
	{keys: "mouse", help: "click on a tile"},
}

// footLines names the keys of actions in some lines, behind those of the picker while a move is to be
// chosen.
func (s *screen) footLines(picked string, lines int) []string {
	var items []string
	if picked != "" {
		items = []string{"1-7 arrows enter " + picked}
	}
	for _, a := range s.listActions() {
		if a.foot {
			items = append(items, a.firstKey()+" "+a.name)
		}
	}
	items = Flow(items, min(s.width, 78))
	for i := range items {
		items[i] = s.style.Faint.Render(items[i])
	}
	return fillLines(items, lines)
}

func alignActions(actions []action) []string {
	var bindings []key.Binding
	for _, a := range actions {
		if a.help != "" {
			bindings = append(bindings,
				key.NewBinding(key.WithKeys(a.keys), key.WithHelp(a.firstKey(), fmt.Sprintf("%-22s", a.help))))
		}
	}
	half := (len(bindings) + 1) / 2
	view := help.Model{FullSeparator: "  "}
	return strings.Split(view.FullHelpView([][]key.Binding{bindings[:half], bindings[half:]}), "\n")
}

// listActions lists the actions to type, a line each.
func listActions(actions []action) string {
	var lines strings.Builder
	for _, a := range actions {
		if a.name != "" {
			fmt.Fprintf(&lines, "  %-12s %s\n", a.firstKey()+", "+a.name, a.help)
		}
	}
	return lines.String()
}

// wantedActions names the actions to type, for an error: by their keys, or by their names.
func wantedActions(actions []action, byName bool) string {
	var words []string
	for _, a := range actions {
		switch {
		case a.name == "":
		case byName:
			words = append(words, a.name)
		default:
			words = append(words, a.firstKey())
		}
	}
	return strings.Join(words, ", ")
}

// picker chooses one of a turn's moves: by its number, with a cursor, by a click on the board or
// by a typed text.
type picker struct {
	cursor int // index of the move made by Enter
}

// takeKey takes a key for a choice among moves: a number, where 0 is the tenth, arrows or Enter. It
// returns the index of the chosen move, which may be none of them, or -1; ok reports whether it is
// such a key.
func (p *picker) takeKey(name string, moves int) (choice int, ok bool) {
	switch name {
	case "right", "down", "tab":
		p.cursor = (p.cursor + 1) % moves
	case "left", "up", "shift+tab":
		p.cursor = (p.cursor + moves - 1) % moves
	case "enter", "space":
		return p.cursor, true
	default:
		choice = strings.Index("1234567890", name)
		return choice, len(name) == 1 && choice >= 0
	}
	return -1, true
}

// moveAt returns the move chosen at a point of a board, or -1: the move that ends there, or the one that
// begins there and has the cursor, which goes there otherwise.
func (p *picker) moveAt(g *Grid, at tea.Mouse) int {
	if at.Button != tea.MouseLeft {
		return -1
	}
	before := p.cursor
	for i, m := range g.Moves {
		from, to := g.Ends(at.X, at.Y-headLines, m)
		if to || from && i == before {
			return i
		}
		if from {
			p.cursor = i
		}
	}
	return -1
}

func numberRange(moves int) string {
	if moves == 1 {
		return "1"
	}
	return fmt.Sprintf("1-%d", moves)
}

// sizes are the sizes of tiles, the largest first, with the columns and lines of a window with room
// besides the board.
var sizes = []struct{ width, height, beside, below int }{
	{11, 6, leastLog, 13},
	{9, 3, 17, 13},
	{6, 2, 0, 9},
	{3, 2, 0, 9},
}

// fitTiles sets the largest tiles for which a window has room, otherwise the smallest. It returns the size
// of the window they need, or of the narrowest one.
func fitTiles(g *Grid, width, height int) (leastWidth, leastHeight int) {
	leastWidth, leastHeight = math.MaxInt, math.MaxInt
	for _, size := range sizes {
		g.Width, g.Height = size.width, size.height
		columns, lines := max(LeastWidth, g.Columns()+size.beside), max(LeastHeight, g.Lines()+size.below)
		if width >= columns && height >= lines {
			return columns, lines
		}
		if columns < leastWidth || columns == leastWidth && lines < leastHeight {
			leastWidth, leastHeight = columns, lines
		}
	}
	return leastWidth, leastHeight
}
