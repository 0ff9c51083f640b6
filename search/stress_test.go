package search_test

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/search"
	"pgregory.net/rapid"
)

// drawEveryOption draws switches of every kind: those that keep the value, and at times those that
// may change it.
func drawEveryOption(t *rapid.T, algorithms []search.Algorithm) search.Options {
	flag := func(name string) bool { return rapid.Bool().Draw(t, name) }
	o := drawOptions(t, algorithms)
	deviations := []float64{0, neverCuts}
	if rapid.IntRange(0, 3).Draw(t, "may change the value") == 0 {
		o.Quiescence, o.Extensions = rapid.IntRange(0, 3).Draw(t, "quiescence"), flag("extensions")
		o.Stable = rapid.IntRange(0, 2).Draw(t, "stable")
		deviations = []float64{0, 0.01, 1, 100}
	}
	if o.Algorithm != "mtdf" && o.Algorithm != "sss" {
		o.ProbCut = rapid.SampledFrom(deviations).Draw(t, "deviations")
	}
	return o
}

// neverCuts is a number of deviations at which no prediction reaches the value, whatever the game
// predicts.
const neverCuts = 1e18

// A field of Options that no draw changes would escape every test of this package.
func TestEveryOptionIsDrawn(t *testing.T) {
	elsewhere := map[string]string{"Now": "TestTimeEndsASearch"}
	drawn := map[string]map[any]bool{}
	for seed := range 500 {
		o := reflect.ValueOf(rapid.Custom(func(t *rapid.T) search.Options {
			return drawEveryOption(t, algorithms(false))
		}).Example(seed))
		for i := range o.NumField() {
			name := o.Type().Field(i).Name
			if drawn[name] == nil {
				drawn[name] = map[any]bool{}
			}
			if f := o.Field(i); f.Kind() == reflect.Func || f.Kind() == reflect.Pointer {
				drawn[name][f.IsNil()] = true
			} else {
				drawn[name][f.Interface()] = true
			}
		}
	}
	for name, values := range drawn {
		_, ok := elsewhere[name]
		testkit.ErrorIf(t, !ok && len(values) < 2, "no draw changes Options.%s: draw it in drawOptions", name)
		testkit.ErrorIf(t, ok && len(values) > 1, "Options.%s is drawn and listed as tested elsewhere", name)
	}
}

// stressNodes ends a search of a maze that does not end by itself: minimax visits fewer than 4^6
// nodes a depth, each of which ProbCut and the windows search some ten times at most.
const stressNodes = 50_000_000

// Searches by every combination of switches end, and where the switches keep the value find what
// minimax does. Run more of them with -rapid.checks.
func TestStress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := cutMaze{mazeGame: mazeGame{drawMaze(t)}, end: 6, slope: 1}
		g.edge = rapid.Bool().Draw(t, "edge")
		g.sigma = rapid.SampledFrom([]float64{0, 1, 50, 1e13}).Draw(t, "sigma")
		g.slope = rapid.SampledFrom([]float64{0.5, 1, 2}).Draw(t, "slope")
		root := mazePosition{place: rapid.Uint32Range(0, 1).Draw(t, "root")}
		l := search.Limits{Depth: rapid.IntRange(1, 6).Draw(t, "depth"), AllMoves: rapid.Bool().Draw(t, "all"),
			Nodes: stressNodes}
		o := drawEveryOption(t, algorithms(false))
		if o.Quiescence > 0 || o.Extensions || o.Stable > 0 || o.ProbCut != 0 && o.ProbCut != neverCuts { // they change the value
			checkEnded(t, o, l, lookOnce(t, g, o, l))
			return
		}
		g.end, g.sigma = 100, max(1, g.sigma)
		s := testkit.Must(search.New(g, o))(t)
		oracle := testkit.Must(search.New(g, search.Options{Algorithm: "minimax"}))(t)
		want := twice(t, func() (search.Result, error) { return oracle.Search(context.Background(), root, l) })
		got := twice(t, func() (search.Result, error) { return s.Search(context.Background(), root, l) })
		checkEnded(t, o, l, got)
		testkit.MustEqual(t, outcomeOf(got), outcomeOf(want), "%+v", o)
	})
}

func TestStressWithDice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := mazeDice{drawMaze(t)}
		g.edge = rapid.Bool().Draw(t, "edge") // where rolls not searched yet bound the mean tightly
		root := mazePosition{place: rapid.Uint32Range(0, 1).Draw(t, "root")}
		l := search.Limits{Depth: rapid.IntRange(1, 4).Draw(t, "depth"), AllMoves: rapid.Bool().Draw(t, "all"),
			Nodes: stressNodes}
		roll := rapid.IntRange(search.NoRoll, 2).Draw(t, "roll")
		o := drawEveryOption(t, algorithms(true))
		o.Stable = 0 // it may end before the oracle's depth
		s := testkit.Must(search.NewDice(g, o))(t)
		oracle := testkit.Must(search.NewDice(g, search.Options{Algorithm: "expectiminimax"}))(t)
		got := twice(t, func() (search.Result, error) { return s.Search(context.Background(), root, roll, l) })
		checkEnded(t, o, l, got)
		want := twice(t, func() (search.Result, error) { return oracle.Search(context.Background(), root, roll, l) })
		testkit.MustEqual(t, outcomeOf(got), outcomeOf(want), "%+v", o)
	})
}

// checkEnded checks that a search reached its depth, or the game was over, and found a value that
// a game may give.
func checkEnded(t *rapid.T, o search.Options, l search.Limits, r search.Result) {
	testkit.FatalIf(t, r.Nodes >= l.Nodes || r.Depth != l.Depth && r.Depth != 0 && o.Stable == 0,
		"%+v to depth %d does not end: %d nodes, depth %d", o, l.Depth, r.Nodes, r.Depth)
	for i, v := range append([]search.Value{r.Value}, r.Moves...) {
		testkit.FatalIf(t, v < -search.MaxValue || v > search.MaxValue,
			"%+v finds %d: no value (of the position, or of move %d)", o, v, i)
	}
}

// What an interrupted search reports of all moves is what its last finished depth found of them.
func TestInterruptedSearchesReportOneDepth(t *testing.T) {
	interrupted := 0
	rapid.Check(t, func(t *rapid.T) {
		g := drawMaze(t)
		g.places, g.moves, g.edge = 1<<20, 4, false
		o := drawOptions(t, algorithms(false))
		dice := drawOptions(t, algorithms(true))
		l := search.Limits{Depth: 6, Nodes: rapid.Uint64Range(20, 2000).Draw(t, "nodes"), AllMoves: true}
		check := func(got search.Result, full func(search.Limits) search.Result) {
			if got.Depth == 0 || got.Depth == l.Depth {
				return
			}
			interrupted++
			want := full(search.Limits{Depth: got.Depth, AllMoves: true})
			testkit.FatalIf(t, !slices.Equal(got.Moves, want.Moves) || got.Moves[got.Best] != got.Value,
				"interrupted behind depth %d: values %v of move %d worth %d, want %v", got.Depth, got.Moves, got.Best,
				got.Value, want.Moves)
		}
		check(lookOnce(t, mazeGame{g}, o, l), func(l search.Limits) search.Result {
			return lookOnce(t, mazeGame{g}, search.Options{Algorithm: "minimax"}, l)
		})
		check(lookDice(t, mazeDice{g}, dice, 1, l), func(l search.Limits) search.Result {
			return lookDice(t, mazeDice{g}, search.Options{Algorithm: "expectiminimax"}, 1, l)
		})
	})
	testkit.ErrorIf(t, interrupted == 0, "no search was interrupted")
	t.Logf("%d searches were interrupted behind a finished depth", interrupted)
}

// Searchers that have a table together find what each finds alone.
func TestSearchersShareATable(t *testing.T) {
	table := newTable(t, 1<<16)
	table.Share()
	g := mazeGame{maze{seed: 5, places: 1 << 20, moves: 4, values: 1000}}
	l := search.Limits{Depth: 5}
	want := lookOnce(t, g, search.Options{}, l)
	found := make(chan search.Result)
	const searchers = 3
	for range searchers {
		go func() {
			s, err := search.New(g, search.Options{Table: table})
			var r search.Result
			for range 5 {
				if err == nil {
					r, err = s.Search(context.Background(), mazePosition{}, l)
				}
			}
			testkit.Equal(t, err, nil, "error of the search")
			found <- r
		}()
	}
	for range searchers {
		testkit.Equal(t, outcomeOf(<-found), outcomeOf(want), "with a table in common")
	}
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
		m.polite = true
		got := lookDice(t, mazeDice{m}, dice, roll, l)
		testkit.MustEqual(t, outcomeOf(got), outcomeOf(want), "%d threads by %s", threads, dice.Algorithm)
		plain := shared([]search.Algorithm{"alphabeta", "aspiration", "pvs", "mtdf", "sss"})
		want = lookOnce(t, mazeGame{m}, search.Options{Algorithm: "alphabeta"}, l)
		got = lookOnce(t, mazeGame{m}, plain, l)
		testkit.MustEqual(t, outcomeOf(got), outcomeOf(want), "%d threads by %s", threads, plain.Algorithm)
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
	m := maze{places: 1 << 20, values: 1000, rolls: 5, polite: true}
	const most = 1.5
	for threads := 2; threads <= 3; threads++ {
		var dice, plain [2]uint64
		for seed := range uint64(8) {
			m.seed = seed
			for i, n := range []int{1, threads} {
				o := search.Options{Table: newTable(t, 1<<22), Static: true, Threads: n}
				m.moves = 3
				dice[i] += lookDice(t, mazeDice{m}, o, 1, search.Limits{Depth: 5, First: 5}).Nodes
				o.Table = newTable(t, 1<<22)
				m.moves = 20
				plain[i] += lookOnce(t, mazeGame{m}, o, search.Limits{Depth: 5, First: 5}).Nodes
			}
		}
		for kind, nodes := range map[string][2]uint64{"with": dice, "without": plain} {
			ratio := float64(nodes[1]) / float64(nodes[0])
			testkit.Near(t, ratio, 0, most, "%d threads %s dice: nodes in times of those of one", threads, kind)
			t.Logf("%d threads visit %.3f times the nodes of one %s dice", threads, ratio, kind)
		}
	}
}

// What a search to one depth found of a position does not make way for what another depth finds.
func TestTableKeepsDepthsApart(t *testing.T) {
	g := mazeDice{maze{seed: 7, places: 50, moves: 3, values: 1000, rolls: 5, untimed: true}}
	s := testkit.Must(search.NewDice(g, search.Options{Table: newTable(t, 1<<20)}))(t)
	look := func(depth int) search.Result {
		r := testkit.Must(s.Search(context.Background(), mazePosition{place: 1}, search.NoRoll,
			search.Limits{Depth: depth, First: depth}))(t)
		testkit.MustEqual(t, r.Depth, depth, "the depth")
		return r
	}
	first := look(5)
	for depth := 1; depth < 5; depth++ {
		look(depth)
	}
	again := look(5)
	testkit.Equal(t, again.Nodes, 1, "nodes of a search to depth 5 again, for what is known (first %d)", first.Nodes)
	testkit.Equal(t, again.Value, first.Value, "the value of a search to depth 5 again")
}
