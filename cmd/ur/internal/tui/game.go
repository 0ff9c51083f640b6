package tui

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
)

// listActions returns the table of what a user can do now besides moving. Each form of the interface,
// its help and its errors are made from it.
func (m *model) listActions() []action {
	if m.review != nil {
		return m.reviewActions()
	}
	over := m.s.Phase() == session.Over
	return []action{
		{"h", "hints", "show your chances", !over, m.toggleHints},
		{"p", "path", "number the squares", true, m.togglePath},
		{"u backspace", "undo", "undo with the answer", true, m.undoTurn},
		{"r ctrl+r", "redo", "redo", true, m.redoTurn},
		{"a", "analyze", "analyze after the end", over, m.beginReview},
		{"n", "new", "new game", true, func() tea.Cmd { return m.giveUp(m.beginAnother) }},
		{"l", "level", "other level or player", !over, m.askLevel},
		{"s", "swap", "swap sides", true, m.swapSides},
		{"x", "resign", "resign", !over, m.askResign},
		{"v", "rules", "rules of a new game", false, m.askRules},
		{"w", "write", "write to a file", true, m.askFile},
		{"b", "board", "show the board again", false, func() tea.Cmd { m.printed.turn = nil; return tea.ClearScreen }},
		{"? f1", "help", "this help", true, func() tea.Cmd { m.help = m.helpLines; return nil }},
		{"q esc", "quit", "quit", true, m.askQuit},
	}
}

func (m *model) toggleHints() tea.Cmd {
	m.s.ShowHints(!m.hasHints())
	m.printed.advised = false
	if !m.hasHints() {
		m.message = "No more hints"
	}
	return m.adviseMoves()
}

func (m *model) togglePath() tea.Cmd {
	m.path = !m.path
	m.printed.turn = nil
	return nil
}

func (m *model) undoTurn() tea.Cmd {
	before := slices.Clone(m.s.Steps())
	if !m.s.Undo() {
		m.message = "There is nothing to take back"
		return nil
	}
	cmd := m.continueAfter(nil)
	var words []string
	for _, step := range before[len(m.s.Steps()):] {
		words = append(words, session.SideNames[step.Side()]+" "+step.Text())
	}
	m.message = "Taken back: " + cmp.Or(strings.Join(words, ", "), "the resignation")
	return cmd
}

func (m *model) redoTurn() tea.Cmd {
	if !m.s.Redo() {
		m.message = "Nothing was taken back that could come again"
		return nil
	}
	return m.continueAfter(nil)
}

func (m *model) swapSides() tea.Cmd {
	if before := m.s; before.Phase() == session.Over {
		return m.replaceSession(func() (*session.Session, error) { return before.Again(m.ctx, true) })
	}
	m.s.Swap()
	return m.continueAfter(nil)
}

// isOver reports whether the game is over, and then has a message.
func (m *model) isOver() bool {
	over := m.s.Phase() == session.Over
	if over {
		m.message = "The game is over: n begins another, u takes back"
	}
	return over
}

func (m *model) askQuit() tea.Cmd {
	quit := func() tea.Cmd { return tea.Quit }
	switch {
	case m.s.Phase() == session.Over || len(m.s.Steps()) == 0 || m.screen.lines:
		return tea.Quit
	case m.unsaved != nil:
		m.askSurely(fmt.Sprintf("Quit? The game is not saved (%v), and its last turns are lost.", m.unsaved), quit)
	case m.c.Save != nil:
		m.askSurely("Quit? The game is saved, and ur play goes on with it.", quit)
	default:
		m.askSurely("Quit?", quit)
	}
	return nil
}

// askResign resigns for the person to move, or for the only person.
func (m *model) askResign() tea.Cmd {
	if m.isOver() {
		return nil
	}
	side := m.s.Turn().Side()
	if m.s.Players()[side] != session.Person {
		side = side.Other()
	}
	if m.s.Players()[side] != session.Person {
		m.message = "There is no person to resign"
		return nil
	}
	m.askSurely("Resign for "+session.SideNames[side]+"?", func() tea.Cmd { return m.continueAfter(m.s.Resign(side)) })
	return nil
}

// giveUp begins another game, after a question if one is in progress.
func (m *model) giveUp(begin func() tea.Cmd) tea.Cmd {
	if m.s.Phase() == session.Over || len(m.s.Steps()) == 0 {
		return begin()
	}
	m.askSurely("Give this game up, and begin another?", begin)
	return nil
}

// beginAnother begins another game of the same players. They may have to be made ready again.
func (m *model) beginAnother() tea.Cmd {
	before := m.s
	return m.replaceSession(func() (*session.Session, error) { return before.Again(m.ctx, false) })
}

func (m *model) askRules() tea.Cmd {
	m.askText("Rules of a new game", strings.Join(board.Names(), " ")+" or a JSON file", m.s.Rules().Name(), func(name string) tea.Cmd {
		set, err := board.Find(name)
		if err != nil {
			m.showError(err)
			return nil
		}
		return m.giveUp(func() tea.Cmd { return m.beginRules(set) })
	})
	return nil
}

const anyRules = "greedy" // player of every rule set

// beginRules begins a game of the same players under a rule set. A player of other rules only
// makes room for [anyRules].
func (m *model) beginRules(set *board.Rules) tea.Cmd {
	setup := m.s.Setup()
	setup.Rules, setup.Pieces, setup.Start, setup.Game = set, 0, board.Position{}, setup.Game+1
	return m.replaceSession(func() (*session.Session, error) {
		for {
			s, err := session.New(m.ctx, setup)
			refused, ok := errors.AsType[*session.PlayerError](err)
			if !ok || setup.Players[refused.Side] == anyRules {
				return s, err
			}
			setup.Players[refused.Side] = anyRules
		}
	})
}

// askLevel asks for another opponent: the player of the side without a person, or Dark of two
// persons.
func (m *model) askLevel() tea.Cmd {
	if m.isOver() {
		return nil
	}
	side := board.Dark
	if players := m.s.Players(); players[board.Light] != session.Person && players[board.Dark] == session.Person {
		side = board.Light
	}
	m.askText(fmt.Sprintf("Against level 1 to %d, or a player as in net", play.MaxLevel), "", "", func(spec string) tea.Cmd {
		if _, err := strconv.Atoi(spec); err == nil {
			spec = "level:" + spec
		}
		m.message = fmt.Sprintf("Getting %s ready", spec)
		s := m.s
		return runInBackground(0, func() func() tea.Cmd {
			take, err := s.Prepare(m.ctx, side, spec)
			return func() tea.Cmd {
				if err == nil && s == m.s {
					take()
				}
				return m.continueAfter(err)
			}
		})
	})
	return nil
}

// askFile asks for a file, and writes the record of the game there. It does not replace an existing
// file.
func (m *model) askFile() tea.Cmd {
	m.askText("Write to (.jsonl, .txt, .rgn, .royalur)", "", "game.jsonl", func(name string) tea.Cmd {
		if err := record.WriteNewFile(name, m.s.Record()); err != nil {
			m.showError(err)
		} else {
			m.message = "Written to " + name
		}
		return nil
	})
	return nil
}

// question is a prompt of the interface, for one of a few keys or for a text.
type question struct {
	text    string
	hint    string   // what may be typed
	choices []action // where there is no input
	input   *textinput.Model
	answer  func(text string) tea.Cmd // called with the input
}

// mostTyped is more than a person types.
const mostTyped = 200

func (m *model) askSurely(text string, yes func() tea.Cmd) {
	m.ask = &question{text: text, choices: []action{
		{keys: "y enter", name: "yes", do: yes},
		{keys: "n esc", name: "no", do: func() tea.Cmd { return nil }},
	}}
}

// askText asks for a text. Without one the usual one is the answer; if both are empty, there is
// none.
func (m *model) askText(text, hint, usual string, answer func(text string) tea.Cmd) {
	input := textinput.New()
	input.Prompt, input.Placeholder, input.CharLimit = text+": ", usual, mostTyped
	input.SetStyles(textinput.Styles{})
	input.SetVirtualCursor(false)
	input.SetWidth(max(1, m.width-len(input.Prompt)-1))
	input.Focus()
	m.ask = &question{text: text, hint: hint, input: &input, answer: answer}
}

func (q *question) keyNames() string {
	if q.input != nil {
		return strings.TrimSpace(q.hint + "  enter done  esc back")
	}
	return strings.Join(q.answerNames(), "  ")
}

func (q *question) answerNames() []string {
	return text.List(q.choices, func(a action) string { return a.firstKey() + " " + a.name })
}

func (q *question) handleKey(s *screen, msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	switch {
	case q.input == nil:
		if a := findAction(q.choices, name); a != nil {
			s.ask = nil
			return a.do()
		}
	case name == "esc":
		s.ask = nil
	case name == "enter":
		return q.answerWith(s, q.input.Value())
	default:
		*q.input, _ = q.input.Update(msg)
	}
	return nil
}

func (q *question) answerWith(s *screen, text string) tea.Cmd {
	s.ask = nil
	if text = cmp.Or(strings.TrimSpace(text), q.input.Placeholder); text == "" {
		return nil
	}
	return q.answer(text)
}

func (q *question) typeAnswer(s *screen, line string) tea.Cmd {
	if q.input != nil {
		return q.answerWith(s, line)
	}
	a := findAction(q.choices, line)
	if a == nil {
		s.message = wrongLine(line, "an answer", strings.Join(q.answerNames(), ", "))
		return nil
	}
	s.ask = nil
	return a.do()
}
