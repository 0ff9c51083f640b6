package search

// mtdfRoot closes in on the value by null windows, beginning at the value of the previous depth
// (Plaat, Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax algorithms", 1996).
func (s *Searcher[P, G]) mtdfRoot(depth int) Value { return s.mtd(depth, s.guess) }

// sssRoot begins above all values: it then expands the same nodes as SSS*, in the same order
// (the same paper).
func (s *Searcher[P, G]) sssRoot(depth int) Value { return s.mtd(depth, MaxValue) }

func (s *Searcher[P, G]) mtd(depth int, guess Value) Value {
	low, high := -MaxValue, MaxValue
	v := guess
	for low < high {
		beta := max(v, low+1)
		v = s.window(depth, beta-1, beta)
		if s.stopped {
			return 0
		}
		if v < beta {
			high = v
		} else {
			low = v
		}
	}
	s.firstBest(depth, v)
	return v
}

// firstBest finds the first move of the root with value v, the value of the root. It searches
// each move with a null window; the table already holds most results.
func (s *Searcher[P, G]) firstBest(depth int, v Value) {
	f := &s.frames[0]
	for i := range f.list.n {
		m := &f.list.slots[i]
		reached := s.move(m, depth, 0, v-1, v, false) >= v
		switch {
		case s.stopped:
			return
		case reached:
			s.best = i
			s.values[i] = v
			s.extendLine(0, m.ID)
			return
		}
	}
}
