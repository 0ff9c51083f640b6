package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
)

// maxRunners is how many experiments a goroutine of a worker is ready for at a time.
const maxRunners = 4

// workbench is what one goroutine of a worker computes on: the runners of the latest
// experiments.
type workbench struct {
	worker  *worker
	runners map[string]Runner
	order   []string // latest last
}

func newWorkbench(w *worker) *workbench {
	return &workbench{worker: w, runners: map[string]Runner{}}
}

// run computes a task.
func (b *workbench) run(ctx context.Context, experiment string, task uint64, work []byte) (any, error) {
	r, ok := b.runners[experiment]
	if !ok {
		var err error
		if r, err = b.open(ctx, experiment); err != nil {
			return nil, err
		}
		if len(b.order) == maxRunners {
			delete(b.runners, b.order[0])
			b.order = b.order[1:]
		}
		b.runners[experiment] = r
		b.order = append(b.order, experiment)
	}
	return r.Run(ctx, task, work)
}

// open reads an experiment and makes ready for it.
func (b *workbench) open(ctx context.Context, id string) (Runner, error) {
	w := b.worker
	entry, err := w.conn.specs.Get(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	var e Experiment
	if err := json.Unmarshal(entry.Value(), &e); err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	if e.ID() != id {
		return nil, fmt.Errorf("experiment is damaged: its hash is %s", e.ID())
	}
	for _, kind := range w.config.Kinds {
		if kind.Name() == e.Kind {
			return kind.Open(ctx, e.Spec, func(sum string) (string, error) {
				fetching.Lock() // one of a worker's goroutines fetches, the others find
				defer fetching.Unlock()
				return w.conn.GetFile(ctx, w.config.Cache, sum)
			})
		}
	}
	return nil, fmt.Errorf("experiment of kind %q, which this worker does not know", e.Kind)
}

// fetching is held while a file is fetched.
var fetching sync.Mutex
