package engine

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// forEachEngine runs a test body on every registered engine. One that this CPU
// cannot run is skipped, unless UR_REQUIRE asks for its tier.
func forEachEngine(t *testing.T, body func(t *testing.T, e ur.Engine)) {
	for _, e := range All() {
		t.Run(e.Name(), func(t *testing.T) {
			testkit.SkipOn(t, ur.Available(e))
			body(t, e)
		})
	}
}

func newGame(t testing.TB, e ur.Engine, s ur.Setup) ur.Game {
	t.Helper()
	return testkit.Must(e.New(s))(t)
}

func TestRequiredTiersAreHere(t *testing.T) { testkit.NoError(t, CheckRequired()) }

// TestConformance compares every engine with the oracle.
func TestConformance(t *testing.T) {
	for seed := range uint64(testkit.Trials(1, 10)) {
		o := VerifyOptions{Seed: seed, Positions: testkit.Trials(10, 50), Games: testkit.Trials(10, 200)}
		v := testkit.Must(NewVerifier(context.Background(), o))(t)
		forEachEngine(t, func(t *testing.T, e ur.Engine) {
			report := testkit.Must(v.Verify(context.Background(), e))(t)
			testkit.ErrorIf(t, report.Values == 0 || report.Turns == 0 || report.Games == 0,
				"nothing was compared: %+v", report)
		})
	}
}

// signatures are the tallies of the first games of seed 1 between two classic brains, by the number of games. They
// were played by the oracle, and must not change.
var signatures = map[int]ur.Tally{
	100_000: {Games: 100_000, Wins: [2]int64{51_735, 48_265}, Turns: 18_271_662, Moves: 16_809_847,
		Captures: 2_364_553, Rosettes: 3_313_517, Passes: 1_461_815},
	10_000: {Games: 10_000, Wins: [2]int64{5_119, 4_881}, Turns: 1_826_434, Moves: 1_681_147,
		Captures: 236_904, Rosettes: 331_109, Passes: 145_287},
	2_000: {Games: 2_000, Wins: [2]int64{1_034, 966}, Turns: 363_139, Moves: 334_307,
		Captures: 46_955, Rosettes: 66_001, Passes: 28_832},
	500: {Games: 500, Wins: [2]int64{260, 240}, Turns: 90_702, Moves: 83_472,
		Captures: 11_644, Rosettes: 16_494, Passes: 7_230},
}

// whole makes every engine play all games, which takes a minute.
var whole = flag.Bool("whole", false, "play 100,000 games on every engine, not the first 500, 2,000 or 10,000")

// seriesOf returns the number of games that an engine plays.
func seriesOf(e ur.Engine) (games int) {
	_, batch := e.(ur.Batch)
	switch {
	case *whole:
		return 100_000
	case batch && testkit.Long():
		return 10_000
	case testkit.Long():
		return 2_000
	}
	return 500
}

func TestHundredThousandGamesGiveOneTally(t *testing.T) {
	testkit.SkipIf(t, testing.Short(), "plays up to 100,000 games on every engine")
	forEachEngine(t, func(t *testing.T, e ur.Engine) {
		t.Parallel()
		games := seriesOf(e)
		got := testkit.Must(newGame(t, e, ur.Setup{Light: ur.ClassicBrain(), Dark: ur.ClassicBrain()}).Games(nil,
			ur.Series{Seed: 1, N: games}))(t)
		testkit.Equal(t, got, signatures[games], "tally")
	})
}

// vectors are boards, rolls, futures and values made by an independent C++
// implementation.
type vectors struct {
	Brains [][ur.Weights]int16
	Cases  []struct {
		Board   [board.Numbers]int
		Roll    int
		Futures []struct {
			Board  [board.Numbers]int
			Values []int32 // by each brain
		}
	}
}

func readVectors(t *testing.T) vectors {
	t.Helper()
	var v vectors
	testkit.NoError(t, json.Unmarshal([]byte(testkit.ReadText(t, "testdata/getvalue.json")), &v))
	testkit.MustEqual(t, []int{len(v.Brains), len(v.Cases)}, []int{3, 400}, "brains and cases")
	return v
}

func TestVectorsOfAnotherImplementation(t *testing.T) {
	v := readVectors(t)
	forEachEngine(t, func(t *testing.T, e ur.Engine) {
		for k := range v.Brains {
			brain := ur.Brain(v.Brains[k])
			g := newGame(t, e, ur.Setup{Light: &brain, Dark: &brain})
			for i, c := range v.Cases {
				p, err := board.FromNumbers(c.Board)
				testkit.MustEqual(t, err, nil, "case %d", i)
				g.Set(p)
				futures := g.Futures(nil, c.Roll)
				testkit.MustEqual(t, len(futures), len(c.Futures), "case %d", i)
				var after []board.Position
				for j, f := range futures {
					want := c.Futures[j]
					testkit.FatalIf(t, f.Position.Numbers() != want.Board || f.Value != want.Values[k],
						"case %d, brain %d: future %d is %v of value %d, want %v of %d", i, k, j, f.Position.Numbers(),
						f.Value, want.Board, want.Values[k])
					after = append(after, f.Position)
				}
				g.Load(after)
				values := make([]int32, len(after))
				g.Values(values, board.Light)
				for j, got := range values {
					testkit.MustEqual(t, got, c.Futures[j].Values[k], "case %d, brain %d: value of future %d", i, k, j)
				}
			}
		}
	})
}

// Games carried out turn by turn through Set and Play must be the games that Games
// plays.
func TestPlayAndGamesAgree(t *testing.T) {
	light, dark := ur.ClassicBrain(), new(ur.Brain)
	forEachEngine(t, func(t *testing.T, e ur.Engine) {
		g := newGame(t, e, ur.Setup{Light: light, Dark: dark, Pieces: 5})
		const games = 40
		var want ur.Tally
		for number := range uint64(games) {
			dice := board.Finkel().Dice(3, number)
			p := board.StartPosition(5)
			g.Set(p)
			for over := false; !over; {
				want.Turns++
				roll := dice.Roll()
				side := p.Turn()
				move, moved := g.Play(roll)
				if !moved {
					want.Passes++
					p = p.Pass()
					continue
				}
				want.AddMove(move)
				p = board.Finkel().Apply(p, move)
				if _, over = p.Winner(); over {
					want.Wins[side]++
					want.Games++
				}
			}
			_, moved := g.Play(1)
			testkit.FatalIf(t, moved || len(g.Futures(nil, 1)) != 0, "a finished game goes on")
		}
		got := testkit.Must(g.Games(nil, ur.Series{Seed: 3, N: games}))(t)
		testkit.Equal(t, got, want, "the tally of Games")
	})
}

func TestSetupIsChecked(t *testing.T) {
	brain := ur.ClassicBrain()
	forEachEngine(t, func(t *testing.T, e ur.Engine) {
		for _, s := range []ur.Setup{
			{},
			{Light: brain},
			{Light: brain, Dark: brain, Pieces: 8},
			{Light: brain, Dark: brain, Pieces: -1},
			{Light: brain, Dark: brain, TurnLimit: -1},
			{Light: brain, Dark: brain, TurnLimit: ur.DefaultTurnLimit + 1},
		} {
			testkit.WantError(t, testkit.ErrorOf(e.New(s)), "", "setup %+v", s)
		}
	})
}

func TestList(t *testing.T) {
	testkit.Equal(t, All()[0].Name(), OracleName, "the first engine")
	testkit.Equal(t, Oracle().Name(), OracleName, "the oracle")
	testkit.NoError(t, ur.Available(Oracle()))
	testkit.NoError(t, ur.Available(Fastest()))
	testkit.WantError(t, testkit.ErrorOf(Lookup("array16/typo")), "", "an unknown engine is found")
	for i, e := range All() {
		testkit.NoError(t, checkName(e.Name()))
		testkit.ErrorIf(t, slices.ContainsFunc(All()[:i], named(e.Name())), "two engines have the name %q", e.Name())
	}
}

func TestRegisterSaysWhatIsWrong(t *testing.T) {
	before := len(All())
	for want, e := range map[string]ur.Engine{
		"nil (want an engine)":             nil,
		"already registered":               Oracle(),
		`"noslash": invalid`:               namedEngine("noslash"),
		`"/x": invalid`:                    namedEngine("/x"),
		`"a/b/c": invalid`:                 namedEngine("a/b/c"),
		"invalid character '=' at byte 3":  namedEngine("a/b=c"),
		`invalid character '\n' at byte 3`: namedEngine("a/b\n"),
	} {
		testkit.WantError(t, Register(e), want, "Register")
	}
	testkit.Equal(t, len(All()), before, "engines in the list, without refused ones")
}

type namedEngine string

func (e namedEngine) Name() string                { return string(e) }
func (namedEngine) Needs() []ur.Feature           { return nil }
func (namedEngine) New(ur.Setup) (ur.Game, error) { return nil, errors.New("not an engine") }

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
	tally := testkit.Must(gameByGame(g, want, series))(t)
	testkit.Equal(t, testkit.Must(g.Games(got, series))(t), tally, "the tally of all games, not game by game")
	testkit.Equal(t, got, want, "winners")
	testkit.ErrorIf(t, tally.Wins[board.Light] < 10 || tally.Wins[board.Dark] < 10,
		"wins %v, want 10 or more of both", tally.Wins)
}

// A slice that is too short is a mistake of the caller's that must not write beyond it.
func TestWinnersFail(t *testing.T) {
	forEachEngine(t, func(t *testing.T, e ur.Engine) {
		g := newGame(t, e, ur.Setup{Light: ur.ClassicBrain(), Dark: new(ur.Brain)})
		defer func() { testkit.ErrorIf(t, recover() == nil, "too short a slice is accepted") }()
		g.Games(make([]board.Side, 3), ur.Series{N: 4})
	})
}

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
			testkit.Fill(b[:], func() int16 { return int16(rng.IntN(2*most+1) - most) })
			return b
		}
		setup := ur.Setup{Light: draw(lightLimit), Dark: draw(darkLimit), Pieces: 1 + int(pieces%board.FinkelPieces),
			TurnLimit: 3000}
		if seed%3 == 0 {
			setup.Dark = setup.Light
		}
		positions := make([]board.Position, n%71)
		testkit.Fill(positions, func() board.Position { return board.Finkel().Random(rng, setup.Pieces) })
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
					testkit.MustEqual(t, values[i], brain.Value(p), "%s: value of %v", e.Name(), p.Numbers())
				}
			}
			got, err := g.Games(nil, series)
			_, limit := errors.AsType[*ur.TurnLimitError](err)
			testkit.FatalIf(t, (err == nil) != (wantErr == nil) || err != nil && !limit, "%s: error %v, oracle %v",
				e.Name(), err, wantErr)
			testkit.FatalIf(t, err == nil && got != want, "%s: tally %+v, oracle %+v", e.Name(), got, want)
		}
	})
}
