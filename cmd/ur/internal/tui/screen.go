package tui

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// The smallest window for the interface on the board of Finkel's rules.
const (
	LeastWidth  = 60
	LeastHeight = 20
)

// The screen's lines, from top to bottom: the heading, the board, the status, the texts, the
// list (or beside the board, where there is room), a note, the keys.
const (
	headLines   = 1
	statusLines = 1
	noteLines   = 1

	leastLog = 20 // columns beside the board
)

// content fills an interface: a game or questions.
type content interface {
	Init() tea.Cmd

	listActions() []action                      // what a user can do besides choosing a move
	isChoosing() bool                           // whether a move can be chosen
	chooseMove(int) tea.Cmd                     // makes a move of the turn on the board
	currentGrid() *Grid                         // grid as drawn now
	screenParts() parts                         // parts of the screen
	onResize()                                  // the window has another size
	pickKey(name string) (cmd tea.Cmd, ok bool) // takes a key of the [picker], if it is one

	// On lines: printNews prints what has happened since the last call, printPrompt the question, if it has not
	// been printed. It returns the prompt, or io.EOF at the end. enterLine takes a line, and endOfInput returns
	// the error of the end of the input.
	printNews(out io.Writer)
	printPrompt(out io.Writer) (string, error)
	enterLine(line string) tea.Cmd
	endOfInput() error
}

// parts are the lines of a screen besides the board and the list.
type parts struct {
	head, status string
	texts        []string
	least        int // lines of texts: some stay free so the rest does not shift
	note         string
	foot         []string
}

// screen is an interface on a terminal, in the manner of Bubble Tea or line by line.
type screen struct {
	content
	style *Style
	lines bool // line by line
	picker

	width, height int
	generation    int             // board generation; work for another one is late
	help          func() []string // shown instead of the board; nil: none
	list          viewport.Model  // a text that scrolls
	wide          bool            // the list stands beside the board where there is room
	ask           *question       // an open question; nil: none
	message       string          // an event or an error
	interrupted   bool            // whether Ctrl-C ended it
}

func newScreen(c content, style *Style) screen {
	return screen{content: c, style: style, list: viewport.New()}
}

func (s *screen) hasLogBeside(g *Grid) bool { return s.wide && s.width-g.Columns() >= leastLog }

func (s *screen) fitWindow() {
	grid, p := s.currentGrid(), s.screenParts()
	s.list.SetWidth(s.width)
	s.list.SetHeight(max(0, s.height-headLines-grid.Lines()-statusLines-p.least-noteLines-len(p.foot)))
	if s.hasLogBeside(grid) {
		s.list.SetWidth(s.width - grid.Columns() - 2)
		s.list.SetHeight(grid.Lines())
	}
}

// Update takes a message.
func (s *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
		s.onResize()
	case tea.KeyPressMsg:
		return s, s.handleKey(msg)
	case tea.MouseClickMsg:
		return s, s.handleClick(msg.Mouse())
	case tea.MouseWheelMsg:
		s.list, _ = s.list.Update(msg)
	case doneMsg:
		if msg.generation == 0 || msg.generation == s.generation {
			return s, msg.do()
		}
	}
	return s, nil
}

func (s *screen) handleKey(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	switch {
	case name == "ctrl+c":
		s.interrupted = true
		return tea.Quit
	case name == "ctrl+z":
		return tea.Suspend
	case s.ask != nil:
		return s.ask.handleKey(s, msg)
	case s.help != nil:
		s.help = nil
		return nil
	}
	if cmd, ok := s.pickKey(name); ok {
		return cmd
	}
	if a := findAction(s.listActions(), name); a != nil {
		s.message = ""
		return a.do()
	}
	if key.Matches(msg, s.list.KeyMap.PageUp, s.list.KeyMap.PageDown) {
		s.list, _ = s.list.Update(msg)
		return nil
	}
	s.message = name + " does nothing: the keys are named below"
	return nil
}

// pickMove takes a key of the picker while a move of a number of them can be chosen.
func (s *screen) pickMove(name string, moves int) (cmd tea.Cmd, ok bool) {
	choice, ok := s.takeKey(name, moves)
	switch {
	case ok && choice >= moves:
		s.message = fmt.Sprintf("There is no move %d (want %s)", choice+1, numberRange(moves))
	case ok && choice >= 0:
		return s.chooseMove(choice), true
	case ok:
		s.message = ""
	}
	return nil, ok
}

// handleClick takes a click of the mouse. While there is no choice it is Enter.
func (s *screen) handleClick(at tea.Mouse) tea.Cmd {
	switch {
	case s.help != nil:
		s.help = nil
	case s.ask != nil:
	case !s.isChoosing():
		return s.handleKey(tea.KeyPressMsg{Code: tea.KeyEnter})
	default:
		if choice := s.picker.moveAt(s.currentGrid(), at); choice >= 0 {
			return s.chooseMove(choice)
		}
	}
	return nil
}

// View draws the screen.
func (s *screen) View() tea.View {
	lines := s.screenRows()
	lines = lines[:min(len(lines), max(0, s.height))]
	for i, line := range lines {
		lines[i] = strings.TrimRight(ansi.Truncate(line, s.width, s.style.Ellipsis), " ")
	}
	v := tea.NewView(strings.Join(lines, "\n"))
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "The Royal Game of Ur"
	if s.ask != nil && s.ask.input != nil && s.width > 0 {
		if v.Cursor = s.ask.input.Cursor(); v.Cursor != nil {
			v.Cursor.Y = s.height - len(s.screenParts().foot) - noteLines
		}
	}
	return v
}

func (s *screen) screenRows() []string {
	if s.width == 0 || s.height == 0 {
		return nil // the window size is not known yet
	}
	grid := s.currentGrid()
	if leastWidth, leastHeight := fitTiles(grid, s.width, s.height); s.width < leastWidth || s.height < leastHeight {
		small := fmt.Sprintf(
			"The board needs a window of %d x %d, this one has %d x %d. Make it larger, or leave by Ctrl-C and go on with --ui lines; a game is saved (--resume).",
			leastWidth, leastHeight, s.width, s.height)
		return strings.Split(text.Wrap(small, "", s.width), "\n")
	}
	if s.help != nil {
		return s.help()
	}
	p := s.screenParts()
	switch {
	case s.ask != nil && s.ask.input != nil:
		p.note = s.ask.input.View()
	case s.ask != nil:
		p.note = s.style.Strong.Render(s.ask.text)
	case s.message != "":
		p.note = text.Plain(text.LastLine(s.message)) // of an error with a suggestion, the suggestion
	}
	if s.ask != nil {
		p.foot = fillLines([]string{s.ask.keyNames()}, len(p.foot))
	}
	drawn, list := grid.Draw(), strings.Split(s.list.View(), "\n")
	if s.hasLogBeside(grid) {
		list = fillLines(list, len(drawn))
		for i := range drawn {
			drawn[i] = lipgloss.PlaceHorizontal(grid.Columns()+2, lipgloss.Left, drawn[i]) + list[i]
		}
		list = nil
	}
	lines := append(append([]string{p.head}, drawn...), p.status)
	lines = append(lines, fillLines(p.texts, max(len(p.texts), p.least))...)
	if s.list.Height() > 0 {
		lines = append(lines, list...)
	}
	return append(append(fillLines(lines, s.height-len(p.foot)-noteLines), p.note), p.foot...)
}

// fillLines cuts or fills up lines to a number.
func fillLines(lines []string, n int) []string {
	for len(lines) < n {
		lines = append(lines, "")
	}
	return lines[:max(0, n)]
}

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
