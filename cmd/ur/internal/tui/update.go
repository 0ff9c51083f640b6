package tui

import (
	"errors"
	"fmt"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/session"
)

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.showLog()
	case tea.KeyPressMsg:
		return m, m.key(msg)
	case tea.MouseClickMsg:
		return m, m.click(msg.Mouse())
	case tea.MouseWheelMsg:
		var cmd tea.Cmd
		m.log, cmd = m.log.Update(msg)
		return m, cmd
	case frameMsg:
		return m, m.rollOn(msg)
	case passMsg:
		if msg.generation != m.generation {
			return m, nil
		}
		return m, m.do(m.s.Pass())
	case thoughtMsg:
		return m, m.answer(msg)
	case adviceMsg:
		if msg.generation == m.generation {
			m.advice = msg.advice
			m.s.ShowHints(m.hints() && msg.err == nil)
			m.complain(msg.err)
		}
	case endingMsg:
		if msg.generation == m.generation {
			m.ending = msg.game
		}
	case readyMsg:
		return m, m.seat(msg)
	case beginMsg:
		if msg.err != nil {
			m.complain(msg.err)
			return m, nil
		}
		m.s = msg.session
		m.message = ""
		return m, m.changed()
	}
	return m, nil
}

// complain shows an error, if there is one.
func (m *Model) complain(err error) {
	if err != nil {
		m.message = err.Error()
	}
}

// do continues after an action on the session, unless it failed.
func (m *Model) do(err error) tea.Cmd {
	if err != nil {
		m.complain(err)
		return nil
	}
	m.message = ""
	return m.changed()
}

// rollOn shows the next picture of the dice.
func (m *Model) rollOn(msg frameMsg) tea.Cmd {
	if msg.generation != m.generation || m.frame == 0 {
		return nil
	}
	if m.frame++; m.frame <= frames {
		return m.nextFrame()
	}
	return m.rolled()
}

// answer makes the move chosen by a player.
func (m *Model) answer(msg thoughtMsg) tea.Cmd {
	if msg.generation != m.generation {
		return nil
	}
	if rest := answerTime - msg.took; m.c.Animate && rest > 0 { // so the roll can be seen
		msg.took = answerTime
		return m.c.After(rest, func(time.Time) tea.Msg { return msg })
	}
	err := msg.err
	if err == nil {
		err = m.s.Answer(msg.task, msg.choice)
	}
	switch {
	case errors.Is(err, session.ErrStale):
		return nil
	case err != nil:
		m.failed = err
		return nil
	}
	return m.do(nil)
}

// seat gives a prepared player its seat.
func (m *Model) seat(msg readyMsg) tea.Cmd {
	if msg.err == nil {
		msg.err = m.s.Seat(m.ctx, msg.side, msg.spec)
	}
	return m.do(msg.err)
}

// opponent returns the side to change with the opponent: the one without a person, or Dark of
// two persons.
func (m *Model) opponent() board.Side {
	if m.s.Players()[board.Light] != session.Person && m.s.Players()[board.Dark] == session.Person {
		return board.Light
	}
	return board.Dark
}

// prepare gets a player ready, outside the update loop.
func (m *Model) prepare(side board.Side, spec string) tea.Cmd {
	m.message = fmt.Sprintf("Getting %s ready", spec)
	ctx, setup := m.ctx, m.s.Setup()
	return func() tea.Msg {
		answer := readyMsg{side: side, spec: spec}
		if spec == session.Person {
			return answer
		}
		parse := setup.Parse
		if parse == nil {
			parse = play.ParsePlayerFor
		}
		player, err := parse(setup.Rules, spec)
		if err == nil {
			err = play.Prepare(ctx, setup.Pieces, player)
		}
		answer.err = err
		return answer
	}
}

// key takes a key.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(msg, keys.interrupt):
		m.interrupted = true
		return tea.Quit
	case key.Matches(msg, keys.suspend):
		return tea.Suspend
	case m.ask != nil:
		return m.ask.key(m, msg)
	case m.help:
		m.help = false
		return nil
	case m.lesson > 0:
		return m.lessonKey(msg)
	case m.choice != nil:
		return m.choiceKey(msg)
	case m.review != nil:
		return m.reviewKey(msg)
	}
	for _, action := range actions() {
		if key.Matches(msg, action.binding) {
			return action.do(m, msg)
		}
	}
	m.message = fmt.Sprintf("%s does nothing; ? shows what does", msg.String())
	return nil
}

// click takes a click of the mouse: on where a move ends it is made, on where one begins
// the cursor goes there, and a second click makes it.
func (m *Model) click(at tea.Mouse) tea.Cmd {
	if m.help {
		m.help = false
		return nil
	}
	if m.lesson > 0 {
		return m.clickLesson(at)
	}
	if at.Button != tea.MouseLeft || m.ask != nil || m.choice != nil || !m.choosing() {
		return nil
	}
	grid := m.grid()
	hit, ok := grid.At(at.X, at.Y-headLines)
	if !ok {
		return nil
	}
	moves := m.s.Turn().Moves
	for i, move := range moves {
		if _, to := grid.Ends(hit, move); to {
			return m.do(m.s.Move(i))
		}
	}
	for i, move := range moves {
		if from, _ := grid.Ends(hit, move); from {
			if i == m.cursor {
				return m.do(m.s.Move(i))
			}
			m.cursor = i
		}
	}
	return nil
}

// choosing reports whether a person can make a move now.
func (m *Model) choosing() bool { return m.frame == 0 && m.s.Phase() == session.Choosing }
