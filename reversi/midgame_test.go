package reversi

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
	"github.com/seed-09dcdc84/ur/search"
)

func learned(t testing.TB) *eval.Weights {
	w, err := eval.Learned()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func searcher(t testing.TB, w *eval.Weights, o search.Options) *search.Searcher[State, *Midgame] {
	s, err := search.New[State](NewMidgame(w), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func value(t testing.TB, s *search.Searcher[State, *Midgame], w *eval.Weights, b board.Board, depth int) search.Value {
	r, err := s.Search(context.Background(), NewMidgame(w).State(b), search.Limits{Depth: depth})
	if err != nil || r.Depth != depth {
		t.Fatalf("depth %d: %+v, %v", depth, r, err)
	}
	return r.Value
}

// Whatever techniques it uses, a search must find the value of plain minimax: by the rules
// of thumb and by patterns, near the end of the game as well.
func TestSearchesEqualMinimax(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 6))
	table, err := search.NewTable(1<<20, search.Buckets)
	if err != nil {
		t.Fatal(err)
	}
	n := 40
	if testing.Short() {
		n = 8
	}
	for _, w := range []*eval.Weights{nil, learned(t)} {
		plain := searcher(t, w, search.Options{Algorithm: "minimax", NoLast: true})
		others := map[string]*search.Searcher[State, *Midgame]{
			"last ply":   searcher(t, w, search.Options{Algorithm: "minimax"}),
			"alphabeta":  searcher(t, w, search.Options{Algorithm: "alphabeta", Static: true}),
			"pvs":        searcher(t, w, search.Options{Algorithm: "pvs", Static: true, Killers: true, History: true}),
			"everything": searcher(t, w, search.Options{Algorithm: "pvs", Static: true, TableMove: true, ETC: true, Table: table}),
			"threads":    searcher(t, w, search.Options{Algorithm: "pvs", Static: true, TableMove: true, Table: table, Threads: 2}),
		}
		for i := range n {
			b, ok := randomBoard(random, 6+i*57/n)
			if !ok || b.Moves() == 0 {
				continue
			}
			depth := 3
			if b.Empties() <= 4 {
				depth = 5 // beyond the end
			}
			want := value(t, plain, w, b, depth)
			for name, s := range others {
				if got := value(t, s, w, b, depth); got != want {
					t.Errorf("%s: %v is worth %d to depth %d, want %d", name, b, got, depth, want)
				}
			}
			table.Clear()
		}
	}
}

func TestSearchAllocatesOnce(t *testing.T) {
	w := learned(t)
	table, err := search.NewTable(1<<20, search.Buckets)
	if err != nil {
		t.Fatal(err)
	}
	o := DefaultSearch()
	o.Table = table
	s := searcher(t, w, o)
	b, _ := randomBoard(rand.New(rand.NewPCG(1, 2)), 20)
	root := NewMidgame(w).State(b)
	for range 3 { // lists grow to what positions need
		if _, err := s.Search(context.Background(), root, search.Limits{Depth: 6}); err != nil {
			t.Fatal(err)
		}
		table.Clear()
	}
	if n := testing.AllocsPerRun(2, func() {
		if _, err := s.Search(context.Background(), root, search.Limits{Depth: 5}); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestErrorsAreReadAsWritten(t *testing.T) {
	e, deviation, err := Calibrate(context.Background(), learned(t), 1, 300, 4)
	if err != nil {
		t.Fatal(err)
	}
	if deviation < 0.7 || deviation > 1.4 {
		t.Errorf("positions held out deviate by %.2f of the prediction", deviation)
	}
	e.pairs = append(e.pairs, prediction{0, 6, 2, 1, 0, 40, 30})
	var text strings.Builder
	if err := e.Write(&text); err != nil {
		t.Fatal(err)
	}
	read, err := readErrors(strings.NewReader(text.String()))
	if err != nil || len(read.pairs) != len(e.pairs) {
		t.Fatalf("%d predictions are read as %d: %v", len(e.pairs), len(read.pairs), err)
	}
	if c := read.predictions(0, 8); len(c) == 0 || c[0].Depth < 2 || c[0].Sigma < 40 {
		t.Errorf("depth 8 is predicted by %+v", c)
	}
	for _, bad := range []string{"1", "9 6 2 1 0 40 7", "0 6 6 1 0 40 7", "0 6 2 0 0 40 7", "0 6 2 1 0 NaN 7", "0 6 2 1 0 40", "0 6 2 1 0 40 7 7", "0 6 2 1 0 40 0"} {
		if _, err := readErrors(strings.NewReader(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

func FuzzReadErrors(f *testing.F) {
	f.Add("# a comment\n0 6 2 1.0 0.5 40 30\n")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := readErrors(strings.NewReader(text))
		if err == nil {
			for depth := range 20 {
				for _, c := range e.predictions(0, depth) {
					if c.Depth >= depth {
						t.Errorf("depth %d is predicted by depth %d", depth, c.Depth)
					}
				}
			}
		}
	})
}

// randomBoard plays half-random moves up to a number of discs: of two random moves the one that
// turns over fewer, so positions are not too wild.
func randomBoard(random *rand.Rand, discs int) (board.Board, bool) {
	return playTo(discs, func(b board.Board, moves uint64) board.Square {
		x, y := anyOf(random, moves), anyOf(random, moves)
		if bits.OnesCount64(b.Flips(y)) < bits.OnesCount64(b.Flips(x)) {
			x = y
		}
		return x
	})
}
