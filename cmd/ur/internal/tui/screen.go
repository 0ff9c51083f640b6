package tui

import (
	"fmt"
	"io"
	"strings"

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
		p.note = text.Plain(s.message)
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
