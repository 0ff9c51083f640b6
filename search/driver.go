package search

import (
	"cmp"
	"context"
	"slices"
)

// driver deepens the search from a root, by one algorithm on any number of threads. Searchers for
// games with and without dice share it.
type driver[P any] struct {
	thread
	rootMoves[P]

	algorithm algorithm[P]
	run       func(depth int) Value // searches the root to a depth
	root      P
	key       Key // key of root
	roll      int // roll at the root, with dice
	helpers   []*driver[P]
	help      func() // assist, once for all depths
}

// algorithm is a searcher as its driver calls it.
type algorithm[P any] interface {
	// generateMoves lists the driver's root moves, and returns the root's static value, or
	// a finished game's result. Before a roll it lists the moves for any roll, enough to
	// detect that the game is over.
	generateMoves() Value

	// rootMoveValue returns a root move's value in a window. With scout a null window may
	// show first that the move is no better than alpha.
	rootMoveValue(m *Move[P], depth int, alpha, beta Value, scout bool) Value
}

// rootMoves are the root's moves in two orders, and the last finished depth's result.
type rootMoves[P any] struct {
	moves  *List[P]
	values []Value // values or bounds in the game's order; exact with AllMoves
	order  []uint8 // search order: by the values of the last depth
	best   int     // -1 for none
	lead   uint8   // ID of the best move of the last window, which may be a bound
	guess  Value   // the value of the last depth
	reach  int     // the depth being searched

	finished struct {
		depth  int
		value  Value
		best   int
		values []Value // move values, with AllMoves
	}
}

// setUp prepares a searcher whose root moves are in a list.
func (d *driver[P]) setUp(a algorithm[P], o Options, moves *List[P]) {
	d.algorithm, d.options, d.moves, d.spacing = a, o, moves, checkEvery
	d.pool = &pool{marks: make([]marks, o.Threads)}
}

// searchPosition searches a root.
func (d *driver[P]) searchPosition(ctx context.Context, root P, roll int, l Limits) (Result, error) {
	if err := l.check(); err != nil {
		return Result{}, err
	}
	d.startSearch(ctx, l)
	if t := d.options.Table; t != nil {
		t.startSearch()
	}
	d.setRoot(root, roll)
	for _, h := range d.helpers {
		h.followLeader(&d.thread)
		h.setRoot(root, roll)
	}
	if d.moves.n > 0 {
		d.deepen()
	}
	return d.result(), nil
}

// setRoot generates the root's moves. Before a roll there is none to choose. The best move
// is the one with the best static order until a depth is finished.
func (d *driver[P]) setRoot(root P, roll int) {
	d.root, d.roll = root, roll
	value := d.algorithm.generateMoves()
	n := d.moves.n
	if roll == NoRoll {
		n = 0
	}
	d.makeRoom(n)
	for i := range d.values {
		d.values[i] = Value(d.moves.slots[i].Order)
	}
	if n > 0 {
		d.sortMoves()
		d.best = int(d.order[0])
	}
	d.guess = value
	d.finishDepth(0)
}

// makeRoom makes room for a number of moves.
func (r *rootMoves[P]) makeRoom(n int) {
	if cap(r.values) < n {
		r.values, r.order = make([]Value, n), make([]uint8, n)
		r.finished.values = make([]Value, n)
	}
	r.values, r.order, r.finished.values = r.values[:n], r.order[:n], r.finished.values[:n]
	for i := range r.order {
		r.order[i] = uint8(i)
	}
	r.best = -1
}

// finishDepth stores a depth's result.
func (r *rootMoves[P]) finishDepth(depth int) {
	r.finished.depth, r.finished.value, r.finished.best = depth, r.guess, r.best
	copy(r.finished.values, r.values)
	if depth > 0 {
		r.sortMoves()
	}
}

// sortMoves orders the moves by their values, best first; equals stay in the game's order. The best
// move at the last depth comes first whatever bounds the others have.
func (r *rootMoves[P]) sortMoves() {
	slices.SortFunc(r.order, func(a, b uint8) int {
		return cmp.Or(cmp.Compare(r.values[b], r.values[a]), cmp.Compare(a, b))
	})
	if i := slices.Index(r.order, uint8(r.best)); r.best >= 0 && i >= 0 {
		copy(r.order[1:i+1], r.order[:i])
		r.order[0] = uint8(r.best)
	}
}

// deepen searches to depth 1, 2, 3 and so on. Without a table, shallower searches only improve
// the root's move order, so a search to a given depth with no other limit goes there at
// once.
func (d *driver[P]) deepen() {
	l := d.limits
	first := max(1, l.First)
	if l.First == 0 && d.options.Table == nil && d.options.Stable == 0 && l.Depth != 0 && l.Time == 0 && l.Nodes == 0 {
		first = l.Depth
	}
	stable := 0
	for depth := first; depth <= l.lastDepth() && !d.mustStop(); depth++ {
		value := d.searchParallel(depth)
		if d.stopped {
			return
		}
		stable++
		if value != d.finished.value || d.best != d.finished.best || d.finished.depth == 0 {
			stable = 0
		}
		d.guess = value
		d.finishDepth(depth)
		if stable > 0 && stable == d.options.Stable {
			return
		}
	}
}

// searchParallel searches to a depth with all threads. Each thread searches the whole tree, takes
// other threads' finished results from the table, and stops when the leader is done. All
// threads find the same values, so the thread count does not change the value.
func (d *driver[P]) searchParallel(depth int) Value {
	d.sharing = len(d.helpers) > 0 && d.options.Table != nil
	if d.sharing = d.sharesNode(depth); !d.sharing {
		return d.searchDepth(depth)
	}
	d.pool.leave.Store(false)
	for _, h := range d.helpers {
		copy(h.order, d.order)
		h.guess, h.reach = d.guess, depth
		d.pool.helping.Add(1)
		go h.help()
	}
	value := d.searchDepth(depth)
	d.pool.leave.Store(true)
	d.pool.helping.Wait()
	return value
}

// addHelper adds a helper to d.
func (d *driver[P]) addHelper(h *driver[P]) {
	d.helpers = append(d.helpers, h)
	h.number, h.pool, h.help = len(d.helpers), d.pool, h.assistLeader
}

// assistLeader runs a helper: it searches the leader's depth.
func (d *driver[P]) assistLeader() {
	d.sharing, d.stopped = true, false
	d.searchDepth(d.reach)
	d.pool.helping.Done()
}

// searchDepth searches to one depth by the algorithm.
func (d *driver[P]) searchDepth(depth int) Value {
	d.reach = depth
	value := d.run(depth)
	if !d.limits.AllMoves {
		return value
	}
	for i := 0; i < len(d.values) && !d.stopped; i++ {
		d.values[i] = d.algorithm.rootMoveValue(&d.moves.slots[i], depth, -infinity, infinity, false)
	}
	return value
}

// valueEveryMove values every root move and takes the first with the highest value.
func (d *driver[P]) valueEveryMove(value func(m *Move[P]) Value) Value {
	d.countNode()
	best := -infinity
	for i := range d.values {
		m := &d.moves.slots[i]
		v := value(m)
		if d.stopped {
			return 0
		}
		d.values[i] = v
		if v > best {
			best, d.best = v, i
			d.lead = m.ID
		}
	}
	return best
}

// searchRootMoves searches the root in a window, which holds the value when the result lies inside. In
// that case best is the first best move. A move listed before the best so far only has
// to equal it, a move listed after it has to be better.
func (d *driver[P]) searchRootMoves(depth int, alpha, beta Value) Value {
	d.countNode()
	if d.sharing {
		defer d.clearMark(0)
	}
	moves := d.moves.All()
	best, bestMove := -infinity, -1
	for n := range d.order {
		i := int(d.order[n])
		if d.sharing && n > 0 {
			i = takeMove(&d.thread, moves, d.order, nil, n, depth, 0)
		}
		low := max(alpha, best)
		if i < bestMove && best > alpha {
			low = best - 1
		}
		v := d.algorithm.rootMoveValue(&moves[i], depth, low, beta, n > 0)
		if d.stopped {
			return 0
		}
		d.values[i] = v
		if v > best || v == best && i < bestMove {
			best, bestMove = v, i
			d.lead = moves[i].ID
		}
		if best >= beta {
			break
		}
	}
	if best > alpha {
		d.best = bestMove
	}
	return best
}

// result returns the result so far.
func (d *driver[P]) result() Result {
	r := Result{
		Depth: d.finished.depth, Value: d.finished.value, Best: d.finished.best, ID: NoMove,
		Work: d.work, Elapsed: d.elapsed(),
	}
	if r.Best >= 0 {
		r.ID = d.moves.slots[r.Best].ID
	}
	if d.limits.AllMoves && r.Depth > 0 {
		r.Moves = d.finished.values
	}
	if t := d.options.Table; t != nil {
		r.Collisions = t.varied.collisions
	}
	for _, h := range d.helpers {
		r.Work = r.Work.Plus(h.work)
	}
	return r
}

// Moves returns the last search's root moves, in the game's order; before a
// roll those for roll 0.
func (d *driver[P]) Moves() []Move[P] { return d.moves.All() }
