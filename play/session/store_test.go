package session

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/play/record"
)

// newKept keeps a game, or fails.
func newKept(t *testing.T, st Store, begun time.Time, s *Session) *SavedGame {
	t.Helper()
	k, err := st.New(begun)
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Save(s.Record()); err != nil {
		t.Fatal(err)
	}
	return k
}

// list returns the games that wait.
func list(t *testing.T, st Store) []Saved {
	t.Helper()
	games, err := st.List()
	if err != nil {
		t.Fatal(err)
	}
	return games
}

// A game that is kept is found again as it was, by one at a time, until it is forgotten.
func TestStore(t *testing.T) {
	st := Store{Folder: filepath.Join(t.TempDir(), "a", "games")}
	if games := list(t, st); len(games) != 0 {
		t.Errorf("an empty store has %v", games)
	}
	s := begin(t, Setup{Players: [2]string{Person, "greedy"}, Seed: 4})
	begun := time.Now()
	k := newKept(t, st, begun, s)
	advanceTest(t, s)
	if err := k.Save(s.Record()); err != nil {
		t.Fatal(err)
	}
	if games := list(t, st); len(games) != 0 {
		t.Error("a game that is played is offered")
	}
	other := newKept(t, st, begun, s) // at the same time: a name of its own
	if other.name == k.name {
		t.Error("two games in one file")
	}
	if err := other.Forget(); err != nil {
		t.Error(err)
	}
	for _, k := range []*SavedGame{other, k} {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	}
	games := list(t, st)
	if len(games) != 1 || !reflect.DeepEqual(games[0].Game, s.Record()) {
		t.Fatalf("there are %+v", games)
	}
	opened, g, err := st.Open(games[0].File)
	if err != nil || !reflect.DeepEqual(g, s.Record()) {
		t.Fatalf("%+v, %v", g, err)
	}
	if _, _, err := st.Open(games[0].File); err == nil {
		t.Error("two play the same game")
	}
	if err := opened.Close(); err != nil {
		t.Error(err)
	}
	if rest, _ := filepath.Glob(filepath.Join(st.Folder, "*")); len(rest) != 1 {
		t.Errorf("there are %q", rest)
	}
}

// A game that cannot be saved removes no other.
func TestUnsavedGameMakesNoRoom(t *testing.T) {
	st := Store{Folder: t.TempDir(), Most: 1}
	s := begin(t, Setup{Players: [2]string{Person, Person}})
	if err := newKept(t, st, time.Unix(0, 0), s).Close(); err != nil {
		t.Fatal(err)
	}
	k, err := st.New(time.Unix(1, 0))
	if err != nil {
		t.Fatal(err)
	}
	if k.Save(&record.Game{}) == nil || st.Finish(&record.Game{}, time.Unix(2, 0)) == nil {
		t.Error("a game without rules is saved")
	}
	if games := list(t, st); len(games) != 1 {
		t.Errorf("there are %+v", games)
	}
	over := s.Record()
	over.Result = record.DarkResigned
	if err := st.Finish(over, time.Unix(2, 0)); err != nil {
		t.Error(err)
	}
	if games := list(t, st); len(games) != 1 || games[0].Game.Result != over.Result {
		t.Errorf("there are %+v", games)
	}
}

// The oldest games make room, and a file that is no game harms none.
func TestStoreMakesRoom(t *testing.T) {
	st := Store{Folder: t.TempDir(), Most: 3}
	s := begin(t, Setup{Players: [2]string{Person, Person}})
	for i := range 6 {
		k := newKept(t, st, time.Unix(int64(i), 0), s)
		old := time.Unix(int64(1000+i), 0)
		if err := os.Chtimes(k.name, old, old); err != nil {
			t.Fatal(err)
		}
		if err := k.Close(); err != nil {
			t.Fatal(err)
		}
	}
	bad := filepath.Join(st.Folder, "bad.jsonl")
	if err := os.WriteFile(bad, []byte("{}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	games := list(t, st)
	if len(games) != 4 || games[0].Fault == nil || games[0].Game != nil {
		t.Fatalf("there are %+v", games)
	}
	for i, g := range games[1:] {
		if want := time.Unix(int64(1005-i), 0); !g.Time.Equal(want) {
			t.Errorf("game %d was saved at %v, want %v", i, g.Time, want)
		}
	}
	if _, _, err := st.Open(bad); err == nil {
		t.Error("no game is opened")
	}
}
