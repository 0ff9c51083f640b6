//go:build unix

package play

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestPipesAreRejected checks that no spec of a player with a file opens a pipe, whose reader
// would block until a process writes to it.
func TestPipesAreRejected(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	want := pipe + ": not a regular file (want a file)"
	for _, kind := range Kinds() {
		for _, pattern := range kind.Patterns {
			if !strings.Contains(pattern.Text, "FILE") {
				continue
			}
			spec := strings.ReplaceAll(patternWords.Replace(pattern.Text), "FILE", pipe)
			done := make(chan error, 1)
			go func() {
				_, err := ParsePlayer(spec)
				done <- err
			}()
			select {
			case err := <-done:
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: error %v, want %q", spec, err, want)
				}
			case <-time.After(10 * time.Second):
				t.Fatalf("%s: blocks", spec)
			}
		}
	}
}
