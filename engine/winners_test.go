package engine

import (
	"math/rand/v2"
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

// Every engine must tell what the oracle tells, which is asked
// for one game at a time: with one brain and with two, in every width that kernels
// have, for lengths around the number of lanes.
func TestWinners(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 6))
	random := func(limit int) *ur.Brain {
		b := new(ur.Brain)
		for k := range b {
			b[k] = int16(rng.IntN(2*limit+1) - limit)
		}
		return b
	}
	setups := map[string]ur.Setup{
		"one brain":       {Light: ur.ClassicBrain(), Dark: ur.ClassicBrain()},
		"two brains":      {Light: ur.ClassicBrain(), Dark: random(5)},
		"middling brains": {Light: random(100), Dark: ur.ClassicBrain()},
		"large brains":    {Light: random(5000), Dark: random(30000), TurnLimit: 100_000},
		"one large brain": {Light: times(ur.ClassicBrain(), 300), Dark: times(ur.ClassicBrain(), 300)},
		"one piece":       {Light: new(ur.Brain), Dark: ur.ClassicBrain(), Pieces: 1},
	}
	balanced := 0
	for name, setup := range setups {
		for _, n := range []int{0, 1, 65, 130} {
			series := ur.Series{Seed: 5, First: 1 << 33, Step: 3, N: n}
			want := make([]board.Side, n)
			tally, err := gameByGame(newGame(t, Oracle(), setup), want, series)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if tally.Wins[board.Light] > 9 && tally.Wins[board.Dark] > 9 {
				balanced++
			}
			forEachEngine(t, func(t *testing.T, e ur.Engine) {
				if _, batch := e.(ur.Batch); n > 65 && !batch {
					return // nothing differs in longer series
				}
				checkWinners(t, newGame(t, e, setup), name, series, want, tally)
			})
		}
	}
	if balanced < 5 {
		t.Errorf("in %d series both sides won games, want 5 or more", balanced)
	}
}

// checkWinners asks a game twice: memory of the first time must not show.
func checkWinners(t *testing.T, g ur.Game, name string, s ur.Series, want []board.Side, tally ur.Tally) {
	t.Helper()
	const canary = 0x5e
	for range 2 {
		winners := slices.Repeat([]board.Side{canary}, s.N+2)
		got, err := g.Games(winners[1:], s)
		if err != nil || got != tally {
			t.Fatalf("%s, %d games: tally %+v (%v), oracle %+v", name, s.N, got, err, tally)
		}
		if winners[0] != canary || winners[s.N+1] != canary || !slices.Equal(winners[1:s.N+1], want) {
			t.Fatalf("%s, %d games: winners %v, oracle %v", name, s.N, winners, want)
		}
		if games, err := g.Games(nil, s); err != nil || games != tally {
			t.Fatalf("%s, %d games: tally %+v (%v) after winners were told, oracle %+v", name, s.N, games, err, tally)
		}
	}
}

// times returns the brain with all weights multiplied, as far as 16 bits hold them.
func times(b *ur.Brain, factor int) *ur.Brain {
	product := new(ur.Brain)
	for k, w := range b {
		product[k] = int16(max(-1<<15, min(1<<15-1, factor*int(w))))
	}
	return product
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
