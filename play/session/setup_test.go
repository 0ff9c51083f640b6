package session

import (
	"reflect"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play/record"
)

// A record that does not know its dice keeps the rolls that fell, and goes on.
func TestLoadWithoutDice(t *testing.T) {
	s := begin(t, Setup{Players: [2]string{Person, Person}, Seed: 3})
	for range 10 {
		advanceTest(t, s)
	}
	g := s.Record()
	g.Dice = nil
	again := testkit.Must(Load(t.Context(), g, Setup{Seed: 99}))(t)
	if _, known := again.Dice(); known {
		t.Error("dice come from nowhere")
	}
	for again.Undo() {
	}
	for range 10 {
		if got, want := again.Turn().Roll, board.Finkel().Roll(3, 0, uint64(again.Turn().Number)); got != want {
			t.Fatalf("turn %d has a %d, it fell as %d", again.Turn().Number, got, want)
		}
		advanceTest(t, again)
	}
	if got, want := again.Turn().Roll, board.Finkel().Roll(99, 0, 10); got != want {
		t.Errorf("the game goes on with a %d, want %d", got, want)
	}
}

// Rolls of another source reach every turn, also after an undo, and the record has no dice. An
// abandoned game is over without a winner.
func TestRollsOfAnotherSource(t *testing.T) {
	rolls := func(turn int) int { return 1 + turn%4 }
	s := begin(t, Setup{Players: [2]string{Person, Person}, Rolls: rolls})
	for range 30 {
		if got, want := s.Turn().Roll, rolls(s.Turn().Number); got != want {
			t.Fatalf("turn %d has a %d, want %d", s.Turn().Number, got, want)
		}
		advanceTest(t, s)
	}
	s.Undo()
	if got, want := s.Turn().Roll, rolls(s.Turn().Number); got != want {
		t.Errorf("after an undo turn %d has a %d, want %d", s.Turn().Number, got, want)
	}
	if s.Abandon(); s.Phase() != Over || s.Result() != record.Abandoned {
		t.Errorf("phase %v, result %v", s.Phase(), s.Result())
	}
	g := s.Record()
	if _, err := g.Replay(nil); err != nil || g.Dice != nil {
		t.Errorf("record with dice %v: %v", g.Dice, err)
	}
}

func TestBadSetups(t *testing.T) {
	for _, test := range []struct {
		setup Setup
		want  string
	}{
		{Setup{Players: [2]string{Person, Person}, Pieces: 8}, "must be 1 to 7, got 8"},
		{Setup{Players: [2]string{Person, "nobody"}}, `dark: unknown player "nobody"`},
		{Setup{Players: [2]string{"", Person}}, `light: unknown player ""`},
	} {
		if _, err := New(t.Context(), test.setup); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %q", test.setup, err, test.want)
		}
	}
	s := begin(t, Setup{Players: [2]string{Person, "greedy"}})
	if err := setPlayer(t.Context(), s, board.Dark, "nobody"); err == nil || s.Players()[1] != "greedy" {
		t.Errorf("%v, and %s sits there", err, s.Players()[1])
	}
}

// Again is the next game of the seed.
func TestAgain(t *testing.T) {
	s := begin(t, Setup{Players: [2]string{Person, "greedy"}, Seed: 5, Pieces: 3})
	again := testkit.Must(s.Again(t.Context(), true))(t)
	if again.Players() != [2]string{"greedy", Person} || again.Turn().Roll != board.Finkel().Roll(5, 1, 0) ||
		again.setup.Pieces != 3 {
		t.Errorf("%+v, a %d", again.setup, again.Turn().Roll)
	}
}

// A saved game remembers that hints are shown; its record does not.
func TestHintsAreKept(t *testing.T) {
	s := begin(t, Setup{Players: [2]string{Person, Person}})
	s.ShowHints(true)
	for _, test := range []struct {
		game *record.Game
		want bool
	}{{s.Snapshot(), true}, {s.Record(), false}} {
		again, err := Load(t.Context(), test.game, Setup{})
		if err != nil || again.Setup().Hints != test.want || !reflect.DeepEqual(again.Record(), s.Record()) {
			t.Errorf("hints %v, want %v (%v)", again.Setup().Hints, test.want, err)
		}
	}
}
