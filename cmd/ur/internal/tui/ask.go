package tui

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
)

// question is a prompt of the interface, for one of a few keys or for a text.
type question struct {
	text    string
	keys    string // accepted keys, in words
	isText  bool
	typed   []rune
	offered bool                                // typed is a suggestion, replaced by typing
	answer  func(m *Model, text string) tea.Cmd // to a text
	choices map[string]func(m *Model) tea.Cmd   // by key, otherwise
}

// askSurely asks for yes or no.
func (m *Model) askSurely(text string, yes func(m *Model) tea.Cmd) {
	no := func(*Model) tea.Cmd { return nil }
	m.message = ""
	m.ask = &question{text: text, keys: "y yes  n no", choices: map[string]func(*Model) tea.Cmd{"y": yes, "enter": yes, "n": no, "esc": no}}
}

// askOffer asks whether to continue a saved game.
func (m *Model) askOffer(o *Offer) {
	goOn := func(m *Model) tea.Cmd {
		return func() tea.Msg {
			s, err := o.GoOn()
			return beginMsg{s, err}
		}
	}
	begin := (*Model).begin
	forget := func(m *Model) tea.Cmd {
		m.complain(o.Forget())
		return m.begin()
	}
	m.ask = &question{
		text:    o.Text,
		keys:    "enter go on with it  n new game  f forget it",
		choices: map[string]func(*Model) tea.Cmd{"enter": goOn, "y": goOn, "n": begin, "esc": begin, "f": forget},
	}
}

// textKeys are those of questions for a text.
const textKeys = "enter done  esc back"

// mostTyped is more than anybody types.
const mostTyped = 200

// key takes a key while the question waits.
func (q *question) key(m *Model, msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	if do, ok := q.choices[name]; ok {
		m.ask = nil
		return do(m)
	}
	switch {
	case !q.isText:
	case name == "esc":
		m.ask = nil
	case name == "enter":
		m.ask = nil
		return q.answer(m, strings.TrimSpace(string(q.typed)))
	case name == "backspace":
		q.typed, q.offered = q.typed[:max(0, len(q.typed)-1)], false
	case msg.Text != "" && q.offered:
		q.typed, q.offered = []rune(msg.Text), false
	case msg.Text != "" && len(q.typed) < mostTyped:
		q.typed = append(q.typed, []rune(msg.Text)...)
	}
	return nil
}

// line is the question with the typed text; of a long answer only its end.
func (q *question) line(width int) string {
	if !q.isText {
		return q.text
	}
	typed := q.typed
	if room := max(1, width-len([]rune(q.text))-2); len(typed) > room {
		typed = typed[len(typed)-room:]
	}
	return q.text + " " + string(typed) + "_"
}

func askQuit(m *Model, _ tea.KeyPressMsg) tea.Cmd {
	text := "Quit?"
	switch {
	case m.s.Phase() == session.Over || len(m.s.Steps()) == 0:
		return tea.Quit
	case m.c.Keep != nil:
		text = "Quit? The game is kept, and ur play goes on with it."
	}
	m.askSurely(text, func(*Model) tea.Cmd { return tea.Quit })
	return nil
}

func askResign(m *Model, _ tea.KeyPressMsg) tea.Cmd {
	side, ok := m.resigner()
	if !ok {
		m.message = "There is no person to resign"
		return nil
	}
	m.askSurely("Resign for "+sideName(side)+"?", func(m *Model) tea.Cmd { return m.do(m.s.Resign(side)) })
	return nil
}

func askNewGame(m *Model, _ tea.KeyPressMsg) tea.Cmd {
	if m.s.Phase() == session.Over || len(m.s.Steps()) == 0 {
		return m.another()
	}
	m.askSurely("Give this game up, and begin another?", (*Model).another)
	return nil
}

// another begins another game of the same players. They may have to be made ready again.
func (m *Model) another() tea.Cmd {
	ctx, before := m.ctx, m.s
	return func() tea.Msg {
		s, err := before.Again(ctx, false)
		return beginMsg{s, err}
	}
}

func askLevel(m *Model, _ tea.KeyPressMsg) tea.Cmd {
	if m.s.Phase() == session.Over {
		m.notNow()
		return nil
	}
	m.message = ""
	m.ask = &question{
		text:   fmt.Sprintf("Against level 1 to %d, or a player as in net:", play.MaxLevel),
		keys:   textKeys,
		isText: true,
		answer: func(m *Model, text string) tea.Cmd {
			if text == "" {
				return nil
			}
			if _, err := strconv.Atoi(text); err == nil {
				text = "level:" + text
			}
			return m.prepare(m.opponent(), text)
		},
	}
	return nil
}

func askFile(m *Model, _ tea.KeyPressMsg) tea.Cmd {
	m.message = ""
	m.ask = &question{text: "Write to (.jsonl, .txt, .rgn, .royalur):", keys: textKeys, isText: true, typed: []rune("game.jsonl"), offered: true, answer: writeGame}
	return nil
}

// writeGame writes the record of the game. It does not replace an existing file.
func writeGame(m *Model, name string) tea.Cmd {
	if name == "" {
		return nil
	}
	err := record.WriteNewFile(name, m.s.Record())
	m.complain(err)
	if err == nil {
		m.message = "Written to " + filepath.Base(name)
	}
	return nil
}
