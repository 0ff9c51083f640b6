package play

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// The moves of a search are those of the rules, and keys tell positions apart but for mirror
// images.
func TestMovesAreThoseOfTheRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, r := range board.List() {
		g := testkit.Must(lookahead{rules: r, leaf: anyLeaf}.game(t.Context(), r.Pieces()))(t)
		for range 1000 {
			p := r.Random(rng, r.Pieces())
			index := rng.IntN(len(g.rolls))
			var list search.List[board.Position]
			g.Moves(&p, index, &list)
			moves, futures := r.Moves(nil, p, g.rolls[index]), r.Futures(nil, p, g.rolls[index])
			testkit.MustEqual(t, len(list.All()), len(futures), "%s, roll %d: moves", r.FormatPosition(p), g.rolls[index])
			for i, m := range list.All() {
				id := uint8(passID)
				if len(moves) > 0 {
					id = moves[i].From
				}
				mirror := m.Next.Mirror()
				if m.ID != id || m.Next != futures[i] || m.Again != (m.Next.Turn() == p.Turn()) ||
					m.Key != g.Key(&mirror) || m.Key == g.Key(&p) {
					t.Fatalf("%s, roll %d: move %d is %+v", r.FormatPosition(p), g.rolls[index], i, m)
				}
			}
		}
	}
}

// With the exact solution as leaf every search returns the exact solution: at any depth,
// by any algorithm.
func TestFixedPoint(t *testing.T) {
	pieces, positions := testkit.Trials(3, 4), testkit.Trials(200, 600)
	if testing.Short() {
		pieces, positions = 2, 200
	}
	table := solvetest.Table(t, pieces)
	r := testkit.Must(board.Finkel().WithPieces(pieces))(t)
	rng := rand.New(rand.NewPCG(3, 4))
	for _, o := range allOptions(t) {
		s := newTestSearcher(testSearch{Rules: r, Leaf: NewPerfect("perfect", r, OneTable(table)), Options: o})
		for range positions / len(allOptions(t)) * 2 {
			checkFixedPoint(t, s, table, o, r.Random(rng, r.Pieces()), rng.IntN(r.MaxRoll()+1), 1+rng.IntN(4))
		}
	}
}

func checkFixedPoint(t *testing.T, s *Searcher, table *solve.Table, o search.Options, p board.Position,
	roll, depth int) {
	t.Helper()
	if depth == 4 && o.Algorithm == search.Expectiminimax {
		depth = 3 // the oracle takes its time
	}
	const close = 1e-12
	r := lookUp(t, s, p, search.NoRoll, search.Limits{Depth: depth})
	testkit.Near(t, winOf(r.Value), table.Win(p), close, "%s at depth %d: value of %v", o.Algorithm, depth, p)
	moves := s.player.rules.Moves(nil, p, roll)
	if len(moves) == 0 {
		return
	}
	r = lookUp(t, s, p, roll, search.Limits{Depth: depth})
	_, best := table.BestMove(p, moves)
	if got := table.After(p, moves[r.Best]); math.Abs(got-best) > close || math.Abs(winOf(r.Value)-best) > close {
		t.Fatalf("%s at depth %d: %v with roll %d is worth %.15f by a move worth %.15f, the table says %.15f",
			o.Algorithm, depth, p, roll, winOf(r.Value), got, best)
	}
}

// allOptions are every algorithm with dice, with a table, on one thread to three, and without.
func allOptions(t *testing.T) (list []search.Options) {
	for _, a := range search.Algorithms() {
		if !a.Dice() {
			continue
		}
		list = append(list, search.Options{Algorithm: a}, search.Options{Algorithm: a, Static: true})
		for i := range 2 {
			table := testkit.Must(search.NewTable(1 << 12 << i))(t)
			list = append(list, search.Options{
				Algorithm: a, Static: i == 0, Table: table, TableMove: true, ETC: true, TableDepth: i, Threads: 1 + i,
			})
		}
	}
	return list
}

// Every algorithm and switch finds the same bits as expectiminimax without anything, leaf by
// leaf: under every rule set, by any leaf.
func TestSameBits(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 40
	}
	_, net, err := valuenet.BuiltinFor(board.Finkel())
	testkit.NoError(t, err)
	rng := rand.New(rand.NewPCG(5, 6))
	options := allOptions(t)
	for round := range rounds {
		r := board.List()[round%len(board.List())]
		c := testSearch{Rules: testkit.Must(r.WithPieces(1 + rng.IntN(r.Pieces())))(t), Leaf: anyLeaf}
		if r.Equal(board.Finkel()) {
			c.Leaf = []Player{anyLeaf, Net{Value: net}.Player(),
				Brain{Weights: ur.DefaultBrain()}.Player()}[rng.IntN(3)]
		}
		o := options[rng.IntN(len(options))]
		o.NoScout = rng.IntN(2) == 0
		if c.Options = o; o.Table != nil {
			o.Table.Clear() // it remembers another game
		}
		fast := newTestSearcher(c)
		c.Options = search.Options{Algorithm: search.Expectiminimax, NoLast: true}
		plain := newTestSearcher(c)
		for range 3 {
			p := c.Rules.Random(rng, c.Rules.Pieces())
			roll := search.NoRoll
			if rng.IntN(5) > 0 {
				rolls := testkit.Must(plain.player.game(t.Context(), p.Pieces()))(t).rolls
				roll = rolls[rng.IntN(len(rolls))]
			}
			l := search.Limits{Depth: 1 + rng.IntN(3), AllMoves: rng.IntN(2) == 0}
			want, got := lookUp(t, plain, p, roll, l), lookUp(t, fast, p, roll, l)
			testkit.FatalIf(t, got.Value != want.Value || got.Best != want.Best || !slices.Equal(got.Moves, want.Moves),
				"%s, %+v: %v roll %d depth %d: %d by move %d of %v, the oracle says %d by move %d of %v", r.Name(), o,
				p, roll, l.Depth, got.Value, got.Best, got.Moves, want.Value, want.Best, want.Moves)
			mirrored := lookUp(t, fast, p.Mirror(), roll, l)
			testkit.MustEqual(t, mirrored.Value, want.Value, "value of the mirror image of %v", p.Numbers())
			testkit.MustEqual(t, mirrored.Best, want.Best, "move in the mirror image of %v", p.Numbers())
		}
	}
}

// anyLeaf values positions without sense: each as its key says.
var anyLeaf = Player{Leaf: func(context.Context, *board.Rules) (Leaf, error) {
	return Leaf{New: func() LeafFunc {
		return func(win []float64, positions []board.Position) {
			for i := range positions {
				win[i] = float64(keyOf(&positions[i]).Index>>11) / (1 << 53)
			}
		}
	}}, nil
}}

// testSearch is a search by any leaf and options.
type testSearch struct {
	Rules   *board.Rules
	Leaf    Player
	Options search.Options
}

func newTestSearcher(c testSearch) *Searcher {
	return Search{Options: c.Options, lookahead: lookahead{rules: c.Rules, leaf: c.Leaf}}.NewSearcher()
}

func lookUp(t *testing.T, s *Searcher, p board.Position, roll int, l search.Limits) search.Result {
	t.Helper()
	return testkit.Must(s.Search(context.Background(), p, roll, l))(t)
}

// Nothing allocates after the first search, whatever values the leaves.
func TestNothingAllocatesAfterTheFirstSearch(t *testing.T) {
	exact := solvetest.Table(t, 2)
	_, net, err := valuenet.BuiltinFor(board.Finkel())
	testkit.NoError(t, err)
	two := testkit.Must(board.Finkel().WithPieces(2))(t)
	for name, c := range map[string]testSearch{
		"net":   {Rules: board.Finkel(), Leaf: Net{Value: net}.Player()},
		"table": {Rules: two, Leaf: NewPerfect("perfect", two, OneTable(exact))},
	} {
		for _, o := range allOptions(t) {
			c.Options = o
			s := newTestSearcher(c)
			p := c.Rules.Start()
			for depth := 1; depth <= 2; depth++ {
				for _, roll := range []int{2, search.NoRoll} {
					look := func() { lookUp(t, s, p, roll, search.Limits{Depth: depth}) }
					look()
					testkit.Equal(t, testing.AllocsPerRun(3, look), 0,
						"%s: a search of %s after roll %d to depth %d allocates", name, o.Algorithm, roll, depth)
				}
			}
		}
	}
}

func TestLine(t *testing.T) {
	r := board.Finkel()
	s := newTestSearcher(testSearch{Rules: r, Leaf: Greedy})
	p := r.Start()
	moves := r.Moves(nil, p, 2)
	result := lookUp(t, s, p, 2, search.Limits{Depth: 4})
	for _, n := range []int{4, 1} {
		line := testkit.Must(s.line(context.Background(), p, moves[result.Best], result.Depth, n))(t)
		testkit.MustEqual(t, len(line), n, "moves of %v", line)
		testkit.Equal(t, line[0], "in-A3", "the first of %d moves", n)
	}
}

// A book filled by search holds the positions of the rolls under any dice.
func TestBook(t *testing.T) {
	for _, name := range []string{"finkel", "masters"} {
		r := testkit.Must(board.Lookup(name))(t)
		s := newTestSearcher(testSearch{Rules: r, Leaf: Greedy})
		b := testkit.Must(search.NewBook(BookGame(r)))(t)
		testkit.NoError(t, s.FillBook(t.Context(), b, r.Start(),
			search.Fill{Plies: 2, Margin: search.MaxValue, Limits: search.Limits{Depth: 1}}))
		for roll := 1; roll <= r.MaxRoll(); roll++ {
			p := r.Apply(r.Start(), r.Moves(nil, r.Start(), roll)[0])
			moves := r.Moves(nil, p, 2)
			got := lookUp(t, s, p, 2, search.Limits{Depth: 1})
			move, known := bookMove(b, &Turn{Rules: r, Position: p, Roll: 2, Moves: moves})
			testkit.Equal(t, []any{move, known}, []any{got.Best, true}, "%s: after a %d the book plays", name, roll)
		}
	}
}

func TestSearcherRejectsBadInput(t *testing.T) {
	seven := board.Finkel()
	bad := newTestSearcher(testSearch{Rules: seven, Leaf: anyLeaf, Options: search.Options{Algorithm: search.PVS}})
	testkit.WantError(t, testkit.ErrorOf(bad.Search(t.Context(), seven.Start(), 1, search.Limits{Depth: 1})), "not for games with dice", "PVS")
	s := newTestSearcher(testSearch{Rules: seven, Leaf: anyLeaf})
	over := testkit.Must(seven.FromSquares(7, board.Light, [2]uint32{}, [2]int{7, 0}))(t)
	testkit.WantError(t, testkit.ErrorOf(s.Search(context.Background(), over, 1, search.Limits{Depth: 1})), "over", "%v is searched", over)
	testkit.WantError(t, testkit.ErrorOf(s.Search(context.Background(), seven.Start(), 5, search.Limits{Depth: 1})), "",
		"a roll of 5 is searched")
}

// A player with a book plays its moves, searches where it has none, and refuses a book of another
// game.
func TestSearchPlaysByTheBook(t *testing.T) {
	start := board.Finkel().Start()
	p := board.Finkel().Apply(start, board.Finkel().Moves(nil, start, 4)[0])
	const roll = 2
	moves := board.Finkel().Moves(nil, p, roll)
	testkit.MustEqual(t, len(moves), 2, "%v: moves", board.Finkel().FormatPosition(p))
	name := filepath.Join(t.TempDir(), "ur.book")
	save := func(game string, best int) {
		b := testkit.Must(search.NewBook(game))(t)
		for i, m := range moves {
			score := search.Value(0)
			if i == best {
				score = 1
			}
			testkit.NoError(t, b.Score(BookKey(board.Finkel(), p, roll), m.From, score, 1))
		}
		var file bytes.Buffer
		testkit.Must(b.WriteTo(&file))(t)
		testkit.NoError(t, os.WriteFile(name, file.Bytes(), 0o666))
	}
	choose := func(spec string, roll int) int {
		instance := testkit.Must(parse(t, spec).New(nil))(t)
		turn := &Turn{Rules: board.Finkel(), Position: p, Roll: roll, Moves: board.Finkel().Moves(nil, p, roll)}
		return testkit.Must(instance.Choose(t.Context(), turn))(t)
	}
	for best := range moves {
		save("ur", best)
		testkit.Equal(t, choose("search:depth=1,book="+name, roll), best, "plays move")
		testkit.Equal(t, choose("search:depth=1,book="+name, 1), choose("search:depth=1", 1),
			"without a move in the book plays move")
	}
	save("reversi", 0)
	testkit.WantError(t, testkit.ErrorOf(ParsePlayer("search:depth=1,book="+name)), "book of the game",
		"a book of reversi")
}
