package reversi

import (
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

// playGame plays a game to its end, from a record's end on; players[0] is Black. Each side
// begins with the limits' clock. It returns the whole record, or with the error of a player the record so far. A
// clock that runs out does not end the game.
func playGame(ctx context.Context, players [2]Player, from board.Record, l Limits) (board.Record, error) {
	r := board.Record{From: from.From, Moves: append([]board.Square(nil), from.Moves...)}
	for _, player := range players {
		if p, ok := player.(Preparer); ok {
			p.Prepare(ctx)
		}
	}
	clocks := [2]Clock{l.Clock, l.Clock}
	for p := r.End(); !p.Over(); {
		player := players[p.Side]
		if f, ok := player.(Follower); ok {
			f.Follow(r)
		}
		l.Clock = clocks[p.Side]
		begin := time.Now()
		c, err := player.Choose(ctx, p, l)
		clocks[p.Side] = l.Clock.After(time.Since(begin))
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return r, err
		}
		if p, err = p.Play(c.Square); err != nil {
			return r, fmt.Errorf("%s breaks the rules: %w", player.Name(), err)
		}
		r.Moves = append(r.Moves, c.Square)
	}
	return r, nil
}

// ScoreFor returns a record's final score for a side.
func ScoreFor(r board.Record, side board.Side) int {
	p := r.End()
	if p.Side == side {
		return p.Score()
	}
	return -p.Score()
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

	// Log, when not nil, keeps finished pairs and those from earlier runs. Header is that of [Match.LogHeader].
	Log    *match.Log
	Header match.Header

	// Forfeit, when not nil, is called with the [*match.ForfeitError] for a game that a player lost by
	// failing to move. Several goroutines may call it at a time.
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
	if m.Discs == 0 {
		m.Discs = 8
	}
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
		p, err := m.New(name)
		if err != nil {
			return nil, err
		}
		r.players[i] = &timed{Player: p}
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
	for i, n := range s.Overruns {
		if n < 0 || s.MaxOverrun[i] < 0 {
			return errors.New("a negative overrun")
		}
	}
	return nil
}

// runner plays a match's spans.
type runner struct {
	match   Match
	players [2]*timed
}

// Play plays one game after another.
func (r *runner) Play(ctx context.Context, s match.Span) (score Score, err error) {
	var games [2]board.Record
	forfeits := [2]int{noForfeit, noForfeit}
	for pair, i := range s.All() {
		if games[i], forfeits[i], err = r.playGame(ctx, pair, i); err != nil {
			return score, err
		}
		if i == 1 {
			score.add(games, forfeits)
		}
	}
	for i, p := range r.players {
		score.Overruns[i], score.MaxOverrun[i] = p.overruns, p.most
		p.overruns, p.most = 0, 0
	}
	return score, nil
}

// playGame plays game 0 or 1 of a pair, and returns the player that forfeited it.
func (r *runner) playGame(ctx context.Context, pair uint64, i int) (g board.Record, forfeit int, err error) {
	for player, p := range r.players {
		p.NewGame(playerSeed(r.match.Seed, 2*pair+uint64(i), player))
	}
	g, err = playGame(ctx, [2]Player{r.players[i], r.players[1-i]}, r.match.opening(pair), r.match.Limits)
	if _, forfeited := errors.AsType[*match.ForfeitError](err); !forfeited {
		return g, noForfeit, err
	}
	if r.match.Forfeit != nil {
		r.match.Forfeit(err)
	}
	return g, i ^ int(g.End().Side), nil
}

// timed counts a player's moves that exceed their time limit or the clock's rest.
type timed struct {
	Player
	overruns int
	most     time.Duration
}

// Choose times the move.
func (t *timed) Choose(ctx context.Context, p board.Position, l Limits) (Choice, error) {
	limit := l.Time
	if left := l.Clock.Left; left > 0 && (limit == 0 || left < limit) {
		limit = left
	}
	begin := time.Now()
	c, err := t.Player.Choose(ctx, p, l)
	if over := time.Since(begin) - limit; limit > 0 && over > 0 {
		t.overruns++
		t.most = max(t.most, over)
	}
	return c, err
}

// Prepare prepares a player that needs it.
func (t *timed) Prepare(ctx context.Context) {
	if p, ok := t.Player.(Preparer); ok {
		p.Prepare(ctx)
	}
}

// Follow passes the record to a player that follows games.
func (t *timed) Follow(r board.Record) {
	if f, ok := t.Player.(Follower); ok {
		f.Follow(r)
	}
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
			next, err := p.Play(s)
			if err != nil {
				break // cannot be: the move is legal
			}
			p = next
			r.Moves = append(r.Moves, s)
		}
		if !p.Over() {
			return r
		}
	}
}
