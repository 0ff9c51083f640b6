package tui

import (
	"cmp"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/seed-09dcdc84/ur/internal/text"
)

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

// askText asks for a text. Without one the usual one is the answer; if that is empty, too, there is
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

func (q *question) keys() string {
	if q.input != nil {
		return strings.TrimSpace(q.hint + "  enter done  esc back")
	}
	return strings.Join(q.names(), "  ")
}

func (q *question) names() []string {
	return text.List(q.choices, func(a action) string { return a.key() + " " + a.name })
}

func (q *question) key(s *screen, msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	switch {
	case q.input == nil:
		if a := find(q.choices, name); a != nil {
			s.ask = nil
			return a.do()
		}
	case name == "esc":
		s.ask = nil
	case name == "enter":
		return q.take(s, q.input.Value())
	default:
		*q.input, _ = q.input.Update(msg)
	}
	return nil
}

func (q *question) take(s *screen, text string) tea.Cmd {
	s.ask = nil
	if text = cmp.Or(strings.TrimSpace(text), q.input.Placeholder); text == "" {
		return nil
	}
	return q.answer(text)
}

func (q *question) typed(s *screen, line string) tea.Cmd {
	if q.input != nil {
		return q.take(s, line)
	}
	a := find(q.choices, line)
	if a == nil {
		s.message = wrongLine(line, "an answer", strings.Join(q.names(), ", "))
		return nil
	}
	s.ask = nil
	return a.do()
}
