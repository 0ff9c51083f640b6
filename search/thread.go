package search

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Threads of one search walk the same tree. A thread marks the part it is about to search, and
// where it has a choice it takes an unmarked part. With dice these parts are a
// position's rolls, in any order; without dice they are the moves after the first. A thread left with
// parts of other threads only joins one of them, and takes moves its owner has not reached yet.
// Results of other threads reach it through the table. No thread waits, and only parts too
// small to be marked are searched twice (Weill, "The ABDADA distributed minimax-search
// algorithm", 1996; without counters in the table, as here: Kerrigan, "Simplified ABDADA",
// 2017).

// thread is one thread's part in a search: its limits, its stop signal and its work counts.
type thread struct {
	options Options
	limits  Limits
	work    Work
	stopped bool // this thread abandons its current work
	sharing bool // other threads search the same tree
	number  int  // 0 for the leader

	done     <-chan struct{} // closed when the context ends
	begin    time.Time
	pool     *pool
	next     uint64 // node count of the next check
	spacing  uint64 // nodes between two checks: checkEvery, or 0 in a trace
	reported uint64 // nodes already reported to the pool
}

// pool is the state that a search's threads share.
type pool struct {
	stop    atomic.Bool   // all of them give up
	leave   atomic.Bool   // the helpers give up: the leader is done with a depth
	nodes   atomic.Uint64 // nodes of all threads, as far as reported
	marks   []marks       // marks by thread
	helping sync.WaitGroup
}

// marks are the parts a thread searches at every distance from the root, 0 for none.
type marks struct {
	at [maxPly + 1]atomic.Uint64
	_  [64]byte // the marks of the next thread stand in another line of the cache
}

// leastShared is the least depth at which a node's parts are shared out.
const leastShared = 3

// checkEvery is the number of nodes between two checks against the clock and the pool:
// some ten microseconds.
const checkEvery = 128

// startSearch begins a search.
func (t *thread) startSearch(ctx context.Context, l Limits) {
	t.limits, t.done, t.begin = l, ctx.Done(), t.options.Now()
	t.pool.stop.Store(ctx.Err() != nil)
	t.pool.leave.Store(false)
	t.pool.nodes.Store(0)
	t.resetCounts()
	if l.Nodes != 0 {
		t.next = min(t.next, l.Nodes)
	}
}

// followLeader begins a helper's part in its leader's search.
func (t *thread) followLeader(leader *thread) {
	t.limits, t.done, t.begin = leader.limits, leader.done, leader.begin
	t.resetCounts()
}

func (t *thread) resetCounts() {
	t.work, t.reported, t.next, t.stopped = Work{}, 0, t.spacing, false
}

// countNode counts a node. It is small enough to be inlined; check holds the rare part.
func (t *thread) countNode() {
	t.work.Nodes++
	if t.work.Nodes >= t.next {
		t.checkLimits()
	}
}

// checkLimits finds out whether the search is over.
func (t *thread) checkLimits() {
	nodes := t.work.Nodes
	t.next = nodes + t.spacing
	total := t.pool.nodes.Add(nodes - t.reported)
	t.reported = nodes
	if most := t.limits.Nodes; most != 0 {
		if total >= most {
			t.stopped = true
			return
		}
		t.next = min(t.next, nodes+most-total)
	}
	t.stopped = t.mustStop()
}

// mustStop reports whether the thread must stop: time is up, the search was stopped, or the leader
// has finished the helper's part.
func (t *thread) mustStop() bool {
	if t.number > 0 && t.pool.leave.Load() || t.pool.stop.Load() {
		return true
	}
	select {
	case <-t.done:
		return true
	default:
	}
	return t.limits.Time != 0 && t.elapsed() >= t.limits.Time
}

// elapsed returns the time since the search began.
func (t *thread) elapsed() time.Duration { return t.options.Now().Sub(t.begin) }

// sharesNode reports whether a node's parts are shared out at a depth.
func (t *thread) sharesNode(depth int) bool {
	return t.sharing && depth >= leastShared && depth > t.options.TableDepth
}

// markPart marks a part of the node at a distance from the root, instead of the one before.
func (t *thread) markPart(ply int, part uint64) { t.pool.marks[t.number].at[ply].Store(part) }

// clearMark removes the mark. A mark left by a stopped search does no harm: other threads take
// different parts first, until the next mark replaces it.
func (t *thread) clearMark(ply int) { t.markPart(ply, 0) }

// isMarked reports whether another thread is at a part of the node at a distance from the root.
func (t *thread) isMarked(ply int, part uint64) bool {
	for i := range t.pool.marks {
		if i != t.number && t.pool.marks[i].at[ply].Load() == part {
			return true
		}
	}
	return false
}

// rollPart and movePart name a node's parts: a roll of its position, and a move by its
// resulting position and search depth.
func rollPart(key Key, roll int) uint64 { return key.Index + uint64(roll+1)*mixData | 1 }

func movePart(next Key, depth int) uint64 { return next.Index + uint64(depth)*mixData | 1 }

// takeMove brings to the front of order[from:] the first move, by rank where there are ranks,
// not marked by another thread, or the very first when every move is marked. It marks that
// move.
func takeMove[P any](t *thread, moves []Move[P], order []uint8, ranks []int64, from, depth, ply int) int {
	for i := from; i < len(order); i++ {
		if ranks != nil {
			pickBest(order, ranks, i)
		}
		if move := order[i]; !t.isMarked(ply, movePart(moves[move].Key, depth)) {
			copy(order[from+1:i+1], order[from:i])
			order[from] = move
			break
		}
	}
	move := int(order[from])
	t.markPart(ply, movePart(moves[move].Key, depth))
	return move
}

// probeTable probes the table. It reports whether the entry makes searching the window
// unnecessary; if so, value is a bound on that side of the window.
func (t *thread) probeTable(key Key, depth int, alpha, beta Value) (k found, cut bool) {
	table := t.options.Table
	if table == nil || depth < t.options.TableDepth {
		return found{move: NoMove}, false
	}
	if k = table.probe(key); k.bound == unknown {
		t.work.Misses++
		return k, false
	}
	t.work.Hits++
	return k, k.decidesWindow(depth, alpha, beta)
}

// storeInTable stores a finished node's result.
func (t *thread) storeInTable(key Key, k found) {
	if table := t.options.Table; table != nil && k.depth >= t.options.TableDepth {
		table.store(key, k)
	}
}
