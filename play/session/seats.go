package session

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/play"
)

// chair is where a player of the program sits. Seats serve one goroutine each: a task that
// nobody waits for any longer keeps its own.
type chair struct {
	player play.Player
	mutex  sync.Mutex
	free   []play.Seat
}

// take returns a seat that nobody uses.
func (c *chair) take() (play.Seat, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if n := len(c.free); n > 0 {
		seat := c.free[n-1]
		c.free = c.free[:n-1]
		return seat, nil
	}
	return c.player.Sit(engine.Fastest())
}

// giveBack lets others have a seat.
func (c *chair) giveBack(seat play.Seat) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.free = append(c.free, seat)
}

// Seat gives a side to a person or a player. What was played stays.
func (s *Session) Seat(ctx context.Context, side board.Side, spec string) error {
	before := s.setup.Players[side]
	if err := s.seat(ctx, side, spec); err != nil {
		return err
	}
	if spec != before {
		s.noteChange()
	}
	return nil
}

// Swap lets the players change sides in the middle of the game.
func (s *Session) Swap() {
	s.epoch++
	s.chairs[0], s.chairs[1] = s.chairs[1], s.chairs[0]
	s.setup.Players[0], s.setup.Players[1] = s.setup.Players[1], s.setup.Players[0]
	s.noteChange()
}

// changes is the key of a record under which stand the changes of players.
const changes = "Changes"

// noteChange keeps for the record who plays from this turn on.
func (s *Session) noteChange() {
	note := fmt.Sprintf("turn %d: %s against %s", len(s.steps)+1, s.setup.Players[0], s.setup.Players[1])
	if s.meta[changes] != "" {
		note = s.meta[changes] + "; " + note
	}
	s.meta[changes] = note
}

// SeatError says why a player cannot sit down on a side.
type SeatError struct {
	Side board.Side
	Err  error
}

func (e *SeatError) Error() string { return e.Side.String() + ": " + e.Err.Error() }
func (e *SeatError) Unwrap() error { return e.Err }

// seat parses, prepares and seats a player.
func (s *Session) seat(ctx context.Context, side board.Side, spec string) error {
	var c *chair
	if spec != Person {
		parse := s.setup.Parse
		if parse == nil {
			parse = play.ParsePlayer
		}
		p, err := parse(spec)
		if err != nil {
			return &SeatError{side, err}
		}
		if err := play.Prepare(ctx, s.setup.Pieces, p); err != nil {
			return &SeatError{side, err}
		}
		c = &chair{player: p}
	}
	s.epoch++
	s.chairs[side], s.setup.Players[side] = c, spec
	return nil
}

// Player returns who sits on a side, or nil for a person.
func (s *Session) Player(side board.Side) play.Player {
	if s.chairs[side] == nil {
		return nil
	}
	return s.chairs[side].player
}

// Task is a choice that a player has to make.
type Task struct {
	chair *chair
	turn  play.Turn
	epoch int
}

// Task returns the choice that the session waits for, in the phase [Thinking].
func (s *Session) Task() (t *Task, ok bool) {
	if s.Phase() != Thinking {
		return nil, false
	}
	t = &Task{s.chairs[s.turn.Side()], s.turn, s.epoch}
	t.turn.Moves = append([]board.Move(nil), s.turn.Moves...)
	return t, true
}

// Choose lets the player think. It may run in any goroutine, also while the session
// changes, and after another task of the same player that nobody waits for.
func (t *Task) Choose(ctx context.Context) (choice int, err error) {
	seat, err := t.chair.take()
	if err != nil {
		return 0, err
	}
	defer t.chair.giveBack(seat)
	return seat.Choose(ctx, &t.turn)
}

// Ponder lets the player of the other side think while a person chooses, if it can. It
// returns what ends the thinking; call it before the session goes on.
func (s *Session) Ponder(ctx context.Context) (stop func()) {
	nothing := func() {}
	c := s.chairs[s.turn.Side().Other()]
	if s.Phase() != Choosing || c == nil {
		return nothing
	}
	seat, err := c.take()
	if err != nil {
		return nothing // the player will return it when it has to choose
	}
	p, ok := seat.(play.Ponderer)
	if !ok {
		c.giveBack(seat)
		return nothing
	}
	turn := s.turn
	turn.Moves = append([]board.Move(nil), s.turn.Moves...)
	end := p.Ponder(ctx, &turn)
	return sync.OnceFunc(func() {
		end()
		c.giveBack(seat)
	})
}

// ErrStale says that the session has changed since a task was taken: nobody waits for its
// answer.
var ErrStale = errors.New("the game has gone on otherwise")

// Answer makes the move that a player chose, or returns [ErrStale].
func (s *Session) Answer(t *Task, choice int) error {
	if t.epoch != s.epoch {
		return ErrStale
	}
	return s.play(choice)
}
