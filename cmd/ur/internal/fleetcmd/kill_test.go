//go:build unix

package fleetcmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/damage"
	"github.com/seed-09dcdc84/ur/internal/long"
)

// needLong skips a test that takes minutes unless it is asked for:
//
//	go test ./cmd/ur/internal/fleetcmd -run Kill -long -v -timeout 1h
func needLong(t *testing.T) {
	t.Helper()
	if !long.Enabled() {
		t.Skip("takes minutes: wants -long")
	}
}

// program builds the command line once for all tests.
var program = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "ur-kill")
	if err != nil {
		return "", err
	}
	name := filepath.Join(folder, "ur")
	out, err := exec.Command("go", "build", "-o", name, "github.com/seed-09dcdc84/ur/cmd/ur").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return name, err
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
	dir   string
	addr  string
	mutex sync.Mutex // guards running
	// running are the processes by name, which are killed at the end.
	running map[string]*exec.Cmd
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	ur, err := program()
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	c := &cluster{t: t, ur: ur, dir: t.TempDir(), addr: addr, running: map[string]*exec.Cmd{}}
	t.Cleanup(c.killAll)
	return c
}

// start starts a process. Its output goes to files of its name.
func (c *cluster) start(name string, args ...string) {
	c.t.Helper()
	cmd := exec.Command(c.ur, args...)
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

func (c *cluster) server(args ...string) {
	c.start("server", append([]string{"fleet", "serve", "--store", "store", "--addr", c.addr}, args...)...)
}

func (c *cluster) worker(name string) {
	c.start(name, "fleet", "work", "--fleet", "nats://"+c.addr, "--parallel", "1", "--name", name)
}

func (c *cluster) client() {
	c.start("client", append(killedMatch, "--fleet", "nats://"+c.addr)...)
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

// ready waits until the server has printed its address or has ended.
func (c *cluster) ready(most time.Duration) (listens bool) {
	for end := time.Now().Add(most); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if strings.Contains(c.read("server.out"), "://") {
			return true
		}
		if strings.Contains(c.read("server.log"), "ur: ") {
			return false
		}
	}
	return false
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
	ur, err := program()
	if err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(ur, killedMatch...).Output()
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err != nil || o.Games != 3000001 {
		t.Fatalf("%+v: %v", o, err)
	}
	return o
}

// Client, server and workers are killed at random moments and started again: the result is
// printed, and right.
func TestKillFleet(t *testing.T) {
	needLong(t)
	want := wanted(t)
	for trial := range uint64(60) {
		t.Run(fmt.Sprint(trial), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(trial, 1))
			c := newCluster(t)
			c.server()
			c.worker("one")
			c.worker("two")
			if !c.ready(30 * time.Second) {
				t.Fatalf("the server does not begin: %s", c.read("server.log"))
			}
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
					c.ready(30 * time.Second)
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

// A file of the store is damaged: the result is right, or the server ends within 30 seconds
// with the file and the command that begins anew, and that command leads to the result.
func TestKillStore(t *testing.T) {
	needLong(t)
	want := wanted(t)
	whole := newCluster(t)
	whole.server()
	whole.worker("one")
	if !whole.ready(30 * time.Second) {
		t.Fatal(whole.read("server.log"))
	}
	whole.client()
	time.Sleep(3 * time.Second) // until some results are stored
	whole.killAll()
	var files []string
	store := filepath.Join(whole.dir, "store")
	err := filepath.WalkDir(store, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && filepath.Ext(name) != ".lock" {
			files = append(files, name)
		}
		return err
	})
	if err != nil || len(files) < 20 {
		t.Fatalf("the store has the files %v: %v", files, err)
	}
	var mutex sync.Mutex
	counts := map[string]int{}
	t.Cleanup(func() { t.Log(counts) })
	for trial := range uint64(40) {
		t.Run(fmt.Sprint(trial), func(t *testing.T) {
			t.Parallel()
			c := newCluster(t)
			if err := os.CopyFS(filepath.Join(c.dir, "store"), os.DirFS(store)); err != nil {
				t.Fatal(err)
			}
			file, err := filepath.Rel(whole.dir, files[trial%uint64(len(files))])
			if err != nil {
				t.Fatal(err)
			}
			what := damageFile(t, filepath.Join(c.dir, file), trial)
			c.server()
			refused := !c.ready(30 * time.Second)
			if refused {
				if log := c.read("server.log"); !strings.Contains(log, "the store is damaged: store/") || !strings.Contains(log, "--repair") {
					t.Fatalf("%s: %s: the server says %s", file, what, log)
				}
				c.kill("server")
				if err := os.Remove(filepath.Join(c.dir, "server.log")); err != nil {
					t.Fatal(err)
				}
				c.server("--repair")
				if !c.ready(30 * time.Second) {
					t.Fatalf("%s: %s: the repaired server says %s", file, what, c.read("server.log"))
				}
			}
			c.worker("one")
			c.client()
			code, ended := c.wait("client", 2*time.Minute)
			got, err := c.result()
			if !ended || code != 0 || err != nil || got != want {
				t.Errorf("%s: %s: ended %v, exit code %d, %+v, %v; %s", file, what, ended, code, got, err, c.read("client.log"))
			}
			mutex.Lock()
			counts[fmt.Sprintf("refused first: %v", refused)]++
			mutex.Unlock()
		})
	}
}

// damageFile damages or removes a file.
func damageFile(t *testing.T, name string, seed uint64) (what string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) == 0 || seed%9 == 8 {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		return "removed"
	}
	what, data = damage.Damaged(data, seed)
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return what
}

// A full disk of the store: the client hears of it, and the server ends with the reason.
// Started again with room, it goes on.
func TestKillDisk(t *testing.T) {
	needLong(t)
	want := wanted(t)
	c := newCluster(t)
	store := filepath.Join(c.dir, "store")
	if err := os.Mkdir(store, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", store).CombinedOutput(); err != nil {
		t.Skipf("no small disk can be made here: %s", bytes.TrimSpace(out))
	}
	t.Cleanup(func() {
		c.killAll()
		if out, err := exec.Command("umount", store).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	c.server()
	if !c.ready(30 * time.Second) {
		t.Fatal(c.read("server.log"))
	}
	c.worker("one")
	time.Sleep(time.Second)
	filler := filepath.Join(store, "filler")
	if f, err := os.Create(filler); err == nil {
		w := bufio.NewWriter(f)
		for _, err = w.Write(make([]byte, 1<<16)); err == nil; _, err = w.Write(make([]byte, 1<<16)) {
		}
		f.Close()
	}
	c.client()
	begin := time.Now()
	code, ended := c.wait("server", 10*time.Second)
	if log := c.read("server.log"); !ended || code != 1 || !strings.Contains(log, "cannot be written") {
		t.Fatalf("the server ended: %v, with code %d: %s", ended, code, log)
	}
	for !strings.Contains(c.read("client.log"), "no space left on device") {
		if time.Since(begin) > 10*time.Second {
			t.Fatalf("the client heard %s", c.read("client.log"))
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Logf("the client heard of it after %s", time.Since(begin).Round(100*time.Millisecond))
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-o", "remount,size=64m", store).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.Remove(filepath.Join(c.dir, "server.log")); err != nil {
		t.Fatal(err)
	}
	c.server()
	code, ended = c.wait("client", time.Minute)
	if got, err := c.result(); !ended || code != 0 || err != nil || got != want {
		t.Errorf("with room again: ended %v, exit code %d, %+v, %v; server: %s; client: %s", ended, code, got, err, c.read("server.log"), c.read("client.log"))
	}
}
