package ab

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/internal/git"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// noCore is the core of a process running wherever the operating system puts it.
const noCore = -1

// program is a program to start and wait for. It never outlives its context.
type program struct {
	args    []string
	dir     string
	env     []string // added to the environment of this process
	core    int      // or noCore
	timeout time.Duration
	most    int // bytes of output to keep; 0 is 1 MiB

	messages io.Writer // receives stderr; nil keeps it for an error
}

// outcome is a process's result.
type outcome struct {
	out  []byte
	cpu  time.Duration // CPU time of all its threads and the children it waited for
	wall time.Duration
}

// errTimeout reports a process that took too long.
type errTimeout struct{ limit time.Duration }

func (e errTimeout) Error() string {
	return fmt.Sprintf("takes longer than %v", e.limit.Round(time.Millisecond))
}

// run starts the process in its own group. It kills the whole group when the context ends, when
// the process takes too long, and when the process itself has ended: its children must not
// disturb the next measurement.
func (p program) run(ctx context.Context) (outcome, error) {
	limited := ctx
	if p.timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(ctx, p.timeout, errTimeout{p.timeout})
		defer cancel()
	}
	out, messages := &capped{most: p.most}, &capped{most: 1 << 16}
	var cmd *exec.Cmd
	start := func() error {
		cmd = p.command(limited, out, messages)
		return cmd.Start()
	}
	startOnCore := start
	if p.core >= 0 {
		startOnCore = func() error { return process.OnCore(p.core, start) }
	}
	begin := time.Now()
	err := process.StartWritten(startOnCore)
	if err == nil {
		err = cmd.Wait()
		process.KillGroup(cmd)
	}
	result := outcome{out: out.buffer.Bytes(), wall: time.Since(begin)}
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

// command returns the command of the program, not started.
func (p program) command(ctx context.Context, out, messages io.Writer) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.args[0], p.args[1:]...)
	cmd.Dir = p.dir
	cmd.Env = append(git.Environ(), p.env...)
	if p.dir != "" {
		cmd.Env = append(cmd.Env, "PWD="+p.dir)
	}
	if cmd.Stdout, cmd.Stderr = out, messages; p.messages != nil {
		cmd.Stderr = p.messages
	}
	cmd.WaitDelay = time.Second // time for children that keep stdout open
	process.OwnGroup(cmd)
	return cmd
}

// processError is a failed program and its stderr.
type processError struct {
	err      error
	messages string
}

func (e *processError) Error() string {
	if last := text.LastLine(e.messages); last != "" {
		return fmt.Sprintf("%v: %s", e.err, last)
	}
	return e.err.Error()
}

func (e *processError) Unwrap() error { return e.err }

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

// goProgram returns the go command of the user's shell.
//
// "go run" and "go test" put the bin folder of their GOROOT first in PATH. If go.mod of their
// program requires a newer Go, this folder is a toolchain of the module cache, and would build
// the projects under test. Such folders are skipped. The remaining command selects the
// toolchain of the project from GOTOOLCHAIN and its go.mod.
var goProgram = sync.OnceValue(func() string { return findGo(os.Getenv("PATH")) })

func findGo(path string) string {
	for _, dir := range filepath.SplitList(path) {
		if isSwitched(dir) {
			continue
		}
		name := filepath.Join(dir, "go")
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		if found, err := exec.LookPath(name); err == nil && filepath.IsAbs(found) {
			return found
		}
	}
	return "go"
}

// isSwitched reports whether a folder belongs to a toolchain of the module cache.
func isSwitched(dir string) bool {
	return strings.Contains(filepath.ToSlash(dir), "/golang.org/toolchain@")
}

// isTimeout reports whether a run took too long.
func isTimeout(err error) bool {
	_, ok := errors.AsType[errTimeout](err)
	return ok
}
