package tui

import (
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play/session"
)

// choice is the list of rule sets for a new game.
type choice struct {
	sets []*board.Rules
	at   int
}

// chooseRules opens the list of rule sets at that of the game. A custom one is listed too.
func chooseRules(m *Model, _ tea.KeyPressMsg) tea.Cmd {
	now := m.s.Rules()
	c := &choice{sets: board.List()}
	if c.at = slices.IndexFunc(c.sets, now.Equal); c.at < 0 {
		c.at = len(c.sets)
		c.sets = append(c.sets, now)
	}
	m.message = ""
	m.choice = c
	return nil
}

// choiceKey takes a key of the list.
func (m *Model) choiceKey(msg tea.KeyPressMsg) tea.Cmd {
	c := m.choice
	switch name := msg.String(); name {
	case "down", "right", "tab":
		c.at = (c.at + 1) % len(c.sets)
	case "up", "left", "shift+tab":
		c.at = (c.at + len(c.sets) - 1) % len(c.sets)
	case "enter", "space":
		m.choice = nil
		set := c.sets[c.at]
		begin := func(m *Model) tea.Cmd { return m.beginRules(set) }
		if m.s.Phase() == session.Over || len(m.s.Steps()) == 0 {
			return begin(m)
		}
		m.askSurely("Give this game up, and begin one of "+set.Title()+"?", begin)
	case "esc", "q", "r":
		m.choice = nil
	default:
		if n := strings.Index("123456789", name); len(name) == 1 && n >= 0 && n < len(c.sets) {
			c.at = n
		}
	}
	return nil
}

// beginRules begins a game of the same players under a rule set. A player that does not play it
// makes room for the player "greedy", which plays every one.
func (m *Model) beginRules(set *board.Rules) tea.Cmd {
	ctx, setup := m.ctx, m.s.Setup()
	setup.Rules, setup.Pieces, setup.Start, setup.Game = set, 0, board.Position{}, setup.Game+1
	return func() tea.Msg {
		for {
			s, err := session.New(ctx, setup)
			var seat *session.SeatError
			if !errors.As(err, &seat) || setup.Players[seat.Side] == anyRules {
				return beginMsg{s, err}
			}
			setup.Players[seat.Side] = anyRules
		}
	}
}

// anyRules is a player of every rule set.
const anyRules = "greedy"

// choiceLines draws the list, with the description of the rule set at the cursor.
func (m *Model) choiceLines() []string {
	lines := []string{m.c.Style.Strong("The rules of a new game"), ""}
	for i, set := range m.choice.sets {
		line := "  " + set.Title()
		if i == m.choice.at {
			line = m.c.Style.Cursor("> " + set.Title())
		}
		lines = append(lines, line)
	}
	lines = append(lines, "")
	lines = append(lines, strings.Split(text.Wrap(m.choice.sets[m.choice.at].About(), "", min(m.width-1, 78)), "\n")...)
	for len(lines) < m.height-1 {
		lines = append(lines, "")
	}
	return append(lines[:m.height-1], m.c.Style.Faint("arrows choose  enter begin  esc back"))
}
