package search_test

import (
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/search"
)

// Every visited position that is not a leaf probes the table once, in the full search without cuts.
func TestHitsAndMisses(t *testing.T) {
	g := mazeGame{maze{seed: 3, places: 5, moves: 4, values: 1000}}
	l := search.Limits{Depth: 5, First: 5}
	r := lookOnce(t, g, search.Options{Algorithm: "negamax", Table: newTable(t, 1<<20), TableDepth: 1}, l)
	testkit.ErrorIf(t, r.Hits == 0 || r.Misses == 0 || r.Hits+r.Misses >= r.Nodes, "%+v", r.Work)
	none := lookOnce(t, g, search.Options{Algorithm: "negamax"}, l)
	testkit.Equal(t, none.Work, search.Work{Nodes: none.Nodes}, "work without a table")
	testkit.ErrorIf(t, none.Nodes <= r.Nodes, "%d nodes without table, %d with", none.Nodes, r.Nodes)
}

// A window that holds the value is searched once; a narrow one beside it again.
func TestResearches(t *testing.T) {
	g := mazeGame{maze{seed: 3, places: 1 << 20, moves: 4, values: 1000}}
	l := search.Limits{Depth: 8, First: 7}
	work := map[search.Value]search.Work{}
	for _, window := range []search.Value{1, 300, 2000} {
		work[window] = lookOnce(t, g, search.Options{Algorithm: "aspiration", Window: window}, l).Work
	}
	testkit.Equal(t, work[2000].Researches, 0, "searches repeated from a wide window")
	testkit.ErrorIf(t, work[1].Researches < 2, "%d searches repeated from a narrow window", work[1].Researches)
	plain := lookOnce(t, g, search.Options{Algorithm: "alphabeta"}, l).Work
	testkit.Equal(t, work[2000].Nodes, plain.Nodes, "nodes with a wide window")
	testkit.ErrorIf(t, work[300].Nodes >= plain.Nodes, "a good window takes %d nodes, none %d", work[300].Nodes, plain.Nodes)
	testkit.ErrorIf(t, lookOnce(t, g, search.Options{}, l).Researches == 0, "pvs repeats no search of a move")
}

// A search ends when its value and best move were the same at so many depths more.
func TestStable(t *testing.T) {
	ended := 0
	for seed := range uint64(50) {
		g := mazeGame{maze{seed: seed, places: 1 << 20, moves: 3, values: 3}}
		r := lookOnce(t, g, search.Options{Stable: 2}, search.Limits{Depth: 7})
		if r.Depth == 0 || r.Depth == 7 {
			continue
		}
		ended++
		for depth := r.Depth - 2; depth <= r.Depth; depth++ {
			at := lookOnce(t, g, search.Options{}, search.Limits{Depth: depth})
			testkit.ErrorIf(t, at.Value != r.Value || at.Best != r.Best, "seed %d ended at depth %d with %d, %d; depth %d has %d, %d",
				seed, r.Depth, r.Value, r.Best, depth, at.Value, at.Best)
		}
	}
	testkit.ErrorIf(t, ended < 5, "%d searches ended early", ended)
}
