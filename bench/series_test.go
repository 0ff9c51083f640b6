package bench

import (
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
)

// defaultSignature is that of the work behind everything published. It changes only
// with the rules, the classic brain or the work, and then no figure may be compared
// with an older one.
const defaultSignature = "180127dcdd2e39bd"

func TestSignatureOfTheDefaultWork(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector")
	}
	w, err := defaultWorkload()
	if err != nil {
		t.Fatal(err)
	}
	if w.Signature != defaultSignature {
		t.Errorf("signature %s, want %s", w.Signature, defaultSignature)
	}
}

// A workload lets the oracle play only the first games. Here it plays all.
func TestOracleAgreesOnAllGames(t *testing.T) {
	if testing.Short() {
		t.Skip("the oracle takes seconds")
	}
	w, err := defaultWorkload()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []series{w.games, w.match} {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			oracle, err := engine.Oracle().New(s.setup())
			if err != nil {
				t.Fatal(err)
			}
			tally, err := oracle.Games(nil, games(w.Size.Games))
			if err != nil {
				t.Fatal(err)
			}
			if tally != s.all {
				t.Errorf("the oracle has the tally %+v, the workload %+v", tally, s.all)
			}
		})
	}
}

// The candidates of whole games are counted as those of single turns are.
func TestCandidatesOfWholeGames(t *testing.T) {
	w, err := NewWorkload(Size{Positions: 1, TurnGames: 5, Games: 5, FirstGames: 1})
	if err != nil {
		t.Fatal(err)
	}
	if int64(w.Candidates) != w.games.candidates || int64(w.Turns) != w.games.all.Turns {
		t.Errorf("%d candidates in %d turns one by one, %d in %d in whole games",
			w.Candidates, w.Turns, w.games.candidates, w.games.all.Turns)
	}
}

func TestBrainsOfAMatchDiffer(t *testing.T) {
	w := testWorkload(t)
	changed := 0
	for i, weight := range w.Brain {
		switch w.Other[i] - weight {
		case 0:
		case 1, -1:
			changed++
			if weight == 0 {
				t.Errorf("weight %d is no longer 0", i)
			}
		default:
			t.Errorf("weight %d is %d, was %d", i, w.Other[i], weight)
		}
	}
	if changed < 10 || w.games.all == w.match.all {
		t.Errorf("%d weights differ, tallies %+v and %+v: want other games", changed, w.games.all, w.match.all)
	}
	if *variation(w.Brain, 1) != *w.Other || *variation(w.Brain, 2) == *w.Other {
		t.Error("the variation does not follow from the seed")
	}
	if a, b := w.games.meanTurns(), w.match.meanTurns(); a < 0.7*b || b < 0.7*a {
		t.Errorf("games of %.0f and of %.0f turns: want about the same", a, b)
	}
}

// sideBySide is the oracle, which says that it plays games side by side.
type sideBySide struct{ ur.Engine }

func (sideBySide) Name() string { return "array16/batch" }
func (sideBySide) Lanes() int   { return 32 }

func TestTurnsOfBatchesAreWholeGames(t *testing.T) {
	w := testWorkload(t)
	c, err := NewCase(w, sideBySide{engine.Oracle()}, Turn)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(); err != nil {
		t.Error(err)
	}
	if got, want := c.perPass(), float64(w.games.all.Turns); got != want {
		t.Errorf("%v turns a pass, want %v", got, want)
	}
	if got, want := c.candidatesPerTurn(), float64(w.games.candidates)/float64(w.games.all.Turns); got != want {
		t.Errorf("%v candidates a turn, want %v", got, want)
	}
	wrong := sideBySide{wrongEngine{engine.Oracle()}}
	if c, err = NewCase(w, wrong, Turn); err != nil {
		t.Fatal(err)
	}
	if err := c.Check(); err == nil {
		t.Error("wrong games pass for right turns")
	}
}

// Engines that play all games and engines that play the first ones report the time
// of the same game: that of the mean length.
func TestGamesAreOfMeanLength(t *testing.T) {
	w := testWorkload(t)
	for _, level := range []Level{Game, Match} {
		for _, e := range []ur.Engine{engine.Oracle(), sideBySide{engine.Oracle()}} {
			c, err := NewCase(w, e, level)
			if err != nil {
				t.Fatal(err)
			}
			played, tally := c.games()
			if want := map[bool]int{false: w.Size.FirstGames, true: w.Size.Games}[c.lanes > 0]; played.N != want || tally.Games != int64(want) {
				t.Errorf("%s: %d games, tally of %d; want %d", c.Name(), played.N, tally.Games, want)
			}
			if got, want := c.perPass()*c.series().meanTurns(), float64(tally.Turns); got < want*0.999 || got > want*1.001 {
				t.Errorf("%s: %v games of mean length have %v turns, want %v", c.Name(), c.perPass(), got, want)
			}
		}
	}
}
