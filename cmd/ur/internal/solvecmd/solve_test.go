package solvecmd

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/cli/clitest"
	"github.com/seed-09dcdc84/ur/solve"
)

// solveThree is a command that takes a second or more.
func solveThree(folder, file string) *exec.Cmd {
	c := exec.Command("ur", "solve", "--pieces", "3", "-o", file, "--resume")
	c.Dir = folder
	return c
}

// A solution whose process is killed at any moment goes on to the same bytes, and until
// it is there, there is no table.
func TestKilledSolve(t *testing.T) {
	if testing.Short() {
		t.Skip("solves the game of 3 pieces twice")
	}
	folder := t.TempDir()
	begin := time.Now()
	if out, err := solveThree(folder, "whole.urt").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	took := time.Since(begin)
	whole, err := os.ReadFile(filepath.Join(folder, "whole.urt"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(4, 9))
	kills := 0
	for range 8 {
		child := solveThree(folder, "killed.urt")
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rng.Int64N(int64(took) / 4)))
		if child.Process.Kill() == nil {
			kills++
		}
		_ = child.Wait()
		got, err := os.ReadFile(filepath.Join(folder, "killed.urt"))
		switch {
		case err == nil && !bytes.Equal(got, whole):
			t.Fatalf("after %d kills there is a table of %d bytes, which is not the solution", kills, len(got))
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			t.Fatal(err)
		}
	}
	out, err := solveThree(folder, "killed.urt").CombinedOutput()
	if err != nil {
		t.Fatalf("after %d kills: %v\n%s", kills, err, out)
	}
	got, err := os.ReadFile(filepath.Join(folder, "killed.urt"))
	if err != nil || !bytes.Equal(got, whole) {
		t.Errorf("after %d kills the table is another (%v)", kills, err)
	}
	if _, err := os.Stat(filepath.Join(folder, "killed.urt.checkpoint")); err == nil {
		t.Error("the checkpoint is left behind")
	}
	t.Logf("%d kills in runs of up to %v of %v", kills, took/4, took)
}

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
	want := "ur solve: " + file + ".checkpoint holds what is solved so far: go on with the same command and --resume\nur: interrupted\n"
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
	checkpoint, err := solve.OpenCheckpoint(file+".checkpoint", rules.Finkel())
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"solve", "--pieces", "2", "-o", file}, {"solve", "--pieces", "2", "-o", file, "--resume"}} {
		var stdout, stderr bytes.Buffer
		err := program.Run(t.Context(), args, strings.NewReader(""), &stdout, &stderr)
		if code := program.Report(&stderr, err); code != cli.BadUsage ||
			!strings.HasSuffix(stderr.String(), "another process is solving with this checkpoint: wait for it, or name another file with -o\n") {
			t.Errorf("%v: exit code %d, %q", args, code, stderr.String())
		}
	}
	if err := checkpoint.Remove(); err != nil {
		t.Fatal(err)
	}
	if err := program.Run(t.Context(), []string{"solve", "--pieces", "2", "-o", file}, strings.NewReader(""), io.Discard, io.Discard); err != nil {
		t.Error(err)
	}
}
