package search_test

import (
	"context"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/search"
	"pgregory.net/rapid"
)

// selection is the plain search with what may change the value: quiescence to so many plies,
// and extensions of a search that began at a depth.
type selection struct {
	game       search.Game[mazePosition]
	quietPlies int // 0 for no quiescence
	extended   int // the depth the search began with; 0 for no extensions
}

// value returns what a position is worth to the side to move, by the definitions of
// Options.Quiescence and Options.Extensions.
func (s selection) value(p mazePosition, depth, ply int) search.Value {
	if depth <= 0 && (s.quietPlies == 0 || depth <= -s.quietPlies || s.game.(search.Quieter[mazePosition]).Quiet(&p)) {
		return s.game.Value(&p)
	}
	var list search.List[mazePosition]
	best := s.game.Moves(&p, &list)
	for i, m := range list.All() {
		left := depth - 1
		if s.extended > 0 {
			left = min(left+int(m.Extend), 2*s.extended-ply-1)
		}
		v := s.value(m.Next, left, ply+1)
		if !m.Again {
			v = -v
		}
		if i == 0 || v > best {
			best = v
		}
	}
	return best
}

func drawSelective(t *rapid.T) (g mazeGame, o search.Options, l search.Limits) {
	g = mazeGame{drawMaze(t)}
	o = drawOptions(t, []search.Algorithm{"alphabeta", "aspiration", "pvs"})
	depth := rapid.IntRange(1, 3).Draw(t, "depth")
	return g, o, search.Limits{Depth: depth, First: depth}
}

// With quiescence a search is worth what the definition says, by every algorithm, and only
// positions that are not quiet are searched on.
func TestQuiescence(t *testing.T) {
	checkSelection(t, func(t *rapid.T, o *search.Options, s *selection, _ int) {
		o.Quiescence = rapid.IntRange(1, 3).Draw(t, "quiescence")
		s.quietPlies = o.Quiescence
	})
}

// With extensions likewise: moves that say so are searched deeper.
func TestExtensions(t *testing.T) {
	checkSelection(t, func(_ *rapid.T, o *search.Options, s *selection, depth int) {
		o.Extensions, s.extended = true, depth
	})
}

// checkSelection compares searches whose options and definition choose sets with the definition,
// which must change a value at times.
func checkSelection(t *testing.T, choose func(*rapid.T, *search.Options, *selection, int)) {
	changed := 0
	rapid.Check(t, func(t *rapid.T) {
		g, o, l := drawSelective(t)
		s := selection{game: g}
		choose(t, &o, &s, l.Depth)
		want := s.value(mazePosition{}, l.Depth, 0)
		testkit.MustEqual(t, lookOnce(t, g, o, l).Value, want, "%s", o.Algorithm)
		if (selection{game: g}).value(mazePosition{}, l.Depth, 0) != want {
			changed++
		}
	})
	testkit.ErrorIf(t, changed == 0, "the option never changes a value")
}

// A table's entry behind a move that is searched deeper counts for that depth, not for the
// one of the other moves.
func TestTranspositionsBehindExtendedMoves(t *testing.T) {
	for seed := range uint64(3000) {
		g := mazeGame{maze{seed: seed, places: 2, moves: 3, values: 2, rolls: 3}}
		o := search.Options{Algorithm: "alphabeta", ETC: true, Extensions: true, Table: newTable(t, 64)}
		got := lookOnce(t, g, o, search.Limits{Depth: 3, First: 3})
		testkit.MustEqual(t, got.Value, (selection{game: g, extended: 3}).value(mazePosition{}, 3, 0),
			"seed %d: alphabeta", seed)
	}
}

func lookOnce[G search.Game[mazePosition]](t rapid.TB, g G, o search.Options, l search.Limits) search.Result {
	s := testkit.Must(search.New(g, o))(t)
	return testkit.Must(s.Search(context.Background(), mazePosition{}, l))(t)
}

// cutMaze is a maze that ends at a time, with predictions for Multi-ProbCut: one ply deep,
// unbiased, and with errors of a deviation.
type cutMaze struct {
	mazeGame
	end    uint32
	solved map[mazePosition]search.Value // values are the truth; nil for those of the maze
	slope  float64
	sigma  float64
}

func (g cutMaze) Moves(p *mazePosition, list *search.List[mazePosition]) search.Value {
	if p.time >= g.end {
		return g.mazeGame.Value(p)
	}
	return g.mazeGame.Moves(p, list)
}

// Value is the truth where the maze is to be solved: what both sides reach from p at the end.
func (g cutMaze) Value(p *mazePosition) search.Value {
	if g.solved == nil {
		return g.mazeGame.Value(p)
	}
	if v, known := g.solved[*p]; known {
		return v
	}
	var list search.List[mazePosition]
	best := g.Moves(p, &list)
	for i, m := range list.All() {
		v := g.Value(&m.Next)
		if !m.Again {
			v = -v
		}
		if i == 0 || v > best {
			best = v
		}
	}
	g.solved[*p] = best
	return best
}

func (g cutMaze) ProbCuts(_ *mazePosition, depth int) []search.ProbCut {
	if depth < 3 {
		return nil
	}
	return []search.ProbCut{{Depth: 1, Slope: g.slope, Sigma: g.sigma}}
}

// drawCuts draws a search of a maze that ends.
func drawCuts(t *rapid.T) (g cutMaze, o search.Options, l search.Limits) {
	m, o, _ := drawSelective(t)
	g = cutMaze{mazeGame: m, end: 6, slope: 1, sigma: 1}
	g.places = max(g.places, 20)
	return g, o, search.Limits{Depth: rapid.IntRange(3, 6).Draw(t, "cut depth"), First: 0}
}

// Where predictions come true Multi-ProbCut keeps the value of the root.
func TestProbCutOfTruePredictions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, o, l := drawCuts(t)
		g.solved = map[mazePosition]search.Value{}
		o.ProbCut, o.Threads = 1, 1
		testkit.MustEqual(t, lookOnce(t, g, o, l).Value, g.Value(&mazePosition{}), "%s", o.Algorithm)
	})
}

// Multi-ProbCut visits fewer positions, and may find something else where predictions err.
func TestProbCutCuts(t *testing.T) {
	var with, without uint64
	changed := 0
	for seed := range uint64(20) {
		g := cutMaze{mazeGame: mazeGame{maze{seed: seed, places: 1 << 20, moves: 4, values: 1000}},
			end: 9, slope: 1, sigma: 50}
		l := search.Limits{Depth: 7}
		off := lookOnce(t, g, search.Options{}, l)
		on := lookOnce(t, g, search.Options{ProbCut: 0.5}, l)
		with += on.Nodes
		without += off.Nodes
		if on.Value != off.Value {
			changed++
		}
	}
	testkit.ErrorIf(t, with*10 > without*9, "with Multi-ProbCut %d nodes, without %d", with, without)
	testkit.ErrorIf(t, changed == 0, "Multi-ProbCut changes no value")
}

// Algorithms that go from bound to bound would go by units between the bounds of a cut.
func TestProbCutIsNotForBounds(t *testing.T) {
	for _, a := range []search.Algorithm{"mtdf", "sss"} {
		err := testkit.ErrorOf(search.New(cutMaze{}, search.Options{Algorithm: a, ProbCut: 1}))
		testkit.WantError(t, err, "want another algorithm", "%s with ProbCut", a)
	}
}

// How far a move may still be searched deeper depends on how far from the root a position is:
// what the table knows of it from elsewhere is of another search.
func TestTranspositionsAtOtherDistances(t *testing.T) {
	for seed := range uint64(testkit.Trials(1000, 3000)) {
		g := mazeGame{maze{seed: seed, places: 4, moves: 3, values: 5, rolls: 3, untimed: true}}
		o := search.Options{Algorithm: "alphabeta", Extensions: true, Table: newTable(t, 1<<14)}
		got := lookOnce(t, g, o, search.Limits{Depth: 4})
		testkit.MustEqual(t, got.Value, (selection{game: g, extended: 4}).value(mazePosition{}, 4, 0),
			"seed %d: alphabeta", seed)
	}
}
