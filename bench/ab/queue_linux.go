package ab

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// killMarked kills the processes started by a run, identified by their environment.
func killMarked(id string) {
	environments, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		return
	}
	want := []byte(marker + "=" + id)
	for _, path := range environments {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // another user's process, or gone
		}
		for variable := range bytes.SplitSeq(text, []byte{0}) {
			if !bytes.Equal(variable, want) {
				continue
			}
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path))); err == nil && pid != os.Getpid() {
				_ = syscall.Kill(pid, syscall.SIGKILL) // an error means the process is gone
			}
		}
	}
}

// watchQueue measures the time that the threads of a process are ready to run without a core.
// The returned function ends the measurement and returns the last figure.
func watchQueue(pid int) func() time.Duration {
	end, result := make(chan struct{}), make(chan time.Duration)
	go func() {
		seen := make(map[string]time.Duration) // by thread: ended threads count too
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				readQueue(pid, seen)
			case <-end:
				sum := time.Duration(0)
				for _, queued := range seen {
					sum += queued
				}
				result <- sum
				return
			}
		}
	}()
	return func() time.Duration {
		close(end)
		return <-result
	}
}

// readQueue reads the second number of each thread's schedstat: nanoseconds in the queue.
func readQueue(pid int, seen map[string]time.Duration) {
	threads, err := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "task", "*", "schedstat"))
	if err != nil {
		return
	}
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		if err != nil {
			continue // it has ended
		}
		if fields := bytes.Fields(text); len(fields) > 1 {
			if queued, err := strconv.ParseInt(string(fields[1]), 10, 64); err == nil {
				seen[thread] = time.Duration(queued)
			}
		}
	}
}
