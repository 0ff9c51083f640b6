package search

// expectiminimaxRoot is the oracle.
func (s *DiceSearcher[P, G]) expectiminimaxRoot(depth int) Value {
	if s.roll == NoRoll {
		return s.expect(&s.root, s.key, depth, 0)
	}
	s.visit()
	best := -infinity
	for i := range s.order {
		m := &s.rootMoves.slots[i]
		v := turned(m, s.expect(&m.Next, m.Key, depth-1, 1))
		if s.stopped {
			return 0
		}
		s.values[i] = v
		if v > best {
			best, s.best = v, i
		}
	}
	return best
}

// expect returns the value of a position for the side to roll: the weighted mean, rounded down,
// of the best moves of all rolls.
func (s *DiceSearcher[P, G]) expect(p *P, key Key, depth, ply int) Value {
	s.visit()
	if v, known := s.leaf(p, depth, ply); known {
		return v
	}
	place := s.place(key, depth)
	if k, cut := s.recall(place, depth, -infinity, infinity); cut {
		return k.value
	}
	if depth == 1 && s.last != nil {
		v := s.last.LastRoll(p, &s.nodes)
		s.remember(place, found{v, exact, depth, NoMove})
		return v
	}
	var sum Value
	for roll, weight := range s.weights {
		list := &s.frames[ply].lists[roll]
		list.Clear()
		best := s.game.Moves(p, roll, list)
		if list.n > 0 {
			best = -infinity
		}
		for i := range list.n {
			m := &list.slots[i]
			best = max(best, turned(m, s.expect(&m.Next, m.Key, depth-1, ply+1)))
			if s.stopped {
				return 0
			}
		}
		sum += weight * best
	}
	v := s.mean(sum)
	s.remember(place, found{v, exact, depth, NoMove})
	return v
}
