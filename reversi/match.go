package reversi

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/mix"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/match/rating"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// ScoreFor returns a record's final score for a side.
func ScoreFor(r board.Record, side board.Side) int {
	p := r.End()
	return p.ValueFor(side, p.Score())
}

// Match is a number of paired games between two players, or a tournament between more. A pair's games begin
// with the same opening; the first player is Black in the one and White in the other.
type Match struct {
	Players  []string // names: two, or more that differ
	Gauntlet bool     // the first player meets all others, and these do not meet

	// New makes the player with a name; every goroutine has its own. nil means [ParsePlayer],
	// with the built-in weights and without files.
	New func(name string) (Player, error)

	Pairs    int            // of each pairing, 1 or more
	Discs    int            // discs of random openings, 4 to 20; 8 if 0
	Openings []board.Record // instead of random ones, by turns
	Seed     uint64         // of the first pairing; see [match.Pairing]
	Parallel int            // goroutines: 1 if 0
	Limits   Limits         // limits for each move, and the clocks for each game
	SPRT     *rating.SPRT   // ends the match when it is decided; nil for none

	// Backend, when not nil, plays this process's games instead. The result is the same.
	Backend match.Backend[Match, Score]

	// Log, when not nil, keeps finished pairs, of earlier runs, too. [Match.LogHeader] returns the Header.
	Log    *match.Log
	Header match.Header

	// Forfeit, when not nil, is called with the [*match.ForfeitError] for a game that a player lost by
	// failing to move, unless it resigned. Several goroutines may call it at a time.
	Forfeit func(error)

	// Progress, when not nil, is called with the number of games finished since its last
	// call. Several goroutines may call it at a time.
	Progress func(games int)
}

// maxPairs bounds a match.
const maxPairs = 10_000_000

// maxParallel bounds a match's goroutines; each has separate tables.
const maxParallel = 256

// complete returns m with its defaults filled in, or an error that names the wrong field.
func (m Match) complete() (Match, error) {
	m.Discs = cmp.Or(m.Discs, 8)
	if m.New == nil {
		m.New = func(name string) (Player, error) { return ParsePlayer(name, Env{}) }
	}
	if m.Pairs < 1 || m.Pairs > maxPairs {
		return m, fmt.Errorf("match: Pairs must be 1 to %d, got %d", maxPairs, m.Pairs)
	}
	if len(m.Players) != 2 {
		if err := m.Schedule().Check(); err != nil {
			return m, err
		}
	}
	if m.Discs < 4 || m.Discs > 20 {
		return m, fmt.Errorf("match: Discs must be 4 to 20, got %d", m.Discs)
	}
	m.Parallel = max(1, m.Parallel)
	if m.Backend == nil {
		m.Parallel = min(m.Parallel, maxParallel)
	}
	return m, nil
}

// Schedule returns the players' schedule.
func (m Match) Schedule() match.Schedule {
	return match.Schedule{Players: m.Players, Gauntlet: m.Gauntlet, Games: 2 * m.Pairs, Seed: m.Seed}
}

// LogHeader returns the header of a log: everything that the games depend on. The function identity returns
// what distinguishes players of one name, such as [Identity].
func (m Match) LogHeader(identity func(name string) (string, error)) (match.Header, error) {
	openings := "" // random ones
	if len(m.Openings) > 0 {
		lines := strings.Join(text.List(m.Openings, board.Record.Text), "\n") + "\n"
		openings = fmt.Sprintf("%x", sha256.Sum256([]byte(lines)))[:16]
	}
	settings := map[string]string{"discs": fmt.Sprint(m.Discs), "openings": openings, "time": m.Limits.Time.String()}
	if m.Limits.Clock != (Clock{}) {
		settings["clock"] = m.Limits.Clock.String()
	}
	return m.Schedule().Header("reversi.match-log/3", settings, m.SPRT, func(player int) (string, error) {
		return identity(m.Players[player])
	})
}

// Play plays the match. Results are the same on any number of goroutines, if the
// players' limits do not ask the clock. When the context ends it returns the score of the
// finished games, with the context's error.
func (m Match) Play(ctx context.Context) (match.Outcome[Score], error) {
	m, err := m.complete()
	if err != nil {
		return match.Outcome[Score]{}, err
	}
	pairings := m.Schedule().Pairings()
	return match.Run(ctx, match.Plan[Score]{
		Pairings: len(pairings), Games: 2 * m.Pairs, SPRT: m.SPRT, Parallel: m.Parallel,
		Unit: func(int) int { return 1 },
		Runner: func(ctx context.Context, i int) (match.SpanRunner[Score], error) {
			p, one := pairings[i], m
			one.Players, one.Seed = []string{m.Players[p.First], m.Players[p.Second]}, p.Seed
			if m.Backend != nil {
				return m.Backend.Runner(ctx, one)
			}
			return one.Runner()
		},
		Log: m.Log, Header: m.Header, Progress: m.Progress,
		Enter: func(int, match.Span, Score) error { return nil }, // keeps the games in order
	})
}

// Runner returns a runner of a match between two for one goroutine in this process.
func (m Match) Runner() (match.SpanRunner[Score], error) {
	m, err := m.complete()
	if err != nil {
		return nil, err
	}
	r := &runner{match: m}
	for i, name := range m.Players {
		if r.players[i], err = m.New(name); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Check returns an error if no runner can return a span's score. It compares
// the number of games and their openings; a score's counts are taken to be those of its games.
func (m Match) Check(span match.Span, s Score) error {
	m, err := m.complete()
	if err != nil {
		return err
	}
	if len(s.Games) != span.Games() || span.Odd {
		return fmt.Errorf("%d games of a span of %d pairs", len(s.Games), span.Pairs)
	}
	for i, g := range s.Games {
		opening := m.opening(span.First + uint64(i/2)).Moves
		if len(g.Moves) < len(opening) || !slices.Equal(g.Moves[:len(opening)], opening) {
			return fmt.Errorf("game %d does not begin with the opening of its pair", i)
		}
	}
	if len(s.Forfeits) > 0 {
		return errors.New("forfeited games: only programs forfeit, and a backend runs none")
	}
	if min(s.Overruns[0], s.Overruns[1]) < 0 || min(s.MaxOverrun[0], s.MaxOverrun[1]) < 0 {
		return errors.New("a negative overrun")
	}
	return nil
}

// ErrResigned is the error of a player that resigns: it loses the game and all discs, and has not failed to move.
var ErrResigned = errors.New("the program resigned")

// runner plays a match's spans.
type runner struct {
	match   Match
	players [2]Player
}

// Play plays one game after another.
func (r *runner) Play(ctx context.Context, s match.Span) (score Score, err error) {
	var games [2]board.Record
	var losses [2]loss
	for pair, i := range s.All() {
		if games[i], losses[i], err = r.playGame(ctx, pair, i, &score); err != nil {
			score.Overruns, score.MaxOverrun = [2]int{}, [2]time.Duration{} // the games they belong to do not count
			return score, err
		}
		if i == 1 {
			score.add(games, losses)
		}
	}
	return score, nil
}

// playGame plays game 0 or 1 of a pair to its end, and counts the moves that take too long. Each side begins with the
// limits' clock; one that runs out does not end the game. It returns the whole record, or that up to the move
// that a player did not make, and how the game was lost so.
func (r *runner) playGame(ctx context.Context, pair uint64, i int, score *Score) (g board.Record, lost loss, err error) {
	for player, p := range r.players {
		p.NewGame(playerSeed(r.match.Seed, 2*pair+uint64(i), player))
	}
	for side := range r.players {
		if p, ok := r.players[i^side].(Preparer); ok {
			p.Prepare(ctx)
		}
	}
	opening, l := r.match.opening(pair), r.match.Limits
	g = board.Record{From: opening.From, Moves: slices.Clone(opening.Moves)}
	clocks := [2]Clock{l.Clock, l.Clock}
	for p := g.End(); !p.Over(); {
		number := i ^ int(p.Side)
		player := r.players[number]
		if f, ok := player.(Follower); ok {
			f.Follow(g)
		}
		l.Clock = clocks[p.Side]
		begin := time.Now()
		c, err := player.Choose(ctx, p, l)
		spent := time.Since(begin)
		clocks[p.Side] = l.Clock.After(spent)
		score.countTime(number, spent, l)
		if errors.Is(err, ErrResigned) {
			return g, loss{true, true, number}, nil
		}
		if _, forfeited := errors.AsType[*match.ForfeitError](err); forfeited {
			if r.match.Forfeit != nil {
				r.match.Forfeit(err)
			}
			return g, loss{true, false, number}, nil
		}
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return g, lost, err
		}
		if p, err = p.Play(c.Square); err != nil {
			return g, lost, fmt.Errorf("%s breaks the rules: %w", player.Name(), err)
		}
		g.Moves = append(g.Moves, c.Square)
	}
	return g, lost, nil
}

// playerSeed returns a player's seed in a game: different for every match, game and player.
func playerSeed(seed, game uint64, player int) uint64 {
	return mix.Mix(mix.Mix(mix.Mix(seed)+game) + uint64(player))
}

// opening returns where pair n begins.
func (m Match) opening(n uint64) board.Record {
	if len(m.Openings) > 0 {
		return m.Openings[n%uint64(len(m.Openings))]
	}
	random := rand.New(rand.NewPCG(m.Seed, n))
	for {
		r := board.Record{From: board.StartPosition()}
		p := r.From
		for 64-p.Empties() < m.Discs && !p.Over() {
			s := board.Pass
			if moves := p.Moves(); moves != 0 {
				s = board.AnyOf(random, moves)
			}
			p, _ = r.AddFrom(p, s) // the move is legal
		}
		if !p.Over() {
			return r
		}
	}
}
