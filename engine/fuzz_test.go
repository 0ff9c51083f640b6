package engine

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

// FuzzEnginesAgree compares all engines with the oracle on brains, positions and
// series that a fuzzer chooses: values of up to 70 positions, and whole games, with
// a turn limit, since some brains never end one.
func FuzzEnginesAgree(f *testing.F) {
	f.Add(uint64(1), uint16(12), uint16(12), uint8(7), uint8(33), uint64(0), uint64(1))
	f.Add(uint64(2), uint16(32767), uint16(3), uint8(1), uint8(1), uint64(1<<63), uint64(2))
	f.Add(uint64(3), uint16(900), uint16(0), uint8(4), uint8(64), uint64(77), uint64(1<<40))
	f.Add(uint64(4), uint16(60), uint16(60), uint8(7), uint8(65), uint64(5), uint64(0))
	f.Fuzz(func(t *testing.T, seed uint64, lightLimit, darkLimit uint16, pieces, n uint8, first, step uint64) {
		rng := rand.New(rand.NewPCG(seed, 1))
		draw := func(limit uint16) *ur.Brain {
			b, most := new(ur.Brain), int(limit&0x7fff)
			for k := range b {
				b[k] = int16(rng.IntN(2*most+1) - most)
			}
			return b
		}
		setup := ur.Setup{Light: draw(lightLimit), Dark: draw(darkLimit), Pieces: 1 + int(pieces%board.FinkelPieces), TurnLimit: 3000}
		if seed%3 == 0 {
			setup.Dark = setup.Light
		}
		positions := make([]board.Position, n%71)
		for i := range positions {
			positions[i] = board.Finkel().Random(rng, setup.Pieces)
		}
		series := ur.Series{Seed: seed, First: first, Step: step, N: int(n % 71)}
		oracle := newGame(t, Oracle(), setup)
		want, wantErr := oracle.Games(nil, series)
		for _, e := range Available() {
			g := newGame(t, e, setup)
			g.Load(positions)
			values := make([]int32, len(positions))
			for side, brain := range [2]*ur.Brain{setup.Light, setup.Dark} {
				g.Values(values, board.Side(side))
				for i, p := range positions {
					if values[i] != brain.Value(p) {
						t.Fatalf("%s: value of %s is %d, want %d", e.Name(), board.Finkel().FormatPosition(p), values[i], brain.Value(p))
					}
				}
			}
			got, err := g.Games(nil, series)
			var limit *ur.TurnLimitError
			switch {
			case (err == nil) != (wantErr == nil) || err != nil && !errors.As(err, &limit):
				t.Fatalf("%s: error %v, oracle %v", e.Name(), err, wantErr)
			case err == nil && got != want:
				t.Fatalf("%s: tally %+v, oracle %+v", e.Name(), got, want)
			}
		}
	})
}
