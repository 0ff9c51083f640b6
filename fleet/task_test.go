package fleet

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// blockKind computes tasks that end with their context, or only when released is closed.
type blockKind struct {
	released chan struct{} // nil: they end with their context
	begun    *atomic.Int64
}

func (blockKind) Name() string { return "square" }

func (k blockKind) Open(context.Context, json.RawMessage, func(string) (string, error)) (Runner, error) {
	return k, nil
}

func (k blockKind) Run(ctx context.Context, _ json.RawMessage) (any, error) {
	k.begun.Add(1)
	if k.released != nil {
		<-k.released
		return nil, errors.New("released")
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

// work lets one worker work until the test ends, and returns a function that ends it.
func work(t *testing.T, url string, config WorkConfig) (stop func() error) {
	t.Helper()
	c := dial(t, url)
	config.Code, config.Parallel, config.Cache = testCode, max(1, config.Parallel), t.TempDir()
	config.Name = cmp.Or(config.Name, "worker")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.Work(ctx, config) }()
	stop = sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() { stop() }) //nolint:errcheck // tests of the end check it
	return stop
}

// A worker ends though a task does not, and the list shows the task before.
func TestTaskThatIgnoresItsContext(t *testing.T) {
	url, c := newFleet(t)
	kind := blockKind{released: make(chan struct{}), begun: new(atomic.Int64)}
	defer close(kind.released)
	s := open(t, c, squares(0), nil)
	stop := work(t, url, WorkConfig{Kinds: []Kind{kind}})
	go s.Do(t.Context(), 3) //nolint:errcheck // it ends with the test
	waitFor(t, func() bool {
		status, err := c.Status(t.Context())
		return err == nil && len(status.Workers) == 1 && status.Workers[0].Held == 1 &&
			status.Workers[0].Longest == keyOf(s.id, 3)
	})
	testkit.NoError(t, stop())
}

// A task of an unknown experiment is dropped at once.
func TestUnknownExperiment(t *testing.T) {
	url, c := newFleet(t)
	open(t, c, squares(0), nil)
	testkit.NoError(t, c.publishTask(t.Context(), testCode, keyOf("unknown", 1), []byte("1")))
	var dropped atomic.Int64
	work(t, url, WorkConfig{Kinds: []Kind{squareKind{}}, Log: func(message string) {
		if strings.HasSuffix(message, "unknown experiment") {
			dropped.Add(1)
		}
	}})
	waitFor(t, func() bool { return queued(t, c) == 0 })
	testkit.Equal(t, dropped.Load(), 1, "beginnings of the task")
}

// A task may be asked for by several callers: all are answered, and callers after them by the stored result.
func TestSeveralCallers(t *testing.T) {
	url, c := newFleet(t)
	s := open(t, c, squares(0), nil)
	ask := func(began func()) {
		results := make(chan error, 8)
		for range cap(results) {
			go func() {
				output, err := s.Do(t.Context(), 5)
				if err == nil && string(output) != "25" {
					err = errors.New(string(output))
				}
				results <- err
			}()
		}
		began()
		for range cap(results) {
			testkit.Equal(t, <-results, nil, "the error of a caller")
		}
		waitFor(t, func() bool { return queued(t, s.conn) == 0 })
	}
	var runs atomic.Int64
	count := func(uint64) error { runs.Add(1); return nil }
	ask(func() { work(t, url, WorkConfig{Kinds: []Kind{squareKind{trip: count}}}) })
	before := runs.Load()
	ask(func() {})
	testkit.ErrorIf(t, before == 0, "the task was not computed")
	testkit.Equal(t, runs.Load(), before, "times that the task was computed")
}

// bigKind has results that no store takes.
type bigKind struct{ squareKind }

func (k bigKind) Open(context.Context, json.RawMessage, func(string) (string, error)) (Runner, error) {
	return k, nil
}

func (bigKind) Run(context.Context, json.RawMessage) (any, error) {
	return string(bytes.Repeat([]byte("x"), maxResult)), nil
}

// A result or a task that is too long for the store is a failure, not one that is sent for ever.
func TestTooLong(t *testing.T) {
	url, c := newFleet(t)
	s := open(t, c, squares(0), nil)
	work(t, url, WorkConfig{Kinds: []Kind{bigKind{}}})
	_, err := s.Do(t.Context(), 1)
	testkit.WantErrorAs[*Failure](t, err, "bytes (want at most", "a result of %d bytes", maxResult)
	testkit.WantError(t, testkit.ErrorOf(s.Do(t.Context(), strings.Repeat("x", maxResult))), "payload",
		"a task of %d bytes", maxResult)
}

// A sample of the tasks is computed a second time: equal results count, others are told.
func TestVerify(t *testing.T) {
	url, _ := newFleet(t)
	work(t, url, WorkConfig{Kinds: []Kind{squareKind{}}, Name: "honest"})
	for _, test := range []struct {
		plus  uint64 // that this process computes with
		share float64
		want  int
	}{{3, 1, 40}, {3, 0.1, 4}, {3, 0, 0}, {4, 0.1, -1}} {
		s := open(t, dial(t, url), squares(3), nil)
		opened := 0
		s.Verify(test.share, func() (Runner, error) { opened++; return squareRunner{spec: squareSpec{test.plus}}, nil })
		var err error
		for task := uint64(20); task < 60 && err == nil; task++ {
			_, err = s.Do(t.Context(), task)
		}
		verified := 0
		if s.verifier != nil {
			verified = s.verifier.verified
		}
		switch {
		case test.want < 0:
			mismatch, ok := errors.AsType[*ResultMismatchError](err)
			testkit.ErrorIf(t, !ok || mismatch.Worker != "honest", "a worker with other results: %v", err)
		case err != nil || verified != test.want || opened > 1:
			t.Errorf("%v: %d verified on %d runners, %v", test, verified, opened, err)
		}
	}
}

// brokenRunner must not run: it came with an error.
type brokenRunner struct{}

func (brokenRunner) Run(context.Context, json.RawMessage) (any, error) {
	panic("a runner that could not be opened runs")
}

// A verifier whose runner could not be opened opens another one for the next task.
func TestVerifierOpensAgain(t *testing.T) {
	failed, opened := errors.New("not now"), 0
	v := &verifier{block: 1, open: func() (Runner, error) { opened++; return brokenRunner{}, failed }}
	for range 2 {
		testkit.WantErrorIs(t, v.verifyTask(t.Context(), "e.1", nil, Result{}), failed, "without a runner")
	}
	testkit.Equal(t, opened, 2, "opened runners")
}
