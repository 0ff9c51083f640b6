package play

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/match/rating"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/solve"
)

// MaxParallel is the maximum number of goroutines in a match. Each has its own tables, and
// more than one per processor gain nothing.
const MaxParallel = 4096

// MatchConfig configures a match between two players, or a tournament between more.
type MatchConfig struct {
	Players []Player // two, or more with different names

	// Gauntlet lets the first player meet all others, and these not one another.
	// Otherwise each meets each: a round robin.
	Gauntlet bool

	Seed uint64

	// Games is how many games each pairing plays, at least 1, with a test
	// at most, and in a tournament an even number. They come in pairs: games 2k and 2k+1 have
	// the dice of game k of the seed, and the first player is Light in the one and Dark in the
	// other. Pairing number k, from 0, has the seed Seed+k, so it equals the match between its
	// players with that seed. Pairings come as in [match.Schedule.Pairings].
	Games int

	// Rules is the rule set; nil means Finkel's.
	Rules *board.Rules

	// Each player's pieces, 1 to 7; 0 means 7. Under other rules 1 to 10, and 0 means those in
	// the rule set.
	Pieces int

	// TurnLimit is how many turns a game may take; 0 means [ur.DefaultTurnLimit].
	TurnLimit int

	// SPRT, when not nil, ends a match between two as soon as the test is decided. It looks at
	// the score at fixed numbers of pairs, so it stops at the same game on any
	// number of goroutines.
	SPRT *rating.SPRT

	// Luck, when not nil, is the exact solution, used to measure every roll's luck. Games
	// are then played turn by turn, and slower.
	Luck *solve.Table

	// Engine evaluates for the players that need it; nil means [engine.Fastest]. The engine
	// affects the time but not the result.
	Engine ur.Engine

	// Parallel is how many goroutines may play at a time, at most [MaxParallel]; 0
	// means GOMAXPROCS. The result is the same for any number.
	Parallel int

	// Backend, when not nil, plays this process's games instead. The result is the same.
	Backend match.Backend[MatchConfig, Score]

	// Log, when not nil, keeps finished spans, including those of earlier runs, which are not
	// played again.
	Log *match.Log

	// Progress, when not nil, is called with the number of games finished, or found in the log,
	// since its last call. Several goroutines may call it at a time.
	Progress func(games int)

	// Forfeit, when not nil, is called with the [*match.ForfeitError] for a game that a player lost by
	// failing to move. Several goroutines may call it at a time.
	Forfeit func(error)

	// Record, when not nil, is called with every game that counts, in match order
	// unless that is interrupted, by one goroutine at a time. Its error ends the
	// match. The game belongs to Record. Games are then played turn by turn, and slower. It
	// needs games from this process and this run: no Backend and no Log.
	Record func(*record.Game) error
}

// MatchResult is the result of a match, or of its finished part. Everything but Elapsed and
// Threads is the same on every engine, number of goroutines and machine. Elapsed is the
// wall-clock time for the playing alone: the players had sat down before, with their tables
// built.
type MatchResult struct {
	Score                // score in the first pairing, the only one between two players
	match.Outcome[Score] // outcome ordered as [match.Schedule.Pairings]
}

// NsPerGame returns the wall-clock time divided by the games played now, in nanoseconds: it
// halves when twice as many goroutines finish as many games. It is 0 without games.
func (r MatchResult) NsPerGame() float64 {
	if r.Played == 0 {
		return 0
	}
	return float64(r.Elapsed.Nanoseconds()) / float64(r.Played)
}

// NsPerTurn returns NsPerGame divided by the mean number of turns in the first pairing, those of
// the log included. It is 0 without turns.
func (r MatchResult) NsPerTurn() float64 {
	if r.Tally.Turns == 0 {
		return 0
	}
	return r.NsPerGame() * float64(r.Tally.Games) / float64(r.Tally.Turns)
}

// Match plays a match or a tournament. When ctx ends, it returns the games finished by then, with
// ctx's error. It ends in the same way when a game exceeds the turn limit, with a
// [*ur.TurnLimitError], and when the log or a record cannot be written.
func Match(ctx context.Context, c MatchConfig) (MatchResult, error) {
	c, err := c.complete()
	if err != nil {
		return MatchResult{}, err
	}
	if c.Backend == nil {
		if err := Prepare(ctx, c.Pieces, c.Players...); err != nil {
			return MatchResult{}, err
		}
	}
	plan := c.plan()
	if c.Log != nil {
		if plan.Header, err = c.header(ctx); err != nil {
			return MatchResult{}, err
		}
	}
	o, err := match.Run(ctx, plan)
	if failedGame(err) != ^uint64(0) && len(o.Scores) > 1 {
		p := c.Schedule().Pairings()[o.Failed]
		err = fmt.Errorf("%s against %s: %w", c.Players[p.First].Spec, c.Players[p.Second].Spec, err)
	}
	return MatchResult{o.Scores[0], o}, err
}

// Schedule returns the players' schedule.
func (c MatchConfig) Schedule() match.Schedule {
	return match.Schedule{Players: text.List(c.Players, func(p Player) string { return p.Spec }),
		Gauntlet: c.Gauntlet, Games: c.Games, Seed: c.Seed}
}

// pairing returns a pairing's match.
func (c MatchConfig) pairing(p match.Pairing) MatchConfig {
	c.Players, c.Seed = []Player{c.Players[p.First], c.Players[p.Second]}, p.Seed
	return c
}

// plan returns the plan for a complete configuration.
func (c MatchConfig) plan() match.Plan[Score] {
	pairings := c.Schedule().Pairings()
	p := match.Plan[Score]{
		Pairings: len(pairings), Games: c.Games, SPRT: c.SPRT, Parallel: c.Parallel,
		Log: c.Log, Progress: c.Progress,
	}
	if logged := c.Log != nil || len(pairings) > 1; c.SPRT == nil {
		p.Unit = func(pairing int) int { return c.pairing(pairings[pairing]).unit(logged) }
	}
	if c.Record != nil {
		p.Enter = func(_ int, _ match.Span, score Score) error {
			if score.recorded == nil {
				return nil
			}
			for _, g := range *score.recorded {
				if err := c.Record(g); err != nil {
					return err
				}
			}
			return nil
		}
	}
	p.Runner = func(ctx context.Context, pairing int) (match.SpanRunner[Score], error) {
		return newRunner(ctx, c.pairing(pairings[pairing]))
	}
	return p
}

// unit returns a span's pairs: more where two brains play, of which an engine plays a
// million games a second. Those for a log, and for a tournament, depend on the players alone, and
// an interruption loses only the spans in progress. Otherwise a span is large enough that
// taking it costs nothing, and small enough for the last spans to end together and for the end
// when a context ends. At a backend these are 256 spans a match, a second long at most.
func (c MatchConfig) unit(logged bool) int {
	inLog, least, mostElsewhere, leastElsewhere := otherUnit, 1, maxUnit, 1
	if c.betweenBrains() {
		inLog, least, mostElsewhere, leastElsewhere = 2048, 128, 1<<20, 2048
	}
	elsewhere := max(leastElsewhere, min(mostElsewhere, c.Games/2/256))
	const spansPerThread = 8
	switch {
	case c.Log != nil || logged && c.Backend == nil:
		return inLog
	case logged:
		return max(inLog, elsewhere)
	case c.Backend != nil:
		return elsewhere
	}
	return max(least, min(maxUnit, c.Games/(2*spansPerThread*c.Parallel)))
}

// otherUnit is how many pairs a logged span has, but for brains.
const otherUnit = 64

// maxUnit is a span's maximum size in pairs, but for brains at a backend.
const maxUnit = 4096

// Check returns a [*config.Error] when [Match] would.
func (c MatchConfig) Check() error {
	_, err := c.complete()
	return err
}

// complete returns c with its defaults filled in, or a [*config.Error].
func (c MatchConfig) complete() (MatchConfig, error) {
	const name = "match"
	for i, p := range c.Players {
		if p.New == nil {
			return c, config.Fault(name, "Players", "must not be empty, number %d is", i)
		}
	}
	if c.Games < 1 {
		return c, config.Fault(name, "Games", "must be at least 1, got %d", c.Games)
	}
	if len(c.Players) != 2 {
		if err := c.Schedule().Check(); err != nil {
			return c, err
		}
	}
	c, err := c.CompleteGames(name)
	if err != nil {
		return c, err
	}
	for _, p := range c.Players {
		if err := p.checkRules(c.Rules); err != nil {
			return c, config.Fault(name, "Players", "must play the rule set: %v", err)
		}
	}
	if c.SPRT != nil {
		if len(c.Players) != 2 {
			return c, config.Fault(name, "SPRT", "needs two players, got %d", len(c.Players))
		}
		if err := c.SPRT.Check(); err != nil {
			return c, &config.Error{Config: name, Field: "SPRT", Err: err}
		}
	}
	if c.Record != nil && (c.Backend != nil || c.Log != nil) {
		return c, config.Fault(name, "Record", "needs games of this process and of this run, not of a backend or a log")
	}
	return c, c.checkLuck()
}

// CompleteGames returns c with defaults in the fields that every configuration for games has:
// Rules, Pieces, TurnLimit, Parallel and Engine. Its error is a [*config.Error] that names the
// configuration.
func (c MatchConfig) CompleteGames(name string) (_ MatchConfig, err error) {
	c.Rules = cmp.Or(c.Rules, board.Finkel())
	c.Pieces = cmp.Or(c.Pieces, c.Rules.Pieces())
	if c.Rules, err = c.Rules.WithPieces(c.Pieces); err != nil {
		return c, &config.Error{Config: name, Field: "Pieces", Err: err}
	}
	c.TurnLimit = cmp.Or(c.TurnLimit, ur.DefaultTurnLimit)
	if c.TurnLimit < 1 || c.TurnLimit > ur.DefaultTurnLimit {
		return c, config.Fault(name, "TurnLimit", "must be 1 to %d, got %d", ur.DefaultTurnLimit, c.TurnLimit)
	}
	if c.Parallel < 0 || c.Parallel > MaxParallel {
		return c, config.Fault(name, "Parallel",
			"must be at least 1 and at most %d, or 0 for one thread a processor, got %d", MaxParallel, c.Parallel)
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

// checkLuck returns a [*config.Error] unless Luck is a table for the games.
func (c MatchConfig) checkLuck() error {
	if c.Luck == nil {
		return nil
	}
	const name, field = "match", "Luck"
	switch of := c.Luck.Rules(); {
	case !of.Equal(c.Rules):
		return config.Fault(name, field, "must be by a table of the rules %s, this one is of %s",
			c.Rules.Name(), of.Name())
	case c.Luck.Pieces() < c.Pieces:
		return config.Fault(name, field, "must be by a table of %d pieces, this one is of %d", c.Pieces,
			c.Luck.Pieces())
	}
	return nil
}

// UsesEngine reports whether a player evaluates on a match's engine: the others have
// no use for one.
func (c MatchConfig) UsesEngine() bool { return slices.ContainsFunc(c.Players, isBrain) }

// betweenBrains reports whether both players are brains, whose games an engine
// plays without an instance.
func (c MatchConfig) betweenBrains() bool { return isBrain(c.Players[0]) && isBrain(c.Players[1]) }

func isBrain(p Player) bool {
	_, ok := p.Source.(Brain)
	return ok
}

// header returns everything that determines the games, for a log.
func (c MatchConfig) header(ctx context.Context) (match.Header, error) {
	settings := map[string]string{
		"pieces": fmt.Sprint(c.Pieces), "turn_limit": fmt.Sprint(c.TurnLimit), "luck": fmt.Sprint(c.Luck != nil),
	}
	if !c.Rules.IsFinkel() {
		text, err := json.Marshal(c.Rules) // the whole definition
		if err != nil {
			return match.Header{}, err
		}
		settings["rules"] = string(text)
	}
	return c.Schedule().Header("ur.match-log/1", settings, c.SPRT, func(player int) (string, error) {
		return Identity(ctx, c.Players[player], c.Pieces)
	})
}
