package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
)

// ResultMismatchError reports a worker's result that differs from that of this process. One of the
// two machines is faulty, or the worker computes something else.
type ResultMismatchError struct {
	Task   uint64
	Worker string
}

func (e *ResultMismatchError) Error() string {
	return fmt.Sprintf("task %d: worker %q gave another result than this machine computes", e.Task, e.Worker)
}

// comparer is a [Runner] with outputs that may differ in fields the task does not determine,
// such as the time.
type comparer interface {
	Equal(a, b json.RawMessage) bool
}

// verifier computes a sample of a session's tasks a second time.
type verifier struct {
	open  func() (Runner, error)
	block int           // one task of n is verified
	slots chan struct{} // filled by verifications under way

	// The mutex guards the fields below. No other mutex is taken while it is held.
	mutex    sync.Mutex
	seen     int // tasks of the current block
	chosen   int // of these, the one to verify
	verified int
	idle     []Runner
}

// firstChosen bounds the verified task of the first block, so a session of few tasks has one
// verified, too.
const firstChosen = 16

// Verify makes the session compute a random share of its tasks, 0 to 1, a second time in this
// process, on runners returned by open. A different result is a [*ResultMismatchError]. Call it
// before the first [Session.Do].
func (s *Session) Verify(share float64, open func() (Runner, error)) {
	if share <= 0 {
		return
	}
	block := max(1, int(1/share+0.5))
	s.verifier = &verifier{
		open: open, block: block, chosen: rand.IntN(min(block, firstChosen)),
		slots: make(chan struct{}, runtime.GOMAXPROCS(0)),
	}
}

// choose reports whether the next task is one to verify.
func (v *verifier) choose() bool {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	chosen := v.seen == v.chosen
	if v.seen++; v.seen == v.block {
		v.seen, v.chosen = 0, rand.IntN(v.block)
	}
	return chosen
}

// verify computes a task again if it is chosen, and compares the results.
func (v *verifier) verify(ctx context.Context, task uint64, work json.RawMessage, r Result) error {
	if !v.choose() {
		return nil
	}
	select {
	case v.slots <- struct{}{}:
		defer func() { <-v.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	runner, err := v.runner()
	if err != nil {
		return fmt.Errorf("verifying task %d: %w", task, err)
	}
	output, err := runner.Run(ctx, task, work)
	if err != nil {
		return fmt.Errorf("verifying task %d: %w", task, err)
	}
	here, err := json.Marshal(output)
	if err != nil {
		return err
	}
	equal := bytes.Equal(compact(here), compact(r.Output))
	if c, ok := runner.(comparer); ok {
		equal = c.Equal(here, r.Output)
	}
	if !equal {
		return &ResultMismatchError{task, r.Worker}
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.verified++
	v.idle = append(v.idle, runner)
	return nil
}

// runner returns an idle runner, or a new one.
func (v *verifier) runner() (Runner, error) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if n := len(v.idle); n > 0 {
		r := v.idle[n-1]
		v.idle = v.idle[:n-1]
		return r, nil
	}
	return v.open() // under the mutex, since the next runner reuses its solution
}

// compact returns JSON without spaces.
func compact(data json.RawMessage) []byte {
	var text bytes.Buffer
	if json.Compact(&text, data) != nil {
		return data
	}
	return text.Bytes()
}
