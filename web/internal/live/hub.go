package live

import (
	"cmp"
	"context"
	"slices"
	"sync"
)

// Run is how something stands that takes a while.
type Run struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"`            // match, tournament, training or fleet
	Title string `json:"title"`           // what it is, in a line
	State State  `json:"state"`           // running, done, stopped, failed or still
	Error string `json:"error,omitempty"` // why it failed
	Done  int64  `json:"done"`            // games
	Total int64  `json:"total,omitempty"` // of them, where that is known
	Mine  bool   `json:"mine,omitempty"`  // it was begun here, and can be stopped

	// One of these, by the kind.
	Match      *Match    `json:"match,omitempty"`
	Tournament any       `json:"tournament,omitempty"` // of schema ur.tournament/1
	Training   *Training `json:"training,omitempty"`
	Fleet      any       `json:"fleet,omitempty"` // of schema ur.fleet/1
}

// State is whether a run goes on.
type State string

// The states. A file that nobody has written to for a while is still.
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
	changed  chan struct{} // closed at the next change
	stops    map[string]context.CancelFunc
	finished []string // matches, the oldest first
	number   int      // of the last match
}

// entry is a run and the change it came with.
type entry struct {
	Run
	version uint64
	gone    bool
}

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

// Put enters how a run stands.
func (h *Hub) Put(r Run) { h.enter(entry{Run: r}) }

// Remove takes a run away.
func (h *Hub) Remove(id string) { h.enter(entry{Run: Run{ID: id}, gone: true}) }

func (h *Hub) enter(e entry) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.version++
	e.version = h.version
	h.runs[e.ID] = e
	close(h.changed)
	h.changed = make(chan struct{})
}

// News is what has changed.
type News struct {
	Schema  string   `json:"schema"`  // ur.web-runs/1
	Whole   bool     `json:"whole"`   // these are all runs, and others are no more
	Version uint64   `json:"version"` // what to ask for next
	Runs    []Run    `json:"runs"`
	Gone    []string `json:"gone"`
}

// Since returns what has changed since a version; 0 asks for all there is.
func (h *Hub) Since(version uint64) News {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	n := News{Schema: "ur.web-runs/1", Whole: version == 0, Version: h.version, Runs: []Run{}, Gone: []string{}}
	for id, e := range h.runs {
		switch {
		case e.version <= version:
		case !e.gone:
			n.Runs = append(n.Runs, e.Run)
		case version > 0:
			n.Gone = append(n.Gone, id)
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
