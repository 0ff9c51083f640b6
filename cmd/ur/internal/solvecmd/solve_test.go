package solvecmd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/cli/clitest"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

func TestMain(m *testing.M) { sandbox.Main(m) }

// program has the commands of this package alone.
var program = cli.Program{Name: "ur", Commands: Commands}

// Ctrl-C ends a solution with exit code 130, and says how to go on.
func TestSolveInterrupted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "five.urt")
	var stdout, stderr bytes.Buffer
	args := []string{"solve", "--pieces", "5", "-o", file}
	solving := func() bool {
		info, err := os.Stat(file + ".checkpoint")
		return err == nil && info.Size() > 10_000
	}
	err := program.Run(clitest.CancelWhen(t, solving), args, strings.NewReader(""), &stdout, &stderr)
	if code := program.Report(&stderr, err); code != cli.Interrupted || stdout.Len() > 0 {
		t.Fatalf("exit code %d, want %d: %v, stdout %q", code, cli.Interrupted, err, stdout.String())
	}
	want := "ur solve: " + file +
		".checkpoint holds what is solved so far: go on with the same command and --resume\nur: interrupted\n"
	if !strings.HasSuffix(stderr.String(), want) {
		t.Errorf("stderr %q, want %q at its end", stderr.String(), want)
	}
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a table is there (%v)", err)
	}
	if _, err := os.Stat(file + ".checkpoint"); err != nil {
		t.Error(err)
	}
}

// A solution that another process is at is left alone: nobody is told to remove what it
// writes.
func TestSolveWhileAnotherDoes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "two.urt")
	checkpoint := testkit.Must(solve.OpenCheckpoint(file+".checkpoint", solvetest.Game(t, 2), false))(t)
	for _, args := range [][]string{{"solve", "--pieces", "2", "-o", file},
		{"solve", "--pieces", "2", "-o", file, "--resume"}} {
		var stdout, stderr bytes.Buffer
		err := program.Run(t.Context(), args, strings.NewReader(""), &stdout, &stderr)
		if code := program.Report(&stderr, err); code != cli.BadUsage ||
			!strings.HasSuffix(stderr.String(), "another process is solving with this checkpoint: wait for it, or name another file with -o\n") {
			t.Errorf("%v: exit code %d, %q", args, code, stderr.String())
		}
	}
	testkit.NoError(t, checkpoint.Remove())
	if err := program.Run(t.Context(), []string{"solve", "--pieces", "2", "-o", file}, strings.NewReader(""),
		io.Discard, io.Discard); err != nil {
		t.Error(err)
	}
}

// An interrupted measurement prints what it has, and says that it was interrupted.
func TestRegretInterrupted(t *testing.T) {
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
