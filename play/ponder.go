package play

import (
	"context"

	"github.com/seed-09dcdc84/ur/search"
)

// Ponderer is a seat that can think on the opponent's time.
type Ponderer interface {
	// Ponder begins to think in the background while the opponent chooses in a turn, which
	// must not change until then. It returns what ends the thinking and waits for its end;
	// until then the seat must not be used for anything else. What players choose whose
	// limit is a depth does not depend on it, but they choose sooner.
	Ponder(ctx context.Context, t *Turn) (stop func())
}

// ponderTimes is how much longer a player with a limit of time ponders than it thinks.
const ponderTimes = 10

// ponderLimits are the limits on the opponent's time. A player's own turn comes a ply later,
// so that a ply more fills the table with all that its search will ask for. A player with a
// limit of nodes does not ponder: what it finds depends on the table.
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
		_, _ = thought.Wait() // of limits that Choose has too
	}
}
