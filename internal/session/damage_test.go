package session

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/damage"
)

// A damaged game of a store is passed over, or it is the same game.
func TestDamagedSavedGames(t *testing.T) {
	st := Store{Folder: t.TempDir()}
	s := begin(t, Setup{Players: [2]string{Person, "greedy"}, Seed: 4})
	advanceTest(t, s)
	k := newKept(t, st, time.Unix(0, 0), s)
	if err := k.Close(); err != nil {
		t.Fatal(err)
	}
	want := s.Record()
	file, err := os.ReadFile(k.File())
	if err != nil {
		t.Fatal(err)
	}
	damage.Try(t, "saved game", file, func(data []byte) damage.Outcome {
		if err := os.WriteFile(filepath.Clean(k.File()), data, 0o666); err != nil {
			t.Fatal(err)
		}
		games := list(t, st)
		switch {
		case len(games) != 1:
			t.Fatalf("there are %+v", games)
		case games[0].Fault != nil:
			return damage.Refused
		case games[0].Unhashed:
			return damage.Reported
		case !reflect.DeepEqual(games[0].Game, want):
			return damage.Changed
		}
		return damage.Same
	})
}
