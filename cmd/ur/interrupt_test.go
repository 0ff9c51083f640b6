package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/cli/clitest"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

// Ctrl-C ends a solution with exit code 130, and says how to go on.
func TestSolveInterrupted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "five.urt")
	solving := func() bool {
		info, err := os.Stat(file + ".checkpoint")
		return err == nil && info.Size() > 10_000
	}
	stdout, stderr, code := runUr(clitest.CancelWhen(t, solving), "solve", "--pieces", "5", "-o", file)
	if code != cli.Interrupted || stdout != "" {
		t.Fatalf("exit code %d, want %d: stdout %q", code, cli.Interrupted, stdout)
	}
	want := "ur solve: " + file +
		".checkpoint holds what is solved so far: go on with the same command and --resume\nur: interrupted\n"
	if !strings.HasSuffix(stderr, want) {
		t.Errorf("stderr %q, want %q at its end", stderr, want)
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
	args := []string{"solve", "--pieces", "2", "-o", file, "--resume"}
	const want = "another process is solving with this checkpoint: wait for it, or name another file with -o\n"
	for _, args := range [][]string{args, args[:5]} {
		if _, stderr, code := runUr(t.Context(), args...); code != cli.BadUsage || !strings.HasSuffix(stderr, want) {
			t.Errorf("%v: exit code %d, %q", args, code, stderr)
		}
	}
	testkit.NoError(t, checkpoint.Remove())
	mustRun(t, args[:5]...)
}

// An interrupted measurement prints what it has, and says that it was interrupted.
func TestRegretInterrupted(t *testing.T) {
	for wait := 100 * time.Millisecond; wait < time.Minute; wait *= 2 {
		ctx, cancel := context.WithCancel(t.Context())
		timer := time.AfterFunc(wait, cancel)
		stdout, _, code := runUr(ctx, "regret", "first", "--pieces", "2", "--positions", "2000000000", "--json")
		timer.Stop()
		cancel()
		if code != cli.Interrupted {
			t.Fatalf("exit code %d, want %d", code, cli.Interrupted)
		}
		if stdout == "" {
			continue // before there was anything to tell
		}
		if !strings.Contains(stdout, `"complete":false,"decisions":`) {
			t.Errorf("printed %s", stdout)
		}
		return
	}
	t.Error("nothing was ever printed")
}

// An interrupted match must print the games that it finished.
func TestMatchInterrupted(t *testing.T) {
	t.Setenv("UR_PROGRESS", "off") // a slow machine would print more
	log := filepath.Join(t.TempDir(), "log")
	playing := func() bool {
		text, err := os.ReadFile(filepath.Join(log, "log.jsonl"))
		return err == nil && bytes.Count(text, []byte("\n")) > 5
	}
	stdout, stderr, code := runUr(clitest.CancelWhen(t, playing),
		"match", "first", "random", "--games", "1000000000", "--json", "--out", log)
	if code != cli.Interrupted || stderr != "ur: interrupted\n" {
		t.Errorf("exit code %d, want %d; stderr %q", code, cli.Interrupted, stderr)
	}
	var r struct {
		Games int64
		Wins  [2]int64
	}
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || r.Games == 0 || r.Games == 1000000000 ||
		r.Wins[0]+r.Wins[1] != r.Games {
		t.Errorf("%v: the report is of %d games with wins %v in %q", err, r.Games, r.Wins, stdout)
	}
}

// flat is a table of Finkel's rules in which every position is worth the same.
func flat(t *testing.T, pieces int) *solve.Table {
	t.Helper()
	index := testkit.Must(solve.IndexOf(board.Finkel()))(t)
	return solve.NewTable(index, pieces, slices.Repeat([]float64{0.5}, index.Positions(pieces)))
}

// wantFiles fails unless a folder has a number of files.
func wantFiles(t *testing.T, folder string, want int) {
	t.Helper()
	if files, err := os.ReadDir(folder); err != nil || len(files) != want {
		t.Errorf("%d files are left, want %d: %v", len(files), want, err)
	}
}

// A conversion that is interrupted leaves nothing, whatever it writes.
func TestConvertInterrupted(t *testing.T) {
	folder := t.TempDir()
	in := filepath.Join(folder, "in.urt")
	testkit.NoError(t, flat(t, 4).Write(t.Context(), in, solve.WriteOptions{}))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, out := range []string{"out.urt", "out.rgu"} {
		stdout, stderr, code := runUr(ctx, "convert", in, filepath.Join(folder, out))
		if code != cli.Interrupted || stderr != "ur: interrupted\n" || stdout != "" {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", out, code, stdout, stderr)
		}
		wantFiles(t, folder, 1)
	}
}

// Interrupted in the middle of writing, too, nothing is left.
func TestWriteTableInterrupted(t *testing.T) {
	folder := t.TempDir()
	for _, encoding := range []solve.Encoding{solve.Float64, solve.RGUPercent16} {
		ctx, cancel := context.WithCancel(t.Context())
		// The first report presses Ctrl-C.
		err := flat(t, 5).Write(ctx, filepath.Join(folder, "out"),
			solve.WriteOptions{Encoding: encoding, Progress: func(int64, int64) { cancel() }})
		if code := cli.ExitCode(err); code != cli.Interrupted {
			t.Errorf("%v: exit code %d, error %v", encoding, code, err)
		}
		wantFiles(t, folder, 0)
	}
}
