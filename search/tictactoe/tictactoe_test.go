package tictactoe_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/search/tictactoe"
)

func Example() {
	p, err := tictactoe.Parse("X..OX....")
	if err != nil {
		panic(err)
	}
	fmt.Print(p.After(8))
	// Output:
	// X..
	// OX.
	// ..O
}

// The facts of the game that everybody can look up.
func TestFacts(t *testing.T) {
	s := newSearcher(t, search.Options{Algorithm: "minimax"})
	r := look(t, s, tictactoe.Position{}, 9)
	testkit.Equal(t, r.Nodes, 549_946, "nodes of minimax")
	testkit.Equal(t, r.Value, tictactoe.Draw, "the game is worth")
	reached := map[tictactoe.Position]bool{}
	testkit.Equal(t, walk(tictactoe.Position{}, reached), 255_168, "games")
	testkit.Equal(t, len(reached), 5478, "positions can be reached")
}

// walk plays every game and returns how many there are.
func walk(p tictactoe.Position, reached map[tictactoe.Position]bool) (games int) {
	reached[p] = true
	var list search.List[tictactoe.Position]
	tictactoe.Game{}.Moves(&p, &list)
	if _, over := p.Over(); over {
		return 1
	}
	for _, m := range list.All() {
		games += walk(m.Next, reached)
	}
	return games
}

func newSearcher(t testing.TB, o search.Options) *search.Searcher[tictactoe.Position, tictactoe.Game] {
	return testkit.Must(search.New(tictactoe.Game{}, o))(t)
}

func look(t testing.TB, s *search.Searcher[tictactoe.Position, tictactoe.Game], p tictactoe.Position,
	depth int) search.Result {
	return testkit.Must(s.Search(context.Background(), p, search.Limits{Depth: depth, First: depth}))(t)
}

func TestEveryAlgorithmOnEveryPosition(t *testing.T) {
	reached := map[tictactoe.Position]bool{}
	walk(tictactoe.Position{}, reached)
	oracle := newSearcher(t, search.Options{Algorithm: "minimax"})
	for _, a := range search.Algorithms() {
		if a.Dice() || a == "minimax" || testing.Short() && a != "pvs" {
			continue
		}
		table := testkit.Must(search.NewTable(1 << 16))(t)
		s := newSearcher(t, search.Options{Algorithm: a, Table: table, TableMove: true, Killers: true, ETC: true})
		for p := range reached {
			const depth = 4
			got, want := look(t, s, p, depth), look(t, oracle, p, depth)
			testkit.FatalIf(t, got.Value != want.Value || got.Best != want.Best,
				"%s of\n%s finds %d by move %d, minimax %d by move %d", a, p, got.Value, got.Best, want.Value,
				want.Best)
		}
	}
}

func TestParse(t *testing.T) {
	for _, bad := range []string{"", "XX.......", "O........", "XXXOO.O..", "XXXOOO...", "XXX.OO..O.", "OOOXX...."} {
		testkit.WantError(t, testkit.ErrorOf(tictactoe.Parse(bad)), "", "%q", bad)
	}
	testkit.Must(tictactoe.Parse("XXXOO...."))(t)
	r := look(t, newSearcher(t, search.Options{}), testkit.Must(tictactoe.Parse("X..OX...."))(t), 9)
	testkit.Equal(t, []int{int(r.Value), int(r.ID)}, []int{-7, 8}, "value and best move")
}

func BenchmarkEmptyBoard(b *testing.B) {
	for _, a := range search.Algorithms() {
		if a.Dice() {
			continue
		}
		for _, bytes := range []int{0, 1 << 16} {
			o := search.Options{Algorithm: a, Static: true}
			if bytes > 0 {
				o.Table, o.TableMove, o.ETC, o.TableDepth = testkit.Must(search.NewTable(bytes))(b), true, true, 2
			} else if a == "minimax" || a == "negamax" {
				continue
			}
			b.Run(fmt.Sprintf("algorithm=%s/table=%d", a, bytes), func(b *testing.B) {
				s := newSearcher(b, o)
				var nodes uint64
				for b.Loop() {
					if o.Table != nil {
						o.Table.Clear()
					}
					nodes = look(b, s, tictactoe.Position{}, 9).Nodes
				}
				b.ReportMetric(float64(nodes), "nodes/search")
			})
		}
	}
}

// On every board the search that knows of symmetry finds what minimax does; boards that turn into
// each other, and no others, share a key.
func TestSymmetry(t *testing.T) {
	reached := map[tictactoe.Position]bool{}
	walk(tictactoe.Position{}, reached)
	oracle := newSearcher(t, search.Options{Algorithm: "minimax"})
	table := testkit.Must(search.NewTable(1 << 16))(t)
	o := search.Options{Table: table, TableMove: true, ETC: true}
	s := testkit.Must(search.New(tictactoe.NewSymmetricGame(), o))(t)
	depth := 5
	if testing.Short() {
		depth = 3
	}
	keys := map[search.Key]bool{}
	for p := range reached {
		key := tictactoe.NewSymmetricGame().Key(&p)
		keys[key] = true
		for _, other := range []tictactoe.Position{quarterTurned(p), mirrored(p)} {
			testkit.MustEqual(t, tictactoe.NewSymmetricGame().Key(&other), key, "the key of\n%s, of which\n%s is", other, p)
		}
		got := testkit.Must(s.Search(context.Background(), p, search.Limits{Depth: depth}))(t)
		want := look(t, oracle, p, depth)
		testkit.FatalIf(t, got.Value != want.Value || got.Best != want.Best,
			"\n%s is worth %d by move %d, minimax says %d by move %d", p, got.Value, got.Best, want.Value, want.Best)
	}
	// A fact that can be looked up, as those above.
	testkit.Equal(t, len(keys), 765, "boards that do not turn into each other")
}

func quarterTurned(p tictactoe.Position) tictactoe.Position {
	return moved(p, func(row, column int) (int, int) { return column, 2 - row })
}

func mirrored(p tictactoe.Position) tictactoe.Position {
	return moved(p, func(row, column int) (int, int) { return row, 2 - column })
}

func moved(p tictactoe.Position, to func(row, column int) (int, int)) (q tictactoe.Position) {
	for square := range 9 {
		row, column := to(square/3, square%3)
		q.Own |= p.Own >> square & 1 << (3*row + column)
		q.Opp |= p.Opp >> square & 1 << (3*row + column)
	}
	return q
}

// Zobrist keys depend on the position alone, differ where positions do, and lead to the same search.
func TestZobrist(t *testing.T) {
	reached := map[tictactoe.Position]bool{}
	walk(tictactoe.Position{}, reached)
	keys := map[search.Key]bool{}
	for p := range reached {
		h := tictactoe.Hash(p)
		keys[tictactoe.ZobristGame{}.Key(&h)] = true
		var list search.List[tictactoe.HashedPosition]
		tictactoe.ZobristGame{}.Moves(&h, &list)
		for _, m := range list.All() {
			testkit.MustEqual(t, m.Next, tictactoe.Hash(m.Next.Position), "the position after move %d of\n%s", m.ID, p)
		}
	}
	testkit.Equal(t, len(keys), len(reached), "keys")
	o := search.Options{Table: testkit.Must(search.NewTable(1 << 16))(t)}
	s := testkit.Must(search.New(tictactoe.ZobristGame{}, o))(t)
	got := testkit.Must(s.Search(context.Background(), tictactoe.Hash(tictactoe.Position{}), search.Limits{Depth: 9}))(t)
	o.Table.Clear()
	want := look(t, newSearcher(t, o), tictactoe.Position{}, 9)
	testkit.Equal(t, []int{int(got.Value), got.Best}, []int{int(want.Value), want.Best}, "value and move")
}
