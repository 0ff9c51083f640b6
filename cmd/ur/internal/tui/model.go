package tui

import (
	"context"
	"fmt"
	"sync"
	"time"

	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/play/session"
)

// Keeper keeps games for another day.
type Keeper interface {
	Save(*record.Game) error   // after every move
	Forget() error             // when there is nothing to resume
	Finish(*record.Game) error // at the end of a game
}

// Config configures an interface.
type Config struct {
	Session *session.Session
	Style   *boardview.Style

	// Judge returns the judge of hints. It is called once, at the first hint, and may take a
	// while.
	Judge func() (analysis.Judge, error)

	Keep    Keeper // nil: games are not kept
	Animate bool   // animate the dice, and pause for the other side's moves

	// Introduce shows the introduction first, and Introduced, if not nil, is called when it has
	// ended.
	Introduce  bool
	Introduced func()

	// Offer is a saved game to continue instead; nil for none.
	Offer *Offer

	// After returns a command that answers after a delay; nil means [tea.Tick]. Tests do not
	// wait.
	After func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
}

// Offer is a saved game.
type Offer struct {
	Text   string // in a sentence
	GoOn   func() (*session.Session, error)
	Forget func() error
}

// Model is the interface.
type Model struct {
	c   Config
	ctx context.Context
	s   *session.Session

	width, height int
	generation    int // of the board; messages of another one are late
	frame         int // of the rolling dice, from 1; 0: they lie still
	cursor        int // index of the move made by Enter
	help          bool
	path          bool    // number the squares in the order of the path
	lesson        int     // page of the introduction, from 1; 0: none
	learned       bool    // its move has been made
	choice        *choice // of the rules of a new game; nil: none
	review        *review // steps through a finished game; nil: none
	log           viewport.Model
	ask           *question // an open question; nil: none
	message       string    // an event or an error
	stop          context.CancelFunc

	judge  judge
	advice *analysis.Advice // of the current turn; nil: not known yet
	failed error            // of the player to move
	ending *analysis.Game   // of a finished game; nil: not known yet

	interrupted bool // by Ctrl-C
}

// New returns an interface, whose background work ends with the context.
func New(ctx context.Context, c Config) *Model {
	if c.After == nil {
		c.After = tea.Tick
	}
	m := &Model{c: c, ctx: ctx, s: c.Session, stop: func() {}, judge: judge{find: c.Judge}}
	m.log = viewport.New()
	m.log.MouseWheelEnabled = true
	return m
}

// Messages from outside the update loop.
type (
	frameMsg   struct{ generation int }
	passMsg    struct{ generation int }
	thoughtMsg struct {
		generation int
		task       *session.Task
		choice     int
		err        error
		took       time.Duration
	}
	adviceMsg struct {
		generation int
		advice     *analysis.Advice
		err        error
	}
	endingMsg struct {
		generation int
		game       *analysis.Game
	}
	readyMsg struct { // a player ready to take its seat
		side board.Side
		spec string
		err  error
	}
	beginMsg struct { // another game
		session *session.Session
		err     error
	}
)

// Init begins.
func (m *Model) Init() tea.Cmd {
	if m.c.Introduce {
		m.lesson = 1
		return nil
	}
	if m.c.Offer != nil {
		m.askOffer(m.c.Offer)
		return nil
	}
	return m.begin()
}

// Durations of visible events.
const (
	frames     = 7
	frameTime  = 60 * time.Millisecond
	answerTime = 600 * time.Millisecond // between the other side's roll and its move
	noMoveTime = 1200 * time.Millisecond
)

// begin shows the current turn of the session. Running work for another turn is dropped.
func (m *Model) begin() tea.Cmd {
	m.stop()
	m.generation++
	m.cursor, m.advice, m.failed, m.ending, m.review = 0, nil, nil, nil, nil
	m.showLog()
	if m.s.Phase() == session.Over {
		m.frame = 0
		return m.analyse()
	}
	if m.c.Animate {
		m.frame = 1
		return m.nextFrame()
	}
	return m.rolled()
}

// nextFrame waits for the next picture of the dice.
func (m *Model) nextFrame() tea.Cmd {
	generation := m.generation
	return m.c.After(frameTime, func(time.Time) tea.Msg { return frameMsg{generation} })
}

// rolled goes on when the dice lie.
func (m *Model) rolled() tea.Cmd {
	m.frame = 0
	switch m.s.Phase() {
	case session.Passing:
		generation, wait := m.generation, noMoveTime
		if !m.c.Animate {
			wait = 0
		}
		return m.c.After(wait, func(time.Time) tea.Msg { return passMsg{generation} })
	case session.Thinking:
		return m.think()
	}
	return m.advise()
}

// think lets a player choose, outside the update loop.
func (m *Model) think() tea.Cmd {
	task, ok := m.s.Task()
	if !ok {
		return nil
	}
	ctx, stop := context.WithCancel(m.ctx)
	m.stop = stop
	generation := m.generation
	return func() tea.Msg {
		begun := time.Now()
		choice, err := task.Choose(ctx)
		return thoughtMsg{generation, task, choice, err, time.Since(begun)}
	}
}

// judge judges moves for one goroutine after the other.
type judge struct {
	find  func() (analysis.Judge, error)
	mutex sync.Mutex
	found analysis.Judge
	err   error
}

// use calls do with the judge.
func (j *judge) use(do func(analysis.Judge) error) error {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	if j.found == nil && j.err == nil {
		j.found, j.err = j.find()
	}
	if j.err != nil {
		return j.err
	}
	return do(j.found)
}

// hints reports whether hints are shown.
func (m *Model) hints() bool { return m.s.Setup().Hints }

// advise values the moves of a person, if hints are on.
func (m *Model) advise() tea.Cmd {
	if !m.hints() || m.s.Phase() != session.Choosing || m.frame > 0 || m.advice != nil {
		return nil
	}
	set, position, generation := m.s.Rules(), m.s.Position(), m.generation
	moves := append([]board.Move(nil), m.s.Turn().Moves...)
	return func() tea.Msg {
		answer := adviceMsg{generation: generation}
		answer.err = m.judge.use(func(j analysis.Judge) (err error) {
			answer.advice, err = analysis.Advise(j, set, position, moves)
			return err
		})
		return answer
	}
}

// analyse summarizes a finished game.
func (m *Model) analyse() tea.Cmd {
	game, generation := m.s.Record(), m.generation
	return func() tea.Msg {
		answer := endingMsg{generation: generation}
		// Without a judge there is no summary.
		_ = m.judge.use(func(j analysis.Judge) (err error) {
			answer.game, err = analysis.Analyze(game, j)
			return err
		})
		return answer
	}
}

// keep keeps the game, or forgets it when there is nothing to resume.
func (m *Model) keep() {
	if m.c.Keep == nil {
		return
	}
	var err error
	switch {
	case m.s.Phase() == session.Over:
		err = m.c.Keep.Finish(m.s.Record())
	case len(m.s.Steps()) == 0:
		err = m.c.Keep.Forget()
	default:
		err = m.c.Keep.Save(m.s.Kept())
	}
	if err != nil {
		m.message = fmt.Sprintf("This game is not kept: %v", err)
	}
}

// changed goes on after the session has changed.
func (m *Model) changed() tea.Cmd {
	m.keep()
	return m.begin()
}
