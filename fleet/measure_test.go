package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// gauge is a kind of tasks that knows whether a worker does anything else while it
// measures. Tasks of measurements are told by their work, which is no null.
type gauge struct {
	machine   string
	busy      atomic.Int64 // tasks that are not measurements
	disturbed *atomic.Int64
	measured  func(ctx context.Context, machine string) error // while nothing else is done
}

func (*gauge) Name() string { return "square" }

func (g *gauge) Open(context.Context, json.RawMessage, func(string) (string, error)) (Runner, error) {
	return g, nil
}

func (g *gauge) Run(ctx context.Context, task uint64, work json.RawMessage) (any, error) {
	if string(work) == "null" {
		g.busy.Add(1)
		defer g.busy.Add(-1)
		pause(ctx, time.Millisecond)
		return task*task + 1, ctx.Err()
	}
	for range 20 {
		if g.busy.Load() > 0 {
			g.disturbed.Add(1)
		}
		pause(ctx, time.Millisecond)
	}
	if g.measured != nil {
		if err := g.measured(ctx, g.machine); err != nil {
			return nil, err
		}
	}
	return g.machine, ctx.Err()
}

// startGauge lets a worker work on a kind of processor until the returned function is
// called.
func startGauge(t *testing.T, url, name, kind string, g *gauge) (stop func()) {
	t.Helper()
	g.machine = name
	ctx, cancel := context.WithCancel(context.Background())
	c := dial(t, url)
	var working sync.WaitGroup
	working.Go(func() {
		config := WorkConfig{Code: testCode, Name: name, Kinds: []Kind{g}, Parallel: 2, Cache: t.TempDir(), About: Machine{Kind: kind}}
		if err := c.Work(ctx, config); err != nil {
			t.Error(err)
		}
	})
	stop = sync.OnceFunc(func() { cancel(); working.Wait() })
	t.Cleanup(stop)
	return stop
}

// waitForKinds waits until workers on so many kinds of processors are listed.
func waitForKinds(t *testing.T, c *Conn, n int) {
	t.Helper()
	waitFor(t, func() bool { kinds, err := c.Kinds(t.Context(), testCode); return err == nil && len(kinds) == n })
}

// One worker of each kind measures at a time, alone, while other work goes on elsewhere.
func TestMeasurements(t *testing.T) {
	t.Parallel()
	url := newServer(t, "127.0.0.1:0", t.TempDir()).URL()
	var disturbed atomic.Int64
	kinds := map[string]string{"one": "small", "two": "small", "three": "large"}
	var measured [2]atomic.Int64 // now, on small and large ones
	alone := func(ctx context.Context, machine string) error {
		now := &measured[map[string]int{"small": 0, "large": 1}[kinds[machine]]]
		if now.Add(1) > 1 {
			disturbed.Add(1)
		}
		defer now.Add(-1)
		pause(ctx, 50*time.Millisecond)
		return ctx.Err()
	}
	for name, kind := range kinds {
		startGauge(t, url, name, kind, &gauge{disturbed: &disturbed, measured: alone})
	}
	c := dial(t, url)
	waitForKinds(t, c, 2)
	s := open(t, c, squares(1), nil)
	done := make(chan error, 1)
	go func() {
		var asking sync.WaitGroup
		var failed atomic.Pointer[error]
		for i := range 200 {
			asking.Go(func() {
				if _, err := s.Do(t.Context(), uint64(i), nil); err != nil {
					failed.Store(&err)
				}
			})
		}
		asking.Wait()
		if err := failed.Load(); err != nil {
			done <- *err
			return
		}
		done <- nil
	}()
	again := open(t, dial(t, url), squares(2), nil) // somebody else, at the same time
	var measuring sync.WaitGroup
	for _, s := range []*Session{s, again} {
		for _, kind := range []string{"small", "large"} {
			measuring.Go(func() {
				output, err := s.DoOn(t.Context(), kind, kind)
				var by string
				if err == nil {
					err = json.Unmarshal(output, &by)
				}
				if err != nil || kinds[by] != kind {
					t.Errorf("%s was measured by %q (%v)", kind, by, err)
				}
			})
		}
	}
	measuring.Wait()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if n := disturbed.Load(); n > 0 {
		t.Errorf("measurements were disturbed %d times", n)
	}
}

// A measurement goes to another worker of the kind when the one that measures is gone, and
// is reported when there is no other.
func TestMeasurementOfTheDead(t *testing.T) {
	t.Parallel()
	url := newServer(t, "127.0.0.1:0", t.TempDir()).URL()
	var disturbed atomic.Int64
	begun := make(chan string, 2)
	wait := func(ctx context.Context, machine string) error {
		begun <- machine
		<-ctx.Done()
		return ctx.Err()
	}
	stops := map[string]func(){}
	for _, name := range []string{"one", "two"} {
		stops[name] = startGauge(t, url, name, "small", &gauge{disturbed: &disturbed, measured: wait})
	}
	c := dial(t, url)
	waitForKinds(t, c, 1)
	s := open(t, c, squares(1), nil)
	done := make(chan error, 1)
	go func() { _, err := s.DoOn(t.Context(), "small", "small"); done <- err }()
	first := <-begun
	stops[first]()
	second := <-begun
	if second == first {
		t.Errorf("%s measured again", second)
	}
	stops[second]()
	var none *NoWorkerError
	if err := <-done; !errors.As(err, &none) || none.Kind != "small" {
		t.Errorf("%v, want an error that no worker is left", err)
	}
	if n := queued(t, c); n != 0 {
		t.Errorf("%d tasks are queued for nobody", n)
	}
	if _, err := s.DoOn(t.Context(), "huge", "huge"); !errors.As(err, &none) {
		t.Errorf("a kind that never was: %v", err)
	}
}

// A program of another version is turned away, and a fleet can change its version.
func TestOtherVersions(t *testing.T) {
	t.Parallel()
	url := newServer(t, "127.0.0.1:0", t.TempDir()).URL()
	c := dial(t, url)
	open(t, c, squares(1), nil) // the fleet is of testCode from now on
	config := WorkConfig{Code: "other-code", Name: "stranger", Kinds: []Kind{squareKind{}}, Parallel: 1, Cache: t.TempDir()}
	var version *VersionError
	if err := dial(t, url).Work(t.Context(), config); !errors.As(err, &version) || version.Fleet != testCode {
		t.Fatalf("a worker of another version ended with %v", err)
	}
	status, err := c.Status(t.Context())
	if err != nil || len(status.Workers) != 1 || status.Workers[0].TurnedAway != version.Error() || status.Code != testCode {
		t.Errorf("status %+v (%v), want a worker turned away", status, err)
	}
	other := squares(1)
	other.Code = "other-code"
	if _, err := dial(t, url).Open(t.Context(), other, nil); !errors.As(err, &version) {
		t.Errorf("a client of another version: %v", err)
	}
	// The workers of a version leave when the fleet is of another.
	config.Code, config.Name = testCode, "old-friend"
	ended := make(chan error, 1)
	worker := dial(t, url)
	go func() { ended <- worker.Work(t.Context(), config) }()
	waitFor(t, func() bool {
		status, err := c.Status(t.Context())
		return err == nil && len(status.Queue) == 1 && status.Queue[0].Workers == 1
	})
	if err := c.SetCode(t.Context(), "other-code"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.As(err, &version) || version.Fleet != "other-code" {
		t.Errorf("the worker ended with %v", err)
	}
	if err := c.SetCode(t.Context(), "a.b"); err == nil {
		t.Error("a version was set that no subject can have")
	}
}
