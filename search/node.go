package search

// leaf returns the value of a position that is not expanded: one with an exact value from the
// game, a quiet one at depth 0, or one at depth 1 when the game evaluates the last ply.
func (s *Searcher[P, G]) leaf(p *P, depth, ply int) (v Value, known bool) {
	if s.prober != nil {
		if v, known := s.prober.Probe(p); known {
			return v, true
		}
	}
	switch {
	case depth > 1 && ply < maxPly:
		return 0, false
	case depth == 1 && ply < maxPly:
		if s.last == nil {
			return 0, false
		}
		return s.last.LastPly(p, &s.nodes), true
	case s.quiet != nil && ply < maxPly && depth > -s.options.QuietPlies && !s.quiet.Quiet(p):
		return 0, false
	}
	return s.game.Value(p), true
}

// extendLine makes a move and the line behind it the line of the node at a distance
// from the root.
func (s *Searcher[P, G]) extendLine(ply int, id uint8) {
	f, next := &s.frames[ply], &s.frames[ply+1]
	f.line[0] = id
	f.lineN = 1 + copy(f.line[1:], next.line[:next.lineN])
}

// recall probes the table. It reports whether the entry makes a search of the window
// unnecessary; if so, value is a bound on that side of the window.
func (c *control) recall(key Key, depth int, alpha, beta Value) (k found, cut bool) {
	t := c.options.Table
	if t == nil || depth < c.options.TableDepth {
		return found{move: NoMove}, false
	}
	c.stats.Probes++
	k = t.probe(key)
	if k.bound == unknown {
		return k, false
	}
	c.stats.Hits++
	if c.settles(k, depth, alpha, beta) {
		c.stats.Cutoffs++
		return k, true
	}
	return k, false
}

// settles reports whether an entry decides a window at a depth.
func (c *control) settles(k found, depth int, alpha, beta Value) bool {
	if k.depth != depth && !(c.options.Deeper && k.depth > depth) {
		return false
	}
	return k.bound == exact || k.bound == lower && k.value >= beta || k.bound == upper && k.value <= alpha
}

// remember stores the result of a finished search of a node.
func (c *control) remember(key Key, k found) {
	t := c.options.Table
	if t == nil || k.depth < c.options.TableDepth {
		return
	}
	c.stats.Stores++
	if t.store(key, k) {
		c.stats.Overwrites++
	}
}

// boundOf returns the kind of bound of a fail-soft value of a node searched in a window.
func boundOf(v, alpha, beta Value) bound {
	switch {
	case v >= beta:
		return lower
	case v <= alpha:
		return upper
	}
	return exact
}
