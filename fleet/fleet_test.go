package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/seed-09dcdc84/ur/fleet/fleettest"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// Tasks come back once each, whoever computes them; a failure of a task is told to who
// asked; who asks again computes nothing.
func TestTasksComeBack(t *testing.T) {
	const n = 300
	url, _ := newFleet(t)
	var runs atomic.Int64
	count := func(task uint64) error {
		if task != 13 { // a failure is computed again for each caller
			runs.Add(1)
		}
		return nil
	}
	startWorkers(t, url, squareKind{trip: count}, 3)
	for round := range 2 {
		s := open(t, dial(t, url), squares(7), nil)
		waitFor(t, func() bool { return queued(t, s.conn) == 0 }) // of a task that came twice
		before := runs.Load()
		testkit.NoError(t, askAll(t.Context(), s, n, 7))
		_, err := s.Do(t.Context(), 13)
		testkit.Equal(t, fmt.Sprint(err), "task 13 has no square", "the failure of task 13")
		again := runs.Load() - before
		testkit.ErrorIf(t, round == 1 && again > 0, "%d tasks of %d were computed again", again, n)
	}
}

// A server that goes away and comes back with its store goes on; one that comes back
// without its store is told again what is to be done.
func TestServerComesBack(t *testing.T) {
	t.Parallel()
	for _, keep := range []bool{true, false} {
		t.Run(fmt.Sprintf("store kept %v", keep), func(t *testing.T) {
			t.Parallel()
			const n = 120
			store := t.TempDir()
			first := newServer(t, "", store)
			url := first.URL()
			slow := func(uint64) error { time.Sleep(2 * time.Millisecond); return nil }
			startWorkers(t, url, squareKind{trip: slow}, 2)
			s := open(t, dial(t, url), squares(1), nil)
			done := make(chan error, 1)
			go func() { done <- askAll(t.Context(), s, n, 1) }()
			time.Sleep(100 * time.Millisecond)
			first.Stop()
			if !keep {
				store = t.TempDir()
			}
			newServer(t, first.Addr(), store)
			select {
			case err := <-done:
				testkit.NoError(t, err)
			case <-time.After(patience):
				t.Fatal("tasks are missing")
			}
		})
	}
}

// A worker that dies holding tasks loses none, and tasks that this machine cannot compute go elsewhere.
func TestTasksComeAgain(t *testing.T) {
	const n = 60
	url, c := newFleet(t)
	s := open(t, c, squares(0), nil)
	done := make(chan error, 1)
	go func() { done <- askAll(t.Context(), s, n, 0) }()
	consumer := testkit.Must(c.openQueue(t.Context(), testCode))(t)
	waitFor(t, func() bool { return queued(t, c) == n })
	batch := testkit.Must(consumer.Fetch(n/2, jetstream.FetchMaxWait(patience)))(t)
	taken := 0
	for range batch.Messages() { // and never heard of again
		taken++
	}
	testkit.FatalIf(t, taken == 0, "nothing was taken")
	var trips atomic.Int64
	trip := func(task uint64) error {
		if task == 20 && trips.Add(1) < 3 {
			return errors.New("out of memory")
		}
		return nil
	}
	startWorkers(t, url, squareKind{trip: trip}, 1)
	testkit.NoError(t, <-done)
	// On a busy machine a lease may end before the task does, which then begins once more.
	testkit.ErrorIf(t, trips.Load() < 3, "task 20 began %d times (want 3)", trips.Load())
}

// Who asked for a task that nobody can compute is told why.
func TestTaskThatFailsEverywhere(t *testing.T) {
	url, c := newFleet(t)
	s := open(t, c, squares(0), nil)
	startWorkers(t, url, squareKind{trip: func(uint64) error { return errors.New("out of memory") }}, 1)
	err := askAll(t.Context(), s, 1, 0)
	asked := "never finished: the last error here was task " + keyOf(s.id, 0)
	testkit.WantErrorAs[*Failure](t, err, asked, "a task that nobody can compute")
	testkit.ErrorIf(t, !strings.HasSuffix(fmt.Sprint(err), ": out of memory"), "it ends with %v", err)
}

// Results that are damaged, belong elsewhere, come twice or cannot be are never counted.
func TestPlantedResults(t *testing.T) {
	const n = 40
	url, c := newFleet(t)
	e := squares(3)
	check := func(work, output json.RawMessage) error {
		var task, v uint64
		if err := errors.Join(json.Unmarshal(work, &task), json.Unmarshal(output, &v)); err != nil {
			return err
		}
		if v < task*task {
			return errors.New("less than the square")
		}
		return nil
	}
	s := open(t, c, e, check)
	plant := func(task int, data []byte) {
		testkit.Must(c.results.Put(t.Context(), keyOf(s.id, task), data))(t)
	}
	seal := func(experiment string, task int, output string) []byte {
		return testkit.Must(Result{Worker: "liar", Output: json.RawMessage(output)}.encodeSealed(keyOf(experiment, task)))(t)
	}
	good := seal(s.id, 1, "4")
	plant(1, good) // right, and before anybody asked
	plant(2, slices.Concat(seal(s.id, 2, "7")[:20], []byte("x")))
	plant(3, seal(s.id, 4, "19"))             // of another task
	plant(5, seal("another", 5, "28"))        // of another experiment
	plant(6, seal(s.id, 6, "0"))              // cannot be
	plant(7, seal(s.id, 7, `"many"`))         // likewise
	plant(8, []byte{})                        // empty
	plant(9, []byte(`{"output":1,"sum":""}`)) // not sealed
	for i, b := range good {
		damaged := slices.Clone(good)
		damaged[i] = b ^ 1
		_, err := decodeResult(damaged, keyOf(s.id, 1))
		testkit.ErrorIf(t, err == nil && i > 40 && !strings.Contains(string(damaged[:i+1]), "worker\":\""),
			"byte %d of a result may be another: %s", i, damaged)
	}
	startWorkers(t, url, squareKind{}, 2)
	testkit.NoError(t, askAll(t.Context(), s, n, 3))
	testkit.ErrorIf(t, s.refused.Load() < 7, "%d results refused, want 7 or more", s.refused.Load())
	// Once more, twice, and late: nothing changes.
	plant(1, good)
	plant(1, good)
	testkit.NoError(t, askAll(t.Context(), open(t, c, e, check), n, 3))
}

// Waiting tasks can be withdrawn, and workers come and go.
func TestWithdraw(t *testing.T) {
	url, c := newFleet(t)
	s := open(t, c, squares(2), nil)
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan error)
	go func() { asked <- askAll(ctx, s, 50, 2) }()
	waitFor(t, func() bool { return queued(t, c) == 50 })
	cancel()
	testkit.WantErrorIs(t, <-asked, context.Canceled, "asking")
	testkit.NoError(t, s.Withdraw(t.Context()))
	testkit.MustEqual(t, queued(t, c), 0, "tasks that wait after they were withdrawn")
	stop := startWorkers(t, url, squareKind{}, 2)
	waitFor(t, func() bool {
		status, err := c.Status(t.Context())
		return err == nil && len(status.Workers) == 2 && len(status.Queue) == 1 && status.Queue[0].Workers == 2
	})
	stop()
	waitFor(t, func() bool { status, err := c.Status(t.Context()); return err == nil && len(status.Workers) == 0 })
}

// A worker that is ended before it has begun ends well.
func TestWorkerEndsBeforeItBegins(t *testing.T) {
	_, c := newFleet(t)
	testkit.NoError(t, c.Work(testkit.CanceledContext(), WorkConfig{Code: testCode, Name: "late", Parallel: 1}))
}

// A task that is queued is not queued again, and who asks is not kept waiting by it.
func TestTaskIsQueuedOnce(t *testing.T) {
	_, c := newFleet(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for range 3 {
		testkit.NoError(t, c.publishTask(ctx, testCode, "e.1", []byte("{}")))
	}
	testkit.Equal(t, queued(t, c), 1, "queued tasks")
}

// A client without the token of the server is not let in; no message quotes a token.
func TestToken(t *testing.T) {
	t.Parallel()
	s := newServer(t, "", t.TempDir(), func(o *server.Options) { o.Authorization = "sesame" })
	for _, url := range []string{s.URL(), "nats://secret@" + s.Addr(), "nats://secret@:x:y"} {
		err := testkit.ErrorOf(Dial(t.Context(), DialConfig{URL: url}))
		testkit.ErrorIf(t, err == nil || strings.Contains(err.Error(), "secret"), "%s: %v", url, err)
	}
	c := testkit.Must(Dial(t.Context(), DialConfig{URL: "nats://sesame@" + s.Addr()}))(t)
	c.Close()
}

// A file travels once, and arrives as it was.
func TestFiles(t *testing.T) {
	_, c := newFleet(t)
	folder := t.TempDir()
	sum := testkit.Must(c.PutFile(t.Context(), "conn.go"))(t)
	testkit.Equal(t, testkit.Must(c.PutFile(t.Context(), "conn.go"))(t), sum, "put again, the sum")
	for range 2 {
		file := testkit.Must(c.getFile(t.Context(), folder, sum))(t)
		testkit.MustEqual(t, testkit.Must(c.PutFile(t.Context(), file))(t), sum, "the sum of what arrived")
	}
	// A file of the cache that was exchanged is fetched again by the next process.
	cached := filepath.Join(folder, sum)
	testkit.WriteText(t, cached, "another")
	checked.Delete(cached)
	testkit.Must(c.getFile(t.Context(), folder, sum))(t)
	testkit.Equal(t, testkit.Must(c.PutFile(t.Context(), cached))(t), sum, "the sum of an exchanged file of the cache")
	for _, name := range []string{folder, os.DevNull} {
		testkit.WantError(t, testkit.ErrorOf(c.PutFile(t.Context(), name)), "not a regular file", "%s was sent", name)
	}
	testkit.WantError(t, testkit.ErrorOf(c.getFile(t.Context(), folder, "../../etc/passwd")), "",
		"a path is taken for a sum")
	testkit.WantError(t, testkit.ErrorOf(c.getFile(t.Context(), folder, strings.Repeat("0", 64))), "", "no file")
}

func FuzzDecodeResult(f *testing.F) {
	good, _ := Result{Worker: "w", Output: json.RawMessage(`{"a":1}`)}.encodeSealed("e.1")
	f.Add(good)
	f.Add([]byte(`{"sum":"00"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := decodeResult(data, "e.1")
		if err != nil {
			return
		}
		testkit.Must(decodeResult(testkit.Must(r.encodeSealed("e.1"))(t), "e.1"))(t)
	})
}

// TestMain lets many tests run at once: they wait until failures are reported.
func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "8")
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

// newFleet starts a server for a test that runs beside others, and returns its address and a connection.
func newFleet(t *testing.T) (url string, c *Conn) {
	t.Helper()
	t.Parallel()
	url = newServer(t, "", t.TempDir()).URL()
	return url, dial(t, url)
}

// startWorkers lets workers work until the returned function is called, which waits for their end.
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
