package play

import (
	"context"
	"math"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/internal/gameconfig"
	"github.com/seed-09dcdc84/ur/rating"
)

// TournamentConfig says who plays a tournament, and how much.
type TournamentConfig struct {
	Players []Player // two at least, with different names

	// Gauntlet lets the first player meet all others, and these not one another.
	// Otherwise each meets each: a round robin.
	Gauntlet bool

	// Games of each pairing, an even number, in pairs as [Match] plays them. Pairing
	// number k, from 0, has the seed Seed+k, so that it is the match of its players
	// with that seed, and no two pairings share dice. Pairings are in the order of
	// [TournamentResult.Pairings].
	Games int
	Seed  uint64

	// Pieces of each player, 1 to 7; 0 means 7.
	Pieces int

	// TurnLimit is how many turns a game may take; 0 means [ur.DefaultTurnLimit].
	TurnLimit int

	// Anchor is the name of the player whose rating is 0. Without one, the first of a
	// gauntlet is it, and in a round robin the ratings have the mean 0.
	Anchor string

	// Engine evaluates for the players that need it; nil means [engine.Fastest].
	Engine ur.Engine

	// Parallel is how many goroutines may play at a time, at most [MaxParallel]; 0
	// means GOMAXPROCS. The result is the same for any number.
	Parallel int

	// Venue, when not nil, is where the games are played; else in this process. The
	// result is the same.
	Venue Venue

	// Log, when not nil, keeps what is finished, and knows what was before.
	Log *TournamentLog

	// Progress, when not nil, is called with the number of games that have been
	// finished, or found in the log, since it was last called. Several goroutines may
	// call it at a time.
	Progress func(games int)
}

// TournamentResult says how a tournament ended, or how far it came.
type TournamentResult struct {
	Players  []TournamentPlayer // in the order of the configuration
	Pairings []Pairing          // first against the others, second against those behind it, ...

	// Prior tells that no finite ratings are the most likely ones, because somebody won
	// or lost everything, and that the ratings are those with one more pair of games in
	// each pairing, of which each player wins one.
	Prior    bool
	Complete bool // every game was played

	Damaged int // lines of the log that were, whose games were played again

	Games   int64         // in the result
	Played  int64         // of these, in this run and not found in the log
	Threads int           // goroutines that played
	Elapsed time.Duration // wall-clock time of this run
}

// TournamentPlayer is a player's result against all others.
type TournamentPlayer struct {
	Name          string
	Rank          int // from 1, by rating
	rating.Rating     // against the anchor
	Games         int64
	Score         float64 // of a game, 0 to 1; 1/2 without games
}

// Pairing is the match of two players in a tournament.
type Pairing struct {
	First, Second int // in TournamentResult.Players
	Seed          uint64
	Score
}

// Tournament plays a tournament. When ctx ends, it returns what was finished by then,
// with the error of ctx; a game that passes the turn limit, or a log that cannot be
// written, ends it in the same way. What the log has from an earlier run is not played
// again.
func Tournament(ctx context.Context, c TournamentConfig) (TournamentResult, error) {
	c, err := c.complete()
	if err != nil {
		return TournamentResult{}, err
	}
	if c.Venue == nil {
		if err := Prepare(ctx, c.Pieces, c.Players...); err != nil {
			return TournamentResult{}, err
		}
	}
	t := newTournament(c)
	if err := t.resume(ctx); err != nil {
		return TournamentResult{}, err
	}
	start := time.Now()
	failed := t.run(ctx)
	result, err := t.result(time.Since(start))
	if failed != nil {
		return result, failed
	}
	return result, err
}

// Check returns a [*ConfigError] when [Tournament] would.
func (c TournamentConfig) Check() error {
	_, err := c.complete()
	return err
}

// complete returns c with its defaults filled in, or a [*ConfigError].
func (c TournamentConfig) complete() (TournamentConfig, error) {
	const name = "tournament"
	if c.Games < 2 || c.Games%2 != 0 {
		return c, config.Fault(name, "Games", "must be an even number, at least 2, since games come in pairs; got %d", c.Games)
	}
	if err := c.checkPlayers(name); err != nil {
		return c, err
	}
	if most := math.MaxInt / len(c.Players) / len(c.Players) &^ 1; c.Games > most {
		return c, config.Fault(name, "Games", "must be at most %d with %d players, got %d", most, len(c.Players), c.Games)
	}
	common, err := gameconfig.Common{Pieces: c.Pieces, TurnLimit: c.TurnLimit, Parallel: c.Parallel, Engine: c.Engine}.Complete(name)
	c.Pieces, c.TurnLimit, c.Parallel, c.Engine = common.Pieces, common.TurnLimit, common.Parallel, common.Engine
	return c, err
}

// checkPlayers checks that players can be told apart, and that one is the anchor.
func (c TournamentConfig) checkPlayers(name string) error {
	if len(c.Players) < 2 {
		return config.Fault(name, "Players", "must be two at least, got %d", len(c.Players))
	}
	names := map[string]bool{}
	for i, p := range c.Players {
		if p == nil {
			return config.Fault(name, "Players", "must not be nil, number %d is", i)
		}
		if names[p.Name()] {
			return config.Fault(name, "Players", "must have different names, %q is there twice", p.Name())
		}
		names[p.Name()] = true
	}
	if c.Anchor != "" && !names[c.Anchor] {
		return config.Fault(name, "Anchor", "must be one of the players, %q is none", c.Anchor)
	}
	return nil
}

// anchor returns the number of the player whose rating is 0, or rating.MeanAnchor.
func (c TournamentConfig) anchor() int {
	for i, p := range c.Players {
		if p.Name() == c.Anchor {
			return i
		}
	}
	if c.Gauntlet {
		return 0
	}
	return rating.MeanAnchor
}

// pairings returns who meets whom, in order.
func (c TournamentConfig) pairings() (list []Pairing) {
	for i := range c.Players {
		for j := i + 1; j < len(c.Players); j++ {
			if i == 0 || !c.Gauntlet {
				list = append(list, Pairing{First: i, Second: j, Seed: c.Seed + uint64(len(list))})
			}
		}
	}
	return list
}

// match returns the match of a pairing.
func (c TournamentConfig) match(p Pairing) MatchConfig {
	return MatchConfig{
		Players: [2]Player{c.Players[p.First], c.Players[p.Second]}, Seed: p.Seed, Games: c.Games,
		Pieces: c.Pieces, TurnLimit: c.TurnLimit, Engine: c.Engine, Parallel: c.Parallel, Venue: c.Venue,
	}
}

// TotalGames returns how many games the tournament has.
func (c TournamentConfig) TotalGames() int {
	n := len(c.Players)
	if c.Gauntlet {
		return (n - 1) * c.Games
	}
	return n * (n - 1) / 2 * c.Games
}
