//go:build !purego

package lanes

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine/form"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The kernels must keep to their state, their tables and the winners, on whichever side of
// them a page cannot be touched.
func TestKernelsStopAtGuardPages(t *testing.T) {
	testkit.SkipOn(t, ur.Available(AVX512))
	const n = 90
	series := ur.Series{Seed: 3, N: n}
	for _, dark := range []*ur.Brain{ur.ClassicBrain(), new(ur.Brain)} {
		setup := ur.Setup{Light: ur.ClassicBrain(), Dark: dark, Pieces: board.FinkelPieces,
			TurnLimit: ur.DefaultTurnLimit}
		want := make([]board.Side, n)
		tally := testkit.Must(oracle(t, setup).Games(want, series))(t)
		for _, atEnd := range []bool{false, true} {
			for w := packed16; w <= plain16; w++ {
				g := newGame(setup, form.Both(setup), w)
				state, tables := testkit.Guarded[state](t, atEnd), testkit.Guarded[tables](t, atEnd)
				winners := testkit.Guarded[[n]board.Side](t, atEnd)
				before := *g.tables
				*tables = before
				g.state, g.tables = state, tables
				testkit.Equal(t, testkit.Must(g.Games(nil, series))(t), tally, "width %d", w)
				testkit.ErrorIf(t, *tables != before, "width %d: the tables were written", w)
				testkit.Equal(t, testkit.Must(g.Games(winners[:], series))(t), tally, "width %d, with winners", w)
				testkit.Equal(t, winners[:], want, "width %d: winners", w)
			}
		}
	}
}

// oracle returns the game of the engine that every other must equal.
func oracle(t *testing.T, s ur.Setup) ur.Game { return testkit.Must(ur.Array16Scalar.New(s))(t) }

// Every width must play every pair of brains whose candidates fit it, and bits/incremental all
// others.
func TestLanesWidths(t *testing.T) {
	testkit.SkipOn(t, ur.Available(AVX512))
	rng := rand.New(rand.NewPCG(3, 3))
	random := func(limit int) *ur.Brain {
		b := new(ur.Brain)
		testkit.Fill(b[:], func() int16 { return int16(rng.IntN(2*limit+1) - limit) })
		return b
	}
	classic, large := ur.ClassicBrain(), random(30000)
	for _, test := range []struct {
		name        string
		light, dark *ur.Brain
		narrowest   width // none for -1
	}{
		{"classic", classic, classic, packed16},
		{"classic and small", classic, random(5), packed16},
		{"middling", random(100), random(100), plain16},
		{"classic and middling", classic, random(100), plain16},
		{"large", random(5000), random(5000), -1},
		{"large and classic", random(5000), classic, -1},
		{"one large", large, large, -1},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, pieces := range []int{7, 2} {
				setup := ur.Setup{Light: test.light, Dark: test.dark, Pieces: pieces, TurnLimit: 100_000}
				got, fits := narrowest(form.Both(setup), pieces)
				if test.narrowest < 0 {
					testkit.FatalIf(t, fits && pieces == 7, "width %d is exact (want none)", got)
					got = plain16 + 1
				} else if !fits || got > test.narrowest || pieces == 7 && got != test.narrowest {
					t.Fatalf("%d pieces: width %d, %v, want %d", pieces, got, fits, test.narrowest)
				}
				series := ur.Series{Seed: 11, N: 75}
				want := testkit.Must(oracle(t, setup).Games(nil, series))(t)
				testkit.Equal(t, testkit.Must(testkit.Must(AVX512.New(setup))(t).Games(nil, series))(t), want,
					"%d pieces", pieces)
				for w := got; w <= plain16; w++ {
					got := testkit.Must(newGame(setup, form.Both(setup), w).Games(nil, series))(t)
					testkit.Equal(t, got, want, "%d pieces, width %d", pieces, w)
				}
			}
		})
	}
}
