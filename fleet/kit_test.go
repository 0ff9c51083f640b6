package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/seed-09dcdc84/ur/fleet/fleettest"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// TestMain lets many tests run at once: they wait until failures are reported.
func TestMain(m *testing.M) {
	testkit.SetParallel(8)
	m.Run()
}

// squareKind squares the number of a task plus what the experiment says. Task 13 has a
// failure of its own, and whoever computes a task may be told to trip first.
type squareKind struct{ trip func(task uint64) error }

type squareSpec struct{ Plus uint64 }

func (squareKind) Name() string { return "square" }

func (k squareKind) Open(_ context.Context, spec json.RawMessage, _ func(string) (string, error)) (Runner, error) {
	r := squareRunner{kind: k}
	return r, json.Unmarshal(spec, &r.spec)
}

type squareRunner struct {
	kind squareKind
	spec squareSpec
}

func (r squareRunner) Run(_ context.Context, work json.RawMessage) (any, error) {
	var task uint64
	if err := json.Unmarshal(work, &task); err != nil {
		return nil, err
	}
	if r.kind.trip != nil {
		if err := r.kind.trip(task); err != nil {
			return nil, err
		}
	}
	if task == 13 {
		return nil, &Failure{Message: "task 13 has no square"}
	}
	return task*task + r.spec.Plus, nil
}

const testCode = "test-code"

// newServer starts a server for a test.
func newServer(t testing.TB, addr, store string, change ...func(*server.Options)) *fleettest.Server {
	t.Helper()
	s := testkit.Must(fleettest.Start(store, addr, change...))(t)
	t.Cleanup(s.Stop)
	return s
}

// dial connects for a test, to a server that may be slow on a busy machine.
func dial(t testing.TB, url string) *Conn {
	t.Helper()
	c := testkit.Must(Dial(t.Context(), DialConfig{URL: url, Lease: 2 * time.Second, Patience: patience,
		trouble: patience}))(t)
	t.Cleanup(c.Close)
	return c
}

// newFleet starts a server for a test that runs beside others, and returns its address and a
// connection.
func newFleet(t *testing.T) (url string, c *Conn) {
	t.Helper()
	t.Parallel()
	url = newServer(t, "", t.TempDir()).URL()
	return url, dial(t, url)
}

// startWorkers lets workers work until the returned function is called, which waits for
// their end.
func startWorkers(t testing.TB, url string, kind Kind, n int) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var workers sync.WaitGroup
	for i := range n {
		c := dial(t, url)
		workers.Go(func() {
			testkit.Equal(t, c.Work(ctx, WorkConfig{Code: testCode, Name: fmt.Sprintf("worker-%d", i),
				Kinds: []Kind{kind}, Parallel: 2, Cache: t.TempDir()}), nil, "the error of worker-%d", i)
		})
	}
	stop = sync.OnceFunc(func() { cancel(); workers.Wait() })
	t.Cleanup(stop)
	return stop
}

// keyOf returns the key of the task that squares a number.
func keyOf(experiment string, number int) string { return taskKey(experiment, fmt.Append(nil, number)) }

func squares(plus uint64) Experiment {
	spec, _ := json.Marshal(squareSpec{plus})
	return Experiment{Kind: "square", Code: testCode, Spec: spec}
}

var errSum = errors.New("wrong sum of squares")

// askAll asks for the squares of 0 to n-1 plus a number, and returns an error if the sum of the answers
// is another.
func askAll(ctx context.Context, s *Session, n int, plus uint64) error {
	sums := make([]uint64, n)
	errs := make([]error, n)
	var asking sync.WaitGroup
	for i := range n {
		asking.Go(func() {
			data, err := s.Do(ctx, i)
			if f := (*Failure)(nil); errors.As(err, &f) && i == 13 {
				return
			}
			if err == nil {
				err = json.Unmarshal(data, &sums[i])
			}
			errs[i] = err
		})
	}
	asking.Wait()
	var sum, want uint64
	for i, x := range sums {
		if sum += x; i != 13 {
			want += uint64(i*i) + plus
		}
	}
	if err := errors.Join(errs...); err != nil || sum == want {
		return err
	}
	return fmt.Errorf("%w: %d, want %d", errSum, sum, want)
}

// open opens a session for a test.
func open(t testing.TB, c *Conn, e Experiment, check func(work, output json.RawMessage) error) *Session {
	t.Helper()
	return testkit.Must(c.Open(t.Context(), e, check))(t)
}

// patience is how long a test waits for what must come, also on a busy machine.
const patience = 4 * time.Minute

// waitFor waits until something holds.
func waitFor(t *testing.T, holds func() bool) {
	t.Helper()
	for range patience / (50 * time.Millisecond) {
		if holds() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("it does not come to hold")
}

// queued returns how many tasks wait or are being computed.
func queued(t *testing.T, c *Conn) uint64 {
	t.Helper()
	return testkit.Must(c.jobs.Info(t.Context()))(t).State.Msgs
}
