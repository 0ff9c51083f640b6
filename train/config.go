package train

import (
	"cmp"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/gameconfig"
	"github.com/seed-09dcdc84/ur/play"
)

// BrainConfig holds the settings shared by all learners of brains. A zero number means the
// default.
type BrainConfig struct {
	Seed   uint64
	Pieces int // by default 7

	// Start is the brain to begin with; nil means none.
	Start *ur.Brain

	// Rival is the player to measure the strength against. Nothing is learned from
	// it. Without weights it is brain:classic.
	Rival play.Brain

	// Engine and Parallel do not change the result. Nil means the fastest engine,
	// and 0 threads one for each processor.
	Engine   ur.Engine
	Parallel int

	// Arena, if not nil, plays the games instead of this process. The result is the same.
	Arena Arena
}

// PlayIn sets the arena that plays the games. If Parallel is 0, it also sets the number of
// goroutines.
func (c *BrainConfig) PlayIn(a Arena, goroutines int) {
	c.Arena = a
	c.Parallel = cmp.Or(c.Parallel, goroutines)
}

// newBrainConfig returns a configuration with its defaults.
func newBrainConfig() BrainConfig {
	return BrainConfig{Seed: 1, Pieces: board.MaxPieces, Rival: classicRival()}
}

// classicRival is the default rival of strength measurements.
func classicRival() play.Brain { return play.Brain{Spec: "brain:classic", Weights: ur.ClassicBrain()} }

// complete returns c with its defaults filled in, or a [*config.Error] of the named
// configuration.
func (c BrainConfig) complete(name string) (BrainConfig, error) {
	if c.Rival.Weights == nil {
		c.Rival = classicRival()
	}
	common, err := gameconfig.Common{Pieces: c.Pieces, Parallel: c.Parallel, Engine: c.Engine}.Complete(name)
	c.Pieces, c.Parallel, c.Engine = common.Pieces, common.Parallel, common.Engine
	return c, err
}

// judge returns the arena for the matches of a complete configuration.
func (c BrainConfig) judge(turnLimit int) judge {
	return judge{engine: c.Engine, pieces: c.Pieces, turnLimit: turnLimit, parallel: c.Parallel, arena: c.Arena}
}
