package play

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur"
)

// Brain moves to the position that a brain values most. It plays the same game on
// every engine.
type Brain struct {
	Spec    string // the name of the player: "brain" or "brain:FILE"
	Weights *ur.Brain
}

// Name returns the spec.
func (p Brain) Name() string { return p.Spec }

// Sit binds the brain to the engine.
func (p Brain) Sit(e ur.Engine) (Seat, error) {
	g, err := e.New(ur.Setup{Light: p.Weights, Dark: p.Weights})
	if err != nil {
		return nil, fmt.Errorf("%s on %s: %w", p.Spec, e.Name(), err)
	}
	return &brainSeat{game: g}, nil
}

// brainSeat lets an engine choose.
type brainSeat struct{ game ur.Game }

// Choose sets the engine to the position and lets it move.
func (s *brainSeat) Choose(_ context.Context, t *Turn) (int, error) {
	if len(t.Moves) == 1 {
		return 0, nil
	}
	s.game.Set(t.Position)
	move, _ := s.game.Play(t.Roll)
	return slices.Index(t.Moves, move), nil
}
