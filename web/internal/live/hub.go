package live

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// Run is the state of a long-running job.
type Run struct {
	ID    string `json:"id"`              // name of the run
	Kind  string `json:"kind"`            // match, tournament, training or fleet
	Title string `json:"title"`           // description in a line
	State State  `json:"state"`           // running, done, stopped, failed or still
	Error string `json:"error,omitempty"` // why it failed
	Done  int64  `json:"done"`            // games
	Total int64  `json:"total,omitempty"` // in total, if known
	Mine  bool   `json:"mine,omitempty"`  // it was begun here, and can be stopped

	// One of these, by the kind.
	Match      *Match    `json:"match,omitempty"`      // of a match
	Tournament any       `json:"tournament,omitempty"` // of a tournament: as in ur.tournament/1
	Training   *Training `json:"training,omitempty"`   // of a training
	Fleet      any       `json:"fleet,omitempty"`      // of a fleet: as in ur.fleet/1
}

// State is whether a run goes on.
type State string

// The states. A file without a recent write is still.
const (
	Running State = "running"
	Done    State = "done"
	Stopped State = "stopped"
	Failed  State = "failed"
	Still   State = "still"
)

// Hub holds runs. It is safe for use by many goroutines.
type Hub struct {
	ctx   context.Context
	close context.CancelFunc
	work  sync.WaitGroup // matches and watchers

	mutex    sync.Mutex
	version  uint64 // counts changes
	runs     map[string]entry
	gone     []departure   // the oldest first, at most maxGone
	lost     uint64        // version of the latest departure that was dropped
	changed  chan struct{} // closed at the next change
	stops    map[string]context.CancelFunc
	finished []string // matches, the oldest first
	number   int      // of the last match
}

// entry is a run and the change it came with.
type entry struct {
	Run
	version uint64
}

// departure is the removal of a run, and the number of that change.
type departure struct {
	id      string
	version uint64
}

// maxGone is the number of departures a hub remembers. A client that missed one of the
// others receives all runs again.
const maxGone = 256

// NewHub returns a hub without runs. It must be closed.
func NewHub() *Hub {
	ctx, cancel := context.WithCancel(context.Background())
	return &Hub{
		ctx: ctx, close: cancel, runs: map[string]entry{}, stops: map[string]context.CancelFunc{}, changed: make(chan struct{}),
	}
}

// Close ends all matches and watchers, and waits for them.
func (h *Hub) Close() {
	h.mutex.Lock()
	h.close() // nothing begins after this
	h.mutex.Unlock()
	h.work.Wait()
}

// Closed is closed when the hub is.
func (h *Hub) Closed() <-chan struct{} { return h.ctx.Done() }

// Put enters the state of a run.
func (h *Hub) Put(r Run) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.gone = slices.DeleteFunc(h.gone, func(d departure) bool { return d.id == r.ID })
	h.change()
	h.runs[r.ID] = entry{r, h.version}
}

// Remove takes a run away.
func (h *Hub) Remove(id string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if _, ok := h.runs[id]; !ok {
		return
	}
	delete(h.runs, id)
	h.change()
	h.gone = append(h.gone, departure{id, h.version})
	if len(h.gone) > maxGone {
		h.lost = h.gone[0].version
		h.gone = slices.Delete(h.gone, 0, 1)
	}
}

// change counts a change and wakes the goroutines waiting for one. The caller holds the mutex.
func (h *Hub) change() {
	h.version++
	close(h.changed)
	h.changed = make(chan struct{})
}

// News is a set of changes.
type News struct {
	Schema  string   `json:"schema"`  // ur.web-runs/1
	Whole   bool     `json:"whole"`   // these are all runs; the client drops any other
	Version uint64   `json:"version"` // version for the next request
	Runs    []Run    `json:"runs"`    // changed runs
	Gone    []string `json:"gone"`    // removed runs
}

// Since returns the changes after a version; 0 asks for all runs.
func (h *Hub) Since(version uint64) News {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if version < h.lost {
		version = 0
	}
	n := News{Schema: "ur.web-runs/1", Whole: version == 0, Version: h.version, Runs: []Run{}, Gone: []string{}}
	for _, e := range h.runs {
		if e.version > version {
			n.Runs = append(n.Runs, e.Run)
		}
	}
	for _, d := range h.gone {
		if version > 0 && d.version > version {
			n.Gone = append(n.Gone, d.id)
		}
	}
	slices.SortFunc(n.Runs, func(a, b Run) int { return cmp.Compare(a.ID, b.ID) })
	slices.Sort(n.Gone)
	return n
}

// Wait returns when something has changed since a version, or ctx or the hub has ended;
// only in the first case it returns true.
func (h *Hub) Wait(ctx context.Context, version uint64) bool {
	for {
		h.mutex.Lock()
		newer, changed := h.version > version, h.changed
		h.mutex.Unlock()
		if newer {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		case <-h.ctx.Done():
			return false
		}
	}
}
