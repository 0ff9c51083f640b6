// Package gameconfig checks the fields shared by all configurations of games.
package gameconfig

import (
	"cmp"
	"runtime"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/config"
)

// MaxParallel bounds the number of goroutines that play at a time. Each has its own tables, and
// more than there are processors gain nothing.
const MaxParallel = 4096

// Common holds the fields shared by configurations. A zero value means the default.
type Common struct {
	Rules     *board.Rules // nil for Finkel's, the default
	Pieces    int          // of each player, 1 to 7; by default 7; under other rules 1 to 10, by default theirs
	TurnLimit int          // per game, 1 to [ur.DefaultTurnLimit], the default
	Parallel  int          // goroutines, at most [MaxParallel]; by default GOMAXPROCS
	Engine    ur.Engine    // an available one; by default [engine.Fastest]
}

// Complete returns c with its defaults filled in, or a [*config.Error] that names the field of
// the named configuration.
func (c Common) Complete(name string) (Common, error) {
	if err := c.completePieces(name); err != nil {
		return c, err
	}
	c.TurnLimit = cmp.Or(c.TurnLimit, ur.DefaultTurnLimit)
	if c.TurnLimit < 1 || c.TurnLimit > ur.DefaultTurnLimit {
		return c, config.Fault(name, "TurnLimit", "must be 1 to %d, got %d", ur.DefaultTurnLimit, c.TurnLimit)
	}
	if c.Parallel < 0 || c.Parallel > MaxParallel {
		return c, config.Fault(name, "Parallel", "must be at least 1 and at most %d, or 0 for one thread a processor, got %d", MaxParallel, c.Parallel)
	}
	c.Parallel = cmp.Or(c.Parallel, min(MaxParallel, runtime.GOMAXPROCS(0)))
	if c.Engine == nil {
		c.Engine = engine.Fastest()
	}
	if err := ur.Available(c.Engine); err != nil {
		return c, &config.Error{Config: name, Field: "Engine", Err: err}
	}
	return c, nil
}

// completePieces fills in the rules and the number of pieces, also of the rules.
func (c *Common) completePieces(name string) (err error) {
	c.Rules = cmp.Or(c.Rules, board.Finkel())
	c.Pieces = cmp.Or(c.Pieces, c.Rules.Pieces())
	if c.Rules, err = c.Rules.WithPieces(c.Pieces); err != nil {
		return &config.Error{Config: name, Field: "Pieces", Err: err}
	}
	return nil
}
