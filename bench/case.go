package bench

import (
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
)

// Case is one engine bound to the work of one level. It serves one goroutine.
type Case struct {
	Engine ur.Engine
	Level  Level

	work   *Workload
	lanes  int // games that the engine plays side by side, 0 when it is no [ur.Batch]
	game   ur.Game
	values []int32

	// winners are told at the match level, as they are for a match that is played, and
	// nil at the others.
	winners []board.Side
}

// NewCase binds an engine that can run here to the work of a level, and converts
// what has to be converted.
func NewCase(w *Workload, e ur.Engine, level Level) (*Case, error) {
	c := &Case{Engine: e, Level: level, work: w}
	if batch, ok := e.(ur.Batch); ok {
		c.lanes = batch.Lanes()
	}
	game, err := e.New(c.series().setup())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name(), err)
	}
	c.game = game
	if level == Value {
		game.Load(w.positions)
		c.values = make([]int32, len(w.positions))
	}
	if level == Match {
		played, _ := c.games()
		c.winners = make([]board.Side, played.N)
	}
	return c, nil
}

// Name is the name of the benchmark as Go writes it, without its prefix:
// "Value/board=array16/eval=avx2-4", where 4 is GOMAXPROCS.
func (c *Case) Name() string { return benchmarkName(c.Level, c.Engine.Name()) }

// series are the whole games that belong to the level.
func (c *Case) series() *series {
	if c.Level == Match {
		return &c.work.match
	}
	return &c.work.games
}

// inGames reports whether the work is whole games. So it is at the turn level too
// for an engine that plays games side by side, of which one turn of one game says
// nothing.
func (c *Case) inGames() bool {
	return c.Level == Game || c.Level == Match || c.Level == Turn && c.lanes > 0
}

// games are the whole games of a pass, and the tally they must have.
func (c *Case) games() (ur.Series, ur.Tally) {
	if c.lanes > 0 {
		return games(c.work.Size.Games), c.series().all
	}
	return games(c.work.Size.FirstGames), c.series().first
}

// Pass does the work once. It is what is timed.
func (c *Case) Pass() error {
	switch {
	case c.Level == Value:
		c.game.Values(c.values, board.Light)
	case c.inGames():
		played, _ := c.games()
		_, err := c.game.Games(c.winners, played)
		return err
	default:
		c.playTurns()
	}
	return nil
}

// playTurns plays the games of the turn level. How long each of them takes is
// known, so that nothing but the engine is timed.
func (c *Case) playTurns() {
	start := board.StartPosition(board.MaxPieces)
	rolls := c.work.rolls
	for _, length := range c.work.lengths {
		c.game.Set(start)
		for _, roll := range rolls[:length] {
			c.game.Play(int(roll))
		}
		rolls = rolls[length:]
	}
}

// perPass is how many evaluations, turns or games one pass is. Games are counted
// in games of mean length, so that first games which happen to be short do not
// flatter the engines that play no others.
func (c *Case) perPass() float64 {
	_, tally := c.games()
	switch {
	case c.Level == Value:
		return float64(len(c.work.positions))
	case c.Level != Turn:
		return float64(tally.Turns) / c.series().meanTurns()
	case c.inGames():
		return float64(tally.Turns)
	}
	return float64(c.work.Turns)
}

// candidatesPerTurn is how many legal moves there are in a turn of the work at the
// turn level, on average. A turn without any costs time too, and is paid by the
// others.
func (c *Case) candidatesPerTurn() float64 {
	if c.inGames() {
		return float64(c.series().candidates) / float64(c.series().all.Turns)
	}
	return float64(c.work.Candidates) / float64(c.work.Turns)
}

// MismatchError says that an engine does not come to the oracle's answer, so that
// its speed means nothing.
type MismatchError struct {
	Engine string
	Level  Level
	What   string
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s does not agree with %s at the %s level: %s", e.Engine, engine.OracleName, e.Level, e.What)
}

// Check does the work once, untimed, and compares every answer with the oracle's.
// Its error is a [*MismatchError] or an error of the engine.
func (c *Case) Check() error {
	var what string
	switch {
	case c.Level == Value:
		what = c.checkValues()
	case c.inGames():
		played, want := c.games()
		tally, err := c.game.Games(c.winners, played)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Engine.Name(), err)
		}
		if tally != want {
			what = fmt.Sprintf("tally %+v, want %+v", tally, want)
		}
	default:
		what = c.checkTurns()
	}
	if what != "" {
		return &MismatchError{Engine: c.Engine.Name(), Level: c.Level, What: what}
	}
	return nil
}

// checkValues returns the first difference between values, or "".
func (c *Case) checkValues() string {
	c.game.Values(c.values, board.Light)
	for i, want := range c.work.values {
		if c.values[i] != want {
			return fmt.Sprintf("value of %s is %d, want %d", c.work.positions[i], c.values[i], want)
		}
	}
	return ""
}

// checkTurns returns the first difference between moves played, or "".
func (c *Case) checkTurns() string {
	turn := 0
	for game, length := range c.work.lengths {
		c.game.Set(board.StartPosition(board.MaxPieces))
		for i := range length {
			move, moved := c.game.Play(int(c.work.rolls[turn]))
			if want := c.work.plays[turn]; moved != want.moved || moved && move != want.move {
				return fmt.Sprintf("game %d, turn %d: plays %v (%v), want %v (%v)", game, i, move, moved, want.move, want.moved)
			}
			turn++
		}
	}
	return ""
}
