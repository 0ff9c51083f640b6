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
	Pieces    int       // of each player, 1 to 7; by default 7
	TurnLimit int       // per game, 1 to [ur.DefaultTurnLimit], the default
	Parallel  int       // goroutines, at most [MaxParallel]; by default GOMAXPROCS
	Engine    ur.Engine // an available one; by default [engine.Fastest]
}

// Complete returns c with its defaults filled in, or a [*config.Error] that names the field of
// the named configuration.
func (c Common) Complete(name string) (Common, error) {
	c.Pieces = cmp.Or(c.Pieces, board.MaxPieces)
	if err := Pieces(name, c.Pieces); err != nil {
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
		return c, config.Fault(name, "Engine", "%v", err)
	}
	return c, nil
}

// Pieces checks a number of pieces.
func Pieces(name string, pieces int) error {
	if board.CheckPieces(pieces) != nil {
		return config.Fault(name, "Pieces", "must be 1 to %d, got %d", board.MaxPieces, pieces)
	}
	return nil
}
