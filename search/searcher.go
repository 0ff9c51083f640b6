package search

import "context"

// Searcher searches a game without dice. It serves one goroutine, and after its first
// search it allocates nothing.
type Searcher[P any, G Game[P]] struct {
	driver[P]
	memory

	game   G
	table  *Table
	quiet  Quieter[P]    // nil when the game has none, or it is not to be used
	cutter ProbCutter[P] // likewise
	bounds Bounder[P]    // likewise

	frames [maxPly + 1]frame[P]
	scout  bool // pvs: null windows for all moves but the first

	trace *Trace[P] // the visit whose moves are searched; nil without a trace
}

// frame is a node's scratch memory during a search.
type frame[P any] struct {
	list  List[P]
	order []uint8
	ranks []int64
}

// New returns a searcher for a game.
func New[P any, G Game[P]](game G, o Options) (*Searcher[P, G], error) {
	o, err := o.withDefaults(false)
	if err != nil {
		return nil, err
	}
	s := newSearcher[P](game, o)
	for range o.Threads - 1 {
		s.addHelper(&newSearcher[P](fork(game), o).driver)
	}
	return s, nil
}

func newSearcher[P any, G Game[P]](game G, o Options) *Searcher[P, G] {
	s := &Searcher[P, G]{game: game, table: o.Table}
	s.driver.setUp(s, o, &s.frames[0].list)
	s.setRun()
	s.scout = o.Algorithm == PVS
	if o.Quiescence > 0 {
		s.quiet, _ = any(game).(Quieter[P])
	}
	if o.Bounds {
		s.bounds, _ = any(game).(Bounder[P])
	}
	if o.ProbCut > 0 {
		s.cutter, _ = any(game).(ProbCutter[P])
	}
	return s
}

// Search searches a position deeper and deeper, until a limit is reached or the context is
// done. It returns the last finished depth's result. If none was finished, Depth is 0 and
// Best is the move with the best static order. For a finished game it returns the result, at
// depth 0. Errors report invalid limits only.
func (s *Searcher[P, G]) Search(ctx context.Context, root P, l Limits) (Result, error) {
	return s.searchPosition(ctx, root, 0, l)
}

// generateMoves implements [algorithm].
func (s *Searcher[P, G]) generateMoves() Value {
	s.key = s.game.Key(&s.root)
	s.clearStatistics()
	s.moves.clear()
	if result := s.game.Moves(&s.root, s.moves); s.moves.n == 0 {
		return result
	}
	return s.game.Value(&s.root)
}

// rootMoveValue implements [algorithm].
func (s *Searcher[P, G]) rootMoveValue(m *Move[P], depth int, alpha, beta Value, scout bool) Value {
	return s.moveValue(m, depth, 0, alpha, beta, scout)
}

// leafValue returns a position's value if it is not expanded: a quiet one at depth 0 or below.
func (s *Searcher[P, G]) leafValue(p *P, depth, ply int) (v Value, known bool) {
	if ply < maxPly && (depth > 0 || s.quiet != nil && depth > -s.options.Quiescence && !s.quiet.Quiet(p)) {
		return 0, false
	}
	return s.game.Value(p), true
}

// moverValue returns a move's value, given the position's after it.
func moverValue[P any](m *Move[P], v Value) Value {
	if m.Again {
		return v
	}
	return -v
}
