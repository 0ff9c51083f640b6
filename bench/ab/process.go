package ab

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/affinity"
	"github.com/seed-09dcdc84/ur/internal/perfevent"
	"github.com/seed-09dcdc84/ur/internal/procgroup"
)

// marker is an environment variable of all processes of a run. It identifies the processes that
// outlived a killed run.
const marker = "UR_AB_RUN"

// process is a program to start and wait for. It never outlives its context.
type process struct {
	args    []string
	dir     string
	env     []string // added to the environment of this process
	core    int      // or NoCore
	timeout time.Duration
	most    int // bytes of output to keep; 0 is 1 MiB
	events  []perfevent.Event
}

// outcome is the result of a process.
type outcome struct {
	out  []byte
	cpu  time.Duration // of all its threads and the children it waited for
	wall time.Duration

	counts []float64 // of the events
}

// errTimeout reports that a process took too long.
type errTimeout struct{ limit time.Duration }

func (e errTimeout) Error() string { return fmt.Sprintf("takes longer than %v", e.limit) }

// run starts the process in its own group. It kills the whole group when the context ends, when
// the process takes too long, and when the process itself has ended: its children must not
// disturb the next measurement.
func (p process) run(ctx context.Context, s *scratch) (outcome, error) {
	limited := ctx
	if p.timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(ctx, p.timeout, errTimeout{p.timeout})
		defer cancel()
	}
	cmd := exec.CommandContext(limited, p.args[0], p.args[1:]...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), p.env...)
	cmd.Env = append(cmd.Env, marker+"="+s.id())
	if p.dir != "" {
		cmd.Env = append(cmd.Env, "PWD="+p.dir)
	}
	out, messages := &capped{most: p.most}, &capped{most: 1 << 16}
	cmd.Stdout, cmd.Stderr = out, messages
	cmd.WaitDelay = time.Second // for children that keep stdout open
	procgroup.Own(cmd)
	begin := time.Now()
	counts, err := p.start(cmd)
	if err == nil {
		err = cmd.Wait()
		procgroup.Kill(cmd)
	}
	result := outcome{out: out.buffer.Bytes(), wall: time.Since(begin)}
	if counts != nil {
		var reading error
		result.counts, reading = counts.Read()
		err = errors.Join(err, reading, counts.Close())
	}
	if cmd.ProcessState != nil {
		result.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	switch {
	case ctx.Err() != nil:
		return result, ctx.Err()
	case limited.Err() != nil:
		return result, context.Cause(limited)
	case errors.Is(err, exec.ErrWaitDelay):
		err = nil // the program itself ended well
	}
	if err != nil {
		return result, &processError{err, messages.buffer.String()}
	}
	if out.lost > 0 {
		return result, fmt.Errorf("output exceeds %d bytes", len(result.out))
	}
	return result, nil
}

// start starts the command on its core, if it has one, and counts its events, if it has any.
func (p process) start(cmd *exec.Cmd) (counts *perfevent.Counts, err error) {
	begin := cmd.Start
	if len(p.events) > 0 {
		begin = func() (err error) {
			counts, err = perfevent.Start(cmd.Start, p.events...)
			return err
		}
	}
	if p.core < 0 {
		err = begin()
	} else {
		err = affinity.On(p.core, begin)
	}
	return counts, err
}

// processError is a failed program and its stderr.
type processError struct {
	err      error
	messages string
}

func (e *processError) Error() string {
	if last := lastLine(e.messages); last != "" {
		return fmt.Sprintf("%v: %s", e.err, last)
	}
	return e.err.Error()
}

func (e *processError) Unwrap() error { return e.err }

// lastLine returns the last non-empty line of a text.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// capped keeps the first bytes written to it and counts the others.
type capped struct {
	buffer     bytes.Buffer
	most, lost int
}

func (c *capped) Write(p []byte) (int, error) {
	most := cmp.Or(c.most, 1<<20)
	kept := min(len(p), most-c.buffer.Len())
	c.buffer.Write(p[:kept])
	c.lost += len(p) - kept
	return len(p), nil
}
