package play

import (
	"context"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/play/record"
)

// Player is a way to choose moves. Players are safe for concurrent use; the instances
// they take are not.
type Player interface {
	// Name is the spec for [ParsePlayer], as in "random" or "brain:FILE".
	Name() string

	// New returns an instance for one goroutine. Players that evaluate positions do so on the given
	// engine, which must be available here; others ignore it.
	New(ur.Engine) (Instance, error)
}

// Instance is a player at the board, on either side of it or on both. An instance serves one
// goroutine, for one game after another.
type Instance interface {
	// Choose returns the index in t.Moves of the move to make. There is at least
	// one; a turn without a legal move passes unasked. An error ends the game. The
	// turn belongs to the caller and is only valid until Choose returns.
	Choose(ctx context.Context, t *Turn) (int, error)
}

// Turn is one roll: the question to the player to move and, once it is finished, the outcome.
type Turn = record.Step
