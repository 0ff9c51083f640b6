package search

// minimaxRoot is the oracle.
func (s *Searcher[P, G]) minimaxRoot(depth int) Value {
	return s.fullRoot(depth, func(m *Move[P]) Value {
		return s.minimax(&m.Next, m.Key, depth-1, 1, m.Again)
	})
}

// negamaxRoot is minimax in one function.
func (s *Searcher[P, G]) negamaxRoot(depth int) Value {
	return s.fullRoot(depth, func(m *Move[P]) Value {
		return moverValue(m, s.negamax(&m.Next, m.Key, depth-1, 1))
	})
}

// fullRoot is [driver.valueEveryMove], whose result goes to the table.
func (s *Searcher[P, G]) fullRoot(depth int, value func(m *Move[P]) Value) Value {
	v := s.valueEveryMove(value)
	if !s.stopped {
		s.storeInTable(s.key, found{v, exact, depth, s.lead})
	}
	return v
}

// minimax returns a position's value for the side to move at the root; own is true on that
// side's turn.
func (s *Searcher[P, G]) minimax(p *P, key Key, depth, ply int, own bool) Value {
	s.countNode()
	f := &s.frames[ply]
	side := Value(-1)
	if own {
		side = 1
	}
	if v, known := s.leafValue(p, depth, ply); known {
		return side * v
	}
	if k, cut := s.probeTable(key, depth, -infinity, infinity); cut {
		return side * k.value
	}
	f.list.clear()
	result := s.game.Moves(p, &f.list)
	if f.list.n == 0 {
		return side * result
	}
	best, bestID := -side*infinity, uint8(NoMove)
	for i := range f.list.n {
		m := &f.list.slots[i]
		v := s.minimax(&m.Next, m.Key, depth-1, ply+1, own == m.Again)
		if s.stopped {
			return 0
		}
		if own && v > best || !own && v < best {
			best, bestID = v, m.ID
		}
	}
	s.storeInTable(key, found{side * best, exact, depth, bestID})
	return best
}

// negamax returns a position's value for the side to move.
func (s *Searcher[P, G]) negamax(p *P, key Key, depth, ply int) Value {
	s.countNode()
	f := &s.frames[ply]
	if v, known := s.leafValue(p, depth, ply); known {
		return v
	}
	if k, cut := s.probeTable(key, depth, -infinity, infinity); cut {
		return k.value
	}
	f.list.clear()
	result := s.game.Moves(p, &f.list)
	if f.list.n == 0 {
		return result
	}
	best, bestID := -infinity, uint8(NoMove)
	for i := range f.list.n {
		m := &f.list.slots[i]
		v := moverValue(m, s.negamax(&m.Next, m.Key, depth-1, ply+1))
		if s.stopped {
			return 0
		}
		if v > best {
			best, bestID = v, m.ID
		}
	}
	s.storeInTable(key, found{best, exact, depth, bestID})
	return best
}
