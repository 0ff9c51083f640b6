package solvecmd

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/cli"
)

// An interrupted measurement prints what it has, and says that it was interrupted.
func TestRegretInterrupted(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for wait := 100 * time.Millisecond; wait < time.Minute; wait *= 2 {
		ctx, cancel := context.WithCancel(t.Context())
		timer := time.AfterFunc(wait, cancel)
		var stdout bytes.Buffer
		err := program.Run(ctx, []string{"regret", "first", "--pieces", "2", "--positions", "2000000000", "--json"},
			strings.NewReader(""), &stdout, &bytes.Buffer{})
		timer.Stop()
		cancel()
		if code := cli.ExitCode(err); code != cli.Interrupted {
			t.Fatalf("exit code %d (%v), want %d", code, err, cli.Interrupted)
		}
		if stdout.Len() == 0 {
			continue // before there was anything to tell
		}
		if !strings.Contains(stdout.String(), `"complete":false,"decisions":`) {
			t.Errorf("printed %s", stdout.String())
		}
		return
	}
	t.Error("nothing was ever printed")
}
