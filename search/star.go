package search

// expectiminimaxRoot is the oracle.
func (s *DiceSearcher[P, G]) expectiminimaxRoot(depth int) Value {
	if s.roll == NoRoll {
		return s.expectiminimax(&s.root, s.key, depth, 0)
	}
	return s.valueEveryMove(
		func(m *Move[P]) Value { return moverValue(m, s.expectiminimax(&m.Next, m.Key, depth-1, 1)) })
}

// expectiminimax returns a position's value for the side to roll: the weighted mean, rounded down,
// over each roll's best move.
func (s *DiceSearcher[P, G]) expectiminimax(p *P, key Key, depth, ply int) Value {
	s.countNode()
	if depth == 0 {
		return s.game.Value(p)
	}
	tableKey := s.tableKey(key, depth)
	if k, cut := s.probeTable(tableKey, depth, -infinity, infinity); cut {
		return k.value
	}
	if depth == 1 && s.last != nil {
		v := s.last.LastRoll(p, &s.work.Nodes)
		s.storeInTable(tableKey, found{v, exact, depth, NoMove})
		return v
	}
	var sum Value
	for roll, weight := range s.weights {
		list := &s.frames[ply].lists[roll]
		list.clear()
		best := s.game.Moves(p, roll, list)
		if list.n > 0 {
			best = -infinity
		}
		for i := range list.n {
			m := &list.slots[i]
			best = max(best, moverValue(m, s.expectiminimax(&m.Next, m.Key, depth-1, ply+1)))
			if s.stopped {
				return 0
			}
		}
		sum += weight * best
	}
	v := s.weightedMean(sum)
	s.storeInTable(tableKey, found{v, exact, depth, NoMove})
	return v
}

// starRoot searches the root by Star1 or Star2.
func (s *DiceSearcher[P, G]) starRoot(depth int) Value {
	if s.roll == NoRoll {
		return s.searchChance(&s.root, s.key, depth, 0, -infinity, infinity)
	}
	return s.searchRootMoves(depth, -infinity, infinity)
}

// moveValue returns a move's value in a window of its node.
func (s *DiceSearcher[P, G]) moveValue(m *Move[P], depth, ply int, alpha, beta Value) Value {
	if m.Again {
		return s.searchChance(&m.Next, m.Key, depth-1, ply+1, alpha, beta)
	}
	return -s.searchChance(&m.Next, m.Key, depth-1, ply+1, -beta, -alpha)
}

// searchChance returns a position's value for the side to roll if it lies between alpha and
// beta, otherwise a bound on the same side of the window.
//
// It keeps bounds for each roll. Star1 (Ballard, "The *-minimax search procedure for
// trees containing chance nodes", 1983) searches one roll after another. Its window for a roll
// ends where the mean is decided, whatever the other rolls are worth within their bounds. The
// search stops when the bounds alone decide. Star2 first tries one good move for every roll,
// which bounds the roll from below (Hauk, Buro and Schaeffer, "Rediscovering *-minimax search",
// 2004). All arithmetic is on integers: the mean is below beta exactly when the sum is below
// beta times the sum of weights.
func (s *DiceSearcher[P, G]) searchChance(p *P, key Key, depth, ply int, alpha, beta Value) Value {
	s.countNode()
	if depth == 0 {
		return s.game.Value(p)
	}
	tableKey := s.tableKey(key, depth)
	k, cut := s.probeTable(tableKey, depth, alpha, beta)
	if cut {
		return k.value
	}
	if depth == 1 && s.last != nil {
		v := s.last.LastRoll(p, &s.work.Nodes)
		s.storeInTable(tableKey, found{v, exact, depth, NoMove})
		return v
	}
	n := node[P, G]{s: s, f: &s.frames[ply], key: key, depth: depth, ply: ply, alpha: alpha, beta: beta}
	v := n.searchRolls(p)
	if !s.stopped && !n.settled {
		s.storeInTable(tableKey, found{v, boundOf(v, alpha, beta), depth, NoMove})
	}
	return v
}

// node is a position with its rolls while it is searched by Star1 or Star2.
type node[P any, G DiceGame[P]] struct {
	s           *DiceSearcher[P, G]
	f           *chanceFrame[P]
	key         Key
	depth, ply  int
	alpha, beta Value

	low, high Value // bounds of the weighted sum
	settled   bool  // another thread's table entry gave the value
}

// searchRolls returns the position's value or a bound.
func (n *node[P, G]) searchRolls(p *P) Value {
	s, f := n.s, n.f
	for roll := range s.weights {
		f.lists[roll].clear()
		result := s.game.Moves(p, roll, &f.lists[roll])
		if f.lists[roll].n == 0 {
			return result
		}
		f.low[roll], f.high[roll], f.tried[roll] = -MaxValue, MaxValue, 0
	}
	n.low, n.high = -MaxValue*s.total, MaxValue*s.total
	n.rankMoves()
	if v, decided := n.provenBound(); decided {
		return v
	}
	if s.sharesNode(n.depth) {
		v := n.searchParallel()
		s.clearMark(n.ply)
		return v
	}
	if s.probes {
		for i := range s.rolls {
			n.tryMoves(s.rolls[i], 1)
			if s.stopped {
				return 0
			}
			if v := s.weightedMean(n.low); v >= n.beta {
				return v
			}
		}
	}
	for i := range s.rolls {
		n.tryMoves(s.rolls[i], MaxMoves)
		if s.stopped {
			return 0
		}
		if v, decided := n.provenBound(); decided {
			return v
		}
	}
	return s.weightedMean(n.low)
}

// searchParallel is [node.searchRolls] with other threads, when the rolls' bounds are known.
func (n *node[P, G]) searchParallel() Value {
	s := n.s
	for _, most := range [2]int{1, MaxMoves} {
		if most == 1 && !s.probes {
			continue
		}
		for roll := n.unmarkedRoll(most); roll >= 0; roll = n.unmarkedRoll(most) {
			s.markPart(n.ply, rollPart(n.key, roll))
			n.tryMoves(roll, most)
			if s.stopped {
				return 0
			}
			if v, decided := n.provenBound(); decided {
				return v
			}
			if k, cut := s.probeTable(s.tableKey(n.key, n.depth), n.depth, n.alpha, n.beta); cut {
				n.settled = true
				return k.value
			}
		}
	}
	return s.weightedMean(n.low)
}

// unmarkedRoll returns the first roll with fewer than a number of moves tried that no other thread has
// marked. When all are marked it returns the first, and -1 when nothing is left.
func (n *node[P, G]) unmarkedRoll(most int) int {
	s, f := n.s, n.f
	first := -1
	for _, roll := range s.rolls {
		if f.low[roll] == f.high[roll] || int(f.tried[roll]) >= min(most, f.lists[roll].n) {
			continue
		}
		if !s.isMarked(n.ply, rollPart(n.key, roll)) {
			return roll
		}
		if first < 0 {
			first = roll
		}
	}
	return first
}

// provenBound reports whether the rolls' bounds decide the window, and the bound they prove.
func (n *node[P, G]) provenBound() (Value, bool) {
	if v := n.s.weightedMean(n.low); v >= n.beta {
		return v, true
	}
	v := n.s.weightedMean(n.high)
	return v, v <= n.alpha
}

// rollWindow returns two values for a roll, whatever the other rolls are worth. At or below the
// first the mean is alpha or less, at or above the second the mean is beta or more.
func (n *node[P, G]) rollWindow(roll int) (alpha, beta Value) {
	s, f := n.s, n.f
	w := s.weights[roll]
	alpha = floorDiv(n.alpha*s.total+s.total-1-(n.high-w*f.high[roll]), w)
	beta = -floorDiv(-(n.beta*s.total - (n.low - w*f.low[roll])), w)
	return max(alpha, f.low[roll]-1), min(beta, f.high[roll]+1)
}

// raiseLow and lowerHigh narrow a roll's bounds.
func (n *node[P, G]) raiseLow(roll int, low Value) {
	if was := n.f.low[roll]; low > was {
		n.f.low[roll] = low
		n.low += n.s.weights[roll] * (low - was)
	}
}

func (n *node[P, G]) lowerHigh(roll int, high Value) {
	if was := n.f.high[roll]; high < was {
		n.f.high[roll] = high
		n.high -= n.s.weights[roll] * (was - high)
	}
}

// tryMoves searches up to most moves after a roll and narrows the roll's bounds by their values.
// Moves tried before are not searched again: the window only shrinks, so a move that failed low
// still does, and none failed high.
func (n *node[P, G]) tryMoves(roll, most int) {
	s, f := n.s, n.f
	list := &f.lists[roll]
	if f.low[roll] == f.high[roll] || int(f.tried[roll]) >= min(most, list.n) {
		return
	}
	alpha, beta := n.rollWindow(roll)
	best := -infinity
	if f.tried[roll] > 0 {
		best = f.best[roll]
	}
	for int(f.tried[roll]) < min(most, list.n) {
		i := n.nextMove(roll)
		v := n.moveValue(&list.slots[i], max(alpha, best), beta, f.tried[roll] > 0)
		if s.stopped {
			return
		}
		f.tried[roll]++
		best = max(best, v)
		if best >= beta {
			n.raiseLow(roll, best)
			return
		}
	}
	f.best[roll] = best
	if best > alpha {
		n.raiseLow(roll, best)
	}
	if int(f.tried[roll]) == list.n {
		n.lowerHigh(roll, best)
	}
}

// moveValue searches a move. Every move but a roll's first is expected to be no better than
// the best so far, which a null window shows more cheaply.
func (n *node[P, G]) moveValue(m *Move[P], alpha, beta Value, scout bool) Value {
	s := n.s
	if scout && !s.options.NoScout && beta-alpha > 1 && n.depth > 2 {
		v := s.moveValue(m, n.depth, n.ply, alpha, alpha+1)
		if v <= alpha || v >= beta || s.stopped {
			return v
		}
		s.work.Researches++
		alpha = v - 1
	}
	return s.moveValue(m, n.depth, n.ply, alpha, beta)
}

// rankMoves looks up the table's entries for the positions after the moves. It orders the moves, and
// with ETC it bounds the rolls: a roll is worth at least any lower bound among its moves,
// and at most their highest upper bound.
func (n *node[P, G]) rankMoves() {
	s, f := n.s, n.f
	o := &s.options
	table := o.Table != nil && (o.ETC || o.TableMove) && n.depth > 1 && n.depth-1 >= o.TableDepth
	if !table && !o.Static {
		for roll := range f.ranks {
			f.ranks[roll] = f.ranks[roll][:0]
		}
		return
	}
	for roll := range f.lists {
		list := &f.lists[roll]
		f.order[roll], f.ranks[roll] = f.order[roll][:0], f.ranks[roll][:0]
		low, high := -MaxValue, -MaxValue
		for i := range list.n {
			m := &list.slots[i]
			rank := int64(-1) << 60
			if o.Static {
				rank += int64(m.Order)
			}
			most := MaxValue
			if table {
				if k := n.probeMove(m); k.bound != unknown {
					v := moverValue(m, k.value)
					if o.TableMove {
						rank = v
					}
					if o.ETC && (k.depth == n.depth-1) {
						isLow, isHigh := k.bound == exact || (k.bound == lower) == m.Again, k.bound == exact ||
							(k.bound == upper) == m.Again
						if isLow {
							low = max(low, v)
						}
						if isHigh {
							most = v
						}
					}
				}
			}
			high = max(high, most)
			f.order[roll] = append(f.order[roll], uint8(i))
			f.ranks[roll] = append(f.ranks[roll], rank)
		}
		n.raiseLow(roll, low)
		n.lowerHigh(roll, high)
	}
}

// probeMove returns the table's entry for the position after a move. To order moves it falls back
// on the entry from a search one ply less deep.
func (n *node[P, G]) probeMove(m *Move[P]) found {
	s := n.s
	k := s.options.Table.probe(s.tableKey(m.Key, n.depth-1))
	if k.bound == unknown && s.options.TableMove {
		k = s.options.Table.probe(s.tableKey(m.Key, n.depth-2))
	}
	return k
}

// nextMove returns the number of a roll's next move to try.
func (n *node[P, G]) nextMove(roll int) int {
	tried := int(n.f.tried[roll])
	if len(n.f.ranks[roll]) == 0 {
		return tried
	}
	return pickBest(n.f.order[roll], n.f.ranks[roll], tried)
}
