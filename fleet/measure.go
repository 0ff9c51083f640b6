package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A measurement is a task for a kind of processor. One worker of that kind takes it, finishes
// its running tasks, hands back the others, and computes nothing else until it has measured. If
// it dies, another of its kind takes over.

// Kinds returns the kinds of processors among the workers of a version of the code, by
// name.
func (c *Conn) Kinds(ctx context.Context, code string) ([]string, error) {
	var s Status
	if err := c.listWorkers(ctx, &s); err != nil {
		return nil, err
	}
	var kinds []string
	for _, w := range s.Workers {
		if w.Code == code && w.TurnedAway == "" {
			kinds = append(kinds, w.On.Kind)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds), nil
}

// NoWorkerError reports that no worker of a kind of processor is left.
type NoWorkerError struct{ Kind string }

func (e *NoWorkerError) Error() string {
	return fmt.Sprintf("no worker on %s is left", e.Kind)
}

// TaskOfKind is the task number of a measurement for a kind of processor.
func TaskOfKind(kind string) uint64 {
	sum := sha256.Sum256([]byte(kind))
	return binary.BigEndian.Uint64(sum[:])
}

// DoOn returns the measurement of a worker on a kind of processor. If no such worker has been
// listed for some time, it returns a [*NoWorkerError] and removes the task from the queue.
func (s *Session) DoOn(ctx context.Context, kind string, work any) (json.RawMessage, error) {
	task := TaskOfKind(kind)
	subject := measureSubject(s.experiment.Code, kind, s.id, task)
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go s.watchKind(ctx, kind, stop)
	output, err := s.do(ctx, subject, task, work)
	if err != nil && ctx.Err() != nil {
		purge, cancel := context.WithTimeout(context.WithoutCancel(ctx), publishTime)
		defer cancel()
		return nil, errors.Join(context.Cause(ctx), s.conn.jobs.Purge(purge, jetstream.WithPurgeSubject(subject)))
	}
	return output, err
}

// watchKind calls gone when no worker on a kind of processor has been in the list for
// longer than a worker needs to come back.
func (s *Session) watchKind(ctx context.Context, kind string, gone func(error)) {
	look := s.conn.lease / 5
	for missing := time.Duration(0); ctx.Err() == nil; pause(ctx, look) {
		kinds, err := s.conn.Kinds(ctx, s.experiment.Code)
		switch {
		case err != nil: // the server is away
		case slices.Contains(kinds, kind):
			missing = 0
		default:
			if missing += look; missing > s.conn.lease {
				gone(&NoWorkerError{kind})
				return
			}
		}
	}
}

// measureConsumer returns the consumer of all workers of a version of the code on a kind
// of processor. It hands out one task at a time.
func (c *Conn) measureConsumer(ctx context.Context, code, kind string) (jetstream.Consumer, error) {
	return c.makeConsumer(ctx, jetstream.ConsumerConfig{
		Durable:       measureConsumerPrefix + code + "-" + kindToken(kind),
		FilterSubject: measurePrefix + code + "." + kindToken(kind) + ".>",
		MaxAckPending: 1,
	})
}

// measureConsumerPrefix begins the name of the consumer of a version of the code on a kind
// of processor.
const measureConsumerPrefix = "measure-"

// measureWait is how long a worker waits for a measurement before it asks again.
const measureWait = 30 * time.Second

// measure takes measurements until ctx ends.
func (w *worker) measure(ctx context.Context) {
	bench := newWorkbench(w)
	var consumer jetstream.Consumer
	for ctx.Err() == nil {
		if consumer == nil {
			var err error
			if consumer, err = w.conn.measureConsumer(ctx, w.config.Code, w.config.About.Kind); err != nil {
				consumer = nil
				pause(ctx, w.conn.lease/10) // the server is away, or came back without its store
				continue
			}
		}
		m, err := nextMeasurement(ctx, consumer)
		switch {
		case err != nil:
			consumer = nil
			pause(ctx, w.conn.lease/10)
		case m != nil:
			w.measureAlone(ctx, bench, m)
		}
	}
}

// nextMeasurement waits for a measurement, and returns nil when none came.
func nextMeasurement(ctx context.Context, consumer jetstream.Consumer) (jetstream.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, measureWait)
	defer cancel()
	batch, err := consumer.Fetch(1, jetstream.FetchContext(ctx))
	if err != nil {
		return nil, err
	}
	if m, ok := <-batch.Messages(); ok {
		return m, nil
	}
	if err := batch.Error(); !errors.Is(err, context.DeadlineExceeded) {
		return nil, err
	}
	return nil, nil
}

// measureAlone computes a task while the worker computes nothing else.
func (w *worker) measureAlone(ctx context.Context, bench *workbench, m jetstream.Msg) {
	w.lease(m)
	w.measuring.Store(true)
	defer w.measuring.Store(false)
	w.giveBack()
	w.alone.Lock()
	defer w.alone.Unlock()
	w.log("measuring; other work is paused")
	w.one(ctx, bench, m)
}
