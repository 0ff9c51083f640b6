package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play"
)

// Match is how a match stands.
type Match struct {
	Players   [2]string `json:"players"` // names of the players
	Pieces    int       `json:"pieces"`
	Seed      uint64    `json:"seed"`
	Wins      [2]int64  `json:"wins"` // by player
	LightWins int64     `json:"light_wins"`
	Turns     int64     `json:"turns"`
	Elo       *float64  `json:"elo"`    // null where it is infinite
	Points    []Point   `json:"points"` // history of the score
}

// Point is the score of the first player after a number of games.
type Point struct {
	Games int64   `json:"games"`
	Score float64 `json:"score"` // 0 to 1
	Low   float64 `json:"lo"`    // 95 % confidence interval
	High  float64 `json:"hi"`
}

// Limits of matches.
const (
	MaxGames   = 1_000_000
	maxMatches = 4  // at a time
	maxEnded   = 16 // kept in the history
	maxPoints  = 240
	tellEvery  = 200 * time.Millisecond

	partTime   = 50 * time.Millisecond // parts of a span that take less grow
	leastSpans = 60                    // of a match
	mostPairs  = 4096                  // of a span
)

// ErrBusy reports that no other match can start now.
var ErrBusy = fmt.Errorf("%d matches are being played: stop one, or wait", maxMatches)

// ErrUnknown reports that no match with this number is in progress.
var ErrUnknown = errors.New("no such match is being played")

// Begin starts a match of an even number of games between prepared players on at most the given
// number of goroutines, and returns its name.
func (h *Hub) Begin(c play.MatchConfig) (id string, err error) {
	if c.Games < 2 || c.Games > MaxGames || c.Games%2 != 0 {
		return "", fmt.Errorf("a match has an even number of games from 2 to %d, since they come in pairs; got %d", MaxGames, c.Games)
	}
	c.Pieces = cmp.Or(c.Pieces, board.MaxPieces)
	c.TurnLimit = ur.DefaultTurnLimit
	c.Engine = engine.Fastest()
	c.Parallel = cmp.Or(c.Parallel, runtime.GOMAXPROCS(0))
	if err := c.Check(); err != nil {
		return "", err
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	switch {
	case h.ctx.Err() != nil:
		return "", errors.New("the server is about to end")
	case len(h.stops) >= maxMatches:
		return "", ErrBusy
	}
	ctx, stop := context.WithCancel(h.ctx)
	h.number++
	id = fmt.Sprintf("match-%04d", h.number)
	h.stops[id] = stop
	m := newLiveMatch(id, c)
	h.work.Go(func() {
		defer stop()
		h.playMatch(ctx, m)
	})
	return id, nil
}

// Stop stops a match started here.
func (h *Hub) Stop(id string) error {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	stop := h.stops[id]
	if stop == nil {
		return ErrUnknown
	}
	stop()
	return nil
}

// liveMatch is a match in progress.
type liveMatch struct {
	config play.MatchConfig

	mutex  sync.Mutex
	score  play.Score
	points []Point
	told   time.Time
	run    Run
}

// newLiveMatch returns a match before its first game.
func newLiveMatch(id string, c play.MatchConfig) *liveMatch {
	names := [2]string{c.Players[0].Name(), c.Players[1].Name()}
	m := &liveMatch{config: c}
	m.run = Run{
		ID: id, Kind: "match", Title: names[0] + " against " + names[1], State: Running, Total: int64(c.Games), Mine: true,
		Match: &Match{Players: names, Pieces: c.Pieces, Seed: c.Seed},
	}
	return m
}

// playMatch plays a match and publishes its state.
func (h *Hub) playMatch(ctx context.Context, m *liveMatch) {
	h.Put(m.standing())
	c := m.config
	_, err := match.Run(ctx, match.Plan[play.Score]{
		Games: c.Games, Parallel: c.Parallel,
		Unit: func(int) int { return min(c.Games/2/leastSpans+1, mostPairs) },
		Sit: func(ctx context.Context, _ int) (match.SpanRunner[play.Score], error) {
			runner, err := play.NewRunner(ctx, c)
			return &watchedRunner{runner, h, m, 1}, err
		},
	})
	m.mutex.Lock()
	switch {
	case m.run.Done == m.run.Total:
		m.run.State = Done
	case ctx.Err() != nil:
		m.run.State = Stopped
	default:
		m.run.State, m.run.Error = Failed, fmt.Sprint(err)
	}
	m.mutex.Unlock()
	h.end(m.run.ID)
	h.Put(m.standing())
}

// end removes the stop function of a match, and matches that ended long ago.
func (h *Hub) end(id string) {
	h.mutex.Lock()
	delete(h.stops, id)
	h.finished = append(h.finished, id)
	old := ""
	if len(h.finished) > maxEnded {
		old, h.finished = h.finished[0], h.finished[1:]
	}
	h.mutex.Unlock()
	if old != "" {
		h.Remove(old)
	}
}

// watchedRunner publishes the score of a match while it plays a span.
type watchedRunner struct {
	match.SpanRunner[play.Score]
	hub   *Hub
	match *liveMatch
	pairs int // played between two looks at the clock
}

// Play plays a span, a few pairs at a time while the players are slow.
func (r *watchedRunner) Play(ctx context.Context, s match.Span) (total play.Score, err error) {
	for s.Pairs > 0 {
		part := match.Span{First: s.First, Pairs: min(r.pairs, s.Pairs)}
		begin := time.Now()
		score, err := r.SpanRunner.Play(ctx, part)
		if err != nil {
			return total, err
		}
		total = total.Plus(score)
		if r.match.add(score) {
			r.hub.Put(r.match.standing())
		}
		if time.Since(begin) < partTime {
			r.pairs = min(2*r.pairs, mostPairs)
		}
		s.First, s.Pairs = s.First+uint64(part.Pairs), s.Pairs-part.Pairs
	}
	return total, ctx.Err()
}

// add adds the score of some pairs, and reports whether it is time to publish the state.
func (m *liveMatch) add(s play.Score) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.score = m.score.Plus(s)
	e := m.score.Estimate()
	m.points = append(m.points, Point{m.score.Tally.Games, e.Score, e.Low, e.High})
	m.points = thin(m.points)
	m.run.Done = m.score.Tally.Games
	if now := time.Now(); now.Sub(m.told) > tellEvery {
		m.told = now
		return true
	}
	return false
}

// thin drops every other point but the last when there are too many.
func thin(points []Point) []Point {
	if len(points) <= maxPoints {
		return points
	}
	kept := points[:0]
	for i, p := range points {
		if i%2 == 0 || i == len(points)-1 {
			kept = append(kept, p)
		}
	}
	return kept
}

// standing returns how the match stands.
func (m *liveMatch) standing() Run {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	r, c := m.run, *m.run.Match
	c.Wins, c.LightWins, c.Turns = m.score.Wins, m.score.Tally.Wins[board.Light], m.score.Tally.Turns
	c.Points = append([]Point{}, m.points...)
	if elo := m.score.Estimate().Elo; !math.IsInf(elo, 0) && !math.IsNaN(elo) {
		c.Elo = &elo
	}
	r.Match = &c
	return r
}
