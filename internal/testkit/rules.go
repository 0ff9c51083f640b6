package testkit

import (
	"testing"

	"github.com/seed-09dcdc84/ur/board"
)

// Rules returns a built-in rule set by its name: its place in the list may change.
func Rules(t testing.TB, name string) *board.Rules {
	t.Helper()
	r, err := board.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
