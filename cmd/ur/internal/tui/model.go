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

// Keeper keeps a game for another day: [session.Kept] does.
type Keeper interface {
	Save(*record.Game) error // after every move
	Forget() error           // when there is nothing to go on with
}

// Config is what an interface is made of.
type Config struct {
	Session *session.Session
	Style   *boardview.Style

	// Judge returns what hints are judged by. It is called once, when a hint is first asked
	// for, and may take a while.
	Judge func() (analysis.Judge, error)

	Keep    Keeper // nil: games are not kept
	Hints   bool   // show what moves are worth without being asked
	Clock   bool   // show how long the sides have thought, if the session has a clock
	Animate bool   // let the dice roll, and give time to see what the other side does

	// Offer is a game that may be gone on with instead; nil: there is none.
	Offer *Offer

	// After returns a command that answers after a while; nil means [tea.Tick]. Tests do not
	// wait.
	After func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
}

// Offer is a game that waits.
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
	frame         int // of the dice that roll, from 1; 0: they lie
	cursor        int // index of the move that Enter makes
	help          bool
	hints         bool
	log           viewport.Model
	ask           *question // that waits for an answer; nil: none
	message       string    // of what happened, or went wrong
	stop          context.CancelFunc

	judge  judge
	advice *analysis.Advice // of the turn that waits; nil: not known yet
	failed error            // of the player that should move
	ending *analysis.Game   // of a game that is over; nil: not known yet

	interrupted bool // by Ctrl-C
}

// New returns an interface, whose background work ends with the context.
func New(ctx context.Context, c Config) *Model {
	if c.After == nil {
		c.After = tea.Tick
	}
	m := &Model{c: c, ctx: ctx, s: c.Session, hints: c.Hints, stop: func() {}, judge: judge{find: c.Judge}}
	m.log = viewport.New()
	m.log.MouseWheelEnabled = true
	return m
}

// Messages of what runs outside the update loop.
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
	readyMsg struct { // a player that was made ready to sit down
		side board.Side
		spec string
		err  error
	}
	beginMsg struct { // another game
		session *session.Session
		err     error
	}
	secondMsg time.Time
)

// Init begins.
func (m *Model) Init() tea.Cmd {
	if m.c.Offer != nil {
		m.askOffer(m.c.Offer)
		return m.second()
	}
	return tea.Batch(m.begin(), m.second())
}

// How long things take that people should see.
const (
	frames      = 7
	frameTime   = 60 * time.Millisecond
	answerTime  = 600 * time.Millisecond // between the other side's roll and its move
	noMoveTime  = 1200 * time.Millisecond
	clockPeriod = time.Second
)

// second lets the clock go.
func (m *Model) second() tea.Cmd {
	if !m.c.Clock && m.s.Setup().Limit == 0 {
		return nil
	}
	return m.c.After(clockPeriod, func(t time.Time) tea.Msg { return secondMsg(t) })
}

// begin shows the turn that the session waits for. Whatever was under way for another one
// comes to nothing.
func (m *Model) begin() tea.Cmd {
	m.stop()
	m.generation++
	m.cursor, m.advice, m.failed, m.ending = 0, nil, nil, nil
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
	m.s.Used() // the clock runs
	switch m.s.Phase() {
	case session.Passing:
		generation, wait := m.generation, noMoveTime
		if !m.c.Animate {
			wait = 0
		}
		return m.c.After(wait, func(time.Time) tea.Msg { return passMsg{generation} })
	case session.Thinking:
		return m.think()
	case session.Choosing:
		m.stop()
		m.stop = m.s.Ponder(m.ctx)
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

// advise finds out what the moves of a person are worth, if that is wanted.
func (m *Model) advise() tea.Cmd {
	if !m.hints || m.s.Phase() != session.Choosing || m.frame > 0 || m.advice != nil {
		return nil
	}
	turn, generation := *m.s.Turn(), m.generation
	turn.Moves = append([]board.Move(nil), turn.Moves...)
	return func() tea.Msg {
		answer := adviceMsg{generation: generation}
		answer.err = m.judge.use(func(j analysis.Judge) (err error) {
			answer.advice, err = analysis.Advise(j, turn.Position, turn.Moves)
			return err
		})
		return answer
	}
}

// analyse sums up a game that is over.
func (m *Model) analyse() tea.Cmd {
	game, generation := m.s.Record(), m.generation
	return func() tea.Msg {
		answer := endingMsg{generation: generation}
		// Without a judge nothing is said of the game.
		_ = m.judge.use(func(j analysis.Judge) (err error) {
			answer.game, err = analysis.Analyze(game, j)
			return err
		})
		return answer
	}
}

// keep keeps the game, or forgets it when there is nothing to go on with.
func (m *Model) keep() {
	if m.c.Keep == nil {
		return
	}
	var err error
	if m.s.Phase() == session.Over || len(m.s.Steps()) == 0 {
		err = m.c.Keep.Forget()
	} else {
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
