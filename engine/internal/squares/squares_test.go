package squares

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine/form"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// here returns the engine of this CPU, and skips the test where there is none.
func here(t *testing.T) engine {
	t.Helper()
	for _, e := range []ur.Engine{AVX2, NEON} {
		if e != nil && ur.Available(e) == nil {
			return e.(engine)
		}
	}
	t.Skip("no engine of this build can run here")
	return engine{}
}

// oracle returns the game of the engine that every other must equal.
func oracle(t *testing.T, s ur.Setup) ur.Game { return testkit.Must(ur.Array16Scalar.New(s))(t) }

// Every width must play every pair of brains whose candidates fit it, and the engine
// any at all.
func TestSquaresWidths(t *testing.T) {
	e := here(t)
	rng := rand.New(rand.NewPCG(4, 4))
	random := func(limit int) *ur.Brain {
		b := new(ur.Brain)
		testkit.Fill(b[:], func() int16 { return int16(rng.IntN(2*limit+1) - limit) })
		return b
	}
	classic, large := ur.ClassicBrain(), random(30000)
	for _, test := range []struct {
		name        string
		light, dark *ur.Brain
		narrowest   width
	}{
		{"classic", classic, classic, packed},
		{"classic and small", classic, random(5), packed},
		{"middling", random(100), random(100), plain},
		{"classic and middling", classic, random(100), plain},
		{"large", random(5000), random(5000), tooWide},
		{"large and classic", random(5000), classic, tooWide},
		{"one large", large, large, tooWide},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, pieces := range []int{7, 4, 1} {
				setup := ur.Setup{Light: test.light, Dark: test.dark, Pieces: pieces, TurnLimit: 100_000}
				found := narrowest(form.Both(setup), pieces)
				testkit.FatalIf(t, found > test.narrowest || pieces == 7 && found != test.narrowest,
					"%d pieces: width %d, want %d", pieces, found, test.narrowest)
				series := ur.Series{Seed: 12, First: 7, Step: 3, N: 75}
				want := testkit.Must(oracle(t, setup).Games(nil, series))(t)
				testkit.Equal(t, testkit.Must(testkit.Must(e.New(setup))(t).Games(nil, series))(t), want, "%d pieces", pieces)
				for w := test.narrowest; w < tooWide; w++ {
					got := testkit.Must(newGames(setup, form.Both(setup), w, e.kernels[w]).Games(nil, series))(t)
					testkit.Equal(t, got, want, "%d pieces, width %d", pieces, w)
				}
			}
		})
	}
}

// At the bounds between the widths every candidate must still fit: brains of few
// weights, scaled until they reach them.
func TestSquaresWidthsAtTheirBounds(t *testing.T) {
	e := here(t)
	rng := rand.New(rand.NewPCG(5, 5))
	for range testkit.Trials(80, 200) {
		pieces := 1 + rng.IntN(board.FinkelPieces)
		b := new(ur.Brain)
		for range 6 {
			b[rng.IntN(ur.Weights)] = int16(1 - 2*rng.IntN(2))
		}
		setup := ur.Setup{Light: b, Dark: b, Pieces: pieces, TurnLimit: 5000}
		largest := max(1, form.CandidateBound(form.Both(setup), pieces))
		for w, limit := range []int{1<<10 - 1, 1<<15 - 2} {
			scaled := *b
			for k := range scaled {
				scaled[k] *= int16(limit / largest)
			}
			setup.Light, setup.Dark = &scaled, &scaled
			found := narrowest(form.Both(setup), pieces)
			testkit.FatalIf(t, found > width(w), "a bound of at most %d is taken for width %d", limit, found)
			series := ur.Series{Seed: rng.Uint64(), N: 3}
			want, wantErr := oracle(t, setup).Games(nil, series)
			got, err := newGames(setup, form.Both(setup), width(w), e.kernels[w]).Games(nil, series)
			testkit.FatalIf(t, (err == nil) != (wantErr == nil) || got != want,
				"width %d, %d pieces, brain %v: %+v, %v; oracle %+v, %v", w, pieces, scaled, got, err, want, wantErr)
		}
	}
}

// The kernels must keep to their state, their tables and the winners, on whichever side of
// them a page cannot be touched.
func TestKernelsStopAtGuardPages(t *testing.T) {
	e := here(t)
	const n = 90
	series := ur.Series{Seed: 3, N: n}
	for _, dark := range []*ur.Brain{ur.ClassicBrain(), new(ur.Brain)} {
		setup := ur.Setup{Light: ur.ClassicBrain(), Dark: dark, Pieces: board.FinkelPieces,
			TurnLimit: ur.DefaultTurnLimit}
		want := make([]board.Side, n)
		tally := testkit.Must(oracle(t, setup).Games(want, series))(t)
		for _, atEnd := range []bool{false, true} {
			for w := packed; w < tooWide; w++ {
				g := newGames(setup, form.Both(setup), w, e.kernels[w])
				state, tables := testkit.Guarded[state](t, atEnd), testkit.Guarded[tables](t, atEnd)
				winners := testkit.Guarded[[n]board.Side](t, atEnd)
				before := *g.tables
				*tables = before
				g.state, g.tables = state, tables
				for _, n := range []int{0, 1, 15, 16, 17} {
					testkit.Must(g.Games(nil, ur.Series{Seed: 2, N: n}))(t)
				}
				testkit.Equal(t, testkit.Must(g.Games(nil, series))(t), tally, "width %d", w)
				testkit.ErrorIf(t, *tables != before, "width %d: the tables were written", w)
				testkit.Equal(t, testkit.Must(g.Games(winners[:], series))(t), tally, "width %d, with winners", w)
				testkit.Equal(t, winners[:], want, "width %d: winners", w)
			}
		}
	}
}
