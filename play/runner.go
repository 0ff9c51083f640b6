package play

import (
	"context"
	"errors"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play/record"
)

// NewRunner returns a runner in this process, as the machines behind a [match.Backend] need one. The
// configuration must be complete but for Games.
func NewRunner(ctx context.Context, c MatchConfig) (match.SpanRunner[Score], error) {
	if len(c.Players) != 2 {
		return nil, config.Fault("match", "Players", "must be two for a runner, got %d", len(c.Players))
	}
	c.Games, c.Backend = 1, nil
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	if err := Prepare(ctx, c.Pieces, c.Players...); err != nil {
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

// Play plays all games in one order on the engine, then the games in the other. Of two errors it
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
	turns     []record.Turn // turns of the game in progress
}

// observe follows a turn.
func (t *gameRunner) observe(turn *Turn) {
	if t.luck != nil {
		t.luck.observe(turn)
	}
	if t.recording {
		t.turns = append(t.turns, turn.Turn())
	}
}

// Play plays one game after another.
func (t *gameRunner) Play(ctx context.Context, s match.Span) (Score, error) {
	var score Score
	if t.recording {
		score.recorded = new([]*record.Game)
	}
	var winners [2]board.Side
	var adjusted [2]float64
	for pair, light := range s.All() {
		winner, err := t.playGame(ctx, pair, light, &score)
		if err != nil {
			return score, err
		}
		winners[light] = winner
		if t.luck != nil {
			adjusted[light] = t.luck.adjusted(winner, light)
		}
		if light == 0 {
			continue
		}
		if t.luck != nil {
			if err := t.luck.table.Err(); err != nil {
				return score, err
			}
			score.Luck.addPair(adjusted[0]/2 + adjusted[1]/2)
		}
		score.addPair(winners[0], winners[1])
	}
	return score, nil
}

// playGame plays a game of a pair with the given player as Light, counts it, and returns the winner.
func (t *gameRunner) playGame(ctx context.Context, pair uint64, light int, score *Score) (board.Side, error) {
	t.game.Number, t.game.Instances = pair, [2]Instance{t.instances[light], t.instances[1-light]}
	t.turns = nil
	tally, err := t.game.Play(ctx)
	forfeit, forfeited := errors.AsType[*match.ForfeitError](err)
	if err != nil && !forfeited {
		return 0, err
	}
	score.addGames(tally, light)
	winner := board.Side(tally.Wins[board.Dark])
	if forfeited {
		score.Forfeits[light^int(winner.Other())]++
		if t.forfeit != nil {
			t.forfeit(forfeit)
		}
	}
	if t.recording {
		g := &record.Game{
			Rules: t.game.Rules, Players: [2]string{t.names[light], t.names[1-light]}, Pieces: t.game.Pieces,
			Dice: &record.DiceOrigin{Seed: t.game.Seed, Game: pair}, Turns: t.turns,
			Result: record.LightWins + record.Result(winner),
		}
		if forfeited {
			g.Result = record.LightResigned + record.Result(winner.Other())
			g.Meta = map[string]string{"Forfeit": text.Plain(forfeit.Error())}
		}
		*score.recorded = append(*score.recorded, g)
	}
	return winner, nil
}

// failedGame returns the number of the game that exceeded the turn limit; any other error, such
// as the end of the context, ranks after all games.
func failedGame(err error) uint64 {
	if limit, ok := errors.AsType[*ur.TurnLimitError](err); ok {
		return limit.Game
	}
	return ^uint64(0)
}
