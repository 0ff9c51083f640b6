package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Machine describes a worker's machine.
type Machine struct {
	Host   string `json:"host"`   // name of the machine
	CPU    string `json:"cpu"`    // the processor's own name
	Cores  int    `json:"cores"`  // number of cores
	Engine string `json:"engine"` // used for computing
}

// WorkerStatus is an entry of the list of workers.
type WorkerStatus struct {
	Name     string    `json:"name"`
	Code     string    `json:"code"`     // version of the program
	On       Machine   `json:"machine"`  // the machine of the worker
	Parallel int       `json:"parallel"` // number of tasks at once
	Since    time.Time `json:"since"`    // time of joining
	Tasks    int64     `json:"tasks"`    // finished
	Held     int       `json:"held"`     // running
	Rate     float64   `json:"rate"`     // tasks a second, of late
	Games    float64   `json:"games"`    // games a second, of late

	Longest        string  `json:"longest,omitempty"`         // the longest running task, as EXPERIMENT.TASK
	LongestSeconds float64 `json:"longest_seconds,omitempty"` // time of the longest running task
	Trouble        string  `json:"trouble,omitempty"`         // reason for a task returned within the last minute
}

// Status is a fleet's state.
type Status struct {
	Schema  string         `json:"schema"`  // "ur.fleet/1"
	Workers []WorkerStatus `json:"workers"` // sorted by name
	Queue   []QueueStatus  `json:"queue"`   // one for each version of the code
	Stuck   []string       `json:"stuck"`   // stuck work, with the reason
	Results uint64         `json:"results"` // stored results
	Bytes   uint64         `json:"bytes"`   // size of stored jobs and results
}

// QueueStatus counts the tasks of one version of the code.
type QueueStatus struct {
	Code        string `json:"code"`        // version of the program
	Waiting     uint64 `json:"waiting"`     // waiting tasks
	Held        int    `json:"held"`        // leased tasks
	Redelivered int    `json:"redelivered"` // part begun before by others: stuck, if they stay
	Workers     int    `json:"workers"`     // that take them; without any, they wait for ever
}

// Status looks at the fleet.
func (c *Conn) Status(ctx context.Context) (Status, error) {
	s := Status{Schema: "ur.fleet/1", Workers: []WorkerStatus{}, Queue: []QueueStatus{}, Stuck: []string{}}
	if err := c.listWorkers(ctx, &s); err != nil {
		return s, err
	}
	for info := range c.jobs.ListConsumers(ctx).Info() {
		if code, ok := strings.CutPrefix(info.Name, consumerPrefix); ok {
			s.Queue = append(s.Queue, QueueStatus{Code: code, Waiting: info.NumPending,
				Held: info.NumAckPending, Redelivered: info.NumRedelivered})
		}
	}
	s.findStuck()
	jobs, err := c.jobs.Info(ctx)
	if err != nil {
		return s, err
	}
	s.Bytes = jobs.State.Bytes
	if results, err := c.results.Status(ctx); err == nil {
		s.Results, s.Bytes = results.Values(), s.Bytes+results.Bytes()
	}
	return s, nil
}

// findStuck lists work that makes no progress, or may not.
func (s *Status) findStuck() {
	stuck := func(format string, args ...any) { s.Stuck = append(s.Stuck, fmt.Sprintf(format, args...)) }
	for i := range s.Queue {
		q := &s.Queue[i]
		for _, w := range s.Workers {
			if w.Code == q.Code {
				q.Workers++
			}
		}
		switch tasks := q.Waiting + uint64(q.Held); {
		case tasks > 0 && q.Workers == 0:
			stuck("%d tasks wait for a worker of version %s, and there is none", tasks, q.Code)
		case q.Redelivered > 0:
			stuck("%d tasks of version %s were begun before and not finished", q.Redelivered, q.Code)
		}
	}
	for _, w := range s.Workers {
		if w.Trouble != "" {
			stuck("%s returned %s", w.Name, w.Trouble)
		}
	}
}

// listWorkers adds the workers, by name. It ignores entries not written by workers.
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
		if json.Unmarshal(entry.Value(), &w) == nil && w.Name == name && isToken(w.Code) {
			s.Workers = append(s.Workers, w)
		}
	}
	return nil
}

// reportStatus renews the worker's entry in the list until ctx ends, and then removes it.
func (w *worker) reportStatus(ctx context.Context) {
	for before := (counts{at: w.begun}); ctx.Err() == nil; pauseFor(ctx, w.conn.lease/2) {
		now := counts{time.Now(), w.done.Load(), w.games.Load()}
		if data, err := json.Marshal(w.newStatus(before, now)); err == nil {
			_, _ = w.conn.workers.Put(ctx, w.config.Name, data) // otherwise it fades from the list
		}
		before = now
	}
	leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = w.conn.workers.Purge(leaving, w.config.Name) // otherwise it fades
}

// counts are the numbers of a worker at a time.
type counts struct {
	at           time.Time
	tasks, games int64
}

// showTrouble is how long a returned task stands in the list.
const showTrouble = time.Minute

// newStatus is the worker's entry in the list, with rates between two times.
func (w *worker) newStatus(before, now counts) WorkerStatus {
	seconds := max(now.at.Sub(before.at).Seconds(), 1e-3)
	s := WorkerStatus{
		Name: w.config.Name, Code: w.config.Code, On: w.config.About, Parallel: w.config.Parallel,
		Since: w.begun.UTC(), Tasks: now.tasks,
		Rate:  float64(now.tasks-before.tasks) / seconds,
		Games: float64(now.games-before.games) / seconds,
	}
	if t := w.trouble.Load(); t != nil && now.at.Sub(t.at) < showTrouble {
		s.Trouble = t.what
	}
	for key := range w.running.Range {
		s.Held++
		t := key.(*runningTask)
		if d := now.at.Sub(t.since).Seconds(); d > s.LongestSeconds {
			s.Longest, s.LongestSeconds = t.key, d
		}
	}
	return s
}
