package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/play"
)

// Swap lets the players change sides in the middle of the game.
func (s *Session) Swap() {
	s.epoch++
	s.pools[0], s.pools[1] = s.pools[1], s.pools[0]
	s.setup.Players[0], s.setup.Players[1] = s.setup.Players[1], s.setup.Players[0]
	s.noteChange()
}

// changes is the record key for changes of players.
const changes = "Changes"

// noteChange notes in the record the player from this turn on.
func (s *Session) noteChange() {
	note := fmt.Sprintf("turn %d: %s against %s", len(s.steps)+1, s.setup.Players[0], s.setup.Players[1])
	if s.meta[changes] != "" {
		note = s.meta[changes] + "; " + note
	}
	s.meta[changes] = note
}

// PlayerError reports the reason why a player cannot take a side.
type PlayerError struct {
	Side board.Side
	Err  error
}

func (e *PlayerError) Error() string { return e.Side.String() + ": " + e.Err.Error() }
func (e *PlayerError) Unwrap() error { return e.Err }

// Prepare makes a player ready, which may take a while, and returns the function that gives it a
// side. It may run in any goroutine while the session changes.
func (s *Session) Prepare(ctx context.Context, side board.Side, spec string) (take func(), err error) {
	var c *play.Pool
	if spec != Person {
		parse := s.setup.Parse
		if parse == nil {
			parse = play.ParsePlayerFor
		}
		p, err := parse(s.setup.Rules, spec)
		if err == nil {
			err = play.Prepare(ctx, s.setup.Pieces, p)
		}
		if err != nil {
			return nil, &PlayerError{side, err}
		}
		c = play.NewPool(p, engine.Fastest())
	}
	return func() {
		s.epoch++
		before := s.setup.Players[side]
		if s.pools[side], s.setup.Players[side] = c, spec; before != spec {
			s.noteChange()
		}
	}, nil
}

// Player returns the player of a side, or the zero Player for a person.
func (s *Session) Player(side board.Side) play.Player {
	if s.pools[side] == nil {
		return play.Player{}
	}
	return s.pools[side].Player
}

// Task is a choice for a player to make.
type Task struct {
	pool  *play.Pool
	turn  play.Turn
	epoch int
}

// Task returns the pending choice in the phase [Thinking].
func (s *Session) Task() (t *Task, ok bool) {
	if s.Phase() != Thinking {
		return nil, false
	}
	return &Task{s.pools[s.turn.Side()], s.turn, s.epoch}, true
}

// Choose lets the player think. It may run in any goroutine, even while the session changes,
// and even while an abandoned task of the same player still runs.
func (t *Task) Choose(ctx context.Context) (choice int, err error) {
	return t.pool.Choose(ctx, &t.turn)
}

// ErrStale reports that the session has changed since the task was taken, so its answer is
// ignored.
var ErrStale = errors.New("the game has continued with other moves")

// Answer makes the player's chosen move, or returns [ErrStale].
func (s *Session) Answer(t *Task, choice int) error {
	if t.epoch != s.epoch {
		return ErrStale
	}
	return s.play(choice)
}
