//go:build unix

package safefile

import (
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A pipe is not opened to find out whether it could be written: nobody may read it yet, and
// who does would see its end.
func TestCheckLeavesPipesAlone(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	done := make(chan error, 1)
	go func() { done <- Check(pipe) }()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the check waits for a reader of the pipe")
	}
}
