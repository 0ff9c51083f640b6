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
	"slices"
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
	for name, path := range map[string]string{"ur": "github.com/seed-09dcdc84/ur/cmd/ur",
		"nats-server": "github.com/nats-io/nats-server/v2"} {
		if out, err := exec.Command("go", "build", "-o", filepath.Join(folder, name),
			path).CombinedOutput(); err != nil {
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

// run returns a command of ur, or of the NATS server.
func run(t *testing.T, program string, args ...string) *exec.Cmd {
	t.Helper()
	folder := testkit.Must(programs())(t)
	return exec.Command(filepath.Join(folder, program), args...)
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
	host, port, _ := net.SplitHostPort(c.addr)
	var cmd *exec.Cmd
	switch name {
	case "server":
		cmd = run(c.t, "nats-server", "-js", "-sd", "store", "-a", host, "-p", port)
	case "client":
		cmd = run(c.t, "ur", append(slices.Clone(killedMatch), "--fleet", "nats://"+c.addr)...)
	default:
		cmd = run(c.t, "ur", "fleet", "work", "--fleet", "nats://"+c.addr, "--parallel", "1")
	}
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	out, err := os.Create(filepath.Join(c.dir, name+".out"))
	if err != nil {
		c.t.Fatal(err)
	}
	defer out.Close()
	log, err := os.OpenFile(filepath.Join(c.dir, name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		c.t.Fatal(err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = out, log
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
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
//	go test ./cmd/ur/internal/fleetcmd -run Kill -long -v -timeout 1h
func TestKillFleet(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	text, err := run(t, "ur", killedMatch...).Output()
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
