package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
)

// ResultMismatchError reports a worker's result that differs from that of this process. One of the
// two machines is faulty, or the worker computes something else.
type ResultMismatchError struct {
	Task   string // EXPERIMENT.TASK
	Worker string
}

func (e *ResultMismatchError) Error() string {
	return fmt.Sprintf("task %s: worker %q gave another result than this machine computes", e.Task, e.Worker)
}

// verifier computes a sample of a session's tasks a second time, one at a time.
type verifier struct {
	open  func() (Runner, error)
	block int // tasks, of which one is verified

	choosing sync.Mutex // guards the fields of choose
	seen     int        // tasks of the current block
	chosen   int        // the one to verify among them

	running  sync.Mutex // held while a task is computed
	runner   Runner     // made for the first one
	verified int
}

// firstChosen bounds the verified task of the first block, so a session of few tasks has one
// verified, too.
const firstChosen = 16

// Verify makes the session compute a random share of its tasks, 0 to 1, a second time in this
// process, on a runner returned by open. A different result is a [*ResultMismatchError]. Call it
// before the first [Session.Do].
func (s *Session) Verify(share float64, open func() (Runner, error)) {
	if share <= 0 {
		return
	}
	block := max(1, int(1/share+0.5))
	s.verifier = &verifier{open: open, block: block, chosen: rand.IntN(min(block, firstChosen))}
}

func (v *verifier) chooseTask() bool {
	v.choosing.Lock()
	defer v.choosing.Unlock()
	chosen := v.seen == v.chosen
	if v.seen++; v.seen == v.block {
		v.seen, v.chosen = 0, rand.IntN(v.block)
	}
	return chosen
}

// verifyTask computes a task again if it is chosen, and compares the results.
func (v *verifier) verifyTask(ctx context.Context, task string, work json.RawMessage, r Result) (err error) {
	if !v.chooseTask() {
		return nil
	}
	v.running.Lock()
	defer v.running.Unlock()
	if v.runner == nil {
		runner, err := v.open()
		if err != nil {
			return fmt.Errorf("verifying task %s: %w", task, err)
		}
		v.runner = runner
	}
	output, err := v.runner.Run(ctx, work)
	if err != nil {
		return fmt.Errorf("verifying task %s: %w", task, err)
	}
	here, err := json.Marshal(output)
	if err != nil {
		return err
	}
	if !bytes.Equal(here, r.Output) {
		return &ResultMismatchError{task, r.Worker}
	}
	v.verified++
	return nil
}
