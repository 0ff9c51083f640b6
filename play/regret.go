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

// Regret measures by the exact solution how much a player gives away in its decisions;
// see [solve.Regret]. A brain evaluates on the given engine, or on [FastestChooser]
// when that is nil. A player that draws lots does so by the number of the decision.
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
	seat := func() (solve.Chooser, error) {
		seat, err := p.Sit(e)
		if err != nil {
			return nil, fmt.Errorf("seat for %s: %w", p.Name(), err)
		}
		return &seatChooser{ctx: ctx, seat: seat, turn: Turn{Seed: o.Seed}}, nil
	}
	return solve.Regret(ctx, t, seat, o)
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

// CheckChoice returns a [*config.Error] of a configuration unless games of so many pieces
// have decisions: with one piece of each player there is never more than one legal move,
// so that whoever waits for a choice waits forever.
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
	return c.seat.Choose(c.ctx, t)
}

// FastestChooser returns the engine that is fastest, of those this machine can run, at
// single decisions in positions that do not follow each other: where setting the
// position counts as much as finding the move. BenchmarkDecision measures it.
func FastestChooser() ur.Engine {
	e, err := engine.Lookup("bits/table")
	if err != nil {
		panic(err) // it is a built-in engine that needs nothing of the CPU
	}
	return e
}
