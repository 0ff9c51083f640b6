package main

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
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
