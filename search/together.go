package search

import "sync/atomic"

// Threads of one search walk the same tree. A thread marks the part it is about to search, and
// where it has a choice it takes an unmarked part. With dice these parts are the rolls of a
// position, in any order; without dice they are the moves after the first. A thread left with
// parts of other threads only joins one of them, and takes moves its owner has not reached yet.
// Results of other threads reach it through the table. No thread waits, and only parts too
// small to be marked are searched twice (Weill, "The ABDADA distributed minimax-search
// algorithm", 1996; without counters in the table, as here: Kerrigan, "Simplified ABDADA",
// 2017).

// leastShared is the least depth of a node whose parts are shared out.
const leastShared = 3

// track holds a thread's marks: the part it searches at every distance from the root, 0 for
// none.
type track struct {
	at [maxPly + 1]atomic.Uint64
	_  [64]byte // the next thread's stands in another line of the cache
}

// newTeam returns the team of a searcher.
func newTeam(o Options) *team { return &team{tracks: make([]track, o.Threads)} }

// gather calls the helpers together for a search to a depth. It reports whether the search is
// deep enough for them.
func (c *control) gather(depth int) bool {
	c.sharing = c.options.Table != nil
	if c.sharing = c.shares(depth); !c.sharing {
		return false
	}
	c.team.leave.Store(false)
	c.team.ended.Add(len(c.team.tracks) - 1)
	return true
}

// dismiss stops the helpers, and returns when they have stopped.
func (c *control) dismiss() {
	c.team.leave.Store(true)
	c.team.ended.Wait()
}

// shares reports whether the parts of a node of a depth are shared out.
func (c *control) shares(depth int) bool {
	return c.sharing && depth >= leastShared && depth > c.options.TableDepth
}

// take marks a part of the node at a distance from the root, in the place of the one before.
func (c *control) take(ply int, part uint64) { c.team.tracks[c.helper].at[ply].Store(part) }

// release removes the mark. A mark left by a stopped search does no harm: other threads take
// different parts first, until the next mark replaces it.
func (c *control) release(ply int) { c.team.tracks[c.helper].at[ply].Store(0) }

// taken reports whether another thread is at a part of the node at a distance from the root.
func (c *control) taken(ply int, part uint64) bool {
	for i := range c.team.tracks {
		if i != c.helper && c.team.tracks[i].at[ply].Load() == part {
			return true
		}
	}
	return false
}

// rollPart and movePart name parts of a node: a roll of its position, and a move by its
// resulting position and search depth.
func rollPart(key Key, roll int) uint64 { return key.Index + uint64(roll+1)*mixData | 1 }

func movePart(next Key, depth int) uint64 { return next.Index + uint64(depth)*mixData | 1 }

// takeMove brings to the front of order[from:] the first move, by rank where there are ranks,
// not marked by another thread, or the first of all when every move is marked. It marks that
// move.
func takeMove[P any](c *control, moves []Move[P], order []uint8, ranks []int64, from, depth, ply int) int {
	for i := from; i < len(order); i++ {
		if ranks != nil {
			pick(order, ranks, i)
		}
		if move := order[i]; !c.taken(ply, movePart(moves[move].Key, depth)) {
			copy(order[from+1:i+1], order[from:i])
			order[from] = move
			break
		}
	}
	move := int(order[from])
	c.take(ply, movePart(moves[move].Key, depth))
	return move
}

// movesTogether is [Searcher.moves] with other threads. After each move it reads their results
// from the table.
func (s *Searcher[P, G]) movesTogether(f *frame[P], place Key, table uint8, depth, ply int, alpha, beta Value) Value {
	s.arrange(f, table, ply)
	best, bestID := -infinity, uint8(NoMove)
	for n := range f.list.n {
		i := pick(f.order, f.ranks, n)
		if n > 0 {
			i = takeMove(&s.control, f.list.slots, f.order, f.ranks, n, depth, ply)
		}
		m := &f.list.slots[i]
		v := s.move(m, depth, ply, max(alpha, best), beta, n > 0)
		if s.stopped {
			return 0
		}
		if k, cut := s.recall(place, depth, alpha, beta); cut {
			s.release(ply)
			f.lineN = 0
			return k.value
		}
		if v > best {
			best, bestID = v, m.ID
			if v > alpha {
				s.extendLine(ply, m.ID)
			}
		}
		if best >= beta {
			s.cut(bestID, ply, depth)
			break
		}
	}
	s.release(ply)
	s.remember(place, found{best, boundOf(best, alpha, beta), depth, bestID})
	return best
}

// together is [node.search] with other threads, when the bounds of the rolls are known.
func (n *node[P, G]) together() Value {
	s := n.s
	for _, most := range [2]int{1, MaxMoves} {
		if most == 1 && !s.probes {
			continue
		}
		for roll := n.free(most); roll >= 0; roll = n.free(most) {
			s.take(n.ply, rollPart(n.key, roll))
			n.try(roll, most)
			if s.stopped {
				return 0
			}
			if v, decided := n.decided(); decided {
				return v
			}
			if k, cut := s.recall(s.place(n.key, n.depth), n.depth, n.alpha, n.beta); cut {
				n.settled = true
				return k.value
			}
		}
	}
	return s.mean(n.low)
}

// free returns the first roll with fewer than a number of moves tried that no other thread has
// marked. When all are marked it returns the first of them, and -1 when nothing is left.
func (n *node[P, G]) free(most int) int {
	s, f := n.s, n.f
	first := -1
	for _, roll := range s.rolls {
		if f.low[roll] == f.high[roll] || int(f.tried[roll]) >= min(most, f.lists[roll].n) {
			continue
		}
		if !s.taken(n.ply, rollPart(n.key, roll)) {
			return roll
		}
		if first < 0 {
			first = roll
		}
	}
	return first
}
