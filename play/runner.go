package play

import (
	"context"
	"errors"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play/record"
)

// NewRunner returns a runner in this process, as the machines behind a [match.Backend] need one. The
// configuration must be complete but for Games.
func NewRunner(ctx context.Context, c MatchConfig) (match.SpanRunner[Score], error) {
	c.Games, c.Backend = 1, nil
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	if err := Prepare(ctx, c.Pieces, c.Players[:]...); err != nil {
		return nil, err
	}
	return newRunner(ctx, c)
}

// newRunner makes both players' instances, here or at the backend. Two brains leave whole games to the
// engine.
func newRunner(ctx context.Context, c MatchConfig) (match.SpanRunner[Score], error) {
	if c.Backend != nil {
		return c.Backend.Runner(ctx, c)
	}
	if c.betweenBrains() && c.Luck == nil && c.Record == nil {
		return newEngineRunner(c)
	}
	t := &gameRunner{recording: c.Record != nil, forfeit: c.Forfeit,
		game: Game{Seed: c.Seed, Rules: c.Rules, Pieces: c.Pieces, TurnLimit: c.TurnLimit}}
	if c.Luck != nil {
		t.luck = &luckMeter{table: c.Luck}
	}
	t.game.Observe = t.observe
	for i, player := range c.Players {
		t.names[i] = player.Spec
		instance, err := player.New(c.Engine)
		if err != nil {
			return nil, err
		}
		t.instances[i] = instance
	}
	return t, nil
}

// engineRunner plays brains against each other inside an engine.
type engineRunner struct {
	seed    uint64
	byLight [2]ur.Game      // games by the player who is Light
	winners [2][]board.Side // winners in the games of each
}

// newEngineRunner binds the brains in both orders. A brain against itself needs one
// order only.
func newEngineRunner(c MatchConfig) (match.SpanRunner[Score], error) {
	p, q := c.Players[0].Source.(Brain), c.Players[1].Source.(Brain)
	setup := ur.Setup{Light: p.Weights, Dark: q.Weights, Pieces: c.Pieces, TurnLimit: c.TurnLimit}
	first, err := c.Engine.New(setup)
	if err != nil {
		return nil, err
	}
	t := &engineRunner{seed: c.Seed, byLight: [2]ur.Game{first, first}}
	if *p.Weights != *q.Weights {
		setup.Light, setup.Dark = setup.Dark, setup.Light
		t.byLight[1], err = c.Engine.New(setup)
	}
	return t, err
}

// Play plays all games in one order on the engine, then those in the other. Of two errors it
// returns the lower game's.
func (t *engineRunner) Play(ctx context.Context, s match.Span) (Score, error) {
	if err := ctx.Err(); err != nil {
		return Score{}, err
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

// gameRunner plays any two players, one game after another.
type gameRunner struct {
	instances [2]Instance // instances by player
	game      Game
	names     [2]string
	luck      *luckMeter // nil when luck is not measured

	forfeit func(error) // the configuration's function; may be nil

	recording bool
	record    record.Game // record of the game in progress
}

// observe follows a turn.
func (t *gameRunner) observe(turn *Turn) {
	if t.luck != nil {
		t.luck.observe(turn)
	}
	if t.recording {
		t.record.Turns = append(t.record.Turns, turn.Turn())
	}
}

// Play plays one game after another.
func (t *gameRunner) Play(ctx context.Context, s match.Span) (Score, error) {
	var score Score
	if t.recording {
		score.recorded = new([]*record.Game)
	}
	for i := range s.Pairs {
		t.game.Number = s.First + uint64(i)
		if err := t.playPair(ctx, &score, s.Odd && i == s.Pairs-1); err != nil {
			return score, err
		}
	}
	return score, nil
}

// playPair plays the two games on the same dice, or the first only.
func (t *gameRunner) playPair(ctx context.Context, score *Score, half bool) error {
	var winners [2]board.Side
	adjusted := 0.0
	for light := range winners {
		if light == 1 && half {
			return nil
		}
		t.game.Instances = [2]Instance{t.instances[light], t.instances[1-light]}
		if t.recording {
			g, _ := t.game.complete()
			t.record = record.Game{
				Rules: g.Rules, Players: [2]string{t.names[light], t.names[1-light]}, Pieces: g.Pieces,
				Dice: &record.DiceOrigin{Seed: g.Seed, Game: g.Number},
			}
		}
		tally, err := t.game.Play(ctx)
		forfeit, forfeited := errors.AsType[*match.ForfeitError](err)
		if err != nil && !forfeited {
			return err
		}
		score.addGames(tally, light)
		winners[light] = board.Side(tally.Wins[board.Dark])
		if forfeited {
			score.Forfeits[light^int(winners[light].Other())]++
			if t.forfeit != nil {
				t.forfeit(forfeit)
			}
		}
		if t.recording {
			recorded := t.record
			recorded.Result = record.LightWins + record.Result(winners[light])
			if forfeited {
				recorded.Result = record.LightResigned + record.Result(winners[light].Other())
				recorded.Meta = map[string]string{"Forfeit": text.Plain(forfeit.Error())}
			}
			*score.recorded = append(*score.recorded, &recorded)
		}
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
