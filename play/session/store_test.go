package session

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
)

// newKept keeps a game, or fails.
func newKept(t *testing.T, st Store, begun time.Time, s *Session) *SavedGame {
	t.Helper()
	k := testkit.Must(st.New(begun))(t)
	testkit.NoError(t, k.Save(s.Record()))
	return k
}

// list returns the games that wait.
func list(t *testing.T, st Store) []Saved {
	t.Helper()
	return testkit.Must(st.List())(t)
}

// A game that is kept is found again as it was, by one at a time, until it is forgotten.
func TestStore(t *testing.T) {
	st := Store{Folder: filepath.Join(t.TempDir(), "a", "games")}
	testkit.Equal(t, len(list(t, st)), 0, "games of an empty store")
	s := begin(t, Setup{Players: [2]string{Person, "greedy"}, Seed: 4})
	begun := time.Now()
	k := newKept(t, st, begun, s)
	advanceTest(t, s)
	testkit.NoError(t, k.Save(s.Record()))
	testkit.Equal(t, len(list(t, st)), 0, "games that nobody plays")
	other := newKept(t, st, begun, s) // at the same time: a name of its own
	testkit.ErrorIf(t, other.name == k.name, "two games in one file")
	testkit.NoError(t, other.Forget())
	for _, k := range []*SavedGame{other, k} {
		testkit.NoError(t, k.Close())
	}
	games := list(t, st)
	testkit.MustEqual(t, len(games), 1, "games")
	testkit.MustEqual(t, games[0].Game, s.Record(), "the game of the list")
	opened, g, err := st.Open(games[0].File)
	testkit.NoError(t, err)
	testkit.MustEqual(t, g, s.Record(), "the opened game")
	_, _, err = st.Open(games[0].File)
	testkit.WantError(t, err, "", "two play the same game")
	testkit.NoError(t, opened.Close())
	rest, _ := filepath.Glob(filepath.Join(st.Folder, "*"))
	testkit.Equal(t, len(rest), 1, "files: %q", rest)
}

// A game that cannot be saved removes no other.
func TestUnsavedGameMakesNoRoom(t *testing.T) {
	st := Store{Folder: t.TempDir(), Most: 1}
	s := begin(t, Setup{Players: [2]string{Person, Person}})
	testkit.NoError(t, newKept(t, st, time.Unix(0, 0), s).Close())
	k := testkit.Must(st.New(time.Unix(1, 0)))(t)
	testkit.WantError(t, k.Save(&record.Game{}), "", "a game without rules is saved")
	testkit.WantError(t, st.Finish(&record.Game{}, time.Unix(2, 0)), "", "a game without rules is finished")
	testkit.Equal(t, len(list(t, st)), 1, "games")
	over := s.Record()
	over.Result = record.DarkResigned
	testkit.NoError(t, st.Finish(over, time.Unix(2, 0)))
	games := list(t, st)
	testkit.MustEqual(t, len(games), 1, "games: %+v", games)
	testkit.Equal(t, games[0].Game.Result, over.Result, "the result")
}

// The oldest games make room, and a file that is no game harms none.
func TestStoreMakesRoom(t *testing.T) {
	st := Store{Folder: t.TempDir(), Most: 3}
	s := begin(t, Setup{Players: [2]string{Person, Person}})
	for i := range 6 {
		k := newKept(t, st, time.Unix(int64(i), 0), s)
		old := time.Unix(int64(1000+i), 0)
		testkit.NoError(t, os.Chtimes(k.name, old, old))
		testkit.NoError(t, k.Close())
	}
	bad := filepath.Join(st.Folder, "bad.jsonl")
	testkit.WriteText(t, bad, "{}\n")
	games := list(t, st)
	testkit.FatalIf(t, len(games) != 4 || games[0].Fault == nil || games[0].Game != nil, "there are %+v", games)
	for i, g := range games[1:] {
		testkit.Equal(t, g.Time.Unix(), int64(1005-i), "second of game %d", i)
	}
	_, _, err := st.Open(bad)
	testkit.WantError(t, err, "", "opening what is no game")
}

// A damaged game of a store is passed over, or it is the same game.
func TestDamagedSavedGames(t *testing.T) {
	st := Store{Folder: t.TempDir()}
	s := begin(t, Setup{Players: [2]string{Person, "greedy"}, Seed: 4})
	advanceTest(t, s)
	k := newKept(t, st, time.Unix(0, 0), s)
	testkit.NoError(t, k.Close())
	testkit.TryDamage(t, "saved game", []byte(testkit.ReadText(t, k.name)), s.Record(), func(data []byte) (*record.Game, error) {
		testkit.WriteText(t, k.name, string(data))
		games := list(t, st)
		testkit.MustEqual(t, len(games), 1, "games")
		return games[0].Game, games[0].Fault
	})
}

// turnAt returns the turn of a position and roll.
func turnAt(p board.Position, roll int) *play.Turn {
	return &play.Turn{Rules: board.Finkel(), Position: p, Roll: roll, Moves: board.Finkel().Moves(nil, p, roll)}
}

// Every move can be typed by its number, by its notation as it is shown, and by the tile
// that it reaches.
func TestTyped(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		p := board.Finkel().Random(rng, 1+rng.IntN(board.FinkelPieces))
		for roll := range board.FinkelRoll + 1 {
			turn := turnAt(p, roll)
			for i, m := range turn.Moves {
				shown := board.Finkel().Notation(turn.Side(), m)
				bare := strings.TrimRight(shown, "x*")
				for _, typed := range []string{strconv.Itoa(i + 1), shown, bare, strings.ToLower(shown),
					" " + strings.ReplaceAll(bare, "-", " ") + " ", strings.Split(bare, "-")[1]} {
					if got, ok := Typed(turn, typed); !ok || got != i {
						t.Fatalf("%s, roll %d: %q is move %d, %v; want %d", board.Finkel().FormatPosition(p),
							roll, typed, got+1, ok, i+1)
					}
				}
			}
		}
	}
}

func TestTypedWrong(t *testing.T) {
	turn := turnAt(board.StartPosition(7), 2)
	for _, typed := range []string{"", "in"} { // Enter, and the hand
		got, ok := Typed(turn, typed)
		testkit.Equal(t, []any{got, ok}, []any{0, true}, "%q is move", typed)
	}
	for _, typed := range []string{"0", "2", "-1", "99999999999999999999", "x", "*", "-", "B4", "home",
		"A3A3", strings.Repeat("é", 100)} {
		got, ok := Typed(turn, typed)
		testkit.Equal(t, ok, false, "%q is move %d", typed, got)
	}
	turn.Moves = append(turn.Moves, board.Move{From: 1, To: 3})
	_, ok := Typed(turn, "")
	testkit.Equal(t, ok, false, "Enter chooses among two")
}

func FuzzTyped(f *testing.F) {
	f.Add("in-A3", uint64(1), 2)
	f.Add("7", uint64(2), 4)
	f.Fuzz(func(t *testing.T, typed string, seed uint64, roll int) {
		p := board.Finkel().Random(rand.New(rand.NewPCG(seed, 0)), 7)
		turn := turnAt(p, roll&3)
		got, ok := Typed(turn, typed)
		testkit.ErrorIf(t, ok && (got < 0 || got >= len(turn.Moves)), "move %d of %d", got, len(turn.Moves))
	})
}

// A record that does not know its dice keeps the rolls that fell, and goes on.
func TestLoadWithoutDice(t *testing.T) {
	s := begin(t, Setup{Players: [2]string{Person, Person}, Seed: 3})
	for range 10 {
		advanceTest(t, s)
	}
	g := s.Record()
	g.Dice = nil
	again := testkit.Must(Load(t.Context(), g, Setup{Seed: 99}))(t)
	_, known := again.Dice()
	testkit.Equal(t, known, false, "the dice are known")
	for again.Undo() {
	}
	for range 10 {
		testkit.MustEqual(t, again.Turn().Roll, board.Finkel().Roll(3, 0, uint64(again.Turn().Number)),
			"turn %d has a", again.Turn().Number)
		advanceTest(t, again)
	}
	testkit.Equal(t, again.Turn().Roll, board.Finkel().Roll(99, 0, 10), "the game goes on with a")
}

// Rolls of another source reach every turn, also after an undo, and the record has no dice. An
// abandoned game is over without a winner.
func TestRollsOfAnotherSource(t *testing.T) {
	rolls := func(turn int) int { return 1 + turn%4 }
	s := begin(t, Setup{Players: [2]string{Person, Person}, Rolls: rolls})
	for range 30 {
		testkit.MustEqual(t, s.Turn().Roll, rolls(s.Turn().Number), "turn %d has a", s.Turn().Number)
		advanceTest(t, s)
	}
	s.Undo()
	testkit.Equal(t, s.Turn().Roll, rolls(s.Turn().Number), "after an undo turn %d has a", s.Turn().Number)
	s.Abandon()
	testkit.Equal(t, []any{s.Phase(), s.Result()}, []any{Over, record.Abandoned}, "phase and result")
	g := s.Record()
	testkit.Must(g.Replay(nil))(t)
	testkit.Equal(t, g.Dice, nil, "the dice of the record")
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
		testkit.WantError(t, testkit.ErrorOf(New(t.Context(), test.setup)), test.want, "%+v", test.setup)
	}
	s := begin(t, Setup{Players: [2]string{Person, "greedy"}})
	testkit.WantError(t, setPlayer(t.Context(), s, board.Dark, "nobody"), "", "a player that is none")
	testkit.Equal(t, s.Players()[1], "greedy", "dark")
}

// Again is the next game of the seed.
func TestAgain(t *testing.T) {
	s := begin(t, Setup{Players: [2]string{Person, "greedy"}, Seed: 5, Pieces: 3})
	again := testkit.Must(s.Again(t.Context(), true))(t)
	testkit.Equal(t, []any{again.Players(), again.Turn().Roll, again.setup.Pieces},
		[]any{[2]string{"greedy", Person}, board.Finkel().Roll(5, 1, 0), 3}, "players, roll and pieces")
}

// A saved game remembers that hints are shown; its record does not.
func TestHintsAreKept(t *testing.T) {
	s := begin(t, Setup{Players: [2]string{Person, Person}})
	s.ShowHints(true)
	for want, game := range map[bool]*record.Game{true: s.Snapshot(), false: s.Record()} {
		again := testkit.Must(Load(t.Context(), game, Setup{}))(t)
		testkit.Equal(t, again.Setup().Hints, want, "hints")
		testkit.Equal(t, again.Record(), s.Record(), "the record with hints %v", want)
	}
}
