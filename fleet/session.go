package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"
)

// A Session asks for the tasks of one experiment. Its methods may be called from
// several goroutines.
type Session struct {
	conn       *Conn
	experiment Experiment
	id         string
	check      func(task uint64, output json.RawMessage) error
	watcher    jetstream.KeyWatcher
	loaded     chan struct{} // closed when all results stored before have come
	invalid    chan uint64   // tasks whose results must be computed again
	end        context.CancelFunc
	verifier   *verifier // nil: no result is verified

	// The mutex guards the fields below and those of all pendingResults. It is not held during
	// calls to the server or while another mutex is.
	mutex     sync.Mutex
	results   map[uint64]Result         // seen, and not asked for yet
	waiting   map[uint64]*pendingResult // asked for
	delivered recent                    // asked for and answered: a second result is dropped
	refused   int                       // invalid results
}

// pendingResult is a task with waiting callers of Do.
type pendingResult struct {
	subject string // where it is queued
	work    json.RawMessage
	done    chan struct{} // closed when the result is there
	result  Result
	callers int
	asked   time.Time // for the first time, or looked at
	refused int       // invalid results of the task
}

// recent is a set of the latest numbers, at least maxRecent of them, so a session of any length
// takes a bounded amount of memory.
type recent struct{ new, old map[uint64]struct{} }

const maxRecent = 1 << 16

func (r *recent) add(n uint64) {
	if len(r.new) >= maxRecent || r.new == nil {
		r.new, r.old = map[uint64]struct{}{}, r.new
	}
	r.new[n] = struct{}{}
}

func (r *recent) has(n uint64) bool {
	_, isNew := r.new[n]
	_, isOld := r.old[n]
	return isNew || isOld
}

// Intervals at which a session checks tasks without news.
const (
	lookMost   = 1024 // tasks at a time
	lookWide   = 64   // of these, at the same time
	maxRefused = 5    // invalid results of one task, before the session gives up
	maxInvalid = 256  // tasks with invalid results, waiting for the server
)

// lookAfter is how often a session looks, and how long a task has been waited for then.
func (s *Session) lookAfter() time.Duration { return s.conn.lease / 5 }

// Open starts a session for the tasks of an experiment, or continues an earlier one. check,
// which may be nil, returns an error for an impossible output; such a task is computed again.
func (c *Conn) Open(ctx context.Context, e Experiment, check func(task uint64, output json.RawMessage) error) (*Session, error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	if err := c.patiently(ctx, func(ctx context.Context) error { return c.admit(ctx, e.Code) }); err != nil {
		return nil, err
	}
	s := &Session{
		conn: c, experiment: e, id: e.ID(), check: check,
		loaded:  make(chan struct{}),
		invalid: make(chan uint64, maxInvalid),
		results: map[uint64]Result{},
		waiting: map[uint64]*pendingResult{},
	}
	var lasting context.Context // as long as the session, not as long as Open
	lasting, s.end = context.WithCancel(context.WithoutCancel(ctx))
	err := c.patiently(ctx, func(ctx context.Context) error {
		if err := s.announce(ctx); err != nil {
			return err
		}
		if _, err := c.consumer(ctx, e.Code); err != nil { // so the list shows the queue
			return err
		}
		var err error
		s.watcher, err = c.results.Watch(lasting, s.id+".*")
		return err
	})
	if err != nil {
		s.end()
		return nil, fmt.Errorf("fleet: %w", err)
	}
	go s.watch()
	go s.removeInvalid(lasting)
	select {
	case <-s.loaded:
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), s.Close())
	}
	go s.lookAfterTasks(lasting)
	return s, nil
}

// announce puts the experiment where workers look it up.
func (s *Session) announce(ctx context.Context) error {
	data, err := json.Marshal(s.experiment)
	if err != nil {
		return err
	}
	_, err = s.conn.specs.Put(ctx, s.id, data)
	return err
}

// ID names the experiment.
func (s *Session) ID() string { return s.id }

// Close ends the session. Later results stay in the fleet's store.
func (s *Session) Close() error {
	defer s.end()
	if !s.conn.nc.IsConnected() {
		return nil // the server drops watchers by itself
	}
	if err := s.watcher.Stop(); !errors.Is(err, jetstream.ErrConsumerNotFound) { // as after a restart of the server
		return err
	}
	return nil
}

// Withdraw removes waiting tasks from the queue.
func (s *Session) Withdraw(ctx context.Context) error {
	return errors.Join(
		s.conn.jobs.Purge(ctx, jetstream.WithPurgeSubject(jobsPrefix+s.experiment.Code+"."+s.id+".*")),
		s.conn.jobs.Purge(ctx, jetstream.WithPurgeSubject(measurePrefix+s.experiment.Code+".*."+s.id+".*")))
}

// errInvalidResult reports a task with invalid results again and again.
var errInvalidResult = errors.New("every result of the task was invalid")

// Do returns the output of a task, computed by some worker or found in the store. work is the
// kind's input beyond the number. An error of the task itself is a [*Failure].
func (s *Session) Do(ctx context.Context, task uint64, work any) (json.RawMessage, error) {
	return s.do(ctx, jobSubject(s.experiment.Code, s.id, task), task, work)
}

// do computes a task queued on a subject.
func (s *Session) do(ctx context.Context, subject string, task uint64, work any) (json.RawMessage, error) {
	data, err := json.Marshal(work)
	if err != nil {
		return nil, err
	}
	p, first, failed := s.await(task, subject, data)
	defer s.leave(task, p)
	if failed { // otherwise it would be found again
		purge := func(ctx context.Context) error { return s.conn.results.Purge(ctx, resultKey(s.id, task)) }
		if err := s.conn.patiently(ctx, purge); err != nil {
			return nil, fmt.Errorf("fleet: %w", err)
		}
	}
	if first {
		if err := s.publish(ctx, p); err != nil {
			return nil, err
		}
	}
	select {
	case <-p.done:
		output, err := p.result.open()
		if err == nil && s.verifier != nil {
			err = s.verifier.verify(ctx, task, data, p.result)
		}
		return output, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// await registers a caller that waits for a task. first reports that the task must be queued:
// its result is missing, and no other caller has queued it. failed reports a stored failure of
// an earlier session. Failures are not final: a machine may have been too slow.
func (s *Session) await(task uint64, subject string, work json.RawMessage) (p *pendingResult, first, failed bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if p, ok := s.waiting[task]; ok {
		p.callers++
		return p, false, false
	}
	p = &pendingResult{subject: subject, work: work, done: make(chan struct{}), callers: 1, asked: time.Now()}
	if r, ok := s.results[task]; ok {
		delete(s.results, task)
		if failed = len(r.Failure) > 0; !failed {
			s.deliver(task, p, r)
			return p, false, false
		}
	}
	s.waiting[task] = p
	return p, true, failed
}

// leave takes a caller of a task out again.
func (s *Session) leave(task uint64, p *pendingResult) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if p.callers--; p.callers == 0 && s.waiting[task] == p {
		delete(s.waiting, task)
	}
}

// deliver hands a result to all waiting callers. The caller holds the mutex.
func (s *Session) deliver(task uint64, p *pendingResult, r Result) {
	delete(s.waiting, task)
	s.delivered.add(task)
	p.result = r
	close(p.done)
}

// open returns the content of a result.
func (r Result) open() (json.RawMessage, error) {
	if len(r.Failure) == 0 {
		if len(r.Output) == 0 {
			return nil, errInvalidResult
		}
		return r.Output, nil
	}
	f := new(Failure)
	if err := json.Unmarshal(r.Failure, f); err != nil {
		return nil, fmt.Errorf("failure of a task: %w", err)
	}
	return nil, f
}

// publish queues a task, unless it is queued.
func (s *Session) publish(ctx context.Context, p *pendingResult) error {
	return s.conn.publish(ctx, p.subject, p.work)
}

// watch takes note of results as they are put, those of earlier sessions first.
func (s *Session) watch() {
	loaded := sync.OnceFunc(func() { close(s.loaded) })
	for entry := range s.watcher.Updates() {
		if entry == nil { // all stored values have arrived
			loaded()
			continue
		}
		if entry.Operation() != jetstream.KeyValuePut {
			continue // a damaged result was taken away
		}
		_, number, _ := strings.Cut(entry.Key(), ".")
		if task, err := strconv.ParseUint(number, 10, 64); err == nil {
			s.take(task, entry.Value())
		}
	}
}

// take enters the stored result of a task. It does not wait for the server.
func (s *Session) take(task uint64, data []byte) {
	r, err := decodeResult(data, s.id, task)
	if err == nil && len(r.Failure) == 0 && s.check != nil {
		err = s.check(task, r.Output)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p, ok := s.waiting[task]
	switch {
	case err != nil:
		s.refused++
		select {
		case s.invalid <- task:
		default: // lookAfterTasks comes back to it
		}
	case ok:
		s.deliver(task, p, r)
	case !s.delivered.has(task):
		s.results[task] = r
	}
}

// removeInvalid takes invalid results out of the store and has their tasks computed again,
// until ctx ends.
func (s *Session) removeInvalid(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case task := <-s.invalid:
			s.refuse(ctx, task)
		}
	}
}

// refuse takes an invalid result out of the store, and has the task computed again.
func (s *Session) refuse(ctx context.Context, task uint64) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if s.conn.results.Purge(ctx, resultKey(s.id, task)) != nil {
		return // lookAfterTasks comes back to it
	}
	s.mutex.Lock()
	p, ok := s.waiting[task]
	if ok {
		p.refused++
		if ok = p.refused < maxRefused; !ok {
			s.deliver(task, p, Result{})
		}
	}
	s.mutex.Unlock()
	if ok {
		_ = s.publish(ctx, p) // lookAfterTasks comes back to it
	}
}

// lookAfterTasks checks long-awaited tasks from time to time: for results missed by the watch,
// and for tasks neither queued nor done, as when the server came back without its store.
func (s *Session) lookAfterTasks(ctx context.Context) {
	ticker := time.NewTicker(s.lookAfter())
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			s.look(ctx)
		}
	}
}

// look asks once.
func (s *Session) look(ctx context.Context) {
	old := s.oldTasks(lookMost)
	if len(old) == 0 {
		return
	}
	// A request lost with the server must not block the check: without its own deadline each
	// has the short one of the connection.
	_, err := s.conn.specs.Get(ctx, s.id)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound): // the server came back without its store
		err = s.announce(ctx)
		maps.Copy(old, s.oldTasks(math.MaxInt))
	case err != nil: // the server is away, or it came back without its store
		err = s.conn.reopen(ctx)
	}
	if err != nil {
		return // next time
	}
	var asking errgroup.Group
	asking.SetLimit(lookWide)
	for task, p := range old {
		asking.Go(func() error {
			entry, err := s.conn.results.Get(ctx, resultKey(s.id, task))
			switch {
			case err == nil:
				s.take(task, entry.Value())
			case errors.Is(err, jetstream.ErrKeyNotFound):
				publishing, cancel := context.WithTimeout(ctx, publishTime)
				defer cancel()
				_ = s.publish(publishing, p) // next time, if not now
			}
			return nil
		})
	}
	_ = asking.Wait() // errors are for the next time
}

// oldTasks returns at most most tasks that have waited longer than a check takes since they
// were requested or last checked.
func (s *Session) oldTasks(most int) map[uint64]*pendingResult {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	old := map[uint64]*pendingResult{}
	for task, p := range s.waiting {
		if len(old) == most {
			break
		}
		if time.Since(p.asked) > s.lookAfter() {
			p.asked = time.Now()
			old[task] = p
		}
	}
	return old
}
