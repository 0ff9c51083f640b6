package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A Kind computes the tasks of experiments of one kind. An optional method LimitFactor() int
// multiplies [WorkConfig.TaskLimit].
type Kind interface {
	// Name is the kind's name in experiments.
	Name() string

	// Open prepares for tasks of an experiment. file returns the path of a file that the
	// experiment names by its SHA-256 sum.
	Open(ctx context.Context, spec json.RawMessage, file func(sum string) (string, error)) (Runner, error)
}

// longKind is a [Kind] whose tasks may take longer than those of others.
type longKind interface {
	Kind

	// LimitFactor multiplies [WorkConfig.TaskLimit].
	LimitFactor() int
}

// A Runner computes tasks of one experiment, one at a time. Its output must depend on the
// experiment, the number and the work alone. An error that every worker would meet is a
// [*Failure]; any other is an error of this machine, and the task goes back.
//
// A method GamesPlayed() int64 of an output counts games for the list of workers. A method
// Equal(a, b json.RawMessage) bool of a runner compares outputs that may differ in fields the
// task does not determine, such as the time.
type Runner interface {
	Run(ctx context.Context, task uint64, work json.RawMessage) (output any, err error)
}

// WorkConfig configures a worker.
type WorkConfig struct {
	Code     string // version of the code; only its tasks are taken
	Name     string // of the worker in the list; one for each process
	Kinds    []Kind // it computes
	Parallel int    // tasks at a time, at least 1
	Cache    string // folder for files of experiments

	// TaskLimit limits the time of a task; 0 means [DefaultTaskLimit]. One that exceeds it
	// fails.
	TaskLimit time.Duration

	About Machine // its data in the list
	Log   func(message string)
}

// DefaultTaskLimit is how long a task may take. Those of a match take an engine a second.
const DefaultTaskLimit = time.Hour

// ahead is the duration of the tasks that a worker takes in advance: long enough never to wait
// for the network, and short enough not to delay others at the end.
const ahead = 10 * time.Second

// maxDeliveries is the number of times an unfinished task is started before it counts as one
// that kills workers.
const maxDeliveries = 10

// worker is a worker at work.
type worker struct {
	conn     *Conn
	config   WorkConfig
	consumer jetstream.Consumer
	queue    chan jetstream.Msg
	taken    chan struct{} // taken from the queue
	held     sync.Map      // of jetstream.Msg, the leases to renew
	holding  atomic.Int64
	done     atomic.Int64 // tasks
	games    atomic.Int64 // in them
	workers  atomic.Int64 // in the fleet, about
	failed   atomic.Int64 // tasks given back
	seconds  rate
	begun    time.Time

	lasting    context.Context // ends some time after the work, for the last results
	underWay   chan struct{}   // filled by results on their way
	delivering sync.WaitGroup  // of results

	alone     sync.RWMutex // held for reading by tasks, for writing by a measurement
	measuring atomic.Bool
	latest    sync.Map // by goroutine, of *doing
	mishap    atomic.Pointer[mishap]
	dismissed atomic.Pointer[error] // why the worker has to leave
}

// maxUnderWay bounds the results of a worker on their way to the store.
const maxUnderWay = 512

// Work takes tasks from the queue of a fleet and computes them until ctx ends or the fleet is
// drained. Its unfinished tasks then go back to the queue.
func (c *Conn) Work(ctx context.Context, config WorkConfig) error {
	if !isToken(config.Code) || !isToken(config.Name) {
		return fmt.Errorf("worker %q of version %q: invalid name or version (want letters, digits and hyphens)", config.Name, config.Code)
	}
	if config.Parallel < 1 {
		return fmt.Errorf("worker: tasks at a time must be 1 or more, got %d", config.Parallel)
	}
	if config.TaskLimit < 0 {
		return fmt.Errorf("worker: limit of a task must not be negative, got %s", config.TaskLimit)
	}
	config.TaskLimit = cmp.Or(config.TaskLimit, DefaultTaskLimit)
	err := c.patiently(ctx, func(ctx context.Context) error { return c.admit(ctx, config.Code) })
	if errors.As(err, new(*VersionError)) {
		return errors.Join(err, c.TurnAway(ctx, config, err.Error()))
	}
	var consumer jetstream.Consumer
	if err == nil {
		err = c.patiently(ctx, func(ctx context.Context) (err error) {
			consumer, err = c.consumer(ctx, config.Code)
			return err
		})
	}
	switch {
	case ctx.Err() != nil:
		return nil // it was ended before it began
	case err != nil:
		return fmt.Errorf("fleet: %w", err)
	}
	w := &worker{conn: c, config: config, consumer: consumer, begun: time.Now(),
		queue: make(chan jetstream.Msg, maxAhead), taken: make(chan struct{}, 1), underWay: make(chan struct{}, maxUnderWay)}
	return w.work(ctx)
}

// consumer returns the one consumer of all workers of a version of the code, made if it
// is not there.
func (c *Conn) consumer(ctx context.Context, code string) (jetstream.Consumer, error) {
	return c.makeConsumer(ctx, jetstream.ConsumerConfig{
		Durable:       consumerPrefix + code,
		FilterSubject: jobsPrefix + code + ".>",
		MaxAckPending: -1,
	})
}

// consumerPrefix begins the name of the consumer of a version of the code.
const consumerPrefix = "code-"

// keepConsumers is the lifetime of a version's consumer without workers.
const keepConsumers = 24 * time.Hour

// makeConsumer returns a consumer, made if it is not there.
func (c *Conn) makeConsumer(ctx context.Context, config jetstream.ConsumerConfig) (jetstream.Consumer, error) {
	consumer, err := c.jobs.Consumer(ctx, config.Durable)
	if !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return consumer, err
	}
	config.AckPolicy = jetstream.AckExplicitPolicy
	config.AckWait = c.lease
	config.InactiveThreshold = keepConsumers
	return c.jobs.CreateConsumer(ctx, config)
}

// work runs the parts of a worker until ctx ends.
func (w *worker) work(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var end context.CancelFunc
	w.lasting, end = context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	context.AfterFunc(ctx, func() { time.AfterFunc(leaveTime, end) })
	var parts sync.WaitGroup
	parts.Go(func() { w.renew(ctx) })
	parts.Go(func() { w.report(ctx, stop) })
	parts.Go(func() { w.measure(ctx) })
	for range w.config.Parallel {
		parts.Go(func() { w.compute(ctx) })
	}
	w.fetch(ctx)
	stop()
	if !waitAtMost(w.conn.lease/2, func() { parts.Wait(); w.delivering.Wait() }) {
		w.log("a task does not end: it is left to another worker")
	}
	w.giveBack()
	if why := w.dismissed.Load(); why != nil {
		return errors.Join(*why, w.conn.TurnAway(context.WithoutCancel(ctx), w.config, (*why).Error()))
	}
	w.leave()
	return nil
}

// waitAtMost waits until a function returns, or for a time, and reports whether it did.
func waitAtMost(d time.Duration, wait func()) bool {
	done := make(chan struct{})
	go func() { wait(); close(done) }()
	select {
	case <-done:
		return true
	case <-time.After(d):
		return false
	}
}

// maxAhead bounds the tasks that a worker takes in advance.
const maxAhead = 4096

// fetch keeps tasks at hand: all that the queue has, at once, and otherwise the next one that
// comes.
func (w *worker) fetch(ctx context.Context) {
	share := 1 // the queue's count for this worker
	idle := false
	for ctx.Err() == nil {
		target := min(w.want(), share)
		want := target - len(w.queue)
		if want < (target+1)/2 || w.measuring.Load() { // half a queue at a time, and not task by task
			w.waitForRoom(ctx)
			continue
		}
		if idle {
			want = 1
		}
		taken, waiting, err := w.take(ctx, want, idle)
		if err != nil && ctx.Err() == nil {
			w.reopen(ctx)
		}
		if idle = taken == 0; !idle {
			share = w.share(waiting)
		}
	}
}

// waitForRoom waits until a goroutine takes a task, or for a while.
func (w *worker) waitForRoom(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-w.taken:
	case <-time.After(100 * time.Millisecond):
	}
}

// share returns the number of waiting tasks for this worker: half of its proportional part, so
// no task waits for an overloaded worker.
func (w *worker) share(waiting uint64) int {
	part := waiting / uint64(2*max(1, w.workers.Load()))
	return max(w.config.Parallel, int(min(part, maxAhead)))
}

// idleTime is how long a worker without work waits for a task before it asks again.
const idleTime = time.Second

// take takes tasks from the queue: the available ones, or the next one. waiting is the number
// left in the queue.
func (w *worker) take(ctx context.Context, want int, wait bool) (taken int, waiting uint64, err error) {
	var batch jetstream.MessageBatch
	if wait {
		ctx, cancel := context.WithTimeout(ctx, idleTime)
		defer cancel()
		batch, err = w.consumer.Fetch(want, jetstream.FetchContext(ctx))
	} else {
		batch, err = w.consumer.FetchNoWait(want)
	}
	if err != nil {
		return 0, 0, err
	}
	for m := range batch.Messages() {
		taken++
		if data, err := m.Metadata(); err == nil {
			waiting = data.NumPending
		}
		w.lease(m)
		w.queue <- m // has room: want is never more
	}
	err = batch.Error()
	if errors.Is(err, context.DeadlineExceeded) {
		err = nil // nothing came
	}
	return taken, waiting, err
}

// reopen remakes the stores of a server that came back without them. An unreachable one is
// retried later.
func (w *worker) reopen(ctx context.Context) {
	pause(ctx, 200*time.Millisecond)
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if w.conn.reopen(ctx) != nil {
		return
	}
	if consumer, err := w.conn.consumer(ctx, w.config.Code); err == nil {
		w.consumer = consumer
	}
}

// want returns how many tasks take the worker as long as ahead.
func (w *worker) want() int {
	mean := w.seconds.mean()
	if mean == 0 {
		return w.config.Parallel
	}
	n := ahead.Seconds() / mean * float64(w.config.Parallel)
	return int(min(max(n, float64(w.config.Parallel)), maxAhead))
}

// pause waits, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// renew renews the leases of the tasks at hand.
func (w *worker) renew(ctx context.Context) {
	ticker := time.NewTicker(w.conn.lease / 3)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		w.held.Range(func(m, _ any) bool {
			_ = m.(jetstream.Msg).InProgress() // otherwise the task is leased elsewhere
			return true
		})
	}
}

// lease keeps a message leased: its lease is renewed until it is released.
func (w *worker) lease(m jetstream.Msg) {
	w.held.Store(m, nil)
	w.holding.Add(1)
}

// release ends the renewal of a lease.
func (w *worker) release(m jetstream.Msg) {
	w.held.Delete(m)
	w.holding.Add(-1)
}

// giveBack returns unstarted tasks.
func (w *worker) giveBack() {
	for {
		select {
		case m := <-w.queue:
			w.handBack(m)
		default:
			return
		}
	}
}

// handBack returns a task to the queue.
func (w *worker) handBack(m jetstream.Msg) {
	w.release(m)
	_ = m.Nak() // otherwise it comes again when its lease ends
}

// compute computes tasks until ctx ends.
func (w *worker) compute(ctx context.Context) {
	bench := newWorkbench(w)
	for {
		select {
		case <-ctx.Done():
			return
		case m := <-w.queue:
			select {
			case w.taken <- struct{}{}:
			default: // already reported
			}
			if !w.alone.TryRLock() { // this worker measures: others compute it meanwhile
				w.handBack(m)
				w.waitForQuiet()
				continue
			}
			w.one(ctx, bench, m)
			w.alone.RUnlock()
		}
	}
}

// waitForQuiet waits until no measurement runs.
func (w *worker) waitForQuiet() {
	w.alone.RLock()
	defer w.alone.RUnlock()
}

// one computes the task of a message, and sends the result on its way. A task that cannot be
// computed here goes back after a pause.
func (w *worker) one(ctx context.Context, bench *workbench, m jetstream.Msg) {
	experiment, task, err := taskOf(m.Subject())
	if err != nil {
		w.log(fmt.Sprintf("removed an invalid job from the queue: %v", err))
		_ = m.Term()
		w.release(m)
		return
	}
	begin := time.Now()
	d := &doing{experiment: experiment, task: task, since: begin}
	w.latest.Store(bench, d)
	defer w.latest.Delete(bench)
	result, err := w.result(ctx, bench, m, d)
	result.Seconds = time.Since(begin).Seconds()
	var data []byte
	if err == nil {
		data, err = w.encode(result, experiment, task)
	}
	if err == nil {
		w.seconds.add(result.Seconds)
		w.deliver(finished{m, resultSubject(experiment, task), data})
		return
	}
	defer w.release(m)
	if errors.Is(err, errUnknownExperiment) { // or the client requests the missing file again
		w.log(fmt.Sprintf("task %d of %s was taken off the queue: %v", task, experiment, err))
		_ = m.Term()
		return
	}
	w.failed.Add(1)
	if ctx.Err() != nil {
		_ = m.Nak()
		return
	}
	what := fmt.Sprintf("task %d of %s: %v", task, experiment, err)
	w.mishap.Store(&mishap{experiment, what, time.Now()})
	w.log(what)
	_ = m.NakWithDelay(w.conn.lease / 10)
}

// encode returns a result in its stored form. A failure replaces one too long for the store: it
// would be too long on any worker.
func (w *worker) encode(r Result, experiment string, task uint64) ([]byte, error) {
	data, err := r.encode(experiment, task)
	most := min(maxResult, w.conn.nc.MaxPayload()) - resultOverhead
	if err != nil || int64(len(data)) <= most {
		return data, err
	}
	r.Output = nil
	r.Failure, err = json.Marshal(Failure{Message: fmt.Sprintf("the result of task %d has %d bytes (want at most %d)", task, len(data), most)})
	if err != nil {
		return nil, err
	}
	return r.encode(experiment, task)
}

// resultOverhead bounds the bytes added by the store to a result.
const resultOverhead = 4096

// finished is a result on its way to the store.
type finished struct {
	message jetstream.Msg
	subject string
	data    []byte
}

// leaveTime is how long an ending worker waits until its last results are stored.
const leaveTime = 2 * time.Second

// deliver puts a result under its name, and then removes the task from the queue. It does not
// wait for the server, but at most some hundred results are under way. An existing result is
// put again, so a repeated request is notified. It waits for an unreachable server; without the
// stored result, the task comes again elsewhere.
func (w *worker) deliver(f finished) {
	w.underWay <- struct{}{}
	w.delivering.Go(func() {
		defer func() { <-w.underWay }()
		defer w.release(f.message)
		if w.conn.publish(w.lasting, f.subject, f.data) != nil {
			return
		}
		_ = f.message.Ack() // otherwise it comes again, and is put again
		w.done.Add(1)
	})
}

// result computes a task.
func (w *worker) result(ctx context.Context, bench *workbench, m jetstream.Msg, d *doing) (Result, error) {
	r := Result{Worker: w.config.Name}
	if data, err := m.Metadata(); err == nil && data.NumDelivered > maxDeliveries {
		why := "it may kill those who compute it"
		if last := w.mishap.Load(); last != nil && last.experiment == d.experiment {
			why = "here the last to fail was " + last.what
		}
		var err error
		r.Failure, err = json.Marshal(Failure{Message: fmt.Sprintf("task %d was begun %d times and never finished: %s", d.task, data.NumDelivered-1, why)})
		return r, err
	}
	output, err := bench.run(ctx, d, m.Data())
	var failure *Failure
	switch {
	case errors.As(err, &failure):
		r.Failure, err = json.Marshal(failure)
	case err == nil:
		if p, ok := output.(played); ok {
			w.games.Add(p.GamesPlayed())
		}
		r.Output, err = json.Marshal(output)
	}
	return r, err
}

// played is an output of games, counted for the list of workers.
type played interface{ GamesPlayed() int64 }

func (w *worker) log(message string) {
	if w.config.Log != nil {
		w.config.Log(message)
	}
}

// taskOf returns the last words of a job's subject: experiment and task.
func taskOf(subject string) (experiment string, task uint64, err error) {
	parts := strings.Split(subject, ".")
	if n := len(parts); n >= 5 {
		task, err = strconv.ParseUint(parts[n-1], 10, 64)
		return parts[n-2], task, err
	}
	return "", 0, fmt.Errorf("invalid subject %q (want %sCODE.EXPERIMENT.TASK)", subject, jobsPrefix)
}
