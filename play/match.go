package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/rating"
	"github.com/seed-09dcdc84/ur/solve"
)

// MaxParallel is the most goroutines that a match may play on. Each of them has
// tables of its own, and more than there are processors gain nothing.
const MaxParallel = 4096

// MatchConfig says who plays a match, and how much.
type MatchConfig struct {
	Players [2]Player
	Seed    uint64

	// Games is how many games are played, at least 1, and with a test how many at
	// most. They come in pairs: games 2k and 2k+1 have the dice of game k of Seed,
	// and the first player is Light in the one and Dark in the other.
	Games int

	// Pieces of each player, 1 to 7; 0 means 7.
	Pieces int

	// TurnLimit is how many turns a game may take; 0 means [ur.DefaultTurnLimit].
	TurnLimit int

	// SPRT, when not nil, ends the match as soon as the test is decided. It looks at
	// the score at fixed numbers of pairs, so it stops at the same game on any
	// number of goroutines.
	SPRT *rating.SPRT

	// Luck, when not nil, is the exact solution, by which the luck of every roll is
	// measured. Games are then played turn by turn, and slower.
	Luck solve.Table

	// Engine evaluates for the players that need it; nil means [engine.Fastest]. The
	// result is the same on every engine, the time is not.
	Engine ur.Engine

	// Parallel is how many goroutines may play at a time, at most [MaxParallel]; 0
	// means GOMAXPROCS. The result is the same for any number.
	Parallel int

	// Progress, when not nil, is called with the number of games that have been
	// finished since it was last called. Several goroutines may call it at a time.
	Progress func(games int)
}

// MatchResult says how a match ended. Everything but Elapsed and Threads is the
// same on every engine, number of goroutines and machine.
type MatchResult struct {
	Score
	Decision rating.Decision // of the test; Undecided when there was none
	Threads  int             // goroutines that played

	// Elapsed is the wall-clock time of the playing alone: the players had sat down
	// before, with their tables built.
	Elapsed time.Duration
}

// NsPerGame returns the wall-clock time divided by the games, in nanoseconds: it
// halves when twice as many goroutines finish as many games.
func (r MatchResult) NsPerGame() float64 {
	return float64(r.Elapsed.Nanoseconds()) / float64(max(1, r.Tally.Games))
}

// NsPerTurn returns the wall-clock time divided by the turns, in nanoseconds.
func (r MatchResult) NsPerTurn() float64 {
	return float64(r.Elapsed.Nanoseconds()) / float64(max(1, r.Tally.Turns))
}

// Match plays Games games of a seed in pairs, or fewer when its test is decided
// before. When ctx ends, Match returns the games that were finished by then, with the
// error of ctx; a game that passes the turn limit ends the match with a
// [*ur.TurnLimitError], in the same way.
func Match(ctx context.Context, c MatchConfig) (MatchResult, error) {
	c, err := c.complete()
	if err != nil {
		return MatchResult{}, err
	}
	if err := Prepare(ctx, c.Pieces, c.Players[:]...); err != nil {
		return MatchResult{}, err
	}
	m := newMatch(c)
	tables, err := newTables(c, m.spans(c.Parallel))
	if err != nil {
		return MatchResult{}, err
	}
	m.result.Threads = len(tables)
	start := time.Now()
	var workers sync.WaitGroup
	for _, t := range tables {
		workers.Go(func() { m.work(ctx, t) })
	}
	workers.Wait()
	m.close()
	m.result.Elapsed = time.Since(start)
	return m.result, m.err
}

// complete returns c with its defaults filled in, or an error that says what is
// wrong with it.
func (c MatchConfig) complete() (MatchConfig, error) {
	if c.Players[0] == nil || c.Players[1] == nil {
		return c, errors.New("match: a player is missing")
	}
	if c.Games < 1 {
		return c, fmt.Errorf("match: number of games must be at least 1, got %d", c.Games)
	}
	if c.Parallel < 0 || c.Parallel > MaxParallel {
		return c, fmt.Errorf("match: number of goroutines must be 0 to %d, got %d", MaxParallel, c.Parallel)
	}
	c.Pieces = cmp.Or(c.Pieces, board.MaxPieces)
	if err := board.CheckPieces(c.Pieces); err != nil {
		return c, fmt.Errorf("match: %w", err)
	}
	if c.SPRT != nil {
		if err := c.SPRT.Check(); err != nil {
			return c, fmt.Errorf("match: test: %w", err)
		}
	}
	if c.Luck != nil && c.Luck.Pieces() < c.Pieces {
		return c, fmt.Errorf("match: the table to measure luck is for %d pieces, not %d", c.Luck.Pieces(), c.Pieces)
	}
	c.TurnLimit = cmp.Or(c.TurnLimit, ur.DefaultTurnLimit)
	c.Parallel = cmp.Or(c.Parallel, min(MaxParallel, runtime.GOMAXPROCS(0)))
	if c.Engine == nil {
		c.Engine = engine.Fastest()
	}
	return c, ur.Available(c.Engine)
}

// betweenBrains reports whether both players are brains, whose games an engine
// plays without a seat.
func (c MatchConfig) betweenBrains() bool {
	_, first := c.Players[0].(Brain)
	_, second := c.Players[1].(Brain)
	return first && second
}

// newTables seats the players once for each goroutine.
func newTables(c MatchConfig, threads int) ([]table, error) {
	tables := make([]table, threads)
	errs := make([]error, threads)
	var workers sync.WaitGroup
	for i := range tables {
		workers.Go(func() { tables[i], errs[i] = newTable(c) })
	}
	workers.Wait()
	return tables, errors.Join(errs...)
}
