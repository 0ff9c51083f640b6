//go:build unix

package solve

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Opening a pipe would wait for a writer for ever.
func TestOpenTableRejectsPipes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe.urt")
	if err := unix.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := Open(name, nil); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("error %v, want one about a regular file", err)
	}
}
