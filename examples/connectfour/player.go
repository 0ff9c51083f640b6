package connectfour

import (
	"context"
	"errors"
	"math/bits"

	"github.com/seed-09dcdc84/ur/search"
)

// Options returns the search techniques that pay in connect four. docs/search.md compares them.
func Options() search.Options {
	return search.Options{Algorithm: search.PVS, Static: true, ETC: true, Bounds: true}
}

// Solver finds values and best moves. It serves one goroutine.
type Solver struct {
	searcher *search.Searcher[Position, Game]
	table    *search.Table
}

// NewSolver returns a solver with a table of at most the given bytes.
func NewSolver(bytes int) (*Solver, error) {
	table, err := search.NewTable(bytes)
	if err != nil {
		return nil, err
	}
	o := Options()
	o.Table = table
	s, err := search.New[Position](Game{}, o)
	return &Solver{s, table}, err
}

// Result is a search's result.
type Result struct {
	Column int          // best move's column, 0 to 6
	Value  search.Value // see [Game]; 0 also where no result was found
	Exact  bool         // the value is that of perfect play
	Nodes  uint64
}

// errOver reports a finished game.
var errOver = errors.New("connectfour: the game is over")

// Solve returns a position's value and a best move. A context that ends leaves a legal move
// and a value that is not exact.
func (s *Solver) Solve(ctx context.Context, p Position) (Result, error) {
	if p.Over() {
		return Result{}, errOver
	}
	p.calm = false
	if r, ok := certainResult(p); ok {
		return r, nil
	}
	depth := Squares - p.Stones()
	found, err := s.searcher.Search(ctx, p, search.Limits{Depth: depth, First: depth})
	if err != nil {
		return Result{}, err
	}
	r := Result{Column: firstColumn(p.openSquares()), Value: found.Value, Nodes: found.Nodes}
	r.Exact = found.Depth == depth
	if found.Best >= 0 {
		r.Column = firstColumn(s.searcher.Moves()[found.Best].Next.All ^ p.All)
	}
	return r, nil
}

// certainResult returns the result of a position where [Game] has no moves.
func certainResult(p Position) (r Result, ok bool) {
	stones := p.Stones()
	moves, harmless := p.openSquares(), p.harmlessMoves()
	switch won := winningSquares(p.Own, p.All) & moves; {
	case won != 0:
		return Result{Column: firstColumn(won), Value: winValue(stones), Exact: true}, true
	case harmless == 0:
		return Result{Column: firstColumn(moves), Value: lossValue(stones), Exact: true}, true
	case stones >= Squares-2:
		return Result{Column: firstColumn(harmless), Exact: true}, true
	}
	return r, false
}

// firstColumn returns the column of the first square of a set.
func firstColumn(set uint64) int { return bits.TrailingZeros64(set) / 7 }
