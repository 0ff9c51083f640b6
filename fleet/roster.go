package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Machine describes a worker's machine.
type Machine struct {
	Host   string `json:"host"`   // name of the machine
	CPU    string `json:"cpu"`    // the processor's own name
	Kind   string `json:"kind"`   // of processor, as records are kept by
	Cores  int    `json:"cores"`  // number of cores
	Engine string `json:"engine"` // used for computing
}

// WorkerStatus is an entry of the list of workers.
type WorkerStatus struct {
	Name string  `json:"name"`
	Code string  `json:"code"`    // version of the program
	On   Machine `json:"machine"` // the machine of the worker

	// TurnedAway is the reason why the worker was rejected; empty for a working one.
	TurnedAway string `json:"turned_away,omitempty"` // reason for rejecting the worker

	Parallel int       `json:"parallel"` // number of tasks at once
	Since    time.Time `json:"since"`    // time of joining
	Tasks    int64     `json:"pieces"`   // finished
	Returned int64     `json:"returned"` // begun, and given back
	Held     int64     `json:"held"`     // now
	Rate     float64   `json:"rate"`     // tasks a second, of late
	Games    float64   `json:"games"`    // games a second, of late

	// Measuring marks a worker that measures and computes nothing else.
	Measuring bool `json:"measuring,omitempty"` // whether the worker measures, and computes nothing else

	// Longest is the longest running task of the worker, and LongestSeconds its time: the task
	// is stuck if that is far above the usual.
	Longest        string  `json:"longest,omitempty"`         // the longest running task, as EXPERIMENT.TASK
	LongestSeconds float64 `json:"longest_seconds,omitempty"` // time of the longest running task

	// Stuck is the longest task in words, once it has taken a good part of its limit.
	Stuck string `json:"stuck,omitempty"` // the longest task in words, once it took a good part of its limit

	// Mishap is why the worker gave a task back, of late.
	Mishap string `json:"mishap,omitempty"` // reason for the last returned task
}

// Status is the state of a fleet.
type Status struct {
	Schema   string         `json:"schema"`         // "ur.fleet/1"
	Draining bool           `json:"draining"`       // whether workers have to leave
	Code     string         `json:"code,omitempty"` // version of the fleet; others are turned away
	Workers  []WorkerStatus `json:"workers"`        // by their names
	Queue    []QueueStatus  `json:"queue"`          // one for each version of the code, and for each kind of processor with measurements
	Stuck    []string       `json:"stuck"`          // stuck work, with the reason
	Results  uint64         `json:"results"`        // in the store
	Bytes    uint64         `json:"bytes"`          // of jobs and results in the store
}

// QueueStatus counts the tasks of one version of the code, or its measurements on one kind of
// processor.
type QueueStatus struct {
	Code        string `json:"code"`           // version of the program
	Kind        string `json:"kind,omitempty"` // of processor, of measurements
	Waiting     uint64 `json:"waiting"`        // waiting tasks
	Held        int    `json:"held"`           // leased tasks
	Redelivered int    `json:"redelivered"`    // of these, begun before by others: stuck, if they stay
	Workers     int    `json:"workers"`        // that take them; without any, they wait for ever
}

// drainKey is the entry that orders all workers to leave.
const drainKey = "drain"

// Drain orders all workers to finish their running tasks and leave; false cancels the order.
func (c *Conn) Drain(ctx context.Context, on bool) error {
	if !on {
		return c.control.Purge(ctx, drainKey)
	}
	if _, err := c.control.Put(ctx, drainKey, []byte("true")); err != nil {
		return err
	}
	return c.notice()
}

// noticeSubject announces changes in the bucket of control to workers.
const noticeSubject = "ur.notice"

// draining reports whether workers are to leave.
func (c *Conn) draining(ctx context.Context) bool {
	_, err := c.control.Get(ctx, drainKey)
	return err == nil
}

// Status looks at the fleet.
func (c *Conn) Status(ctx context.Context) (Status, error) {
	s := Status{Schema: "ur.fleet/1", Draining: c.draining(ctx), Workers: []WorkerStatus{}, Queue: []QueueStatus{}, Stuck: []string{}}
	if entry, err := c.control.Get(ctx, codeKey); err == nil {
		s.Code = string(entry.Value())
	}
	if err := c.listWorkers(ctx, &s); err != nil {
		return s, err
	}
	for info := range c.jobs.ListConsumers(ctx).Info() {
		if q, ok := s.queueOf(info); ok {
			s.Queue = append(s.Queue, q)
		}
	}
	s.Stuck = s.stuck()
	if jobs, err := c.jobs.Info(ctx); err == nil {
		s.Bytes = jobs.State.Bytes
	}
	if results, err := c.results.Status(ctx); err == nil {
		s.Results, s.Bytes = results.Values(), s.Bytes+results.Bytes()
	}
	return s, nil
}

// queueOf returns a consumer's counts of waiting tasks. For measurements it returns nothing
// while none waits.
func (s *Status) queueOf(info *jetstream.ConsumerInfo) (q QueueStatus, ok bool) {
	q = QueueStatus{Waiting: info.NumPending, Held: info.NumAckPending, Redelivered: info.NumRedelivered}
	measurement := strings.HasPrefix(info.Name, measureConsumerPrefix)
	if measurement && q.Waiting == 0 && q.Held == 0 {
		return q, false
	}
	words := strings.Split(info.Config.FilterSubject, ".") // ur job CODE >, or ur measure CODE KIND >
	if !measurement && !strings.HasPrefix(info.Name, consumerPrefix) || len(words) < 4 {
		return q, false
	}
	q.Code = words[2]
	if measurement {
		q.Kind = words[3] // unless a worker reports its name
	}
	for _, w := range s.Workers {
		if w.Code != q.Code || w.TurnedAway != "" || measurement && kindToken(w.On.Kind) != words[3] {
			continue
		}
		q.Workers++
		if measurement {
			q.Kind = w.On.Kind
		}
	}
	return q, true
}

// stuck lists work that makes no progress, or may not.
func (s *Status) stuck() []string {
	stuck := []string{}
	for _, q := range s.Queue {
		switch {
		case q.Waiting+uint64(q.Held) == 0:
		case s.Draining:
			stuck = append(stuck, fmt.Sprintf("%d tasks of version %s wait: the fleet is drained", q.Waiting, q.Code))
		case q.Workers == 0 && q.Kind != "":
			stuck = append(stuck, fmt.Sprintf("%d measurements wait for a worker on %s, and there is none", q.Waiting+uint64(q.Held), q.Kind))
		case q.Workers == 0:
			stuck = append(stuck, fmt.Sprintf("%d tasks wait for a worker of version %s, and there is none", q.Waiting+uint64(q.Held), q.Code))
		case q.Redelivered > 0:
			stuck = append(stuck, fmt.Sprintf("%d tasks of version %s were begun before and not finished", q.Redelivered, q.Code))
		}
	}
	for _, w := range s.Workers {
		if w.Stuck != "" {
			stuck = append(stuck, fmt.Sprintf("%s has computed %s", w.Name, w.Stuck))
		}
		if w.Mishap != "" {
			stuck = append(stuck, fmt.Sprintf("%s gave back %s", w.Name, w.Mishap))
		}
	}
	return stuck
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

// reportEvery is the interval at which a worker renews its entry and checks for orders: five
// seconds, so a thousand workers send some hundreds of messages a second.
func (w *worker) reportEvery() time.Duration { return w.conn.lease / 2 }

// report renews the worker's entry in the list, and ends its work when the fleet is
// drained.
func (w *worker) report(ctx context.Context, stop func()) {
	ticker := time.NewTicker(w.reportEvery())
	defer ticker.Stop()
	notices := make(chan *nats.Msg, 1)
	if s, err := w.conn.nc.ChanSubscribe(noticeSubject, notices); err == nil {
		defer s.Unsubscribe() //nolint:errcheck // the connection is closed
	}
	before := meter{at: w.begun}
	look := time.Time{} // at the next check of the settings for all workers
	for {
		now := meter{time.Now(), w.done.Load(), w.games.Load()}
		data, err := json.Marshal(w.status(before, now))
		before = now
		if err == nil {
			_, _ = w.conn.workers.Put(ctx, w.config.Name, data) // otherwise it fades from the list
		}
		if now.at.After(look) {
			look = now.at.Add(lookReports * w.reportEvery())
			w.obey(ctx, stop)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-notices:
			look = time.Time{}
		}
	}
}

// lookReports is the number of reports between two checks of the settings for all workers,
// without a notice of changes.
const lookReports = 6

// obey ends the work when the fleet is drained or of another version.
func (w *worker) obey(ctx context.Context, stop func()) {
	if list, err := w.conn.workers.Status(ctx); err == nil {
		w.workers.Store(int64(list.Values()))
	}
	if why := w.conn.admit(ctx, w.config.Code); errors.As(why, new(*VersionError)) {
		w.dismissed.Store(&why)
		stop()
	}
	if w.conn.draining(ctx) {
		stop()
	}
}

// meter is how far a worker is at a time.
type meter struct {
	at           time.Time
	tasks, games int64
}

// status is the worker's entry in the list, with rates between two times.
func (w *worker) status(before, now meter) WorkerStatus {
	seconds := max(now.at.Sub(before.at).Seconds(), 1e-3)
	s := WorkerStatus{
		Name: w.config.Name, Code: w.config.Code, On: w.config.About, Parallel: w.config.Parallel,
		Since: w.begun.UTC(), Tasks: now.tasks, Returned: w.failed.Load(), Held: w.holding.Load(),
		Rate:      float64(now.tasks-before.tasks) / seconds,
		Games:     float64(now.games-before.games) / seconds,
		Measuring: w.measuring.Load(),
	}
	if m := w.mishap.Load(); m != nil && now.at.Sub(m.at) < showMishaps {
		s.Mishap = m.what
	}
	w.latest.Range(func(_, value any) bool {
		d := value.(*doing)
		if t := now.at.Sub(d.since).Seconds(); t > s.LongestSeconds {
			s.Longest, s.LongestSeconds, s.Stuck = resultKey(d.experiment, d.task), t, ""
			if limit := time.Duration(d.limit.Load()); limit > 0 && t > (limit/stuckPart).Seconds() {
				s.Stuck = fmt.Sprintf("task %s for %s, and may for %s", s.Longest, now.at.Sub(d.since).Round(time.Second), limit)
			}
		}
		return true
	})
	return s
}

// mishap is why a task was given back.
type mishap struct {
	experiment string // of the task
	what       string
	at         time.Time
}

// showMishaps is how long a mishap stands in the list.
const showMishaps = time.Minute

// doing is a running task.
type doing struct {
	experiment string
	task       uint64
	since      time.Time
	limit      atomic.Int64 // its time limit in nanoseconds; 0 before it is known
}

// stuckPart is the share of its limit after which a task is listed as stuck: a minute of an
// hour.
const stuckPart = 60

// leave takes the worker off the list.
func (w *worker) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = w.conn.workers.Purge(ctx, w.config.Name) // otherwise it fades
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
