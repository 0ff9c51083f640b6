package train

import (
	"context"
	"errors"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/rating"
)

// Duel is pairs of games between two brains on shared dice: every game of the series is
// played twice, first with the one as Light and then with the other.
type Duel struct {
	First, Second *ur.Brain
	Series        ur.Series
	Pieces        int // 1 to 7
	TurnLimit     int // when a game is given up
}

// DuelResult is how a duel ended.
type DuelResult struct {
	// Pairs counts the pairs of games by the wins of the first brain. They mean nothing
	// where Ended is false.
	Pairs rating.Pairs `json:"pairs"`

	// Ended is false if a game did not end: learning may produce brains that never finish one.
	Ended bool `json:"ended"`
}

// Arena plays duels outside of this process, for example on many machines. The results equal
// those of [Fight]. Up to [BrainConfig.Parallel] goroutines call it at a time and wait there,
// so set that high.
type Arena interface {
	Duel(ctx context.Context, d Duel) (DuelResult, error)
}

// Fight plays a duel on an engine.
func Fight(e ur.Engine, d Duel) (DuelResult, error) {
	brains := [2]*ur.Brain{d.First, d.Second}
	var winners [2][]board.Side
	for light := range brains {
		game, err := e.New(ur.Setup{Light: brains[light], Dark: brains[1-light], Pieces: d.Pieces, TurnLimit: d.TurnLimit})
		if err != nil {
			return DuelResult{}, err
		}
		winners[light] = make([]board.Side, d.Series.N)
		_, err = game.Games(winners[light], d.Series)
		var limit *ur.TurnLimitError
		switch {
		case errors.As(err, &limit):
			return DuelResult{}, nil
		case err != nil:
			return DuelResult{}, err
		}
	}
	r := DuelResult{Ended: true}
	for i, light := range winners[0] {
		wins := 0
		if light == board.Light {
			wins++
		}
		if winners[1][i] == board.Dark {
			wins++
		}
		r.Pairs.AddPair(wins)
	}
	return r, nil
}
