package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// maxRunners is how many experiments a goroutine of a worker is ready for at a time.
const maxRunners = 4

// workbench holds the runners of one goroutine of a worker, for the latest experiments.
type workbench struct {
	worker  *worker
	runners map[string]limited
	order   []string // latest last
}

// limited is a runner whose tasks may take a time.
type limited struct {
	Runner
	limit time.Duration
}

func newWorkbench(w *worker) *workbench {
	return &workbench{worker: w, runners: map[string]limited{}}
}

// errTaskLimit cancels the context of a task that takes too long.
var errTaskLimit = errors.New("task takes too long")

// errUnknownExperiment reports that the fleet does not have an experiment.
var errUnknownExperiment = errors.New("unknown experiment")

// run computes a task.
func (b *workbench) run(ctx context.Context, d *doing, work []byte) (any, error) {
	r, ok := b.runners[d.experiment]
	if !ok {
		var err error
		if r, err = b.open(ctx, d); err != nil {
			return nil, err
		}
		if len(b.order) == maxRunners {
			delete(b.runners, b.order[0])
			b.order = b.order[1:]
		}
		b.runners[d.experiment] = r
		b.order = append(b.order, d.experiment)
	}
	d.limit.Store(int64(r.limit))
	ctx, cancel := context.WithTimeoutCause(ctx, r.limit, errTaskLimit)
	defer cancel()
	output, err := r.Run(ctx, d.task, work)
	if err != nil && context.Cause(ctx) == errTaskLimit {
		return nil, &Failure{Message: fmt.Sprintf("task %d took worker %s longer than %s, its limit", d.task, b.worker.config.Name, r.limit)}
	}
	return output, err
}

// open reads an experiment and makes ready for it.
func (b *workbench) open(ctx context.Context, d *doing) (limited, error) {
	w, id := b.worker, d.experiment
	entry, err := w.conn.specs.Get(ctx, id)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return limited{}, errUnknownExperiment
	}
	if err != nil {
		return limited{}, fmt.Errorf("experiment: %w", err)
	}
	var e Experiment
	if err := json.Unmarshal(entry.Value(), &e); err != nil {
		return limited{}, fmt.Errorf("experiment: %w", err)
	}
	if e.ID() != id {
		return limited{}, fmt.Errorf("experiment is damaged: its hash is %s", e.ID())
	}
	for _, kind := range w.config.Kinds {
		if kind.Name() == e.Kind {
			limit := w.config.TaskLimit
			if k, ok := kind.(longKind); ok {
				limit *= time.Duration(k.LimitFactor())
			}
			d.limit.Store(int64(limit))
			r, err := kind.Open(ctx, e.Spec, func(sum string) (string, error) {
				fetching.Lock() // one of a worker's goroutines fetches, the others find
				defer fetching.Unlock()
				return w.conn.GetFile(ctx, w.config.Cache, sum)
			})
			return limited{r, limit}, err
		}
	}
	return limited{}, fmt.Errorf("unknown kind of experiment %q", e.Kind)
}

// fetching is held while a file is fetched.
var fetching sync.Mutex
