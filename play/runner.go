package play

import (
	"context"
	"errors"
	"sync"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play/record"
)

// recordings holds the recorded games of spans until they are entered.
type recordings struct {
	mutex sync.Mutex
	spans map[recordedSpan][]*record.Game
}

// recordedSpan identifies a span: every pairing has another seed.
type recordedSpan struct{ seed, first uint64 }

// put keeps the games of a span.
func (r *recordings) put(s recordedSpan, games []*record.Game) {
	r.mutex.Lock()
	r.spans[s] = games
	r.mutex.Unlock()
}

// take returns the games of a span and forgets them.
func (r *recordings) take(s recordedSpan) []*record.Game {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	games := r.spans[s]
	delete(r.spans, s)
	return games
}

// newRunner seats the two players, here or at the backend. Two brains leave whole games to the
// engine. Recordings are nil when games are not recorded.
func newRunner(ctx context.Context, c MatchConfig, recordings *recordings) (match.SpanRunner[Score], error) {
	if c.Backend != nil {
		return c.Backend.Runner(ctx, c)
	}
	if c.betweenBrains() && c.Luck == nil && recordings == nil {
		return newEngineRunner(c)
	}
	t := &seatRunner{recordings: recordings, game: Game{Seed: c.Seed, Rules: c.Rules, Pieces: c.Pieces, TurnLimit: c.TurnLimit}}
	if c.Luck != nil {
		t.luck = &luckMeter{table: c.Luck}
	}
	if recordings != nil {
		t.recorder = new(recorder)
	}
	t.game.Observe = t.observe
	for i, player := range c.Players {
		t.names[i] = player.Name()
		seat, err := player.Sit(c.Engine)
		if err != nil {
			return nil, err
		}
		t.seats[i] = seat
	}
	return t, nil
}

// engineRunner plays brains against each other inside an engine.
type engineRunner struct {
	seed    uint64
	byLight [2]ur.Game      // by the player of Light
	same    bool            // the brains are equal
	winners [2][]board.Side // of the games of each
}

// newEngineRunner binds the brains in both orders. A brain against itself needs one
// order only.
func newEngineRunner(c MatchConfig) (match.SpanRunner[Score], error) {
	p, q := c.Players[0].(Brain), c.Players[1].(Brain)
	setup := ur.Setup{Light: p.Weights, Dark: q.Weights, Pieces: c.Pieces, TurnLimit: c.TurnLimit}
	first, err := c.Engine.New(setup)
	if err != nil {
		return nil, err
	}
	t := &engineRunner{seed: c.Seed, byLight: [2]ur.Game{first, first}}
	if *p.Weights == *q.Weights {
		t.same = true
		return t, nil
	}
	setup.Light, setup.Dark = setup.Dark, setup.Light
	t.byLight[1], err = c.Engine.New(setup)
	return t, err
}

// Play plays all games of one order on the engine, then those of the other. Of two errors it
// returns that of the lower game.
func (t *engineRunner) Play(ctx context.Context, s match.Span) (Score, error) {
	if err := ctx.Err(); err != nil {
		return Score{}, err
	}
	if t.same {
		return t.playSame(s)
	}
	var score Score
	var failed error
	played := [2]int{s.Pairs, s.Games() - s.Pairs}
	for light, n := range played {
		if len(t.winners[light]) < n {
			t.winners[light] = make([]board.Side, n)
		}
		tally, err := t.byLight[light].Games(t.winners[light], ur.Series{Seed: t.seed, First: s.First, N: n})
		switch {
		case err == nil:
			score.addGames(tally, light)
		case failed == nil || failedGame(err) < failedGame(failed):
			failed = err // a tally with an error means nothing
		}
	}
	if failed == nil {
		for i := range played[1] {
			score.addPair(t.winners[0][i], t.winners[1][i])
		}
	}
	return score, failed
}

// playSame plays a span between two equal brains. The two games of a pair are the same game, so
// its winner does not matter: each brain wins one of them, and Light both or none.
func (t *engineRunner) playSame(s match.Span) (Score, error) {
	var score Score
	for light, n := range [2]int{s.Pairs, s.Games() - s.Pairs} {
		tally, err := t.byLight[light].Games(nil, ur.Series{Seed: t.seed, First: s.First, N: n})
		if err != nil {
			return Score{}, err
		}
		score.addGames(tally, light)
		if light == 1 {
			score.Pairs[2] = tally.Games
			score.LightPairs[4] = tally.Wins[board.Light]
			score.LightPairs[0] = tally.Wins[board.Dark]
		}
	}
	return score, nil
}

// seatRunner plays any two players, one game after another.
type seatRunner struct {
	seats [2]Seat // by player
	game  Game
	names [2]string
	luck  *luckMeter // nil when luck is not measured

	recorder   *recorder      // nil when games are not recorded
	recorded   []*record.Game // of the span
	recordings *recordings
}

// observe follows a turn.
func (t *seatRunner) observe(turn *Turn) {
	if t.luck != nil {
		t.luck.observe(turn)
	}
	if t.recorder != nil {
		t.recorder.turn(turn)
	}
}

// Play plays one game after another.
func (t *seatRunner) Play(ctx context.Context, s match.Span) (Score, error) {
	var score Score
	if t.recorder != nil {
		defer func() {
			t.recordings.put(recordedSpan{t.game.Seed, s.First}, t.recorded)
			t.recorded = nil
		}()
	}
	for i := range s.Pairs {
		t.game.Number = s.First + uint64(i)
		if err := t.playPair(ctx, &score, s.Odd && i == s.Pairs-1); err != nil {
			return score, err
		}
	}
	return score, nil
}

// playPair plays the two games of the same dice, or the first of them only.
func (t *seatRunner) playPair(ctx context.Context, score *Score, half bool) error {
	var winners [2]board.Side
	adjusted := 0.0
	for light := range winners {
		if light == 1 && half {
			return nil
		}
		t.game.Seats = [2]Seat{t.seats[light], t.seats[1-light]}
		if t.recorder != nil {
			t.recorder.begin(t.game, [2]string{t.names[light], t.names[1-light]})
		}
		tally, err := t.game.Play(ctx)
		if err != nil {
			return err
		}
		if t.recorder != nil {
			t.recorded = append(t.recorded, t.recorder.end(tally))
		}
		score.addGames(tally, light)
		winners[light] = board.Side(tally.Wins[board.Dark])
		if t.luck != nil {
			adjusted += t.luck.adjusted(winners[light], light) / 2
		}
	}
	if t.luck != nil {
		if err := t.luck.table.Err(); err != nil {
			return err
		}
		score.Luck.addPair(adjusted)
	}
	score.addPair(winners[0], winners[1])
	return nil
}

// failedGame returns the number of the game that exceeded the turn limit; any other error, such
// as the end of the context, ranks after all games.
func failedGame(err error) uint64 {
	if limit, ok := errors.AsType[*ur.TurnLimitError](err); ok {
		return limit.Game
	}
	return ^uint64(0)
}
