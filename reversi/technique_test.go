package reversi

import (
	"testing"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/search"
)

// Every technique can be left out, and its search is another one.
func TestTechniques(t *testing.T) {
	game := NewMidgame(learned(t))
	middle, err := board.ParseRecord(board.StartPosition(), "f5d6c3d3c4f4f6g5e3f3g6e2")
	if err != nil {
		t.Fatal(err)
	}
	nodes := func(technique string) uint64 {
		table, err := search.NewTable(1<<20, search.Buckets)
		if err != nil {
			t.Fatal(err)
		}
		o := DefaultSearch()
		o.Table = table
		if technique != "" {
			if err := Without(&o, technique); err != nil {
				t.Fatal(err)
			}
		}
		s, err := search.New[State](game, o)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Search(t.Context(), game.State(middle.End().Board), search.Limits{Depth: 7})
		if err != nil || r.Depth != 7 {
			t.Fatalf("without %q: depth %d, %v", technique, r.Depth, err)
		}
		return r.Nodes
	}
	all := nodes("")
	for _, technique := range Techniques() {
		if n := nodes(technique); n == all {
			t.Errorf("without %s the search visits the same %d positions", technique, n)
		}
	}
	if err := Without(new(search.Options), "luck"); err == nil {
		t.Error("an unknown technique can be left out")
	}
}
