package connectfour

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"github.com/seed-09dcdc84/ur/search"
)

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
