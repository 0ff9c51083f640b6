// Package tui shows a game and puzzles to a person: on a full screen in the manner of Bubble Tea,
// a model, which takes messages and draws itself, or line by line, with drawn boards or in words. All
// forms share the models, their tables of actions, the picker of moves and the drawing of a [Grid].
package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/play/session"
)

// Config configures the interface of a game.
type Config struct {
	Session *session.Session
	Style   *Style

	// Save saves the game after a change; nil: games are not saved.
	Save   func(*session.Session) error
	Script bool // the input is a script: the end of the game is the end

	// Offer is a saved game to continue instead; nil for none.
	Offer *Offer

	// evaluator finds the evaluator of hints; nil: [play.Evaluators.Find].
	evaluator func(context.Context, *board.Rules) (play.Evaluator, error)

	hasty bool // without delays
}

// Offer is a saved game.
type Offer struct {
	Text   string // a sentence
	GoOn   func() (*session.Session, error)
	Forget func() error
}

type model struct {
	screen
	c   Config
	ctx context.Context
	s   *session.Session

	path   bool    // number the squares in the order of the path
	review *review // steps through a finished game; nil: none
	stop   context.CancelFunc

	advice *analysis.Advice // advice about the shown turn; nil: not known yet
	failed error            // error of the player to move
	ending *analysis.Game   // analysis after the end; nil: not known yet

	printed lineState

	unsaved error // last save's error
}

// newModel returns an interface, whose background work ends with the context.
func newModel(ctx context.Context, c Config) *model {
	if c.evaluator == nil {
		c.evaluator = new(play.Evaluators).Find
	}
	m := &model{c: c, ctx: ctx, stop: func() {}}
	m.screen, m.wide = newScreen(m, c.Style), true
	m.s = c.Session
	return m
}

// doneMsg is the end of a delay or of work in the background: do continues with it, unless the board
// shows something else by now.
type doneMsg struct {
	generation int // 0: whatever the board shows
	do         func() tea.Cmd
}

func (m *model) callLater(delay time.Duration, do func() tea.Cmd) tea.Cmd {
	generation := m.generation
	if m.lines || m.c.hasty {
		delay = 0
	}
	return tea.Tick(delay, func(time.Time) tea.Msg { return doneMsg{generation, do} })
}

// runInBackground calls run in the background, and then the function it returns.
func runInBackground(generation int, run func() func() tea.Cmd) tea.Cmd {
	return func() tea.Msg { return doneMsg{generation, run()} }
}

// Init begins.
func (m *model) Init() tea.Cmd {
	if o := m.c.Offer; o != nil {
		forget := func() tea.Cmd {
			m.showError(o.Forget())
			return m.beginTurn()
		}
		m.ask = &question{text: o.Text, choices: []action{
			{keys: "enter y", name: "go on with it", do: func() tea.Cmd { return m.replaceSession(o.GoOn) }},
			{keys: "n esc", name: "new game", do: m.beginTurn},
			{keys: "f", name: "forget it", do: forget},
			{keys: "q", name: "quit", do: func() tea.Cmd { return tea.Quit }},
		}}
		return nil
	}
	return m.beginTurn()
}

// replaceSession shows another session. It may take a while to get.
func (m *model) replaceSession(get func() (*session.Session, error)) tea.Cmd {
	return runInBackground(0, func() func() tea.Cmd {
		s, err := get()
		return func() tea.Cmd {
			if err == nil {
				m.s = s
			}
			return m.continueAfter(err)
		}
	})
}

// Durations of visible events.
const (
	answerTime = 600 * time.Millisecond // between the other side's roll and its move
	noMoveTime = 1200 * time.Millisecond
)

// beginTurn shows the session's current turn. Running work for another turn is dropped.
func (m *model) beginTurn() tea.Cmd {
	m.stop()
	m.generation++
	m.cursor, m.advice, m.failed, m.ending, m.review = 0, nil, nil, nil, nil
	m.onResize()
	switch m.s.Phase() {
	case session.Passing:
		return m.callLater(noMoveTime, func() tea.Cmd { return m.continueAfter(m.s.Pass()) })
	case session.Thinking:
		return m.letThink()
	case session.Choosing:
		return m.adviseMoves()
	}
	if m.c.Script {
		return nil
	}
	return m.analyzeGame()
}

// letThink lets a player choose, and then shows its roll for a moment.
func (m *model) letThink() tea.Cmd {
	task, ok := m.s.Task()
	if !ok {
		return nil
	}
	ctx, stop := context.WithCancel(m.ctx)
	m.stop = stop
	return runInBackground(m.generation, func() func() tea.Cmd {
		begun := time.Now()
		choice, err := task.Choose(ctx)
		rest := answerTime - time.Since(begun)
		return func() tea.Cmd {
			return m.callLater(rest, func() tea.Cmd {
				if err == nil {
					err = m.s.Answer(task, choice)
				}
				switch {
				case errors.Is(err, session.ErrStale):
					return nil
				case err != nil:
					m.failed = err
					return nil
				}
				return m.continueAfter(nil)
			})
		}
	})
}

func (m *model) hasHints() bool { return m.s.Setup().Hints }

// adviseMoves values the moves of the shown turn: those of a person if hints are on, and all in the
// analysis.
func (m *model) adviseMoves() tea.Cmd {
	turn := m.shownTurn()
	if m.review == nil && !(m.hasHints() && m.isChoosing()) || len(turn.Moves) == 0 || m.advice != nil {
		return nil
	}
	shown, rules, name := *turn, m.s.Rules(), m.s.Rules().Notation
	shown.Moves = slices.Clone(turn.Moves)
	if m.style.InWords {
		name = func(side board.Side, m board.Move) string {
			return session.SideNames[side] + " " + moveWords(rules, side, m)
		}
	}
	return runInBackground(m.generation, func() func() tea.Cmd {
		var advice *analysis.Advice
		e, err := m.c.evaluator(m.ctx, rules)
		if err == nil {
			advice, err = analysis.Advise(context.Background(), e, &shown, name)
		}
		return func() tea.Cmd {
			m.advice = advice
			if err != nil {
				m.s.ShowHints(false)
				m.message = "No hints: " + err.Error()
			}
			return nil
		}
	})
}

func (m *model) analyzeGame() tea.Cmd {
	game, rules := m.s.Record(), m.s.Rules()
	return runInBackground(m.generation, func() func() tea.Cmd {
		var ending *analysis.Game
		if e, err := m.c.evaluator(m.ctx, rules); err == nil { // without an evaluator there is no summary
			ending, _ = analysis.Analyze(context.Background(), game, e)
		}
		return func() tea.Cmd { m.ending = ending; return nil }
	})
}

// continueAfter continues after an action on the session, unless it failed: it saves the game, and shows the
// turn.
func (m *model) continueAfter(err error) tea.Cmd {
	if err != nil {
		m.showError(err)
		if m.generation == 0 { // a saved game cannot be resumed, and the new one has not begun
			return m.beginTurn()
		}
		return nil
	}
	m.message = ""
	if m.c.Save != nil {
		if m.unsaved = m.c.Save(m.s); m.unsaved != nil {
			m.message = fmt.Sprintf("This game is not saved: %v", m.unsaved)
		}
	}
	return m.beginTurn()
}

func (m *model) showError(err error) {
	if err != nil {
		m.message = err.Error()
	}
}

// isChoosing reports whether a person can make a move now.
func (m *model) isChoosing() bool { return m.review == nil && m.s.Phase() == session.Choosing }

// showsResult reports whether the result is shown.
func (m *model) showsResult() bool { return m.review == nil && m.s.Phase() == session.Over }

// shownTurn returns the turn on the board: the current one, or the turn of the analysis.
func (m *model) shownTurn() *play.Turn {
	if m.review != nil {
		return m.review.turn
	}
	return m.s.Turn()
}

// pickKey takes a key of the picker. While no move can be chosen, Enter passes.
func (m *model) pickKey(name string) (cmd tea.Cmd, ok bool) {
	if m.isChoosing() {
		return m.pickMove(name, len(m.s.Turn().Moves))
	}
	_, ok = new(picker).takeKey(name, 1)
	switch {
	case m.review != nil:
		return nil, false
	case !ok:
	case m.isOver():
	case m.s.Phase() == session.Passing:
		return m.continueAfter(m.s.Pass()), true
	default:
		m.message = fmt.Sprintf("It is the turn of %s", session.SideNames[m.s.Turn().Side()])
	}
	return nil, ok
}

func (m *model) chooseMove(move int) tea.Cmd { return m.continueAfter(m.s.Move(move)) }
