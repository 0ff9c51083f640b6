package search

import (
	"cmp"

	"github.com/seed-09dcdc84/ur/internal/mix"
)

// alphaBetaRoot searches the root in the full window: for AlphaBeta and PVS.
func (s *Searcher[P, G]) alphaBetaRoot(depth int) Value {
	return s.searchRoot(depth, -infinity, infinity)
}

// aspirationRoot begins with a narrow window around the previous depth's value, and widens
// it on the side where it fails. After at most 24 windows that side is fully open. Searches can
// contradict each other, with ProbCut for example; one with the full window then follows.
func (s *Searcher[P, G]) aspirationRoot(depth int) Value {
	half := cmp.Or(s.options.Window, max(1, s.guess/64, -s.guess/64))
	alpha, beta := max(s.guess-half, -infinity), min(s.guess+half, infinity)
	low, high := false, false // whether a window lay above the value, below it
	for {
		v := s.searchRoot(depth, alpha, beta)
		switch {
		case s.stopped:
			return 0
		case v <= alpha:
			low, beta = true, min(beta, v+1)
			half = min(4*half, 2*infinity)
			alpha = max(v-half, -infinity)
		case v >= beta:
			high, alpha = true, max(alpha, v-1)
			half = min(4*half, 2*infinity)
			beta = min(v+half, infinity)
		default:
			return v
		}
		if low && high {
			alpha, beta = -infinity, infinity
		}
		s.work.Researches++
	}
}

// mtdfRoot closes in on the value by null windows, beginning at the previous depth's value
// (Plaat, Schaeffer, Pijls and de Bruin, "Best-first fixed-depth minimax algorithms", 1996).
func (s *Searcher[P, G]) mtdfRoot(depth int) Value { return s.searchNullWindows(depth, s.guess) }

// sssRoot begins above all values: it then expands the same nodes as SSS*, in the same order
// (the same paper).
func (s *Searcher[P, G]) sssRoot(depth int) Value { return s.searchNullWindows(depth, MaxValue) }

func (s *Searcher[P, G]) searchNullWindows(depth int, guess Value) Value {
	low, high := -MaxValue, MaxValue
	v := guess
	for low < high {
		beta := max(v, low+1)
		v = s.searchRoot(depth, beta-1, beta)
		if s.stopped {
			return 0
		}
		if v < beta {
			high = v
		} else {
			low = v
		}
		if low < high {
			s.work.Researches++
		}
	}
	s.firstBest(depth, v)
	return v
}

// firstBest finds the first root move with value v, the root's value. It searches
// each move with a null window; the table already holds most results.
func (s *Searcher[P, G]) firstBest(depth int, v Value) {
	f := &s.frames[0]
	for i := range f.list.n {
		m := &f.list.slots[i]
		reached := s.moveValue(m, depth, 0, v-1, v, false) >= v
		switch {
		case s.stopped:
			return
		case reached:
			s.best = i
			s.values[i] = v
			return
		}
	}
}

// searchRoot is [driver.searchRootMoves], whose result goes to the table.
func (s *Searcher[P, G]) searchRoot(depth int, alpha, beta Value) Value {
	v := s.driver.searchRootMoves(depth, alpha, beta)
	if !s.stopped {
		s.storeInTable(s.tableKey(s.key, 0), found{v, boundOf(v, alpha, beta), depth, s.lead})
	}
	return v
}

// moveValue returns a move's value in a window of its node, ply being the distance from the
// root. With scout a null window has to show first that the move is better than alpha.
func (s *Searcher[P, G]) moveValue(m *Move[P], depth, ply int, alpha, beta Value, scout bool) Value {
	depth = s.depthBehind(m, depth, ply)
	if scout && s.scout && beta-alpha > 1 {
		v := s.searchChild(m, depth, ply, alpha, alpha+1)
		if v <= alpha || v >= beta || s.stopped {
			return v
		}
		s.work.Researches++
		alpha = v - 1
	}
	return s.searchChild(m, depth, ply, alpha, beta)
}

// depthBehind returns the depth left after a move. Extensions stop when a line
// reaches twice the depth the search began with.
func (s *Searcher[P, G]) depthBehind(m *Move[P], depth, ply int) int {
	depth--
	if s.options.Extensions {
		depth = min(depth+int(m.Extend), s.pliesLeft(ply)-1)
	}
	return depth
}

// pliesLeft returns how many plies a line may still have at a distance from the root.
func (s *Searcher[P, G]) pliesLeft(ply int) int { return 2*s.reach - ply }

// tableKey returns a position's table key at a distance from the root. With extensions its
// value depends on the plies its line may still have, so each number gets a key.
func (s *Searcher[P, G]) tableKey(key Key, ply int) Key {
	if !s.options.Extensions {
		return key
	}
	z := mix.Mix(uint64(s.pliesLeft(ply)) + 1)
	return key.Xor(Key{z, mix.Mix(z)})
}

// searchChild searches the position behind a move, in the window of the move's node.
func (s *Searcher[P, G]) searchChild(m *Move[P], depth, ply int, alpha, beta Value) Value {
	if m.Again {
		return s.alphaBeta(&m.Next, m.Key, depth, ply+1, alpha, beta)
	}
	return -s.alphaBeta(&m.Next, m.Key, depth, ply+1, -beta, -alpha)
}

// alphaBeta returns a position's value for the side to move if it lies between alpha and
// beta, otherwise a bound on the same side of the window (fail-soft: Fishburn, "Another
// optimization of alpha-beta search", 1983). With scout it is NegaScout (Reinefeld, "An
// improvement to the Scout tree search algorithm", 1983).
func (s *Searcher[P, G]) alphaBeta(p *P, key Key, depth, ply int, alpha, beta Value) Value {
	if s.work.Nodes++; s.work.Nodes >= s.next { // countNode, with the hook of a trace in its rare part
		if s.checkLimits(); s.trace != nil && s.trace.at != p {
			return s.traceVisit(p, key, depth, ply, alpha, beta)
		}
	}
	f := &s.frames[ply]
	if v, known := s.leafValue(p, depth, ply); known {
		return v
	}
	low, high := -infinity, infinity
	if s.bounds != nil {
		low, high = s.bounds.Bounds(p)
		if low >= beta || low == high {
			return low
		}
		if high <= alpha {
			return high
		}
		alpha, beta = max(alpha, low), min(beta, high)
	}
	tableKey := s.tableKey(key, ply)
	k, cut := s.probeTable(tableKey, depth, alpha, beta)
	if cut {
		return min(max(k.value, low), high)
	}
	if s.cutter != nil {
		if v, cut := s.probCut(p, key, depth, ply, alpha, beta); cut {
			return v
		}
	}
	f.list.clear()
	result := s.game.Moves(p, &f.list)
	if f.list.n == 0 {
		return result
	}
	if s.options.ETC && depth > 1 {
		if v := s.transpositionCutoff(f, depth, ply, beta); v >= beta {
			return v
		}
	}
	return min(max(s.moveValues(f, tableKey, k.move, depth, ply, alpha, beta), low), high)
}

// moveValues searches a node's moves, given its table key. Where threads share them,
// it reads the others' results from the table after each move.
func (s *Searcher[P, G]) moveValues(f *frame[P], tableKey Key, table uint8, depth, ply int, alpha, beta Value) Value {
	shared := s.sharesNode(depth) && f.list.n > 1
	ordered := s.rankMoves(f, table, ply)
	best, bestID := -infinity, uint8(NoMove)
	for n := range f.list.n {
		i := n
		if ordered {
			i = pickBest(f.order, f.ranks, n)
		}
		if shared && n > 0 {
			i = takeMove(&s.thread, f.list.slots, f.order, f.ranks, n, depth, ply)
		}
		m := &f.list.slots[i]
		v := s.moveValue(m, depth, ply, max(alpha, best), beta, n > 0)
		if s.stopped {
			return 0
		}
		if shared {
			if k, cut := s.probeTable(tableKey, depth, alpha, beta); cut {
				s.clearMark(ply)
				return k.value
			}
		}
		if v <= best {
			continue
		}
		best, bestID = v, m.ID
		if v >= beta {
			s.recordCutoff(m.ID, ply, max(1, depth))
			break
		}
	}
	if shared {
		s.clearMark(ply)
	}
	if depth > 0 {
		s.storeInTable(tableKey, found{best, boundOf(best, alpha, beta), depth, bestID})
	}
	return best
}

// rankMoves ranks a node's moves. It reports whether a ranking other than the game's own
// order exists, or threads that share the moves need one.
func (s *Searcher[P, G]) rankMoves(f *frame[P], table uint8, ply int) bool {
	o := &s.options
	if !o.ordersMoves() && !s.sharing || f.list.n == 1 {
		return false
	}
	n := f.list.n
	if cap(f.order) < n {
		f.order, f.ranks = make([]uint8, 2*n), make([]int64, 2*n)
	}
	f.order, f.ranks = f.order[:n], f.ranks[:n]
	for i := range n {
		m := &f.list.slots[i]
		f.order[i] = uint8(i)
		f.ranks[i] = s.moveRank(o, m.ID, m.Order, table, ply)
	}
	return true
}

// transpositionCutoff returns the highest value that table entries prove for a move, and
// -infinity when they do not reach beta.
func (s *Searcher[P, G]) transpositionCutoff(f *frame[P], depth, ply int, beta Value) Value {
	if s.table == nil || depth-1 < s.options.TableDepth {
		return -infinity
	}
	for i := range f.list.n {
		m := &f.list.slots[i]
		k := s.table.probe(s.tableKey(m.Key, ply+1))
		if k.bound == unknown {
			continue
		}
		enough := lower
		if !m.Again {
			enough = upper
		}
		v := moverValue(m, k.value)
		if v >= beta && (k.bound == exact || k.bound == enough) && k.depth == s.depthBehind(m, depth, ply) {
			return v
		}
	}
	return -infinity
}

// probCut tries to predict from shallow searches that a node lies outside its window. A side
// that is open is not tried.
func (s *Searcher[P, G]) probCut(p *P, key Key, depth, ply int, alpha, beta Value) (v Value, cut bool) {
	for _, c := range s.cutter.ProbCuts(p, depth) {
		if c.Depth >= depth || !(c.Slope > 0) {
			continue
		}
		margin := float64(s.options.ProbCut * c.Sigma)
		if high := (margin + float64(beta) - c.Offset) / c.Slope; beta < infinity && high <= float64(MaxValue) {
			bound := Value(max(high, -float64(MaxValue)))
			if s.alphaBeta(p, key, c.Depth, ply, bound-1, bound) >= bound {
				return beta, true
			}
		}
		if low := (-margin + float64(alpha) - c.Offset) / c.Slope; alpha > -infinity && low >= -float64(MaxValue) {
			bound := Value(min(low, float64(MaxValue)))
			if s.alphaBeta(p, key, c.Depth, ply, bound, bound+1) <= bound {
				return alpha, true
			}
		}
		if s.stopped {
			return 0, true
		}
	}
	return 0, false
}
