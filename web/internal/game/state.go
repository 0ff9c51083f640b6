package game

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/internal/session"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/play/record"
)

// state is a session read from a link and turned back into one.
type state struct {
	*session.Session
	turns []record.Turn // played turns, followed by undone turns
}

// open sits down at the game of a link.
func open(ctx context.Context, text string, players *Roster) (*state, error) {
	l, err := parseLink(text)
	if err != nil {
		return nil, err
	}
	return l.open(ctx, players)
}

// open starts a session from a game. Unavailable players keep their seat but cannot move.
func (l *link) open(ctx context.Context, players *Roster) (*state, error) {
	for _, name := range l.Players {
		if err := checkName(name); err != nil {
			return nil, err
		}
	}
	set, err := l.set().WithPieces(l.Pieces)
	if err != nil {
		return nil, err
	}
	parse := func(_ *rules.Rules, name string) (play.Player, error) { return players.seated(set, name), nil }
	loaded, err := session.Load(ctx, &l.Game, session.Setup{Parse: parse})
	if err != nil {
		return nil, err
	}
	s := &state{loaded, l.Turns}
	for len(s.Steps()) > l.played && s.Undo() {
		// Each Undo takes back one turn or more, or returns false.
	}
	if len(s.Steps()) != l.played {
		return nil, errors.New("what was taken back in the link does not begin with a choice")
	}
	return s, nil
}

// link returns the link of the game.
func (s *state) link() string {
	l := link{Game: *s.Record(), played: len(s.Steps())}
	if l.Turns = s.turns; l.Result != record.Unfinished {
		l.Turns = s.turns[:l.played]
	}
	return l.String()
}

// forget drops the undone turns, because the game has continued.
func (s *state) forget() { s.turns = s.Record().Turns }

// move moves the piece on a square for a person.
func (s *state) move(from int) error {
	t := s.Turn()
	switch s.Phase() {
	case session.Over:
		return fmt.Errorf("the game is over (%s): nothing can be moved", s.Result())
	case session.Passing:
		return fmt.Errorf("%s cannot move by %d: the turn passes by itself", t.Side(), t.Roll)
	case session.Thinking:
		return fmt.Errorf("it is the turn of %s, played by %s: it moves by itself", t.Side(), s.Players()[t.Side()])
	}
	choice := slices.IndexFunc(t.Moves, func(m board.Move) bool { return int(m.From) == from })
	if choice < 0 {
		var legal []string
		for _, m := range t.Moves {
			legal = append(legal, fmt.Sprintf("%d (%s)", m.From, t.Notation(m)))
		}
		return fmt.Errorf("%s cannot move from square %d by %d, but from %v", t.Side(), from, t.Roll, legal)
	}
	err := s.Move(choice)
	s.forget()
	return err
}

// pace bounds the turns played automatically for one answer.
const (
	paceTurns = 24
	paceTime  = 250 * time.Millisecond
)

// goOn passes and lets players move until a person has to choose, the game is over, or the
// limit of one answer is reached. It replays undone turns first.
func (s *state) goOn(ctx context.Context) error {
	begin, turns := time.Now(), 0
	if s.Phase() == session.Thinking && s.Redo() {
		return nil
	}
	enough := errors.New("enough")
	pace, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	err := s.Run(pace, func(*session.Step) {
		if turns++; turns >= paceTurns || time.Since(begin) > paceTime || len(s.Steps()) >= maxTurns {
			stop(enough)
		}
	})
	s.forget()
	switch {
	case len(s.Steps()) >= maxTurns && s.Phase() != session.Over:
		return fmt.Errorf("the game has %d turns and is given up", maxTurns)
	case context.Cause(pace) == enough:
		return nil
	}
	if err == nil {
		s.Ponder(ctx) // until the next question about the player
	}
	return err
}

// resign resigns for the person to move, or for the only person in the game.
func (s *state) resign() error {
	side := s.Turn().Side()
	if s.Player(side) != nil {
		side = side.Other()
	}
	if s.Player(side) != nil {
		return errors.New("no person plays who could resign")
	}
	if s.Phase() == session.Over {
		return fmt.Errorf("the game is over (%s): resigning is not possible", s.Result())
	}
	err := s.Resign(side)
	s.forget()
	return err
}

// undo takes back the last choice of a person.
func (s *state) undo() error {
	if !s.Undo() {
		return errors.New("there is nothing to take back")
	}
	return nil
}

// redo makes it again.
func (s *state) redo() error {
	if !s.Redo() {
		return errors.New("there is nothing to make again")
	}
	return nil
}

// Hints are the values of a person's moves. Probabilities are for the side to move.
type Hints struct {
	Schema string  `json:"schema"` // ur.web-hints/1
	By     string  `json:"by"`     // table, the exact solution, or search
	Before float64 `json:"before"` // probability to win before the roll
	Moves  []Hint  `json:"moves"`  // in the order of the moves
}

// Hint is the value of a move.
type Hint struct {
	Move
	Win    float64  `json:"win"`            // probability to win after the move
	Regret float64  `json:"regret"`         // loss against the best move
	Mark   string   `json:"mark"`           // "", inaccuracy, mistake or blunder
	Line   []string `json:"line,omitempty"` // of the best moves: the game from this one on if every roll is the likeliest
}

// hintLines is the number of best moves for which hints have a line.
const hintLines = 3

// hints judges the moves of the side to move.
func (s *state) hints() (*Hints, error) {
	h := &Hints{Schema: "ur.web-hints/1", Moves: []Hint{}}
	t, set, at := s.Turn(), s.Rules(), s.Position()
	return h, withJudge(set, func(j analysis.GameJudge) error {
		h.By, h.Before = j.By(), j.Position(at)
		if len(t.Moves) == 0 {
			return nil
		}
		advice, err := analysis.Advise(j, set, at, t.Moves)
		if err != nil {
			return err
		}
		for i, m := range t.Moves {
			regret := advice.Regret(i)
			h.Moves = append(h.Moves, Hint{Move: move(set, m, t.Side()), Win: advice.Win[i], Regret: regret, Mark: analysis.Mark(regret)})
		}
		order := make([]int, len(t.Moves))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(advice.Win[b], advice.Win[a]) })
		for _, i := range order[:min(hintLines, len(order))] {
			h.Moves[i].Line = analysis.Line(j, set, at, t.Moves[i])
		}
		return j.Err()
	})
}

// analysis returns the analysis of the game.
func (s *state) analysis(ctx context.Context) (a *analysis.Game, err error) {
	return a, withJudge(s.Rules(), func(j analysis.GameJudge) error {
		a, err = analysis.AnalyzeGame(s.Record(), interruptible{j, ctx})
		return cmp.Or(ended(ctx), err)
	})
}

// interruptible is a judge whose values are worthless, and free, once its context has
// ended: an analysis of thousands of turns takes longer than a request may.
type interruptible struct {
	analysis.GameJudge
	ctx context.Context
}

func (j interruptible) Position(p rules.Position) float64 {
	if ended(j.ctx) != nil {
		return 0
	}
	return j.GameJudge.Position(p)
}

func (j interruptible) Moves(dst []float64, p rules.Position, moves []board.Move) {
	if ended(j.ctx) == nil {
		j.GameJudge.Moves(dst, p, moves)
	}
}

// ended returns why a context has ended. It looks at the deadline itself: in a page without
// a server no timer runs while a question is answered.
func ended(ctx context.Context) error {
	if deadline, ok := ctx.Deadline(); ok && !time.Now().Before(deadline) {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}
