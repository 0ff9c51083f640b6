package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/session"
)

// action is the effect of a key.
type action struct {
	binding key.Binding
	do      func(m *Model, msg tea.KeyPressMsg) tea.Cmd
}

// bind returns a key binding with its help text.
func bind(name, help string, names ...string) key.Binding {
	return key.NewBinding(key.WithKeys(names...), key.WithHelp(name, help))
}

// keys are those with the same effect at any time.
var keys = struct{ interrupt, suspend key.Binding }{
	interrupt: bind("ctrl+c", "leave at once", "ctrl+c"),
	suspend:   bind("ctrl+z", "suspend", "ctrl+z"),
}

// actions returns the keys of a game on screen, in the order of the help.
func actions() []action {
	return []action{
		{bind("1-7", "make that move", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0"), moveByNumber},
		{bind("arrows", "choose a move", "right", "down", "tab"), func(m *Model, _ tea.KeyPressMsg) tea.Cmd { return m.moveCursor(+1) }},
		{bind("", "", "left", "up", "shift+tab"), func(m *Model, _ tea.KeyPressMsg) tea.Cmd { return m.moveCursor(-1) }},
		{bind("enter", "make it", "enter", "space"), enter},
		{bind("h", "hints: your chances", "h"), toggleHints},
		{bind("p", "path: number squares", "p"), func(m *Model, _ tea.KeyPressMsg) tea.Cmd { m.path = !m.path; return nil }},
		{bind("a", "analyse after the end", "a"), beginReview},
		{bind("u", "undo with the answer", "u", "backspace"), undo},
		{bind("y", "redo", "y", "ctrl+r"), redo},
		{bind("n", "new game", "n"), askNewGame},
		{bind("r", "rules of a new game", "r"), chooseRules},
		{bind("x", "resign", "x"), askResign},
		{bind("s", "swap sides", "s"), swap},
		{bind("l", "other level, player", "l"), askLevel},
		{bind("w", "write to a file", "w"), askFile},
		{bind("pgup", "scroll the moves", "pgup", "pgdown", "home", "end"), scroll},
		{bind("?", "this help", "?", "f1"), func(m *Model, _ tea.KeyPressMsg) tea.Cmd { m.help = true; return nil }},
		{bind("q", "quit", "q", "esc"), askQuit},
	}
}

// notNow reports that there is no move to make.
func (m *Model) notNow() {
	switch {
	case m.s.Phase() == session.Over:
		m.message = "The game is over: n begins another, u takes back"
	case m.frame > 0:
		m.message = "" // the dice still roll
	default:
		m.message = fmt.Sprintf("It is the turn of %s", sideName(m.s.Turn().Side()))
	}
}

// moveByNumber makes a move by its number; 0 is the tenth, which other rules than Finkel's have.
func moveByNumber(m *Model, msg tea.KeyPressMsg) tea.Cmd {
	if !m.choosing() {
		m.notNow()
		return nil
	}
	choice := (int(msg.String()[0]-'0') + 9) % 10
	if n := len(m.s.Turn().Moves); choice >= n {
		m.message = fmt.Sprintf("There is no move %d (want 1 to %d)", choice+1, n)
		return nil
	}
	return m.do(m.s.Move(choice))
}

func (m *Model) moveCursor(by int) tea.Cmd {
	if !m.choosing() {
		m.notNow()
		return nil
	}
	n := len(m.s.Turn().Moves)
	m.cursor = (m.cursor + by + n) % n
	m.message = ""
	return nil
}

func enter(m *Model, _ tea.KeyPressMsg) tea.Cmd {
	switch {
	case m.frame > 0:
		return m.rolled()
	case m.s.Phase() == session.Passing:
		return m.do(m.s.Pass())
	case !m.choosing():
		m.notNow()
		return nil
	}
	return m.do(m.s.Move(m.cursor))
}

func toggleHints(m *Model, _ tea.KeyPressMsg) tea.Cmd {
	m.s.ShowHints(!m.hints())
	m.message = ""
	return m.advise()
}

func undo(m *Model, _ tea.KeyPressMsg) tea.Cmd {
	before := slices.Clone(m.s.Steps())
	if !m.s.Undo() {
		m.message = "There is nothing to take back"
		return nil
	}
	cmd := m.do(nil)
	m.message = "Taken back: " + StepsText(before[len(m.s.Steps()):])
	return cmd
}

// StepsText lists turns in short, as in "Light in-A4, Dark C4-C2".
func StepsText(steps []play.Turn) string {
	if len(steps) == 0 {
		return "the resignation"
	}
	var words []string
	for _, step := range steps {
		words = append(words, sideName(step.Side())+" "+step.Text())
	}
	return strings.Join(words, ", ")
}

func redo(m *Model, _ tea.KeyPressMsg) tea.Cmd {
	if !m.s.Redo() {
		m.message = "Nothing was taken back that could come again"
		return nil
	}
	return m.do(nil)
}

func swap(m *Model, _ tea.KeyPressMsg) tea.Cmd {
	if m.s.Phase() == session.Over {
		m.notNow()
		return nil
	}
	m.s.Swap()
	return m.do(nil)
}

func scroll(m *Model, msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "pgup":
		m.log.PageUp()
	case "pgdown":
		m.log.PageDown()
	case "home":
		m.log.GotoTop()
	case "end":
		m.log.GotoBottom()
	}
	return nil
}

// resigner returns the side of the person allowed to resign, if any.
func (m *Model) resigner() (side board.Side, ok bool) {
	side = m.s.Turn().Side()
	for _, side := range []board.Side{side, side.Other()} {
		if m.s.Players()[side] == session.Person {
			return side, m.s.Phase() != session.Over
		}
	}
	return side, false
}
