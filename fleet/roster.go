package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Machine is what a worker says of where it runs.
type Machine struct {
	Host   string `json:"host"`
	CPU    string `json:"cpu"`  // the processor's own name
	Kind   string `json:"kind"` // of processor, as records are kept by
	Cores  int    `json:"cores"`
	Engine string `json:"engine"` // that it computes with
}

// WorkerStatus is an entry of the list of workers.
type WorkerStatus struct {
	Name string  `json:"name"`
	Code string  `json:"code"`
	On   Machine `json:"machine"`

	// TurnedAway says why the worker was not let in; empty for one that works.
	TurnedAway string `json:"turned_away,omitempty"`

	Parallel int       `json:"parallel"`
	Since    time.Time `json:"since"`
	Pieces   int64     `json:"pieces"`   // finished
	Returned int64     `json:"returned"` // begun, and given back
	Held     int64     `json:"held"`     // now
	Rate     float64   `json:"rate"`     // pieces a second, of late
}

// Status is what a fleet looks like.
type Status struct {
	Schema   string         `json:"schema"` // "ur.fleet/1"
	Draining bool           `json:"draining"`
	Workers  []WorkerStatus `json:"workers"`
	Queue    []QueueStatus  `json:"queue"`
	Results  uint64         `json:"results"` // in the store
	Bytes    uint64         `json:"bytes"`   // of jobs and results in the store
}

// QueueStatus is what waits of one version of the code.
type QueueStatus struct {
	Code        string `json:"code"`
	Waiting     uint64 `json:"waiting"`     // pieces that nobody has
	Held        int    `json:"held"`        // pieces that workers have
	Redelivered int    `json:"redelivered"` // of these, begun before by others: stuck, if they stay
	Workers     int    `json:"workers"`     // that take them; with none, they wait for ever
}

// drainKey is the entry of the list of workers that tells all to leave.
const drainKey = "drain"

// Drain tells all workers to finish the pieces they compute and to leave; with false it
// takes that back.
func (c *Conn) Drain(ctx context.Context, on bool) error {
	if !on {
		return c.control.Purge(ctx, drainKey)
	}
	if _, err := c.control.Put(ctx, drainKey, []byte("true")); err != nil {
		return err
	}
	if err := c.nc.Publish(noticeSubject, nil); err != nil { // whoever does not hear it looks within seconds
		return err
	}
	return c.nc.FlushTimeout(publishTime)
}

// noticeSubject is where workers hear that there is something new in the bucket of control.
const noticeSubject = "ur.notice"

// draining reports whether workers are to leave.
func (c *Conn) draining(ctx context.Context) bool {
	_, err := c.control.Get(ctx, drainKey)
	return err == nil
}

// Status looks at the fleet.
func (c *Conn) Status(ctx context.Context) (Status, error) {
	s := Status{Schema: "ur.fleet/1", Draining: c.draining(ctx), Workers: []WorkerStatus{}, Queue: []QueueStatus{}}
	if err := c.listWorkers(ctx, &s); err != nil {
		return s, err
	}
	for info := range c.jobs.ListConsumers(ctx).Info() {
		code, ok := strings.CutPrefix(info.Name, "code-")
		if !ok {
			continue
		}
		q := QueueStatus{Code: code, Waiting: info.NumPending, Held: info.NumAckPending, Redelivered: info.NumRedelivered}
		for _, w := range s.Workers {
			if w.Code == code && w.TurnedAway == "" {
				q.Workers++
			}
		}
		s.Queue = append(s.Queue, q)
	}
	if jobs, err := c.jobs.Info(ctx); err == nil {
		s.Bytes = jobs.State.Bytes
	}
	if results, err := c.results.Status(ctx); err == nil {
		s.Results, s.Bytes = results.Values(), s.Bytes+results.Bytes()
	}
	return s, nil
}

// listWorkers adds the workers, by name.
func (c *Conn) listWorkers(ctx context.Context, s *Status) error {
	names, err := c.workers.Keys(ctx)
	if errors.Is(err, jetstream.ErrNoKeysFound) {
		return nil
	}
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range names {
		entry, err := c.workers.Get(ctx, name)
		if err != nil {
			continue // has just faded
		}
		var w WorkerStatus
		if json.Unmarshal(entry.Value(), &w) == nil {
			s.Workers = append(s.Workers, w)
		}
	}
	return nil
}

// TurnAway enters in the list of workers why one was not let in.
func (c *Conn) TurnAway(ctx context.Context, config WorkConfig, reason string) error {
	data, err := json.Marshal(WorkerStatus{Name: config.Name, Code: config.Code, On: config.About, Since: time.Now().UTC(), TurnedAway: reason})
	if err != nil {
		return err
	}
	_, err = c.workers.Put(ctx, config.Name, data)
	return err
}

// reportEvery is how often a worker renews its entry and asks whether it is to leave: a
// thousand workers then are four hundred messages a second.
const reportEvery = 5 * time.Second

// report renews the worker's entry in the list, and ends its work when the fleet is
// drained.
func (w *worker) report(ctx context.Context, stop func()) {
	ticker := time.NewTicker(reportEvery)
	defer ticker.Stop()
	notices := make(chan *nats.Msg, 1)
	if s, err := w.conn.nc.ChanSubscribe(noticeSubject, notices); err == nil {
		defer s.Unsubscribe() //nolint:errcheck // the connection is closed
	}
	before, since := int64(0), w.begun
	for {
		done, now := w.done.Load(), time.Now()
		data, err := json.Marshal(WorkerStatus{
			Name: w.config.Name, Code: w.config.Code, On: w.config.About, Parallel: w.config.Parallel,
			Since: w.begun.UTC(), Pieces: done, Returned: w.failed.Load(), Held: w.holding.Load(), Rate: float64(done-before) / max(now.Sub(since).Seconds(), 1e-3),
		})
		before, since = done, now
		if err == nil {
			_, _ = w.conn.workers.Put(ctx, w.config.Name, data) // else it fades from the list
		}
		if w.conn.draining(ctx) {
			stop()
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-notices:
		}
	}
}

// leave takes the worker off the list.
func (w *worker) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = w.conn.workers.Purge(ctx, w.config.Name) // else it fades
}

// rate is a mean of late durations.
type rate struct {
	mutex sync.Mutex
	value float64
}

// add enters a duration in seconds. Late ones weigh more.
func (r *rate) add(seconds float64) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.value == 0 {
		r.value = seconds
		return
	}
	r.value += (seconds - r.value) / 16
}

// mean returns the mean, and 0 before the first.
func (r *rate) mean() float64 {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.value
}
