// Package clitest helps to test command lines.
package clitest

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// Output collects a command's output. It may be read while the command runs.
type Output struct {
	mutex  sync.Mutex
	buffer bytes.Buffer
}

func (o *Output) Write(p []byte) (int, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.buffer.Write(p)
}

func (o *Output) String() string {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return o.buffer.String()
}

// CancelWhen returns a context that ends like one after Ctrl-C once a condition holds, or after
// a minute without it.
func CancelWhen(t *testing.T, holds func() bool) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	end := time.Now().Add(time.Minute)
	go func() {
		for ctx.Err() == nil && time.Now().Before(end) && !holds() {
			time.Sleep(5 * time.Millisecond)
		}
		cancel()
	}()
	return ctx
}

// claim matches a message that something is saved.
var claim = regexp.MustCompile(`(?im)^.*\b(saved|written|wrote|kept|holds what|go on with)\b.*$`)

// ExecOnFullDisk is the command "full program [args...]" of testscript, on Unix: it runs a program that can create
// files but writes no byte to them. The program must fail with the system's error and claim to have saved nothing.
func ExecOnFullDisk(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: full program [args...]")
	}
	ExecWithCode(ts, false, append([]string{"1", "sh", "-c", `ulimit -f 0 && exec "$@"`, "sh"}, args...))
	output := ts.ReadFile("stdout") + ts.ReadFile("stderr")
	if !strings.Contains(output, syscall.EFBIG.Error()) {
		ts.Fatalf("the error is not %q", syscall.EFBIG)
	}
	for _, line := range claim.FindAllString(output, -1) {
		if !strings.Contains(line, syscall.EFBIG.Error()) {
			ts.Fatalf("on a full disk it says %q", line)
		}
	}
}

// ExecWithCode is the command "code N program ..." of scripts. It runs a command and compares its
// exit code with one or several, as in "0,3", where it depends on the machine.
func ExecWithCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N[,N...] program [args...]")
	}
	got := 0
	err := ts.Exec(args[1], args[2:]...)
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if !slices.Contains(strings.Split(args[0], ","), strconv.Itoa(got)) {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}
