package ur

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
)

// onlyGames hides that a game is a recorder.
type onlyGames struct{ Game }

// Every engine must be a recorder, and tell what the oracle tells, which is asked
// for one game at a time: with one brain and with two, in every width that kernels
// have, for lengths around the number of lanes.
func TestWinners(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 6))
	random := func(limit int) *Brain {
		b := new(Brain)
		for k := range b {
			b[k] = int16(rng.IntN(2*limit+1) - limit)
		}
		return b
	}
	setups := map[string]Setup{
		"one brain":       {Light: ClassicBrain(), Dark: ClassicBrain()},
		"two brains":      {Light: ClassicBrain(), Dark: random(5)},
		"middling brains": {Light: random(100), Dark: ClassicBrain()},
		"large brains":    {Light: random(5000), Dark: random(30000), TurnLimit: 100_000},
		"one large brain": {Light: ClassicBrain().times(300), Dark: ClassicBrain().times(300)},
		"one piece":       {Light: new(Brain), Dark: ClassicBrain(), Pieces: 1},
	}
	balanced := 0
	for name, setup := range setups {
		for _, n := range []int{0, 1, 65, 130} {
			series := Series{Seed: 5, First: 1 << 33, Step: 3, N: n}
			want := make([]board.Side, n)
			tally, err := Winners(onlyGames{newGame(t, Oracle(), setup)}, want, series)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if tally.Wins[board.Light] > 9 && tally.Wins[board.Dark] > 9 {
				balanced++
			}
			forEachEngine(t, func(t *testing.T, e Engine) {
				if _, batch := e.(Batch); n > 65 && !batch {
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
func checkWinners(t *testing.T, g Game, name string, s Series, want []board.Side, tally Tally) {
	t.Helper()
	const canary = 0x5e
	recorder, ok := g.(Recorder)
	if !ok {
		t.Fatal("the engine does not tell winners")
	}
	for range 2 {
		winners := slices.Repeat([]board.Side{canary}, s.N+2)
		got, err := recorder.Winners(winners[1:], s)
		if err != nil || got != tally {
			t.Fatalf("%s, %d games: tally %+v (%v), oracle %+v", name, s.N, got, err, tally)
		}
		if winners[0] != canary || winners[s.N+1] != canary || !slices.Equal(winners[1:s.N+1], want) {
			t.Fatalf("%s, %d games: winners %v, oracle %v", name, s.N, winners, want)
		}
		if games, err := g.Games(s); err != nil || games != tally {
			t.Fatalf("%s, %d games: tally %+v (%v) after winners were told, oracle %+v", name, s.N, games, err, tally)
		}
	}
}

// times returns the brain with all weights multiplied, as far as 16 bits hold them.
func (b *Brain) times(factor int) *Brain {
	product := new(Brain)
	for k, w := range b {
		product[k] = int16(max(-1<<15, min(1<<15-1, factor*int(w))))
	}
	return product
}

// A slice that is too short is a mistake of the caller's that must not write beyond
// it, and a game without end is an error.
func TestWinnersFail(t *testing.T) {
	forEachEngine(t, func(t *testing.T, e Engine) {
		g := newGame(t, e, Setup{Light: ClassicBrain(), Dark: new(Brain)})
		func() {
			defer func() {
				if recover() == nil {
					t.Error("too short a slice is accepted")
				}
			}()
			Winners(g, make([]board.Side, 3), Series{N: 4})
		}()
		limit := new(TurnLimitError)
		g = newGame(t, e, Setup{Light: ClassicBrain(), Dark: new(Brain), TurnLimit: 20})
		if _, err := Winners(g, make([]board.Side, 9), Series{N: 9}); !errors.As(err, &limit) {
			t.Errorf("error %v, want a turn limit", err)
		}
	})
}

func TestWinnersAllocateNothing(t *testing.T) {
	forEachEngine(t, func(t *testing.T, e Engine) {
		for _, dark := range []*Brain{ClassicBrain(), new(Brain)} {
			g := newGame(t, e, Setup{Light: ClassicBrain(), Dark: dark})
			winners := make([]board.Side, 3)
			allocated := testing.AllocsPerRun(3, func() {
				if _, err := Winners(g, winners, Series{Seed: 1, N: 3}); err != nil {
					t.Error(err)
				}
			})
			if allocated != 0 {
				t.Errorf("%v allocations", allocated)
			}
		}
	})
}

// What it costs to tell who won: compare with tell=false.
func BenchmarkWinners(b *testing.B) {
	const games = 8192
	winners := make([]board.Side, games)
	for _, e := range AvailableEngines() {
		for _, tell := range []string{"false", "true"} {
			b.Run("engine="+e.Name()+"/tell="+tell, func(b *testing.B) {
				g := newGame(b, e, Setup{Light: ClassicBrain(), Dark: new(Brain)})
				for b.Loop() {
					var err error
					if tell == "true" {
						_, err = Winners(g, winners, Series{Seed: 1, N: games})
					} else {
						_, err = g.Games(Series{Seed: 1, N: games})
					}
					if err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/games, "ns/game")
			})
		}
	}
}
