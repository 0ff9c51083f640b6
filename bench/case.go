package bench

import (
	"fmt"
	"runtime"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

// Case is one engine bound to the work of one level. It serves one goroutine.
type Case struct {
	Engine ur.Engine
	Level  Level

	work   *Workload
	game   ur.Game
	values []int32
}

// NewCase binds an engine that can run here to the work of a level, and converts
// what has to be converted.
func NewCase(w *Workload, e ur.Engine, level Level) (*Case, error) {
	game, err := e.New(w.setup())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Name(), err)
	}
	c := &Case{Engine: e, Level: level, work: w, game: game}
	if level == Value {
		game.Load(w.positions)
		c.values = make([]int32, len(w.positions))
	}
	return c, nil
}

// Name is the name of the benchmark as Go writes it, without its prefix:
// "Value/board=array16/eval=avx2-4", where 4 is GOMAXPROCS.
func (c *Case) Name() string {
	name := c.Level.benchmark() + "/" + subName(c.Engine)
	if procs := runtime.GOMAXPROCS(0); procs != 1 {
		name = fmt.Sprintf("%s-%d", name, procs)
	}
	return name
}

// subName is the part of a benchmark's name that tells the engine. benchstat reads
// the keys, as in "benchstat -col /eval".
func subName(e ur.Engine) string {
	representation, eval := ur.SplitName(e)
	return "board=" + representation + "/eval=" + eval
}

// Pass does the work once. It is what is timed.
func (c *Case) Pass() error {
	switch c.Level {
	case Value:
		c.game.Values(c.values, board.Light)
	case Turn:
		c.playTurns()
	case Game:
		_, err := c.game.Games(c.work.series())
		return err
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

// perPass is how many evaluations, turns or games one pass is.
func (c *Case) perPass() int {
	switch c.Level {
	case Value:
		return len(c.work.positions)
	case Turn:
		return c.work.Turns
	}
	return c.work.Size.Games
}

// MismatchError says that an engine does not come to the oracle's answer, so that
// its speed means nothing.
type MismatchError struct {
	Engine string
	Level  Level
	What   string
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s does not agree with %s at the %s level: %s", e.Engine, ur.OracleName, e.Level, e.What)
}

// Check does the work once, untimed, and compares every answer with the oracle's.
// Its error is a [*MismatchError] or an error of the engine.
func (c *Case) Check() error {
	var what string
	switch c.Level {
	case Value:
		what = c.checkValues()
	case Turn:
		what = c.checkTurns()
	case Game:
		tally, err := c.game.Games(c.work.series())
		if err != nil {
			return fmt.Errorf("%s: %w", c.Engine.Name(), err)
		}
		if tally != c.work.Tally {
			what = fmt.Sprintf("tally %+v, want %+v", tally, c.work.Tally)
		}
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
