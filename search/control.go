package search

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// control is one thread's link to the rest of the search: its stop signal and its count of
// work.
type control struct {
	options Options
	limits  Limits
	nodes   uint64
	stats   Stats
	stopped bool // this thread abandons its current work
	sharing bool // other threads search the same tree
	helper  int  // number of the thread: 0 for the leader

	done  <-chan struct{} // of the context
	begin time.Time

	// Shared by the threads of a search, and written from outside.
	team *team

	next     uint64 // node count of the next check
	reported uint64 // nodes already reported to the team
}

// team is the state that the threads of a search share.
type team struct {
	stop  atomic.Bool   // all of them give up
	leave atomic.Bool   // the helpers give up: the leader is done with a depth
	nodes atomic.Uint64 // nodes of all threads, as far as reported

	tracks []track        // of the threads
	ended  sync.WaitGroup // until all helpers have given up
}

// lookEvery is how many nodes a thread visits between two looks at the clock and at its team:
// some ten microseconds.
const lookEvery = 128

// start begins a search.
func (c *control) start(ctx context.Context, l Limits) {
	c.limits = l
	c.nodes, c.reported, c.next, c.stats, c.stopped = 0, 0, lookEvery, Stats{}, false
	c.done = ctx.Done()
	if l.Nodes != 0 {
		c.next = min(c.next, l.Nodes)
	}
	c.begin = c.options.Now()
	c.team.stop.Store(false)
	c.team.leave.Store(false)
	c.team.nodes.Store(0)
	if ctx.Err() != nil {
		c.team.stop.Store(true)
	}
}

// follow begins the part of a helper in the search of c.
func (c *control) follow(leader *control) {
	c.limits, c.done, c.begin = leader.limits, leader.done, leader.begin
	c.nodes, c.reported, c.next, c.stats, c.stopped = 0, 0, lookEvery, Stats{}, false
}

// visit counts a node. It is small enough to be inlined; look holds the rare part.
func (c *control) visit() {
	c.nodes++
	if c.nodes >= c.next {
		c.look()
	}
}

// look finds out whether the search is over.
func (c *control) look() {
	c.next = c.nodes + lookEvery
	total := c.team.nodes.Add(c.nodes - c.reported)
	c.reported = c.nodes
	if most := c.limits.Nodes; most != 0 {
		if total >= most {
			c.stopped = true
			return
		}
		c.next = min(c.next, c.nodes+most-total)
	}
	c.stopped = c.over()
}

// over reports whether the thread must stop: the search has ended, or the leader has finished
// the helper's part.
func (c *control) over() bool {
	return c.helper > 0 && c.team.leave.Load() || c.ended()
}

// ended reports whether time is up or the search was stopped.
func (c *control) ended() bool {
	if c.team.stop.Load() {
		return true
	}
	select {
	case <-c.done:
		return true
	default:
	}
	return c.limits.Time != 0 && c.elapsed() >= c.limits.Time
}

// elapsed returns the time since the search began.
func (c *control) elapsed() time.Duration { return c.options.Now().Sub(c.begin) }
