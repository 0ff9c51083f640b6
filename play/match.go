package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

// MaxParallel is the most goroutines that a match may play on. Each of them has
// tables of its own, and more than there are processors gain nothing.
const MaxParallel = 4096

// MatchConfig says who plays a match, and how much.
type MatchConfig struct {
	Players [2]Player
	Seed    uint64
	Games   int // games 0..Games-1 of Seed, at least 1

	// Pieces of each player, 1 to 7; 0 means 7.
	Pieces int

	// TurnLimit is how many turns a game may take; 0 means [ur.DefaultTurnLimit].
	TurnLimit int

	// Engine evaluates for the players that need it; nil means [ur.Fastest]. The
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
	Wins    [2]int64 // by player, in the order of MatchConfig.Players
	Tally   ur.Tally // by side; Tally.Games is the number of games finished
	Threads int      // goroutines that played

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

// add enters a tally of games in which the given player was Light.
func (r *MatchResult) add(t ur.Tally, light int) {
	r.Wins[light] += t.Wins[board.Light]
	r.Wins[1-light] += t.Wins[board.Dark]
	r.Tally.Add(t)
}

// Match plays games 0..Games-1 of a seed. The first player is Light in the even
// games and Dark in the odd ones. When ctx ends, Match returns the games that were
// finished by then, with the error of ctx; a game that passes the turn limit ends
// the match with a [*ur.TurnLimitError], in the same way.
func Match(ctx context.Context, c MatchConfig) (MatchResult, error) {
	c, err := c.complete()
	if err != nil {
		return MatchResult{}, err
	}
	chunk := chunkSize(c)
	threads := min(c.Parallel, (c.Games-1)/chunk+1)
	tables, err := newTables(c, threads)
	if err != nil {
		return MatchResult{}, err
	}

	m := &match{config: c, chunk: chunk}
	m.result.Threads = threads
	start := time.Now()
	var workers sync.WaitGroup
	for _, t := range tables {
		workers.Go(func() { m.work(ctx, t) })
	}
	workers.Wait()
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
	c.TurnLimit = cmp.Or(c.TurnLimit, ur.DefaultTurnLimit)
	c.Parallel = cmp.Or(c.Parallel, min(MaxParallel, runtime.GOMAXPROCS(0)))
	if c.Engine == nil {
		c.Engine = ur.Fastest()
	}
	return c, ur.Available(c.Engine)
}

// chunkSize returns how many games a goroutine takes at a time: an even number, so
// that every chunk begins with the first player as Light; large enough that taking
// it costs nothing beside playing it; and small enough that the last chunks end
// together and that the end of a context is noticed soon. An engine plays many
// games at a time and so fast that it gets no fewer than some hundreds.
func chunkSize(c MatchConfig) int {
	const most, chunksPerThread = 8192, 8
	least := 2
	if c.betweenBrains() {
		least = 256
	}
	chunk := c.Games / (chunksPerThread * c.Parallel)
	return max(least, min(most, chunk+chunk%2))
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

// match is a match in progress.
type match struct {
	config MatchConfig
	chunk  int
	next   atomic.Int64 // first game that nobody has taken

	sync.Mutex
	result MatchResult
	err    error
}

// work plays chunks until there are no more, or the match has stopped. Chunks are
// taken in order, so every game below one that failed is played.
func (m *match) work(ctx context.Context, t table) {
	for {
		first := int(m.next.Add(int64(m.chunk))) - m.chunk
		if first >= m.config.Games || m.hasStopped() {
			return
		}
		games := min(m.chunk, m.config.Games-first)
		for light := range 2 { // the first player is Light in the even games
			tally, err := t.games(ctx, light, ur.Series{
				Seed:  m.config.Seed,
				First: uint64(first + light),
				Step:  2,
				N:     (games + 1 - light) / 2,
			})
			m.finish(tally, light, err)
		}
	}
}

func (m *match) hasStopped() bool {
	m.Lock()
	defer m.Unlock()
	return m.err != nil
}

// finish enters what a goroutine has played. Of several errors the one of the
// lowest game is kept, whichever was first.
func (m *match) finish(tally ur.Tally, light int, err error) {
	m.Lock()
	m.result.add(tally, light)
	if err != nil && (m.err == nil || failedGame(err) < failedGame(m.err)) {
		m.err = err
	}
	m.Unlock()
	if m.config.Progress != nil && tally.Games > 0 {
		m.config.Progress(int(tally.Games))
	}
}

// failedGame returns the number of the game that passed the turn limit; any other
// error, such as the end of the context, comes after all games.
func failedGame(err error) uint64 {
	var limit *ur.TurnLimitError
	if errors.As(err, &limit) {
		return limit.Game
	}
	return ^uint64(0)
}
