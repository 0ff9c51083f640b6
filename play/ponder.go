package play

import (
	"context"

	"github.com/seed-09dcdc84/ur/search"
)

// Ponderer is a seat that can think during the opponent's turn.
type Ponderer interface {
	// Ponder starts to think in the background while the opponent chooses in a turn. The turn
	// must not change until then. It returns a function that stops the thinking and waits for
	// it to end; until then the seat must not be used for anything else. Pondering makes a
	// player with a depth limit faster but does not change its choices.
	Ponder(ctx context.Context, t *Turn) (stop func())
}

// ponderTimes is how much longer a player with a limit of time ponders than it thinks.
const ponderTimes = 10

// ponderLimits are the limits during the opponent's turn. A player's own turn comes a ply
// later, so one more ply fills the table with everything its search needs. A player with a node
// limit does not ponder, because its result depends on the table.
func (s Search) ponderLimits() (l search.Limits, ponders bool) {
	l = s.limits
	if l.Depth != 0 {
		l.Depth = min(l.Depth+1, search.MaxDepth)
	}
	l.Time *= ponderTimes
	return l, l.Nodes == 0
}

// Ponder implements [Ponderer].
func (s *searchSeat) Ponder(ctx context.Context, t *Turn) (stop func()) {
	l, ponders := s.player.ponderLimits()
	if !ponders || s.ready(t.Position.Pieces()) != nil { // Choose will return the error
		return func() {}
	}
	thought := s.searcher.Ponder(ctx, t.Position, t.Roll, l)
	return func() {
		thought.Stop()
		_, _ = thought.Wait() // of the same limits as in Choose
	}
}
