package search

import (
	"cmp"
	"context"
	"slices"
)

// driver deepens a search of a root, by one algorithm and any number of threads. Searchers of
// games with and without dice share it.
type driver[P any] struct {
	thread
	rootMoves[P]

	algorithm algorithm[P]
	run       func(depth int) Value // searches the root to a depth
	root      P
	key       Key // of the root
	roll      int // of the root, with dice
	helpers   []*driver[P]
	help      func() // assist, once for all depths
}

// algorithm is a searcher as its driver calls it.
type algorithm[P any] interface {
	// generate lists the moves of the driver's root, and returns the root's static value, or
	// the result of a finished game. Before a roll it lists the moves of any roll, enough to
	// detect the end of the game.
	generate() Value

	// value returns the value of a move of the root in a window. With scout a null window may
	// show first that the move is no better than alpha.
	value(m *Move[P], depth int, alpha, beta Value, scout bool) Value
}

// rootMoves are the moves of the root in two orders, and the result of the last finished depth.
type rootMoves[P any] struct {
	moves  *List[P]
	values []Value // of the moves, in the game's order: bounds, or with AllMoves the truth
	order  []uint8 // search order: by the values of the last depth
	best   int     // -1 for none
	lead   uint8   // ID of the best move of the last window, which may be a bound
	guess  Value   // the value of the last depth
	reach  int     // the depth being searched

	finished struct {
		depth  int
		value  Value
		best   int
		values []Value // with AllMoves
	}
}

// init prepares a searcher whose root moves are in a list.
func (d *driver[P]) init(a algorithm[P], o Options, moves *List[P]) {
	d.algorithm, d.options, d.moves = a, o, moves
	d.pool = &pool{marks: make([]marks, o.Threads)}
}

// search searches a root.
func (d *driver[P]) search(ctx context.Context, root P, roll int, l Limits) (Result, error) {
	if err := l.check(); err != nil {
		return Result{}, err
	}
	d.start(ctx, l)
	if t := d.options.Table; t != nil {
		t.grow()
	}
	d.setRoot(root, roll)
	for _, h := range d.helpers {
		h.follow(&d.thread)
		h.setRoot(root, roll)
	}
	if d.moves.n > 0 {
		d.deepen()
	}
	return d.result(), nil
}

// setRoot generates the moves of the root. Before a roll there is none to choose. The best move
// is the one with the best static order until a depth is finished.
func (d *driver[P]) setRoot(root P, roll int) {
	d.root, d.roll = root, roll
	value := d.algorithm.generate()
	n := d.moves.n
	if roll == NoRoll {
		n = 0
	}
	d.prepare(n)
	for i := range d.values {
		d.values[i] = Value(d.moves.slots[i].Order)
	}
	if n > 0 {
		d.sort()
		d.best = int(d.order[0])
	}
	d.guess = value
	d.finish(0)
}

// prepare makes room for a number of moves.
func (r *rootMoves[P]) prepare(n int) {
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

// finish stores the result of a depth.
func (r *rootMoves[P]) finish(depth int) {
	r.finished.depth, r.finished.value, r.finished.best = depth, r.guess, r.best
	copy(r.finished.values, r.values)
	if depth > 0 {
		r.sort()
	}
}

// sort orders the moves by their values, best first; equals stay in the game's order. The best
// move of the last depth comes first whatever bounds the others have.
func (r *rootMoves[P]) sort() {
	slices.SortFunc(r.order, func(a, b uint8) int {
		return cmp.Or(cmp.Compare(r.values[b], r.values[a]), cmp.Compare(a, b))
	})
	if i := slices.Index(r.order, uint8(r.best)); r.best >= 0 && i >= 0 {
		copy(r.order[1:i+1], r.order[:i])
		r.order[0] = uint8(r.best)
	}
}

// deepen searches to depth 1, 2, 3 and so on. Without a table, shallower searches only improve
// the order of the root's moves, so a search to a given depth with no other limit goes there at
// once.
func (d *driver[P]) deepen() {
	l := d.limits
	first := max(1, l.First)
	if l.First == 0 && d.options.Table == nil && l.Depth != 0 && l.Time == 0 && l.Nodes == 0 {
		first = l.Depth
	}
	for depth := first; depth <= l.last() && !d.over(); depth++ {
		value := d.together(depth)
		if d.stopped {
			return
		}
		d.guess = value
		d.finish(depth)
	}
}

// together searches to a depth with all threads. Each thread searches the whole tree, takes
// finished results of other threads from the table, and stops when the leader is done. All
// threads find the same values, so the value does not depend on the number of threads.
func (d *driver[P]) together(depth int) Value {
	d.sharing = len(d.helpers) > 0 && d.options.Table != nil
	if d.sharing = d.shares(depth); !d.sharing {
		return d.iterate(depth)
	}
	d.pool.leave.Store(false)
	for _, h := range d.helpers {
		copy(h.order, d.order)
		h.guess, h.reach = d.guess, depth
		d.pool.helping.Add(1)
		go h.help()
	}
	value := d.iterate(depth)
	d.pool.leave.Store(true)
	d.pool.helping.Wait()
	return value
}

// addHelper makes h a helper of d.
func (d *driver[P]) addHelper(h *driver[P]) {
	d.helpers = append(d.helpers, h)
	h.number, h.pool, h.help = len(d.helpers), d.pool, h.assist
}

// assist runs a helper: it searches the leader's depth.
func (d *driver[P]) assist() {
	d.sharing, d.stopped = true, false
	d.iterate(d.reach)
	d.pool.helping.Done()
}

// iterate searches to one depth by the algorithm.
func (d *driver[P]) iterate(depth int) Value {
	d.reach = depth
	value := d.run(depth)
	if !d.limits.AllMoves {
		return value
	}
	for i := 0; i < len(d.values) && !d.stopped; i++ {
		d.values[i] = d.algorithm.value(&d.moves.slots[i], depth, -infinity, infinity, false)
	}
	return value
}

// everyMove values every move of the root and takes the first of the highest.
func (d *driver[P]) everyMove(value func(m *Move[P]) Value) Value {
	d.visit()
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

// window searches the root in a window, which holds the value when the result lies inside. In
// that case best is the first of the best moves. A move listed before the best so far only has
// to equal it, a move listed after it has to be better.
func (d *driver[P]) window(depth int, alpha, beta Value) Value {
	d.visit()
	if d.sharing {
		defer d.release(0)
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
		v := d.algorithm.value(&moves[i], depth, low, beta, n > 0)
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
		Nodes: d.nodes, Elapsed: d.elapsed(),
	}
	if r.Best >= 0 {
		r.ID = d.moves.slots[r.Best].ID
	}
	if d.limits.AllMoves && r.Depth > 0 {
		r.Moves = d.finished.values
	}
	for _, h := range d.helpers {
		r.Nodes += h.nodes
	}
	return r
}

// Moves returns the moves of the root of the last search, in the game's order; before a
// roll those of roll 0.
func (d *driver[P]) Moves() []Move[P] { return d.moves.All() }

// Background is a search in the background, on the searcher's own table, such as one in the
// opponent's time, on the expected position. When it is stopped, its table entries remain for
// the next search. Until Wait has returned the searcher must not be used for anything else.
type Background struct {
	stop   context.CancelFunc
	done   chan struct{}
	result Result
	err    error
}

// Ponder begins to search in the background.
func (s *Searcher[P, G]) Ponder(ctx context.Context, root P, l Limits) *Background {
	return s.background(ctx, root, 0, l)
}

// Ponder begins to search in the background.
func (s *DiceSearcher[P, G]) Ponder(ctx context.Context, root P, roll int, l Limits) *Background {
	return s.background(ctx, root, roll, l)
}

func (d *driver[P]) background(ctx context.Context, root P, roll int, l Limits) *Background {
	ctx, stop := context.WithCancel(ctx)
	b := &Background{stop: stop, done: make(chan struct{})}
	go func() {
		defer close(b.done)
		defer stop()
		b.result, b.err = d.search(ctx, root, roll, l)
	}()
	return b
}

// Stop ends the search, within the time of some hundred nodes.
func (b *Background) Stop() { b.stop() }

// Wait waits for the search to end and returns its result.
func (b *Background) Wait() (Result, error) {
	<-b.done
	return b.result, b.err
}
