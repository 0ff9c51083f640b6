package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A Session asks for the tasks of one experiment. Its methods may be called from
// several goroutines.
type Session struct {
	conn       *Conn
	experiment Experiment
	id         string
	check      func(work, output json.RawMessage) error
	verifier   *verifier // nil: no result is verified
	warned     sync.Once
	refused    atomic.Int64 // damaged or impossible results, all computed again

	mutex     sync.Mutex // guards announced
	announced time.Time  // when the experiment was last put into the store
}

const maxRefused = 5 // number of invalid results of one task before its client gives up

// errInvalidResult reports a task with invalid results again and again.
var errInvalidResult = errors.New("every result of the task was invalid")

// Open starts a session for an experiment's tasks, or continues an earlier one. check,
// which may be nil, returns an error for an impossible output; such a task is computed again.
func (c *Conn) Open(ctx context.Context, e Experiment,
	check func(work, output json.RawMessage) error) (*Session, error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	s := &Session{conn: c, experiment: e, id: e.ID(), check: check}
	if err := s.announceExperiment(ctx); err != nil {
		return nil, fmt.Errorf("fleet: %w", err)
	}
	return s, nil
}

// announceExperiment puts the experiment where workers look it up, and makes its queue, unless they were
// there a moment ago: the server may have come back without its store. A server with a damaged store may
// accept a message and drop it at once, so the experiment is read back.
func (s *Session) announceExperiment(ctx context.Context) error {
	s.mutex.Lock()
	recently := time.Since(s.announced) < s.conn.lease
	if !recently {
		s.announced = time.Now()
	}
	s.mutex.Unlock()
	if recently {
		return nil
	}
	data, err := json.Marshal(s.experiment)
	if err != nil {
		return err
	}
	return s.conn.retryRequest(ctx, func(ctx context.Context) error {
		if _, err := s.conn.specs.Put(ctx, s.id, data); err != nil {
			return err
		}
		switch _, err := s.conn.specs.Get(ctx, s.id); {
		case errors.Is(err, jetstream.ErrKeyNotFound):
			return errNotKept
		case err != nil:
			return err
		}
		_, err := s.conn.openQueue(ctx, s.experiment.Code)
		return err
	})
}

// Withdraw removes waiting tasks from the queue.
func (s *Session) Withdraw(ctx context.Context) error {
	return s.conn.jobs.Purge(ctx, jetstream.WithPurgeSubject(jobsPrefix+s.experiment.Code+"."+s.id+".*"))
}

// Do returns the output of the task with some work, computed by some worker or found in the
// store. An error of the task itself is a [*Failure].
func (s *Session) Do(ctx context.Context, work any) (json.RawMessage, error) {
	data, err := json.Marshal(work)
	if err != nil {
		return nil, err
	}
	key := taskKey(s.id, data)
	r, err := s.waitForResult(ctx, key, data)
	if err != nil && ctx.Err() == nil && !errors.Is(err, errInvalidResult) {
		err = fmt.Errorf("fleet: %w", err)
	}
	if err != nil {
		return nil, err
	}
	if len(r.Failure) > 0 {
		f := new(Failure)
		if err := json.Unmarshal(r.Failure, f); err != nil {
			return nil, fmt.Errorf("failure of a task: %w", err)
		}
		return nil, f
	}
	return r.Output, s.verifier.verifyTask(ctx, key, data, r)
}

// mostArriving is more than the messages about a task that a client may find at once: results, and
// removals of invalid ones.
const mostArriving = 4 * maxRefused

// waitForResult waits for a valid result of a task. The task is queued unless its result is stored. A
// stored failure of an earlier session is not final: a machine may have been at fault.
func (s *Session) waitForResult(ctx context.Context, key string, work []byte) (Result, error) {
	arriving := make(chan *nats.Msg, mostArriving)
	// Results arrive as they are put, by the subject behind a key of their bucket (NATS ADR-8).
	subscription, err := s.conn.nc.ChanSubscribe("$KV."+resultsBucket+"."+key, arriving)
	if err != nil {
		return Result{}, err
	}
	defer func() { _ = subscription.Unsubscribe() }() // the connection may be closed
	refused := 0
	wait := s.conn.lease / 5 // for a task, until its result and its place in the queue are looked up
	for first := true; ; first = false {
		found, err := s.lookUp(ctx, key)
		if err == nil && found == nil {
			found, err = s.queueTask(ctx, key, work, arriving, wait)
			wait = min(2*wait, s.conn.lease)
			first = false
		}
		if err != nil {
			return Result{}, err
		}
		if found == nil {
			s.warnAboutWorkers(ctx)
			continue
		}
		r, invalid := decodeResult(found, key)
		if invalid == nil && len(r.Failure) == 0 && s.check != nil {
			invalid = s.check(work, r.Output)
		}
		if invalid == nil && !(first && len(r.Failure) > 0) {
			return r, nil
		}
		if invalid != nil {
			s.refused.Add(1)
			if refused++; refused == maxRefused {
				return Result{}, fmt.Errorf("%w: %w", errInvalidResult, invalid)
			}
		}
		err = s.conn.retryRequest(ctx,
			func(ctx context.Context) error { return s.conn.results.Purge(ctx, key) })
		if err != nil {
			return Result{}, err
		}
	}
}

// lookUp returns a task's stored result, or nil.
func (s *Session) lookUp(ctx context.Context, key string) (data []byte, err error) {
	err = s.conn.retryRequest(ctx, func(ctx context.Context) error {
		entry, err := s.conn.results.Get(ctx, key)
		switch {
		case errors.Is(err, jetstream.ErrKeyNotFound):
			return nil
		case err == nil:
			data = append([]byte{}, entry.Value()...) // not nil
		}
		return err
	})
	return data, err
}

// queueTask queues a task, unless it is queued, and waits for its result for a time. It returns nil
// if none arrives. A result that is missed here is found in the store.
func (s *Session) queueTask(ctx context.Context, key string, work []byte, arriving <-chan *nats.Msg,
	wait time.Duration) ([]byte, error) {
	err := s.announceExperiment(ctx)
	if err == nil {
		err = s.conn.publishTask(ctx, s.experiment.Code, key, work)
	}
	if err != nil {
		return nil, err
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case m := <-arriving:
			if len(m.Header) == 0 { // not the removal of one
				return append([]byte{}, m.Data...), nil // not nil
			}
		case <-timer.C:
			return nil, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// warnAboutWorkers reports once if no worker can take the session's tasks.
func (s *Session) warnAboutWorkers(ctx context.Context) {
	s.warned.Do(func() {
		status, err := s.conn.Status(ctx)
		if err != nil {
			return
		}
		others := ""
		for _, w := range status.Workers {
			if w.Code == s.experiment.Code {
				return
			}
			others = fmt.Sprintf("; %s runs %s", w.Name, w.Code)
		}
		s.conn.log(fmt.Sprintf("tasks wait: no worker runs version %s of the program%s", s.experiment.Code, others))
	})
}

// ResultMismatchError reports a worker's result that differs from that of this process. One of the
// two machines is faulty, or the worker computes something else.
type ResultMismatchError struct {
	Task   string // EXPERIMENT.TASK
	Worker string
}

func (e *ResultMismatchError) Error() string {
	return fmt.Sprintf("task %s: worker %q gave another result than this machine computes", e.Task, e.Worker)
}

// verifier computes a sample of a session's tasks a second time, one at a time.
type verifier struct {
	open  func() (Runner, error)
	block int // tasks, of which one is verified

	choosing sync.Mutex // guards the fields of choose
	seen     int        // tasks of the current block
	chosen   int        // the one to verify among them

	running  sync.Mutex // held while a task is computed
	runner   Runner     // made for the first one
	verified int
}

// firstChosen bounds the verified task of the first block, so a session of few tasks has one
// verified, too.
const firstChosen = 16

// Verify makes the session compute a random share of its tasks, 0 to 1, a second time in this
// process, on a runner returned by open. A different result is a [*ResultMismatchError]. Call it
// before the first [Session.Do].
func (s *Session) Verify(share float64, open func() (Runner, error)) {
	if share <= 0 {
		return
	}
	block := max(1, int(1/share+0.5))
	s.verifier = &verifier{open: open, block: block, chosen: rand.IntN(min(block, firstChosen))}
}

func (v *verifier) chooseTask() bool {
	v.choosing.Lock()
	defer v.choosing.Unlock()
	chosen := v.seen == v.chosen
	if v.seen++; v.seen == v.block {
		v.seen, v.chosen = 0, rand.IntN(v.block)
	}
	return chosen
}

// verifyTask computes a task again if it is chosen, and compares the results.
func (v *verifier) verifyTask(ctx context.Context, task string, work json.RawMessage, r Result) (err error) {
	if v == nil || !v.chooseTask() {
		return nil
	}
	v.running.Lock()
	defer v.running.Unlock()
	if v.runner == nil {
		runner, err := v.open()
		if err != nil {
			return fmt.Errorf("verifying task %s: %w", task, err)
		}
		v.runner = runner
	}
	output, err := v.runner.Run(ctx, work)
	if err != nil {
		return fmt.Errorf("verifying task %s: %w", task, err)
	}
	here, err := json.Marshal(output)
	if err != nil {
		return err
	}
	if !bytes.Equal(here, r.Output) {
		return &ResultMismatchError{task, r.Worker}
	}
	v.verified++
	return nil
}
