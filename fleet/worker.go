package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A Kind computes the tasks of experiments of one kind.
type Kind interface {
	// Name is the kind's name in experiments.
	Name() string

	// Open prepares for tasks of an experiment. file returns the path of a file that the
	// experiment names by its SHA-256 sum.
	Open(ctx context.Context, spec json.RawMessage, file func(sum string) (string, error)) (Runner, error)
}

// A Runner computes tasks of one experiment, one at a time. Its output must depend on the
// experiment and the work alone. An error that every worker would meet is a
// [*Failure]; any other is an error of this machine, and the task goes back.
//
// A method FinishedGames() int64 of an output counts games for the list of workers.
type Runner interface {
	Run(ctx context.Context, work json.RawMessage) (output any, err error)
}

// WorkConfig configures a worker.
type WorkConfig struct {
	Code     string // version of the code; only its tasks are taken
	Name     string // name in the list of workers; one for each process
	Kinds    []Kind // it computes
	Parallel int    // tasks at a time, at least 1
	Cache    string // folder for files of experiments
	About    Machine
	Log      func(message string) // may be nil
}

// maxDeliveries is the number of times an unfinished task is started before it counts as one
// that kills workers.
const maxDeliveries = 10

type worker struct {
	conn    *Conn
	config  WorkConfig
	begun   time.Time
	done    atomic.Int64 // tasks
	games   atomic.Int64 // their games
	running sync.Map     // each a *runningTask
	trouble atomic.Pointer[trouble]

	fetching sync.Mutex // held while a file is fetched: the others find it
}

type runningTask struct {
	experiment string
	key        string // EXPERIMENT.TASK
	since      time.Time
}

// trouble is why a task was returned to the queue.
type trouble struct {
	experiment, what string
	at               time.Time
}

// Work takes tasks from a fleet's queue and computes them until ctx ends. Its unfinished
// tasks then go back to the queue.
func (c *Conn) Work(ctx context.Context, config WorkConfig) error {
	if !isToken(config.Code) || !isToken(config.Name) {
		return fmt.Errorf("worker %q of version %q: invalid name or version (want letters, digits and hyphens)",
			config.Name, config.Code)
	}
	if config.Parallel < 1 {
		return fmt.Errorf("worker: tasks at a time must be 1 or more, got %d", config.Parallel)
	}
	w := &worker{conn: c, config: config, begun: time.Now()}
	if w.config.Log == nil {
		w.config.Log = func(string) {}
	}
	var parts sync.WaitGroup
	parts.Go(func() { w.reportStatus(ctx) })
	for range config.Parallel {
		parts.Go(func() { w.computeTasks(ctx) })
	}
	<-ctx.Done()
	ended := make(chan struct{})
	go func() { parts.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(c.lease / 2):
		w.config.Log("a task does not end: it is left to another worker")
	}
	return nil
}

// computeTasks computes one task after another until ctx ends. While the server is away it waits.
func (w *worker) computeTasks(ctx context.Context) {
	bench := &workbench{worker: w, runners: map[string]Runner{}}
	for ctx.Err() == nil {
		err := w.takeTasks(ctx, bench)
		if ctx.Err() != nil {
			return
		}
		if w.conn.nc.IsConnected() {
			opening, cancel := context.WithTimeout(ctx, requestTime)
			if _, opened := w.conn.openStores(opening); opened != nil {
				w.conn.warnSometimes(
					fmt.Sprintf("cannot take tasks: %v: trying again", explainError(errors.Join(opened, err))))
			}
			cancel()
		}
		pauseFor(ctx, retryPause)
	}
}

// Pull requests of a waiting worker: their time, and the time of a sign of life of the server.
const (
	pullTime  = 10 * time.Second
	pullAlive = time.Second
)

// takeTasks takes tasks from the queue, one at a time, until an error of the queue.
func (w *worker) takeTasks(ctx context.Context, bench *workbench) error {
	opening, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	consumer, err := w.conn.openQueue(opening, w.config.Code)
	if err != nil {
		return err
	}
	queue, err := consumer.Messages(jetstream.PullMaxMessages(1), jetstream.PullExpiry(pullTime),
		jetstream.PullHeartbeat(pullAlive))
	if err != nil {
		return err
	}
	defer queue.Stop()
	for {
		m, err := queue.Next(jetstream.NextContext(ctx))
		if err != nil {
			return err
		}
		w.handleMessage(ctx, bench, m)
	}
}

// handleMessage computes a message's task, with its lease renewed, and stores the result.
func (w *worker) handleMessage(ctx context.Context, bench *workbench, m jetstream.Msg) {
	parts := strings.Split(m.Subject(), ".") // of jobsPrefix, CODE, EXPERIMENT and TASK
	experiment := parts[len(parts)-2]
	key := taskKey(experiment, m.Data())
	if !strings.HasSuffix(m.Subject(), "."+key) {
		w.config.Log(fmt.Sprintf("removed an invalid job from the queue: %s is not the task of its work", m.Subject()))
		_ = m.Term()
		return
	}
	leased, release := context.WithCancel(context.WithoutCancel(ctx))
	defer release()
	go renewLease(leased, m, w.conn.lease/3)
	r := &runningTask{experiment, key, time.Now()}
	w.running.Store(r, nil)
	defer w.running.Delete(r)

	result, err := w.computeResult(ctx, bench, m, r)
	var data []byte
	if err == nil {
		data, err = w.encodeResult(result, key)
	}
	if err == nil {
		err = w.storeResult(ctx, key, data)
	}
	switch {
	case err == nil:
		_ = m.Ack() // otherwise it comes again, and is put again
		w.done.Add(1)
	case errors.Is(err, errUnknownExperiment): // its client requests it again
		w.config.Log(fmt.Sprintf("removed task %s from the queue: %v", key, err))
		_ = m.Term()
	case ctx.Err() != nil:
		_ = m.Nak()
	default:
		what := fmt.Sprintf("task %s: %v", key, err)
		w.trouble.Store(&trouble{experiment, what, time.Now()})
		w.config.Log(what)
		_ = m.NakWithDelay(w.conn.lease / 10)
	}
}

// renewLease renews a task's lease until ctx ends.
func renewLease(ctx context.Context, m jetstream.Msg, every time.Duration) {
	for pauseFor(ctx, every); ctx.Err() == nil; pauseFor(ctx, every) {
		_ = m.InProgress() // otherwise the task is leased elsewhere
	}
}

// storeTime is how long an ending worker waits until its last result is stored.
const storeTime = 2 * time.Second

// storeResult puts a result under its key, and waits for a server that is away. An existing result is
// put again, so a repeated request is answered.
func (w *worker) storeResult(ctx context.Context, key string, data []byte) error {
	storing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(storeTime, cancel) })()
	return w.conn.retryRequest(storing, func(ctx context.Context) error {
		_, err := w.conn.results.Put(ctx, key, data)
		return err
	})
}

// encodeResult returns a result in its stored form. A failure replaces one too long for the store: it
// would be too long on any worker.
func (w *worker) encodeResult(r Result, key string) ([]byte, error) {
	data, err := r.encodeSealed(key)
	most := min(maxResult, w.conn.nc.MaxPayload()) - resultOverhead
	if err != nil || int64(len(data)) <= most {
		return data, err
	}
	r.Output = nil
	r.Failure, err = json.Marshal(
		Failf("the result of task %s has %d bytes (want at most %d)", key, len(data), most))
	if err != nil {
		return nil, err
	}
	return r.encodeSealed(key)
}

// resultOverhead bounds the bytes added by the store to a result.
const resultOverhead = 4096

// computeResult computes a task. A [*Failure] is a result.
func (w *worker) computeResult(ctx context.Context, bench *workbench, m jetstream.Msg, t *runningTask) (Result, error) {
	output, err := any(nil), w.tooOften(m, t)
	if err == nil {
		output, err = bench.runTask(ctx, t, m.Data())
	}
	r := Result{Worker: w.config.Name, Seconds: time.Since(t.since).Seconds()}
	if failure, ok := errors.AsType[*Failure](err); ok {
		r.Failure, err = json.Marshal(failure)
		return r, err
	}
	if err != nil {
		return r, err
	}
	if p, ok := output.(interface{ FinishedGames() int64 }); ok {
		w.games.Add(p.FinishedGames())
	}
	r.Output, err = json.Marshal(output)
	return r, err
}

// tooOften returns a [*Failure] for a task that was started again and again without an end.
func (w *worker) tooOften(m jetstream.Msg, t *runningTask) error {
	data, err := m.Metadata()
	if err != nil || data.NumDelivered <= maxDeliveries {
		return nil
	}
	why := "it may kill its workers"
	if last := w.trouble.Load(); last != nil && last.experiment == t.experiment {
		why = "the last error here was " + last.what
	}
	return Failf("task %s was begun %d times and never finished: %s", t.key, data.NumDelivered-1, why)
}

// maxRunners is how many experiments a goroutine of a worker is ready for at a time.
const maxRunners = 4

// workbench holds the runners of one goroutine of a worker, for the latest experiments.
type workbench struct {
	worker  *worker
	runners map[string]Runner
	order   []string // latest last
}

// errUnknownExperiment reports an experiment unknown to the fleet.
var errUnknownExperiment = errors.New("unknown experiment")

func (b *workbench) runTask(ctx context.Context, t *runningTask, work []byte) (any, error) {
	r, ok := b.runners[t.experiment]
	if !ok {
		var err error
		if r, err = b.openExperiment(ctx, t.experiment); err != nil {
			return nil, err
		}
		if len(b.order) == maxRunners {
			delete(b.runners, b.order[0])
			b.order = b.order[1:]
		}
		b.runners[t.experiment] = r
		b.order = append(b.order, t.experiment)
	}
	return r.Run(ctx, work)
}

func (b *workbench) openExperiment(ctx context.Context, id string) (Runner, error) {
	w := b.worker
	entry, err := w.conn.specs.Get(ctx, id)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, errUnknownExperiment
	}
	var e Experiment
	if err == nil {
		err = json.Unmarshal(entry.Value(), &e)
	}
	if err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	if e.ID() != id {
		return nil, fmt.Errorf("experiment is damaged: its hash is %s", e.ID())
	}
	for _, kind := range w.config.Kinds {
		if kind.Name() == e.Kind {
			return kind.Open(ctx, e.Spec, func(sum string) (string, error) {
				w.fetching.Lock()
				defer w.fetching.Unlock()
				return w.conn.getFile(ctx, w.config.Cache, sum)
			})
		}
	}
	return nil, Failf("unknown kind of experiment %q", e.Kind)
}
