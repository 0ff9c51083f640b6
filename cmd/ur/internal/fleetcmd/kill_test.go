//go:build unix

package fleetcmd

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// programs builds ur and the NATS server once for all tests.
var programs = sync.OnceValues(func() (folder string, err error) {
	if folder, err = os.MkdirTemp("", "ur-kill"); err != nil {
		return "", err
	}
	for name, path := range map[string]string{"ur": "github.com/seed-09dcdc84/ur/cmd/ur", "nats-server": "github.com/nats-io/nats-server/v2"} {
		if out, err := exec.Command("go", "build", "-o", filepath.Join(folder, name), path).CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w: %s", err, out)
		}
	}
	return folder, nil
})

// killedMatch is the match of these tests: some seconds of two workers.
var killedMatch = []string{"match", "brain", "brain:classic", "--games", "3000001", "--seed", "4", "--json"}

// outcome is what must be equal of two reports of the match.
type outcome struct {
	Wins                          [2]int64
	Games, Turns, Captures, Moves int64
}

// cluster is a fleet of processes.
type cluster struct {
	t     *testing.T
	ur    string
	nats  string
	dir   string
	addr  string
	mutex sync.Mutex // guards running
	// running are the processes by name, which are killed at the end.
	running map[string]*exec.Cmd
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	folder, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	c := &cluster{t: t, ur: filepath.Join(folder, "ur"), nats: filepath.Join(folder, "nats-server"), dir: t.TempDir(), addr: addr, running: map[string]*exec.Cmd{}}
	t.Cleanup(c.killAll)
	return c
}

// start starts a process. Its output goes to files of its name.
func (c *cluster) start(name, program string, args ...string) {
	c.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "HOME="+c.dir, "XDG_CACHE_HOME="+filepath.Join(c.dir, "cache"), "GOMAXPROCS=1")
	out, err := os.Create(filepath.Join(c.dir, name+".out"))
	if err != nil {
		c.t.Fatal(err)
	}
	log, err := os.OpenFile(filepath.Join(c.dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		c.t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = out, log
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	out.Close()
	log.Close()
	c.mutex.Lock()
	c.running[name] = cmd
	c.mutex.Unlock()
}

func (c *cluster) server() {
	host, port, _ := net.SplitHostPort(c.addr)
	c.start("server", c.nats, "-js", "-sd", "store", "-a", host, "-p", port)
}

func (c *cluster) worker(name string) {
	c.start(name, c.ur, "fleet", "work", "--fleet", "nats://"+c.addr, "--parallel", "1")
}

func (c *cluster) client() {
	c.start("client", c.ur, append(killedMatch, "--fleet", "nats://"+c.addr)...)
}

// kill kills a process, and waits for its end.
func (c *cluster) kill(name string) {
	c.mutex.Lock()
	cmd := c.running[name]
	delete(c.running, name)
	c.mutex.Unlock()
	if cmd != nil {
		_ = cmd.Process.Kill() // or it has ended
		_ = cmd.Wait()
	}
}

func (c *cluster) killAll() {
	for _, name := range []string{"client", "one", "two", "server"} {
		c.kill(name)
	}
}

// wait waits for the end of a process, at most for a time.
func (c *cluster) wait(name string, most time.Duration) (code int, ended bool) {
	c.mutex.Lock()
	cmd := c.running[name]
	c.mutex.Unlock()
	done := make(chan struct{})
	go func() { _ = cmd.Wait(); close(done) }()
	select {
	case <-done:
		c.mutex.Lock()
		delete(c.running, name)
		c.mutex.Unlock()
		return cmd.ProcessState.ExitCode(), true
	case <-time.After(most):
		return 0, false
	}
}

// read returns what a process printed.
func (c *cluster) read(name string) string {
	text, _ := os.ReadFile(filepath.Join(c.dir, name)) // or nothing
	return string(text)
}

// result returns what the client printed, or an error.
func (c *cluster) result() (o outcome, err error) {
	if err := json.Unmarshal([]byte(c.read("client.out")), &o); err != nil {
		return o, fmt.Errorf("%w; it printed %s", err, c.read("client.log"))
	}
	return o, nil
}

// wanted is the match on one machine.
func wanted(t *testing.T) (o outcome) {
	t.Helper()
	folder, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(filepath.Join(folder, "ur"), killedMatch...).Output()
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err != nil || o.Games != 3000001 {
		t.Fatalf("%+v: %v", o, err)
	}
	return o
}

// Client, server and workers are killed at random moments and started again: the result is
// printed, and right. With -long there are 60 trials:
//
//	go test ./cmd/ur/internal/fleetcmd -run Kill -long -v -timeout 1h
func TestKillFleet(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	want, trials := wanted(t), uint64(2)
	if testkit.Long() {
		trials = 60
	}
	for trial := range trials {
		t.Run(fmt.Sprint(trial), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(trial, 1))
			c := newCluster(t)
			c.server()
			c.worker("one")
			c.worker("two")
			c.client()
			var killed []string
			for range 1 + random.IntN(3) {
				time.Sleep(time.Duration(random.IntN(2500)) * time.Millisecond)
				name := []string{"server", "client", "one", "two"}[random.IntN(4)]
				if name == "client" && c.read("client.out") != "" {
					continue // it has its result
				}
				killed = append(killed, name)
				c.kill(name)
				time.Sleep(time.Duration(random.IntN(500)) * time.Millisecond)
				switch name {
				case "server":
					c.server()
				case "client":
					c.client()
				default:
					c.worker(name)
				}
			}
			code, ended := c.wait("client", 2*time.Minute)
			got, err := c.result()
			if !ended || code != 0 || err != nil || got != want {
				t.Errorf("killed %v: ended %v, exit code %d, %+v, %v, want %+v; %s", killed, ended, code, got, err, want, c.read("client.log"))
			}
		})
	}
}
