package session

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
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
	file, err := os.ReadFile(k.name)
	if err != nil {
		t.Fatal(err)
	}
	testkit.TryDamage(t, "saved game", file, func(data []byte) testkit.Outcome {
		if err := os.WriteFile(filepath.Clean(k.name), data, 0o666); err != nil {
			t.Fatal(err)
		}
		games := list(t, st)
		switch {
		case len(games) != 1:
			t.Fatalf("there are %+v", games)
		case games[0].Fault != nil:
			return testkit.Refused
		case !reflect.DeepEqual(games[0].Game, want):
			return testkit.Changed
		}
		return testkit.Same
	})
}
