package search

import "context"

// Thought is a search in the background, on the searcher's own table. It runs in the opponent's
// time, on the expected position. When it is stopped, its table entries remain for the next
// search. Until Wait has returned the searcher must not be used for anything else.
type Thought struct {
	stop   context.CancelFunc
	done   chan struct{}
	result Result
	err    error
}

// Ponder begins to search in the background.
func (s *Searcher[P, G]) Ponder(ctx context.Context, root P, l Limits) *Thought {
	return think(ctx, func(ctx context.Context) (Result, error) { return s.Search(ctx, root, l) })
}

// Ponder begins to search in the background.
func (s *DiceSearcher[P, G]) Ponder(ctx context.Context, root P, roll int, l Limits) *Thought {
	return think(ctx, func(ctx context.Context) (Result, error) { return s.Search(ctx, root, roll, l) })
}

func think(ctx context.Context, search func(context.Context) (Result, error)) *Thought {
	ctx, stop := context.WithCancel(ctx)
	t := &Thought{stop: stop, done: make(chan struct{})}
	go func() {
		defer close(t.done)
		defer stop()
		t.result, t.err = search(ctx)
	}()
	return t
}

// Stop ends the search, within the time of some hundred nodes.
func (t *Thought) Stop() { t.stop() }

// Wait waits for the search to end and returns its result.
func (t *Thought) Wait() (Result, error) {
	<-t.done
	return t.result, t.err
}
