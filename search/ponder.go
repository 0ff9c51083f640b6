package search

import (
	"context"
	"sync"
	"time"
)

// Thought is a search in the background, on the searcher's own table. It runs in the opponent's
// time, on the expected position. If that position occurs the search continues
// ([Thought.PonderHit]); otherwise it is stopped, and its table entries remain for the next
// search. Until Wait has returned the searcher must not be used for anything else.
type Thought struct {
	control *control
	stop    context.CancelFunc
	done    chan struct{}
	result  Result
	err     error

	mutex sync.Mutex // over ended, and the deadline of the search until then
	ended bool
}

// Ponder begins to search in the background.
func (s *Searcher[P, G]) Ponder(ctx context.Context, root P, l Limits) *Thought {
	return think(ctx, &s.control, func(ctx context.Context) (Result, error) { return s.Search(ctx, root, l) })
}

// Ponder begins to search in the background.
func (s *DiceSearcher[P, G]) Ponder(ctx context.Context, root P, roll int, l Limits) *Thought {
	return think(ctx, &s.control, func(ctx context.Context) (Result, error) { return s.Search(ctx, root, roll, l) })
}

func think(ctx context.Context, c *control, search func(context.Context) (Result, error)) *Thought {
	ctx, stop := context.WithCancel(ctx)
	t := &Thought{control: c, stop: stop, done: make(chan struct{})}
	begun := make(chan struct{})
	c.team.begun = begun
	go func() {
		defer close(t.done)
		defer stop()
		t.result, t.err = search(ctx)
		t.mutex.Lock()
		t.ended = true
		t.mutex.Unlock()
	}()
	select {
	case <-begun:
	case <-t.done: // the limits were wrong
		c.team.begun = nil
	}
	return t
}

// PonderHit is called when the position expected has come: the search ends d from now, or
// at once when d is not above 0. It does nothing when the search has ended.
func (t *Thought) PonderHit(d time.Duration) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.ended {
		return
	}
	elapsed := t.control.elapsed()
	t.control.team.deadline.Store(int64(elapsed + min(max(0, d), time.Duration(noDeadline)-elapsed)))
}

// Stop ends the search, within the time of some hundred nodes.
func (t *Thought) Stop() { t.stop() }

// Wait waits for the search to end and returns its result.
func (t *Thought) Wait() (Result, error) {
	<-t.done
	return t.result, t.err
}
