package search

// choice is a search's state of its root: the moves in two orders, and the result of the last
// finished depth.
type choice struct {
	values []Value // of the moves, in the game's order: bounds, or with AllMoves the truth
	order  []uint8 // search order: by the values of the last depth
	best   int     // -1 for none
	guess  Value   // the value of the last depth
	reach  int     // the depth being searched
	line   []uint8

	finished struct {
		depth int
		value Value
		best  int
		moves []Value // with AllMoves
	}
}

// prepare makes room for the moves of a root.
func (c *choice) prepare(n int) {
	if cap(c.values) < n {
		c.values, c.order = make([]Value, n), make([]uint8, n)
		c.finished.moves = make([]Value, n)
	}
	c.values, c.order, c.finished.moves = c.values[:n], c.order[:n], c.finished.moves[:n]
	for i := range c.order {
		c.order[i] = uint8(i)
	}
	c.best = -1
	c.line = c.line[:0]
}

// first chooses the move with the best static order until a depth is finished.
func (c *choice) first(value Value) {
	if len(c.order) > 0 {
		c.sort()
		c.best = int(c.order[0])
	}
	c.guess = value
	c.finish(0)
}

// finish stores the result of a depth.
func (c *choice) finish(depth int) {
	c.finished.depth, c.finished.value, c.finished.best = depth, c.guess, c.best
	copy(c.finished.moves, c.values)
	if depth > 0 {
		c.sort()
	}
}

// sort orders the moves by their values, best first; equals stay in the game's order.
// The best move of the last depth comes first whatever bounds the others have.
func (c *choice) sort() {
	for i := range c.order {
		for k := i; k > 0 && c.before(c.order[k], c.order[k-1]); k-- {
			c.order[k], c.order[k-1] = c.order[k-1], c.order[k]
		}
	}
	for i, m := range c.order {
		if int(m) == c.best {
			copy(c.order[1:i+1], c.order[:i])
			c.order[0] = m
		}
	}
}

func (c *choice) before(a, b uint8) bool {
	if va, vb := c.values[a], c.values[b]; va != vb {
		return va > vb
	}
	return a < b
}

// adopt prepares c for a helper, which searches the leader's root to a depth.
func (c *choice) adopt(leader *choice, depth int) {
	copy(c.order, leader.order)
	c.guess, c.reach = leader.guess, depth
}

// firstDepth returns the depth at which deepening begins. Without a table, shallower searches
// only improve the order of the root's moves, so a search to a given depth with no other limit
// goes there at once.
func (c *control) firstDepth() int {
	l := c.limits
	switch {
	case l.First != 0:
		return l.First
	case c.options.Table == nil && l.Depth != 0 && l.Time == 0 && l.Nodes == 0:
		return l.Depth
	}
	return 1
}
