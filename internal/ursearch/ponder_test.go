package ursearch

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/search"
)

// A search after its opponent's turn was pondered over finds what a cold search does, and visits
// fewer nodes.
func TestPonderingSavesNodes(t *testing.T) {
	newSearcher := func() *Searcher {
		table, err := search.NewTable(1<<20, search.Buckets)
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(Config{Pieces: board.MaxPieces, Options: search.Options{Table: table, Static: true}})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	warm := newSearcher()
	random := rand.New(rand.NewPCG(5, 6))
	const depth = 3
	var with, without uint64
	for range 30 {
		p := board.RandomPosition(random, board.MaxPieces)
		roll, reply := 1+random.IntN(board.MaxRoll), 1+random.IntN(board.MaxRoll)
		moves := p.Moves(nil, roll)
		if len(moves) == 0 {
			continue
		}
		thought := warm.Ponder(t.Context(), p, roll, search.Limits{Depth: depth + 1})
		if _, err := thought.Wait(); err != nil {
			t.Fatal(err)
		}
		p = p.Apply(moves[random.IntN(len(moves))])
		if _, over := p.Winner(); over {
			continue
		}
		got, err := warm.Search(t.Context(), p, reply, search.Limits{Depth: depth})
		if err != nil {
			t.Fatal(err)
		}
		want, err := newSearcher().Search(t.Context(), p, reply, search.Limits{Depth: depth})
		if err != nil {
			t.Fatal(err)
		}
		if got.Best != want.Best || got.Value != want.Value {
			t.Errorf("%s, roll %d: after pondering move %d worth %d, cold %d worth %d", p, reply, got.Best, got.Value, want.Best, want.Value)
		}
		with, without = with+got.Nodes, without+want.Nodes
	}
	if with*2 > without {
		t.Errorf("after pondering %d nodes, cold %d", with, without)
	}
	t.Logf("after pondering %d nodes, cold %d", with, without)
}
