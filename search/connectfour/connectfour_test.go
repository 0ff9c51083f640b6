package connectfour

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/search"
)

// play plays random moves, and returns the game too.
func play(random *rand.Rand, stones int) (p Position, game string) {
	for p.Stones() < stones && !p.Over() {
		c := random.IntN(Columns)
		if p.CanPlay(c) {
			p = p.Play(c)
			game += string(rune('1' + c))
		}
	}
	return p, game
}

func TestFourInARow(t *testing.T) {
	for game, over := range map[string]bool{
		"1213141": true, "1122334": true, "121314": false, "4455667": true, "1223343446": false,
		"12233434464": true, "76655454424": true,
	} {
		testkit.Equal(t, testkit.Must(Parse(game))(t).Over(), over, "%s: over", game)
	}
	for _, game := range []string{"8", "0", "x", "1111111", "12131415"} {
		testkit.WantError(t, testkit.ErrorOf(Parse(game)), "", "%s", game)
	}
	p, _ := Parse("443")
	testkit.Equal(t, p.String(), strings.Repeat(".......\n", 4)+"...O...\n..XX...\n", "the game 443")
}

// The winning squares are those where a stone makes four.
func TestWins(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		p, game := play(random, random.IntN(41))
		want := uint64(0)
		for empty := uint64(board &^ p.All); empty != 0; empty &= empty - 1 {
			if square := empty & -empty; hasFour(p.Own | square) {
				want |= square
			}
		}
		got := winningSquares(p.Own, p.All)
		testkit.FatalIf(t, !hasFour(p.Own) && got != want, "%s: winning squares %#x, want %#x\n%v", game, got, want, p)
	}
}

// negamax is the oracle: it plays every move to the end.
func negamax(p Position, alpha, beta search.Value) search.Value {
	if p.Over() {
		if hasFour(p.Own ^ p.All) {
			return -winValue(p.Stones() - 1)
		}
		return 0
	}
	for c := range Columns {
		if p.CanPlay(c) {
			if alpha = max(alpha, -negamax(p.Play(c), -beta, -alpha)); alpha >= beta {
				return alpha
			}
		}
	}
	return alpha
}

// The solver agrees with the oracle, and its move reaches the value.
func TestSolverEqualsNegamax(t *testing.T) {
	s := testkit.Must(newSolver(1 << 16))(t)
	random := rand.New(rand.NewPCG(2, 2))
	for range 300 {
		p, game := play(random, 28+random.IntN(14))
		if p.Over() {
			continue
		}
		r := testkit.Must(s.solve(t.Context(), p))(t)
		testkit.MustEqual(t, r.Value, negamax(p, -100, 100), "%s: value", game)
		testkit.MustEqual(t, r.Exact, true, "%s: exact", game)
		testkit.MustEqual(t, -negamax(p.Play(r.Column), -100, 100), r.Value, "%s: value of column %d", game, r.Column)
	}
	over, _ := Parse("1213141")
	testkit.WantError(t, testkit.ErrorOf(s.solve(t.Context(), over)), "", "a finished game is solved")
}

// Known values, computed by Pascal Pons's solver.
var solved = map[string]search.Value{
	"32164625": 11, "47223536": 17, "43236214": -12, "25423443": 17, "21475342": 6,
	"2252576253462244111563365343671351441": -1, "7422341735647741166133573473242566": 1,
	"23163416124767223154467471272416755633": 0,
}

// Every way to search gives the known values: with and without bounds, mirrored keys or table.
func TestSolved(t *testing.T) {
	s := testkit.Must(newSolver(1 << 22))(t)
	for game, want := range solved {
		p := testkit.Must(Parse(game))(t)
		mirror := Position{Own: reflectColumns(p.Own), All: reflectColumns(p.All)}
		for _, q := range []Position{p, mirror} {
			testkit.Equal(t, testkit.Must(s.solve(t.Context(), q))(t).Value, want, "%s: value of\n%v", game, q)
		}
	}
}

// Bounds and all algorithms leave value and best move as they are.
func TestBoundsChangeNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for range 40 {
		p, game := play(random, 24)
		if _, ok := certainResult(p); p.Over() || ok {
			continue
		}
		depth := Squares - p.Stones()
		var first search.Result
		for i, o := range []search.Options{
			{Algorithm: search.AlphaBeta, Static: true}, {Algorithm: search.AlphaBeta, Bounds: true},
			{Algorithm: search.PVS, Bounds: true, Static: true, ETC: true},
			{Algorithm: search.MTDF, Bounds: true, TableMove: true},
			{Algorithm: search.Aspiration, Bounds: true, Threads: 2},
		} {
			o.Table, _ = search.NewTable(1 << 18)
			s := testkit.Must(search.New[Position](Game{}, o))(t)
			r := testkit.Must(s.Search(t.Context(), p, search.Limits{Depth: depth, First: depth}))(t)
			if i == 0 {
				first = r
			}
			testkit.Equal(t, []int{int(r.Value), r.Best}, []int{int(first.Value), first.Best},
				"%s: value and move by %+v", game, o)
		}
		low, high := (Game{}).Bounds(&p)
		testkit.ErrorIf(t, first.Value < low || first.Value > high,
			"%s: %d is outside of %d to %d", game, first.Value, low, high)
	}
}

// A stopped search wins at once, blocks or makes a legal move, and a game of such moves ends by the rules.
func TestStoppedSolve(t *testing.T) {
	s := testkit.Must(newSolver(1 << 16))(t)
	stopped := testkit.CanceledContext()
	p, _ := Parse("112233")
	r := testkit.Must(s.solve(stopped, p))(t)
	testkit.ErrorIf(t, r.Column != 3 || !r.Exact, "%+v, want column 3\n%v", r, p)
	r = testkit.Must(s.solve(stopped, Position{}))(t)
	testkit.ErrorIf(t, r.Exact || r.Column < 0 || r.Column >= Columns, "a stopped search: %+v", r)
	for p = (Position{}); !p.Over(); p = p.Play(r.Column) {
		r = testkit.Must(s.solve(stopped, p))(t)
		testkit.FatalIf(t, !p.CanPlay(r.Column), "%+v\n%v", r, p)
	}
	testkit.ErrorIf(t, bits.OnesCount64(p.All) < 7, "the game is over after\n%v", p)
}

func BenchmarkSolve(b *testing.B) {
	s := testkit.Must(newSolver(1 << 22))(b)
	p, _ := Parse("21475342")
	for b.Loop() {
		s.table.Clear()
		if r, err := s.solve(b.Context(), p); err != nil || r.Value != solved["21475342"] {
			b.Fatal(r, err)
		}
	}
}

// solver finds values and best moves. It serves one goroutine.
type solver struct {
	searcher *search.Searcher[Position, Game]
	table    *search.Table
}

// newSolver returns a solver with a table of at most the given bytes.
func newSolver(bytes int) (*solver, error) {
	table, err := search.NewTable(bytes)
	if err != nil {
		return nil, err
	}
	o := Options()
	o.Table = table
	s, err := search.New[Position](Game{}, o)
	return &solver{s, table}, err
}

// result is a search's result.
type result struct {
	Column int          // best move's column, 0 to 6
	Value  search.Value // see [Game]; 0 also where no result was found
	Exact  bool         // the value is that of perfect play
	Nodes  uint64
}

// errOver reports a finished game.
var errOver = errors.New("connectfour: the game is over")

// solve returns a position's value and a best move. A context that ends leaves a legal move
// and a value that is not exact.
func (s *solver) solve(ctx context.Context, p Position) (result, error) {
	if p.Over() {
		return result{}, errOver
	}
	p.calm = false
	if r, ok := certainResult(p); ok {
		return r, nil
	}
	depth := Squares - p.Stones()
	found, err := s.searcher.Search(ctx, p, search.Limits{Depth: depth, First: depth})
	if err != nil {
		return result{}, err
	}
	r := result{Column: firstColumn(p.openSquares()), Value: found.Value, Nodes: found.Nodes}
	r.Exact = found.Depth == depth
	if found.Best >= 0 {
		r.Column = firstColumn(s.searcher.Moves()[found.Best].Next.All ^ p.All)
	}
	return r, nil
}

// certainResult returns the result of a position where [Game] has no moves.
func certainResult(p Position) (r result, ok bool) {
	stones := p.Stones()
	moves, harmless := p.openSquares(), p.harmlessMoves()
	switch won := winningSquares(p.Own, p.All) & moves; {
	case won != 0:
		return result{Column: firstColumn(won), Value: winValue(stones), Exact: true}, true
	case harmless == 0:
		return result{Column: firstColumn(moves), Value: lossValue(stones), Exact: true}, true
	case stones >= Squares-2:
		return result{Column: firstColumn(harmless), Exact: true}, true
	}
	return r, false
}

// firstColumn returns the column of the first square of a set.
func firstColumn(set uint64) int { return bits.TrailingZeros64(set) / 7 }

// The first player has three stones in the bottom row, and wins in column 4.
func Example() {
	p, err := Parse("112233")
	if err != nil {
		panic(err)
	}
	s, err := newSolver(1 << 20)
	if err != nil {
		panic(err)
	}
	r, err := s.solve(context.Background(), p)
	fmt.Println("column", r.Column+1, "exact", r.Exact, err)
	// Output: column 4 exact true <nil>
}

// horizon is a game after which only column 5 wins. A search of four plies does not see it, since the
// win comes behind threats that must be answered: it chooses column 4, which loses.
const horizon = "32567373226461266731"

// The horizon effect and its cures: to search on where a reply is forced, and to search the moves
// deeper that force one.
func TestHorizon(t *testing.T) {
	p := testkit.Must(Parse(horizon))(t)
	exact := testkit.Must(testkit.Must(newSolver(1<<20))(t).solve(t.Context(), p))(t)
	testkit.Equal(t, []int{exact.Column, int(exact.Value)}, []int{4, 8}, "column and value of perfect play")
	for name, o := range map[string]search.Options{
		"plain": {}, "quiescence": {Quiescence: 8}, "extensions": {Extensions: true}, "both": {Quiescence: 8, Extensions: true},
	} {
		o.Static = true
		s := testkit.Must(search.New[Position](Threats{}, o))(t)
		r := testkit.Must(s.Search(t.Context(), p, search.Limits{Depth: 4, First: 4}))(t)
		column := firstColumn(s.Moves()[r.Best].Next.All ^ p.All)
		if name == "plain" {
			testkit.Equal(t, column, 3, "the column of a plain search, value %d", r.Value)
			reply := testkit.Must(testkit.Must(newSolver(1<<20))(t).solve(t.Context(), p.Play(column)))(t)
			testkit.Equal(t, reply.Value, 2, "the value of this column for the other side")
			continue
		}
		testkit.Equal(t, []int{column, int(r.Value)}, []int{4, 8 * Unit}, "%s: column and value", name)
	}
}

// Where the game ends within the search, estimates change nothing.
func TestThreatsEqualTheGame(t *testing.T) {
	for game, value := range solved {
		p := testkit.Must(Parse(game))(t)
		rest := Squares - p.Stones()
		if rest > 12 {
			continue
		}
		s := testkit.Must(search.New[Position](Threats{}, search.Options{Static: true, Bounds: true}))(t)
		r := testkit.Must(s.Search(t.Context(), p, search.Limits{Depth: rest, First: rest}))(t)
		testkit.Equal(t, r.Value, Unit*value, "%s: value", game)
	}
}
