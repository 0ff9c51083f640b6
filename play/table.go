package play

import (
	"context"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/solve"
)

// newTable seats the two players, here or at the venue. Two brains leave whole games to the engine.
func newTable(ctx context.Context, c MatchConfig) (Table, error) {
	if c.Venue != nil {
		return c.Venue.Table(ctx, c)
	}
	if c.betweenBrains() && c.Luck == nil && c.Record == nil {
		return newEngineTable(c)
	}
	t := &seatTable{game: Game{Seed: c.Seed, Pieces: c.Pieces, TurnLimit: c.TurnLimit}}
	if c.Luck != nil {
		t.luck = &luckMeter{table: c.Luck}
	}
	if c.Record != nil {
		t.recorder = new(Recorder)
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

// engineTable plays brains against each other inside an engine.
type engineTable struct {
	seed    uint64
	byLight [2]ur.Game      // by the player who is Light
	same    bool            // the brains are equal
	winners [2][]board.Side // of the games of each
}

// newEngineTable binds the brains in both orders. A brain against itself needs one
// order only.
func newEngineTable(c MatchConfig) (Table, error) {
	p, q := c.Players[0].(Brain), c.Players[1].(Brain)
	setup := ur.Setup{Light: p.Weights, Dark: q.Weights, Pieces: c.Pieces, TurnLimit: c.TurnLimit}
	first, err := c.Engine.New(setup)
	if err != nil {
		return nil, err
	}
	t := &engineTable{seed: c.Seed, byLight: [2]ur.Game{first, first}}
	if *p.Weights == *q.Weights {
		t.same = true
		return t, nil
	}
	setup.Light, setup.Dark = setup.Dark, setup.Light
	t.byLight[1], err = c.Engine.New(setup)
	return t, err
}

// Play lets the engine play all games of one order, then those of the other. Of two
// errors it returns that of the lower game.
func (t *engineTable) Play(ctx context.Context, s Span) (Score, error) {
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

// playSame plays a span between two equal brains. The two games of a pair are the
// same game, so its winner need not be told: each brain wins one of them, and Light
// both or none.
func (t *engineTable) playSame(s Span) (Score, error) {
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

// seatTable plays any two players, one game after another.
type seatTable struct {
	seats [2]Seat // by player
	game  Game
	names [2]string
	luck  *luckMeter // nil when luck is not measured

	recorder *Recorder // nil when games are not recorded
	recorded []*record.Game
}

// observe follows a turn.
func (t *seatTable) observe(turn *Turn) {
	if t.luck != nil {
		t.luck.observe(turn)
	}
	if t.recorder != nil {
		t.recorder.Turn(turn)
	}
}

// takeRecorded returns the games that were recorded since it was last called.
func (t *seatTable) takeRecorded() []*record.Game {
	games := t.recorded
	t.recorded = nil
	return games
}

func (t *seatTable) Play(ctx context.Context, s Span) (Score, error) {
	var score Score
	for i := range s.Pairs {
		t.game.Number = s.First + uint64(i)
		if err := t.playPair(ctx, &score, s.Odd && i == s.Pairs-1); err != nil {
			return score, err
		}
	}
	return score, nil
}

// playPair plays the two games of the same dice, or the first of them only.
func (t *seatTable) playPair(ctx context.Context, score *Score, half bool) error {
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
			t.recorded = append(t.recorded, t.recorder.End(tally))
		}
		score.addGames(tally, light)
		winners[light] = board.Side(tally.Wins[board.Dark])
		if t.luck != nil {
			adjusted += t.luck.adjusted(winners[light], light) / 2
		}
	}
	if t.luck != nil {
		if err := solve.Damage(t.luck.table); err != nil {
			return err
		}
		score.Luck.addPair(adjusted)
	}
	score.addPair(winners[0], winners[1])
	return nil
}
