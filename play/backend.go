package play

import (
	"context"

	"github.com/seed-09dcdc84/ur/match"
)

// Backend plays matches elsewhere than in this process, as on many machines. The scores equal
// those computed in this process.
type Backend interface {
	// Runner returns a runner of a match. It is called once for each goroutine of
	// [MatchConfig.Parallel]. The goroutines only wait for games played elsewhere, so there
	// should be many.
	Runner(ctx context.Context, c MatchConfig) (match.SpanRunner[Score], error)
}

// NewRunner returns a runner of this process, as the machines of a [Backend] need one. The
// configuration must be complete but for Games.
func NewRunner(ctx context.Context, c MatchConfig) (match.SpanRunner[Score], error) {
	c.Games, c.Backend = 1, nil
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	if err := Prepare(ctx, c.Pieces, c.Players[:]...); err != nil {
		return nil, err
	}
	return newRunner(ctx, c, nil)
}
