package search

import (
	"context"
	"time"
)

// Thought is a search that goes on in the background, on the searcher's own table: in
// the opponent's time, of the position that is expected. When it comes true the search
// goes on where it stands ([Thought.Hit]); otherwise it is stopped, and what it put into
// the table is there for the next. Until Wait has returned the searcher must not be used
// for anything else.
type Thought struct {
	control *control
	stop    context.CancelFunc
	done    chan struct{}
	result  Result
	err     error
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
	}()
	select {
	case <-begun:
	case <-t.done: // the limits were wrong
		c.team.begun = nil
	}
	return t
}

// Hit says that the position expected has come: the search ends so long from now.
func (t *Thought) Hit(d time.Duration) {
	t.control.team.deadline.Store(int64(t.control.elapsed() + d))
}

// Stop ends the search, within the time of some hundred nodes.
func (t *Thought) Stop() { t.stop() }

// Wait waits for the search to end and returns what it found.
func (t *Thought) Wait() (Result, error) {
	<-t.done
	return t.result, t.err
}
