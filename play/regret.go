package play

import (
	"cmp"
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/solve"
)

// Regret measures the regret in a player's decisions by the exact solution, under the table's
// rules; see [solve.Table.Regret].
// A brain evaluates on the given engine, or on [FastestChooser] if it is nil. A decision's number
// seeds the draws for a random player.
func Regret(ctx context.Context, p Player, t *solve.Table, e ur.Engine, o solve.RegretOptions) (solve.RegretStats, error) {
	if e == nil {
		e = FastestChooser()
	}
	o.Pieces = cmp.Or(o.Pieces, t.Pieces())
	if err := cmp.Or(CheckRegret(o), p.checkRules(t.Rules())); err != nil {
		return solve.RegretStats{}, err
	}
	if err := Prepare(ctx, o.Pieces, p); err != nil {
		return solve.RegretStats{}, err
	}
	return t.Regret(ctx, func() (solve.Chooser, error) {
		instance, err := p.New(e)
		if err != nil {
			return nil, fmt.Errorf("instance for %s: %w", p.Spec, err)
		}
		return &chooser{ctx, instance, Turn{Seed: o.Seed, Rules: t.Rules()}}, nil
	}, o)
}

// CheckRegret returns a [*config.Error] when [Regret] would, whatever the table.
func CheckRegret(o solve.RegretOptions) error {
	const name = "regret"
	if err := CheckChoice(name, min(o.Pieces, board.FinkelPieces)); err != nil {
		return err // the table limits the pieces
	}
	switch {
	case !o.All && o.Decisions < 1:
		return config.Fault(name, "Decisions", "must be at least 1, got %d", o.Decisions)
	case o.Threads < 0 || o.Threads > MaxParallel:
		return config.Fault(name, "Threads", "must be at least 1 and at most %d, or 0 for one thread a processor, got %d", MaxParallel, o.Threads)
	}
	return nil
}

// CheckChoice returns a configuration's [*config.Error] unless games with this number of
// pieces have decisions: with one piece a side no roll has two legal moves, so a search for
// decisions would never end.
func CheckChoice(name string, pieces int) error {
	switch {
	case board.CheckPieces(pieces) != nil:
		return config.Fault(name, "Pieces", "must be 1 to %d, got %d", board.FinkelPieces, pieces)
	case pieces < 2:
		return config.Fault(name, "Pieces", "must be at least 2: with one piece a player never has a choice")
	}
	return nil
}

// chooser asks an instance for decisions.
type chooser struct {
	ctx      context.Context
	instance Instance
	turn     Turn
}

// Choose implements [solve.Chooser].
func (c *chooser) Choose(d *solve.Decision) (int, error) {
	t := &c.turn
	t.Game = d.Number
	t.Position, t.Roll, t.Moves = d.Position, d.Roll, d.Moves
	return c.instance.Choose(c.ctx, t)
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
