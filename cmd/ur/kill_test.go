package main

import (
	"bytes"
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
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
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

// killedMatch is the match of these tests: some seconds of two workers.
var killedMatch = []string{"match", "brain", "brain:classic", "--games", "3000001", "--seed", "4", "--json"}

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
// printed, and right. One trial kills a worker, the server and the client. With -long there are 60:
//
//	go test ./cmd/ur -run KillFleet -long -v -timeout 1h
func TestKillFleet(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	text, err := exec.Command("ur", killedMatch...).Output()
	var want outcome
	if err == nil {
		err = json.Unmarshal(text, &want)
	}
	if err != nil || want.Games != 3000001 {
		t.Fatalf("%+v: %v", want, err)
	}
	const each = 1322 // kills one of each kind within a second
	members := []string{"server", "client", "one", "two"}
	for trial := range uint64(testkit.Trials(1, 60)) {
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
			if err := json.Unmarshal([]byte(c.read("client.out")), &got); code != 0 || err != nil || got != want {
				t.Errorf("killed %v: exit code %d, %+v, %v, want %+v; %s", killed, code, got, err,
					want, c.read("client.log"))
			}
		})
	}
}
