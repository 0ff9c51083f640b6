package search

import "context"

// driver deepens a search of a root and starts its helpers. Searchers of games with and without
// dice share it.
type driver[P any] struct {
	control
	choice

	tree      tree
	root      P
	key       Key // of the root
	roll      int // of the root, with dice
	rootMoves *List[P]
	helpers   []*driver[P]
	help      func() // assist, once for all depths
}

// tree is a searcher as its driver sees it.
type tree interface {
	// generate lists the moves of the driver's root, and returns the root's static value, or
	// the result of a finished game. Before a roll it lists the moves of any roll, enough to
	// detect the end of the game.
	generate() Value

	// algorithm searches the root to a depth, and valueAll values all of its moves.
	algorithm(depth int) Value
	valueAll(depth int)

	// keepLine keeps the principal variation of a finished depth.
	keepLine()
}

// lead makes h a helper of d.
func (d *driver[P]) lead(h *driver[P]) {
	d.helpers = append(d.helpers, h)
	h.helper, h.team, h.help = len(d.helpers), d.team, h.assist
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
		h.follow(&d.control)
		h.setRoot(root, roll)
	}
	if d.rootMoves.n > 0 {
		d.deepen()
	}
	return d.result(), nil
}

// setRoot generates the moves of the root. Before a roll there is none to choose.
func (d *driver[P]) setRoot(root P, roll int) {
	d.root, d.roll = root, roll
	value := d.tree.generate()
	n := d.rootMoves.n
	if roll == NoRoll {
		n = 0
	}
	d.prepare(n)
	for i := range d.values {
		d.values[i] = Value(d.rootMoves.slots[i].Order)
	}
	d.first(value)
}

// deepen searches to depth 1, 2, 3 and so on.
func (d *driver[P]) deepen() {
	for depth := d.firstDepth(); depth <= d.limits.last() && !d.over(); depth++ {
		value := d.together(depth)
		if d.stopped {
			return
		}
		d.guess = value
		d.finish(depth)
		d.tree.keepLine()
		if d.options.Report != nil {
			r := d.result()
			d.options.Report(&r)
		}
	}
}

// together searches to a depth with all threads. Each thread searches the whole tree, takes
// finished results of other threads from the table, and stops when the leader is done. All
// threads find the same values, so the value does not depend on the number of threads.
func (d *driver[P]) together(depth int) Value {
	if len(d.helpers) == 0 || !d.gather(depth) {
		return d.iterate(depth)
	}
	for _, h := range d.helpers {
		h.adopt(&d.choice, depth)
		go h.help()
	}
	value := d.iterate(depth)
	d.dismiss()
	return value
}

// assist runs a helper: it searches the leader's depth.
func (d *driver[P]) assist() {
	d.sharing, d.stopped = true, false
	d.iterate(d.reach)
	d.team.ended.Done()
}

// iterate searches to one depth by the algorithm.
func (d *driver[P]) iterate(depth int) Value {
	d.reach = depth
	value := d.tree.algorithm(depth)
	if d.limits.AllMoves && !d.stopped {
		d.tree.valueAll(depth)
	}
	return value
}

// result returns the result so far.
func (d *driver[P]) result() Result {
	r := Result{
		Depth: d.finished.depth, Value: d.finished.value, Best: d.finished.best, ID: NoMove,
		Nodes: d.nodes, Elapsed: d.elapsed(), Stats: d.stats,
	}
	if r.Best >= 0 {
		r.ID = d.rootMoves.slots[r.Best].ID
		if len(d.line) == 0 {
			d.line = append(d.line, r.ID)
		}
	}
	r.Line = d.line
	if d.limits.AllMoves && r.Depth > 0 {
		r.Moves = d.finished.moves
	}
	for _, h := range d.helpers {
		r.Nodes += h.nodes
		r.Stats.add(h.stats)
	}
	return r
}

// Moves returns the moves of the root of the last search, in the game's order; before a
// roll those of roll 0.
func (d *driver[P]) Moves() []Move[P] { return d.rootMoves.All() }
