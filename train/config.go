package train

import (
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/play"
)

// BrainConfig is what the ways to learn a brain have in common. Of its numbers, 0 means
// the default.
type BrainConfig struct {
	Seed   uint64
	Pieces int // of each player, 1 to 7; by default 7

	// Start is the brain to begin with; nil means none.
	Start *ur.Brain

	// Rival is the player to measure the strength against. Nothing is learned from
	// it. Without weights it is brain:classic.
	Rival play.Brain

	// Engine and Parallel do not change the result. Nil means the fastest engine,
	// and 0 threads one for each processor.
	Engine   ur.Engine
	Parallel int
}

// complete returns c with its defaults filled in, or an error that says what is
// wrong with it.
func (c BrainConfig) complete() (BrainConfig, error) {
	if c.Pieces == 0 {
		c.Pieces = board.MaxPieces
	}
	if c.Rival.Weights == nil {
		c.Rival = play.Brain{Spec: "brain:classic", Weights: ur.ClassicBrain()}
	}
	if c.Engine == nil {
		c.Engine = engine.Fastest()
	}
	if err := board.CheckPieces(c.Pieces); err != nil {
		return c, err
	}
	if c.Parallel < 0 || c.Parallel > play.MaxParallel {
		return c, fmt.Errorf("threads must be 0 to %d, got %d", play.MaxParallel, c.Parallel)
	}
	return c, ur.Available(c.Engine)
}

// judge returns what plays the matches of a complete configuration.
func (c BrainConfig) judge(turnLimit int) judge {
	return judge{engine: c.Engine, pieces: c.Pieces, turnLimit: turnLimit, parallel: c.Parallel}
}
