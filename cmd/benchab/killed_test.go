//go:build linux

package main

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// endless has a benchmark that ends neither under valgrind nor by itself.
const endless = `package a

import (
	"os"
	"testing"
	"time"
)

func BenchmarkA(b *testing.B) {
	for i := 0; i < b.N*Steps; i++ {
		for os.Getenv("UR_AB_COUNT") != "" {
			time.Sleep(time.Hour)
		}
	}
}
`

// A run that a signal ends while it counts leaves no process. It removes its folder, or the next run does
// after SIGKILL.
func TestEndedWhileCounting(t *testing.T) {
	t.Parallel()
	testkit.SkipIf(t, testing.Short(), "takes seconds")
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("valgrind")))
	side := func(steps string) files {
		return files{"a.go": "package a\n\nconst Steps = " + steps + "\n", "a_test.go": endless}
	}
	repository := importKinds(t, []kind{{old: side("1"), new: side("2")}})
	temporary := t.TempDir()
	start := func(head string) *exec.Cmd {
		cmd := program(repository, temporary, "old-0", head, "--judge", "count", "--time", "60s")
		cmd.Stderr = io.Discard
		testkit.NoError(t, cmd.Start())
		return cmd
	}
	counts := func() bool { return hasProcess(t, temporary, "valgrind") }
	isLeft := func() bool { return hasProcess(t, temporary, "") }
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGKILL, syscall.SIGTERM}
	moments := []time.Duration{0, time.Second, 0} // after the start of the first count: traced, and later
	if testkit.Long() {
		for k := range 60 {
			signals, moments = append(signals, signals[k%3]), append(moments, rand.N(3*time.Second))
		}
	} else {
		signals = signals[:2] // a run handles SIGINT and SIGTERM alike
	}
	for k, signal := range signals {
		cmd := start("new-0")
		ended := make(chan struct{})
		go func() { _ = cmd.Wait(); close(ended) }()
		waitUntil(t, "benchab counts", counts, ended)
		time.Sleep(moments[k])
		_ = cmd.Process.Signal(signal)
		<-ended
		code := cmd.ProcessState.ExitCode()
		testkit.ErrorIf(t, code == 0 && moments[k] == 0, "%v: exit code %d", signal, code)
		waitUntil(t, "no process is left after "+signal.String(), func() bool { return !isLeft() }, nil)
		if signal == syscall.SIGKILL {
			t.Logf("the run after SIGKILL: %v", start("old-0").Wait()) // it compares a commit with itself
		}
		left, _ := filepath.Glob(filepath.Join(temporary, "*"))
		testkit.FatalIf(t, len(left) > 0, "%v after %v leaves %v", signal, moments[k], left)
	}
}

// waitUntil waits for a condition, for five minutes or until a channel is closed.
func waitUntil(t *testing.T, what string, isTrue func() bool, ended <-chan struct{}) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); !isTrue(); {
		select {
		case <-ended:
			t.Fatalf("ended before: %s", what)
		case <-time.After(50 * time.Millisecond): // a look at all processes takes a while
		}
		testkit.FatalIf(t, time.Now().After(end), "false for five minutes: %s", what)
	}
}

// hasProcess reports whether a process has text in its environment, and a word in its command line.
func hasProcess(t *testing.T, text, word string) bool {
	t.Helper()
	folders := testkit.Must(filepath.Glob("/proc/[0-9]*"))(t)
	for _, folder := range folders {
		environment, _ := os.ReadFile(filepath.Join(folder, "environ")) // of another user: unreadable
		command, _ := os.ReadFile(filepath.Join(folder, "cmdline"))
		if bytes.Contains(environment, []byte(text)) && bytes.Contains(command, []byte(word)) {
			return true
		}
	}
	return false
}
