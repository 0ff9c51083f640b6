package frame

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

	"github.com/seed-09dcdc84/ur/bench/git"
	"github.com/seed-09dcdc84/ur/bench/internal/affinity"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// NoCore is the core of a process running wherever the operating system puts it.
const NoCore = -1

// Program is a program to start and wait for. It never outlives its context.
type Program struct {
	Args      []string
	Dir       string
	Env       []string // added to the environment of this process
	Core      int      // or NoCore
	Timeout   time.Duration
	MaxOutput int  // bytes of output to keep; 0 is 1 MiB
	Discard   bool // write stdout to the null device

	Stderr  io.Writer // receives stderr; nil keeps it for an error
	Started func()    // is called when the process runs in its folder; or nil
}

// Result is a process's result.
type Result struct {
	Output []byte
	CPU    time.Duration // CPU time of all its threads and the children it waited for
	Wall   time.Duration
	Peak   int64 // memory in bytes of its largest process; see [process.PeakOf]
}

// TimeoutError reports a process that took too long.
type TimeoutError struct{ Limit time.Duration }

func (e TimeoutError) Error() string {
	return fmt.Sprintf("takes longer than %v", e.Limit.Round(time.Millisecond))
}

// Run starts the process in its own group. It kills the whole group when the context ends, when
// the process takes too long, and when the process itself has ended: its children must not
// disturb the next measurement.
func (p Program) Run(ctx context.Context) (Result, error) {
	limited := ctx
	if p.Timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(ctx, p.Timeout, TimeoutError{p.Timeout})
		defer cancel()
	}
	out, messages := &capped{most: p.MaxOutput}, &capped{most: 1 << 16}
	var cmd *exec.Cmd
	start := func() error {
		cmd = p.command(limited, out, messages)
		return cmd.Start()
	}
	startOnCore := start
	if p.Core >= 0 {
		startOnCore = func() error { return affinity.OnCore(p.Core, start) }
	}
	begin := time.Now()
	err := process.StartWritten(startOnCore)
	if err == nil {
		if p.Started != nil {
			p.Started()
		}
		err = cmd.Wait()
		process.KillGroup(cmd)
	}
	result := Result{Output: out.buffer.Bytes(), Wall: time.Since(begin)}
	if cmd.ProcessState != nil {
		result.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		result.Peak = process.PeakOf(cmd.ProcessState)
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
		return result, &ProgramError{err, messages.buffer.String()}
	}
	if out.lost > 0 {
		return result, fmt.Errorf("output exceeds %d bytes", len(result.Output))
	}
	return result, nil
}

// command returns the command of the program, not started.
func (p Program) command(ctx context.Context, out, messages io.Writer) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.Args[0], p.Args[1:]...)
	cmd.Dir = p.Dir
	cmd.Env = append(git.Environ(), p.Env...)
	if p.Dir != "" {
		cmd.Env = append(cmd.Env, "PWD="+p.Dir)
	}
	if cmd.Stdout, cmd.Stderr = out, messages; p.Stderr != nil {
		cmd.Stderr = p.Stderr
	}
	if p.Discard {
		cmd.Stdout = nil
	}
	cmd.WaitDelay = time.Second // time for children that keep stdout open
	process.OwnGroup(cmd)
	return cmd
}

// ProgramError is a failed program and its stderr.
type ProgramError struct {
	err    error
	Stderr string
}

func (e *ProgramError) Error() string {
	if last := text.LastLine(e.Stderr); last != "" {
		return fmt.Sprintf("%v: %s", e.err, last)
	}
	return e.err.Error()
}

func (e *ProgramError) Unwrap() error { return e.err }

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

// GoCommand returns the go command of the user's shell.
//
// "go run" and "go test" put the bin folder of their GOROOT first in PATH. If go.mod of their
// program requires a newer Go, this folder is a toolchain of the module cache, and would build
// the projects under test. Such folders are skipped. The remaining command selects the
// toolchain of the project from GOTOOLCHAIN and its go.mod.
var GoCommand = sync.OnceValue(func() string { return findGo(os.Getenv("PATH")) })

func findGo(path string) string {
	for _, dir := range filepath.SplitList(path) {
		if strings.Contains(filepath.ToSlash(dir), "/golang.org/toolchain@") {
			continue // it is a toolchain of the module cache
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

// IsTimeout reports whether a run took too long.
func IsTimeout(err error) bool {
	_, ok := errors.AsType[TimeoutError](err)
	return ok
}
