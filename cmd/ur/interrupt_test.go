package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/internal/clitest"
	"github.com/seed-09dcdc84/ur/internal/cli"
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
	testkit.MustEqual(t, code, cli.Interrupted, "exit code")
	testkit.MustEqual(t, stdout, "", "stdout")
	want := "ur solve: " + file +
		".checkpoint holds what is solved so far: go on with the same command and --resume\nur: interrupted\n"
	testkit.ErrorIf(t, !strings.HasSuffix(stderr, want), "stderr %q, want %q at its end", stderr, want)
	testkit.WantErrorIs(t, testkit.ErrorOf(os.Stat(file)), fs.ErrNotExist, "the table")
	testkit.Must(os.Stat(file + ".checkpoint"))(t)
}

// A solution that another process is at is left alone: nobody is told to remove what it writes.
func TestSolveWhileAnotherDoes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "two.urt")
	checkpoint := testkit.Must(solve.OpenCheckpoint(file+".checkpoint", solvetest.Game(t, 2), false))(t)
	args := []string{"solve", "--pieces", "2", "-o", file, "--resume"}
	const want = "another process is solving with this checkpoint: wait for it, or name another file with -o\n"
	for _, args := range [][]string{args, args[:5]} {
		_, stderr, code := runUr(t.Context(), args...)
		testkit.ErrorIf(t, code != cli.BadUsage || !strings.HasSuffix(stderr, want),
			"%v: exit code %d, %q", args, code, stderr)
	}
	testkit.NoError(t, checkpoint.Remove())
	mustRun(t, args[:5]...)
}

// An interrupted measurement prints what it has, and says that it was interrupted.
func TestRegretInterrupted(t *testing.T) {
	_, stderr, code := runUr(t.Context(), "solve", "--pieces", "2") // so that no wait ends in it
	testkit.MustEqual(t, code, 0, "exit code: %s", stderr)
	for wait := 100 * time.Millisecond; wait < time.Minute; wait *= 2 {
		ctx, cancel := context.WithCancel(t.Context())
		timer := time.AfterFunc(wait, cancel)
		stdout, _, code := runUr(ctx, "regret", "first", "--pieces", "2", "--positions", "2000000000", "--json")
		timer.Stop()
		cancel()
		testkit.MustEqual(t, code, cli.Interrupted, "exit code")
		if stdout == "" {
			continue // before there was anything to tell
		}
		testkit.WantText(t, stdout, `"complete":false,"decisions":`)
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
	testkit.ErrorIf(t, code != cli.Interrupted || stderr != "ur: interrupted\n",
		"exit code %d, want %d; stderr %q", code, cli.Interrupted, stderr)
	var r struct {
		Games int64
		Wins  [2]int64
	}
	testkit.NoError(t, json.Unmarshal([]byte(stdout), &r))
	testkit.ErrorIf(t, r.Games == 0 || r.Games == 1000000000 || r.Wins[0]+r.Wins[1] != r.Games,
		"the report is of %d games with wins %v in %q", r.Games, r.Wins, stdout)
}

// flat is a table of Finkel's rules in which every position is worth the same.
func flat(t *testing.T, pieces int) *solve.Table {
	t.Helper()
	index := testkit.Must(solve.IndexOf(board.Finkel()))(t)
	return solve.NewTable(index, pieces, slices.Repeat([]float64{0.5}, index.Positions(pieces)))
}

// A conversion that is interrupted leaves nothing, whatever it writes.
func TestConvertInterrupted(t *testing.T) {
	folder := t.TempDir()
	in := filepath.Join(folder, "in.urt")
	testkit.NoError(t, flat(t, 4).Write(t.Context(), in, solve.WriteOptions{}))
	for _, out := range []string{"out.urt", "out.rgu"} {
		stdout, stderr, code := runUr(testkit.CanceledContext(), "convert", in, filepath.Join(folder, out))
		testkit.ErrorIf(t, code != cli.Interrupted || stderr != "ur: interrupted\n" || stdout != "",
			"%s: exit code %d, stdout %q, stderr %q", out, code, stdout, stderr)
		testkit.Equal(t, len(testkit.Must(os.ReadDir(folder))(t)), 1, "files in the folder")
	}
}

// Interrupted in the middle of writing, too, nothing is left.
func TestWriteTableInterrupted(t *testing.T) {
	folder, table := t.TempDir(), flat(t, 4)
	for _, encoding := range []solve.Encoding{solve.Float64, solve.RGUPercent16} {
		ctx, cancel := context.WithCancel(t.Context())
		// The first report presses Ctrl-C.
		err := table.Write(ctx, filepath.Join(folder, "out"),
			solve.WriteOptions{Encoding: encoding, Progress: func(int64, int64) { cancel() }})
		testkit.Equal(t, cli.ExitCode(err), cli.Interrupted, "%v: exit code of %v", encoding, err)
		testkit.Equal(t, len(testkit.Must(os.ReadDir(folder))(t)), 0, "files in the folder")
	}
}

// solveThree is a command that takes a second or more.
func solveThree(folder, file string) *exec.Cmd {
	c := exec.Command("ur", "solve", "--pieces", "3", "-o", file, "--resume")
	c.Dir = folder
	return c
}

// A solution whose process is killed at any moment goes on to the same bytes, and until
// it is there, there is no table.
func TestKilledSolve(t *testing.T) {
	testkit.NeedLong(t, "solves the game of 3 pieces twice")
	folder := t.TempDir()
	begin := time.Now()
	testkit.Run(t, solveThree(folder, "whole.urt"))
	took := time.Since(begin)
	whole := testkit.Must(os.ReadFile(filepath.Join(folder, "whole.urt")))(t)
	rng := rand.New(rand.NewPCG(4, 9))
	kills := 0
	for range 8 {
		child := solveThree(folder, "killed.urt")
		testkit.NoError(t, child.Start())
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
	testkit.Run(t, solveThree(folder, "killed.urt"))
	got := testkit.Must(os.ReadFile(filepath.Join(folder, "killed.urt")))(t)
	testkit.ErrorIf(t, !bytes.Equal(got, whole), "after %d kills the table is another", kills)
	testkit.WantError(t, testkit.ErrorOf(os.Stat(filepath.Join(folder, "killed.urt.checkpoint"))), "",
		"the checkpoint is left behind")
	t.Logf("%d kills in runs of up to %v of %v", kills, took/4, took)
}

// killedMatch is the match of these tests: some seconds of two workers.
var killedMatch = []string{"match", "brain", "brain:classic", "--games", "2000001", "--seed", "4", "--json"}

// outcome is what must be equal of two reports of the match.
type outcome struct {
	Wins                          [2]int64
	Games, Turns, Captures, Moves int64
}

// cluster is a fleet of processes by their names, which are killed at the end.
type cluster struct {
	t         *testing.T
	dir, addr string
	running   map[string]*exec.Cmd
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	c := &cluster{t, t.TempDir(), l.Addr().String(), map[string]*exec.Cmd{}}
	t.Cleanup(func() {
		for name := range c.running {
			c.kill(name)
		}
	})
	return c
}

// start starts the server, the client or a worker. Its output goes to files of its name.
func (c *cluster) start(name string) {
	c.t.Helper()
	var cmd *exec.Cmd
	switch name {
	case "server":
		cmd = exec.Command("nats-server", "store", c.addr)
	case "client":
		cmd = exec.Command("ur", append(slices.Clone(killedMatch), "--fleet", "nats://"+c.addr)...)
	default:
		cmd = exec.Command("ur", "fleet", "work", "--fleet", "nats://"+c.addr, "--parallel", "1")
	}
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	out := testkit.Must(os.Create(filepath.Join(c.dir, name+".out")))(c.t)
	defer out.Close()
	log := testkit.Must(os.OpenFile(filepath.Join(c.dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666))(c.t)
	defer log.Close()
	cmd.Stdout, cmd.Stderr = out, log
	testkit.NoError(c.t, cmd.Start())
	c.running[name] = cmd
}

// kill kills a process, and waits for its end.
func (c *cluster) kill(name string) {
	_ = c.running[name].Process.Kill() // or it has ended
	_ = c.running[name].Wait()
	delete(c.running, name)
}

// wait waits for the end of the client, which is killed after some minutes, and returns its exit code.
func (c *cluster) wait() (code int) {
	cmd := c.running["client"]
	defer time.AfterFunc(3*time.Minute, func() { _ = cmd.Process.Kill() }).Stop()
	_ = cmd.Wait() // the code is returned
	return cmd.ProcessState.ExitCode()
}

// read returns the output in a file.
func (c *cluster) read(name string) string {
	text, _ := os.ReadFile(filepath.Join(c.dir, name)) // or nothing
	return string(text)
}

// Client, server and workers are killed at random moments and started again: the result is
// printed, and right. The first trial kills a worker, the server and the client.
func TestKillFleet(t *testing.T) {
	testkit.NeedLong(t, "plays millions of games")
	text := testkit.Must(exec.Command("ur", killedMatch...).Output())(t)
	var want outcome
	testkit.NoError(t, json.Unmarshal(text, &want))
	testkit.MustEqual(t, want.Games, 2000001, "games of %+v", want)
	const each = 1322 // kills one of each kind within a second
	members := []string{"server", "client", "one", "two"}
	for trial := range uint64(4) {
		trial += each
		t.Run(fmt.Sprint(trial), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(trial, 1))
			c := newCluster(t)
			for _, name := range members {
				c.start(name)
			}
			var killed []string
			for range 1 + random.IntN(3) {
				time.Sleep(time.Duration(random.IntN(2500)) * time.Millisecond)
				name := members[random.IntN(len(members))]
				if name == "client" && c.read("client.out") != "" {
					continue // it has its result
				}
				killed = append(killed, name)
				c.kill(name)
				time.Sleep(time.Duration(random.IntN(500)) * time.Millisecond)
				c.start(name)
			}
			var got outcome
			code := c.wait()
			err := json.Unmarshal([]byte(c.read("client.out")), &got)
			testkit.ErrorIf(t, code != 0 || err != nil || got != want,
				"killed %v: exit code %d, %+v, %v, want %+v; %s", killed, code, got, err, want, c.read("client.log"))
		})
	}
}
