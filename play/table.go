package play

import (
	"context"

	"github.com/seed-09dcdc84/ur"
)

// table is where one goroutine plays a match.
type table interface {
	// games plays a series in which the given player, 0 or 1, is Light. The tally
	// counts the games that were finished, also with an error.
	games(ctx context.Context, light int, s ur.Series) (ur.Tally, error)
}

// newTable seats the two players. Two brains leave whole games to the engine.
func newTable(c MatchConfig) (table, error) {
	if c.betweenBrains() {
		return newEngineTable(c)
	}
	t := &seatTable{game: Game{Seed: c.Seed, Pieces: c.Pieces, TurnLimit: c.TurnLimit}}
	for i, player := range c.Players {
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
	byLight [2]ur.Game // by the player who is Light
}

// newEngineTable binds the brains in both orders. A brain against itself needs one
// order only.
func newEngineTable(c MatchConfig) (table, error) {
	p, q := c.Players[0].(Brain), c.Players[1].(Brain)
	setup := ur.Setup{Light: p.Weights, Dark: q.Weights, Pieces: c.Pieces, TurnLimit: c.TurnLimit}
	first, err := c.Engine.New(setup)
	if err != nil {
		return nil, err
	}
	if *p.Weights == *q.Weights {
		return engineTable{[2]ur.Game{first, first}}, nil
	}
	setup.Light, setup.Dark = setup.Dark, setup.Light
	second, err := c.Engine.New(setup)
	if err != nil {
		return nil, err
	}
	return engineTable{[2]ur.Game{first, second}}, nil
}

func (t engineTable) games(ctx context.Context, light int, s ur.Series) (ur.Tally, error) {
	if err := ctx.Err(); err != nil {
		return ur.Tally{}, err
	}
	tally, err := t.byLight[light].Games(s)
	if err != nil {
		return ur.Tally{}, err // a tally with an error means nothing
	}
	return tally, nil
}

// seatTable plays any two players, one game after another.
type seatTable struct {
	seats [2]Seat // by player
	game  Game
}

func (t *seatTable) games(ctx context.Context, light int, s ur.Series) (ur.Tally, error) {
	t.game.Seats = [2]Seat{t.seats[light], t.seats[1-light]}
	var total ur.Tally
	for i := range s.N {
		t.game.Number = s.Part(i, 1).First
		tally, err := t.game.Play(ctx)
		if err != nil {
			return total, err
		}
		total.Add(tally)
	}
	return total, nil
}
