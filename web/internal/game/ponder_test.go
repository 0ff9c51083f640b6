package game

import (
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/play"
)

// A player ponders on a person's time in the seat that it made its last move in, until it has to
// choose, another player ponders, or the roster is closed.
func TestRosterPonders(t *testing.T) {
	r := &Roster{Ponders: true}
	p := board.StartPosition(board.MaxPieces)
	turn := &play.Turn{Position: p, Roll: 2, Moves: p.Moves(nil, 2)}
	choose := func(name string) {
		if _, err := (guest{r, rules.Finkel(), name}).Choose(t.Context(), turn); err != nil {
			t.Fatal(err)
		}
	}
	begin := func(name string) {
		t.Helper()
		for range 1000 { // the pool of seats may forget one
			choose(name)
			guest{r, rules.Finkel(), name}.Ponder(t.Context(), turn)
			if r.pondering != nil && r.pondering.player == r.players[name] {
				return
			}
		}
		t.Fatalf("%s does not ponder", name)
	}
	begin("search:depth=2")
	choose("search:depth=2")
	if r.pondering != nil {
		t.Error("a player ponders that has to choose")
	}
	begin("search:depth=2")
	begin("search:depth=3")
	choose("search:depth=2")
	if r.pondering == nil {
		t.Error("a player does not ponder any longer since another one chose")
	}
	guest{r, rules.Finkel(), "greedy"}.Ponder(t.Context(), turn)
	if r.pondering != nil {
		t.Error("a player without search ponders")
	}
	begin("search:depth=3")
	r.Close()
	if r.pondering != nil {
		t.Error("a player ponders in a roster that is closed")
	}
	guest{r, rules.Finkel(), "search:depth=3"}.Ponder(t.Context(), turn)
	if r.pondering != nil {
		t.Error("a player begins to ponder in a roster that is closed")
	}
	quiet := &Roster{}
	guest{quiet, rules.Finkel(), "search:depth=2"}.Ponder(t.Context(), turn)
	if quiet.pondering != nil {
		t.Error("a player ponders where none should")
	}
}
