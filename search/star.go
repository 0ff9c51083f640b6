package search

// starRoot searches the root by Star1 or Star2. A move behind the best so far in the
// game's order has to be better than it, one before it has to equal it only.
func (s *DiceSearcher[P, G]) starRoot(depth int) Value {
	if s.roll == NoRoll {
		return s.chance(&s.root, s.key, depth, 0, -infinity, infinity)
	}
	s.visit()
	if s.sharing {
		defer s.release(0)
	}
	best, bestMove := -infinity, -1
	for n := range s.order {
		i := int(s.order[n])
		if s.sharing && n > 0 {
			i = takeMove(&s.control, s.rootMoves.slots, s.order, nil, n, depth, 0)
		}
		m := &s.rootMoves.slots[i]
		alpha := best
		if i < bestMove {
			alpha = best - 1
		}
		v := s.move(m, depth, 0, alpha, infinity)
		if s.stopped {
			return 0
		}
		s.values[i] = v
		if v > best || v == best && i < bestMove {
			best, bestMove = v, i
		}
	}
	s.best = bestMove
	return best
}

// valueAll gives every move of the root its true value.
func (s *DiceSearcher[P, G]) valueAll(depth int) {
	for i := range s.order {
		s.values[i] = s.move(&s.rootMoves.slots[i], depth, 0, -infinity, infinity)
		if s.stopped {
			return
		}
	}
}

// move returns the value of a move of a node, in a window of that node.
func (s *DiceSearcher[P, G]) move(m *Move[P], depth, ply int, alpha, beta Value) Value {
	if m.Again {
		return s.chance(&m.Next, m.Key, depth-1, ply+1, alpha, beta)
	}
	return -s.chance(&m.Next, m.Key, depth-1, ply+1, -beta, -alpha)
}

// chance returns the value of a position for the side to roll if it lies between alpha and
// beta, otherwise a bound on the same side of the window.
//
// It keeps bounds of each roll's value. Star1 (Ballard, "The *-minimax search procedure for
// trees containing chance nodes", 1983) searches one roll after another. Its window for a roll
// ends where the mean is decided, whatever the other rolls are worth within their bounds. The
// search stops when the bounds alone decide. Star2 first tries one good move of every roll,
// which bounds the roll from below (Hauk, Buro and Schaeffer, "Rediscovering *-minimax search",
// 2004). All arithmetic is on integers: the mean is below beta exactly when the sum is below
// beta times the sum of weights.
func (s *DiceSearcher[P, G]) chance(p *P, key Key, depth, ply int, alpha, beta Value) Value {
	s.visit()
	if v, known := s.leaf(p, depth, ply); known {
		return v
	}
	place := s.place(key, depth)
	k, cut := s.recall(place, depth, alpha, beta)
	if cut {
		return k.value
	}
	if depth == 1 && s.last != nil {
		v := s.last.LastRoll(p, &s.nodes)
		s.remember(place, found{v, exact, depth, NoMove})
		return v
	}
	n := node[P, G]{s: s, f: &s.frames[ply], key: key, depth: depth, ply: ply, alpha: alpha, beta: beta}
	v := n.search(p)
	if !s.stopped && !n.settled {
		s.remember(place, found{v, boundOf(v, alpha, beta), depth, NoMove})
	}
	return v
}
