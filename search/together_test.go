package search_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/search"
	"pgregory.net/rapid"
)

// politeDice is a maze with dice whose every question lets another thread go on, so that threads
// take turns on machines with one processor too.
type politeDice struct{ mazeDice }

func (g politeDice) Moves(p *mazePosition, roll int, list *search.List[mazePosition]) search.Value {
	runtime.Gosched()
	return g.mazeDice.Moves(p, roll, list)
}

// politeGame is the same without dice.
type politeGame struct{ mazeGame }

func (g politeGame) Moves(p *mazePosition, list *search.List[mazePosition]) search.Value {
	runtime.Gosched()
	return g.mazeGame.Moves(p, list)
}

// Threads that take turns within a search find what one finds: value, best move and with AllMoves the
// values of all moves.
func TestThreadsTakeTurns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMaze(t)
		m.moves, m.rolls = min(m.moves, 3), 3
		threads := rapid.IntRange(2, 4).Draw(t, "together")
		l := search.Limits{Depth: rapid.IntRange(3, 4).Draw(t, "depth"), AllMoves: rapid.Bool().Draw(t, "all")}
		roll := rapid.IntRange(search.NoRoll, 2).Draw(t, "roll")
		shared := func(names []search.Algorithm) search.Options {
			o := drawOptions(t, names)
			o.Threads = threads
			if o.Table == nil {
				o.Table = newTable(t, 1<<16)
			}
			return o
		}

		dice := shared([]search.Algorithm{"star1", "star2"})
		want := lookDice(t, mazeDice{m}, search.Options{Algorithm: "star1"}, roll, l)
		if got := lookDice(t, politeDice{mazeDice{m}}, dice, roll, l); outcomeOf(got) != outcomeOf(want) {
			t.Fatalf("%d threads find %+v by %s, one finds %+v", threads, outcomeOf(got), dice.Algorithm,
				outcomeOf(want))
		}
		plain := shared([]search.Algorithm{"alphabeta", "aspiration", "pvs", "mtdf", "sss"})
		want = lookOnce(t, mazeGame{m}, search.Options{Algorithm: "alphabeta"}, l)
		if got := lookOnce(t, politeGame{mazeGame{m}}, plain, l); outcomeOf(got) != outcomeOf(want) {
			t.Fatalf("%d threads find %+v by %s, one finds %+v", threads, outcomeOf(got), plain.Algorithm,
				outcomeOf(want))
		}
	})
}

func lookDice[G search.DiceGame[mazePosition]](t rapid.TB, g G, o search.Options, roll int,
	l search.Limits) search.Result {
	s := testkit.Must(search.NewDice(g, o))(t)
	return testkit.Must(s.Search(context.Background(), mazePosition{}, roll, l))(t)
}

// Threads share the work: together they visit hardly more than one does alone, where threads that
// each searched the whole would visit as much again.
func TestThreadsShareTheWork(t *testing.T) {
	m := maze{places: 1 << 20, values: 1000, rolls: 5}
	const most = 1.5
	for threads := 2; threads <= 3; threads++ {
		var dice, plain [2]uint64
		for seed := range uint64(8) {
			m.seed = seed
			for i, n := range []int{1, threads} {
				o := search.Options{Table: newTable(t, 1<<22), Static: true, Threads: n}
				m.moves = 3
				dice[i] += lookDice(t, politeDice{mazeDice{m}}, o, 1, search.Limits{Depth: 5, First: 5}).Nodes
				o.Table = newTable(t, 1<<22)
				m.moves = 20
				plain[i] += lookOnce(t, politeGame{mazeGame{m}}, o, search.Limits{Depth: 5, First: 5}).Nodes
			}
		}
		for kind, nodes := range map[string][2]uint64{"with": dice, "without": plain} {
			if ratio := float64(nodes[1]) / float64(nodes[0]); ratio > most {
				t.Errorf("%d threads visit %.2f times the nodes of one %s dice, want at most %.1f",
					threads, ratio, kind, most)
			} else {
				t.Logf("%d threads visit %.3f times the nodes of one %s dice", threads, ratio, kind)
			}
		}
	}
}

// What a search to one depth found of a position does not make way for what another depth finds.
func TestTableKeepsDepthsApart(t *testing.T) {
	g := untimedDice{mazeDice{maze{seed: 7, places: 50, moves: 3, values: 1000, rolls: 5}}}
	s := testkit.Must(search.NewDice(g, search.Options{Table: newTable(t, 1<<20)}))(t)
	look := func(depth int) search.Result {
		r, err := s.Search(context.Background(), mazePosition{place: 1}, search.NoRoll,
			search.Limits{Depth: depth, First: depth})
		if err != nil || r.Depth != depth {
			t.Fatalf("result %+v, error %v", r, err)
		}
		return r
	}
	first := look(5)
	for depth := 1; depth < 5; depth++ {
		look(depth)
	}
	if again := look(5); again.Nodes != 1 || again.Value != first.Value {
		t.Errorf("a search to depth 5 visits %d nodes and finds %d, again %d and %d: want 1 for what is known",
			first.Nodes, first.Value, again.Nodes, again.Value)
	}
}

// untimedDice is a maze with dice whose positions come again at other distances from the root.
type untimedDice struct{ mazeDice }

func (g untimedDice) Moves(p *mazePosition, roll int, list *search.List[mazePosition]) search.Value {
	v := g.mazeDice.Moves(p, roll, list)
	for i := range list.All() {
		m := &list.All()[i]
		m.Next.time = 0
		m.Key = g.Key(&m.Next)
	}
	return v
}
