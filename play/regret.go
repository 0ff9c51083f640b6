package play

import (
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/internal/gameconfig"
	"github.com/seed-09dcdc84/ur/solve"
)

// Regret measures the regret of a player's decisions by the exact solution; see [solve.Regret].
// A brain evaluates on the given engine, or on [FastestChooser] if it is nil. The number of the
// decision seeds the draws of a random player.
func Regret(ctx context.Context, p Player, t solve.Table, e ur.Engine, o solve.RegretOptions) (solve.RegretStats, error) {
	if e == nil {
		e = FastestChooser()
	}
	if o.Pieces == 0 {
		o.Pieces = t.Pieces()
	}
	if err := CheckRegret(o); err != nil {
		return solve.RegretStats{}, err
	}
	if err := Prepare(ctx, o.Pieces, p); err != nil {
		return solve.RegretStats{}, err
	}
	return solve.Regret(ctx, t, seats(ctx, p, e, o.Seed), o)
}

// seats returns a function that seats a player on an engine, with draws by a seed.
func seats(ctx context.Context, p Player, e ur.Engine, seed uint64) func() (solve.Chooser, error) {
	return func() (solve.Chooser, error) {
		seat, err := p.Sit(e)
		if err != nil {
			return nil, fmt.Errorf("seat for %s: %w", p.Name(), err)
		}
		return &seatChooser{ctx: ctx, seat: seat, turn: Turn{Seed: seed}}, nil
	}
}

// CheckRegret returns a [*config.Error] when [Regret] would, whatever the table.
func CheckRegret(o solve.RegretOptions) error {
	const name = "regret"
	if err := CheckChoice(name, o.Pieces); err != nil {
		return err
	}
	switch {
	case !o.All && o.Decisions < 1:
		return config.Fault(name, "Decisions", "must be at least 1, got %d", o.Decisions)
	case o.Threads < 0 || o.Threads > MaxParallel:
		return config.Fault(name, "Threads", "must be at least 1 and at most %d, or 0 for one thread a processor, got %d", MaxParallel, o.Threads)
	}
	return nil
}

// CheckChoice returns a [*config.Error] of a configuration unless games with this number of
// pieces have decisions: with one piece a side no roll has two legal moves, so a search for
// decisions would never end.
func CheckChoice(name string, pieces int) error {
	if err := gameconfig.Pieces(name, pieces); err != nil {
		return err
	}
	if pieces < 2 {
		return config.Fault(name, "Pieces", "must be at least 2: with one piece a player never has a choice")
	}
	return nil
}

// seatChooser asks a seat for decisions.
type seatChooser struct {
	ctx  context.Context
	seat Seat
	turn Turn
}

// Choose implements [solve.Chooser].
func (c *seatChooser) Choose(d *solve.Decision) (int, error) {
	t := &c.turn
	t.Game = d.Number
	t.Position, t.Roll, t.Moves = d.Position, d.Roll, d.Moves
	if t.Rules = d.Rules; t.Rules != nil {
		t.Position = d.State
	}
	return c.seat.Choose(c.ctx, t)
}

// FastestChooser returns the engine that is fastest here at single decisions in unrelated
// positions, where setting the position counts as much as finding the move. BenchmarkDecision
// measures it.
func FastestChooser() ur.Engine {
	e, err := engine.Lookup("bits/table")
	if err != nil {
		panic(err) // a built-in engine that needs no CPU features
	}
	return e
}
