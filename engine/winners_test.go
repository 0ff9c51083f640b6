package engine

import (
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

// gameByGame plays a series one game at a time, whose tallies say who won.
func gameByGame(g ur.Game, winners []board.Side, s ur.Series) (ur.Tally, error) {
	var total ur.Tally
	for i := range s.N {
		t, err := g.Games(nil, s.Part(i, 1))
		if err != nil {
			return ur.Tally{}, err
		}
		winners[i] = board.Light
		if t.Wins[board.Dark] > 0 {
			winners[i] = board.Dark
		}
		total.Add(t)
	}
	return total, nil
}

// The oracle must tell who won, which its tallies say when it is asked for one game at a time. The
// verifier compares all others with it.
func TestWinners(t *testing.T) {
	setup := ur.Setup{Light: ur.ClassicBrain(), Dark: ur.ClassicBrain()}
	series := ur.Series{Seed: 5, First: 1 << 33, Step: 3, N: 65}
	g := newGame(t, Oracle(), setup)
	want, got := make([]board.Side, series.N), make([]board.Side, series.N)
	tally, err := gameByGame(g, want, series)
	if err != nil {
		t.Fatal(err)
	}
	if whole, err := g.Games(got, series); err != nil || whole != tally || !slices.Equal(got, want) {
		t.Errorf("%+v, winners %v (%v), game by game %+v, winners %v", whole, got, err, tally, want)
	}
	if tally.Wins[board.Light] < 10 || tally.Wins[board.Dark] < 10 {
		t.Errorf("wins %v, want 10 or more of both", tally.Wins)
	}
}

// A slice that is too short is a mistake of the caller's that must not write beyond it.
func TestWinnersFail(t *testing.T) {
	forEachEngine(t, func(t *testing.T, e ur.Engine) {
		g := newGame(t, e, ur.Setup{Light: ur.ClassicBrain(), Dark: new(ur.Brain)})
		defer func() {
			if recover() == nil {
				t.Error("too short a slice is accepted")
			}
		}()
		g.Games(make([]board.Side, 3), ur.Series{N: 4})
	})
}
