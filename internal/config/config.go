// Package config is how configurations are checked: in one place each, with an error
// that names the field at fault, and alike where they have a field in common.
package config

import (
	"cmp"
	"fmt"
	"runtime"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
)

// Error says which field of a configuration is wrong, and what would be right. A command
// turns the field into the flag that sets it.
type Error struct {
	Config string // what is configured, as in "match"
	Field  string // of the configuration, as in "Games"
	Msg    string // as in "must be at least 1, got 0"
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s %s", e.Config, e.Field, e.Msg) }

// Fault returns an [*Error] with a formatted message.
func Fault(config, field, format string, args ...any) error {
	return &Error{config, field, fmt.Sprintf(format, args...)}
}

// MaxParallel is the most goroutines that may play at a time. Each of them has tables of
// its own, and more than there are processors gain nothing.
const MaxParallel = 4096

// Common is what configurations have in common. Nothing, or 0, means the default.
type Common struct {
	Pieces    int       // of each player, 1 to 7; by default 7
	TurnLimit int       // of a game, 1 to [ur.DefaultTurnLimit], which is the default
	Parallel  int       // goroutines, at most [MaxParallel]; by default GOMAXPROCS
	Engine    ur.Engine // one that can run here; by default [engine.Fastest]
}

// Complete returns c with its defaults filled in, or an [*Error] of the configuration
// that has its fields.
func (c Common) Complete(config string) (Common, error) {
	c.Pieces = cmp.Or(c.Pieces, board.MaxPieces)
	if err := Pieces(config, c.Pieces); err != nil {
		return c, err
	}
	c.TurnLimit = cmp.Or(c.TurnLimit, ur.DefaultTurnLimit)
	if c.TurnLimit < 1 || c.TurnLimit > ur.DefaultTurnLimit {
		return c, Fault(config, "TurnLimit", "must be 1 to %d, got %d", ur.DefaultTurnLimit, c.TurnLimit)
	}
	if c.Parallel < 0 || c.Parallel > MaxParallel {
		return c, Fault(config, "Parallel", "must be at least 1 and at most %d, or 0 for one thread a processor, got %d", MaxParallel, c.Parallel)
	}
	c.Parallel = cmp.Or(c.Parallel, min(MaxParallel, runtime.GOMAXPROCS(0)))
	if c.Engine == nil {
		c.Engine = engine.Fastest()
	}
	if err := ur.Available(c.Engine); err != nil {
		return c, &Error{config, "Engine", err.Error()}
	}
	return c, nil
}

// Pieces checks a number of pieces.
func Pieces(config string, pieces int) error {
	if board.CheckPieces(pieces) != nil {
		return Fault(config, "Pieces", "must be 1 to %d, got %d", board.MaxPieces, pieces)
	}
	return nil
}
