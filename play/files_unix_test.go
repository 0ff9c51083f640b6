//go:build unix

package play

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A spec of a player does not open a pipe, whose reader would block until a process writes to it.
func TestPipesAreRejected(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	want := pipe + ": not a regular file (want a file)"
	if _, err := ParsePlayer("brain:" + pipe); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}
