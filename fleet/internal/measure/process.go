package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// lab is a folder in which fleets run, and the program that they run.
type lab struct {
	ctx    context.Context
	ur     string // the program
	folder string
}

// newLab makes a lab. Without a program it is built from the module of the working
// directory.
func newLab(ctx context.Context, ur string) (*lab, error) {
	folder, err := os.MkdirTemp("", "ur-fleet")
	if err != nil {
		return nil, err
	}
	l := &lab{ctx, ur, folder}
	if ur != "" {
		l.ur, err = filepath.Abs(ur)
		return l, err
	}
	l.ur = filepath.Join(folder, "ur")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", l.ur, "github.com/seed-09dcdc84/ur/cmd/ur").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building ur: %w\n%s", err, out)
	}
	return l, nil
}

// close takes the folder away.
func (l *lab) close() { _ = os.RemoveAll(l.folder) } // the system does, if not we

// process is a command of ur that runs.
type process struct {
	cmd    *exec.Cmd
	stderr bytes.Buffer
	done   chan struct{} // closed at the end
	err    error
}

// start starts a command of ur, with its output to a file where one is named.
func (l *lab) start(stdout string, args ...string) (*process, error) {
	p := &process{cmd: exec.CommandContext(l.ctx, l.ur, args...), done: make(chan struct{})}
	p.cmd.Stderr = &p.stderr
	var file *os.File
	if stdout != "" {
		var err error
		if file, err = os.Create(filepath.Join(l.folder, stdout)); err != nil {
			return nil, err
		}
		p.cmd.Stdout = file
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.err = p.cmd.Wait()
		if file != nil {
			file.Close()
		}
		close(p.done)
	}()
	return p, nil
}

// kill kills the process and waits for its end.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // unless it has ended
	<-p.done
}

// wait waits for the end of the process, which must be a good one.
func (p *process) wait() error {
	<-p.done
	if p.err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(p.cmd.Args[1:], " "), p.err, p.stderr.String())
	}
	return nil
}

// cpu is the processor time that the process has used; it must have ended.
func (p *process) cpu() time.Duration {
	return p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
}

// run runs a command of ur to its end and returns what it printed.
func (l *lab) run(args ...string) (string, *process, error) {
	const out = "out"
	p, err := l.start(out, args...)
	if err != nil {
		return "", nil, err
	}
	err = p.wait()
	text, unread := os.ReadFile(filepath.Join(l.folder, out))
	return string(text), p, errors.Join(err, unread)
}

// crew is a fleet of processes.
type crew struct {
	lab     *lab
	url     string
	store   string
	server  *process
	workers []*process
}

// newCrew starts a server with a new store and so many workers of one core each.
func (l *lab) newCrew(workers int) (*crew, error) {
	store, err := os.MkdirTemp(l.folder, "store")
	if err != nil {
		return nil, err
	}
	c := &crew{lab: l, store: store}
	if err := c.serve("127.0.0.1:0"); err != nil {
		return nil, err
	}
	c.workers = make([]*process, workers)
	for i := range c.workers {
		if err := c.work(i); err != nil {
			return nil, errors.Join(err, c.close())
		}
	}
	return c, nil
}

// serve starts the server and waits until it listens.
func (c *crew) serve(addr string) error {
	const out = "address"
	p, err := c.lab.start(out, "fleet", "serve", "--store", c.store, "--addr", addr)
	if err != nil {
		return err
	}
	for {
		f, err := os.Open(filepath.Join(c.lab.folder, out))
		if err != nil {
			return err
		}
		line, err := bufio.NewReader(f).ReadString('\n')
		f.Close()
		if err == nil {
			c.server, c.url = p, strings.TrimSpace(line)
			return nil
		}
		select {
		case <-p.done:
			return p.wait()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// work starts worker i.
func (c *crew) work(i int) (err error) {
	c.workers[i], err = c.lab.start("", "fleet", "work", "--fleet", c.url, "--parallel", "1", "--name", fmt.Sprintf("worker-%d", i))
	return err
}

// killServer kills the server and starts it again with its store.
func (c *crew) killServer() error {
	c.server.kill()
	return c.serve(strings.TrimPrefix(c.url, "nats://"))
}

// killWorker kills worker i and starts another.
func (c *crew) killWorker(i int) error {
	c.workers[i].kill()
	return c.work(i)
}

// close ends all processes, workers first, and gives them time to end well.
func (c *crew) close() error {
	for _, p := range append(c.workers, c.server) {
		if p == nil {
			continue
		}
		_ = p.cmd.Process.Signal(os.Interrupt) // unless it has ended
		select {
		case <-p.done:
		case <-time.After(20 * time.Second):
			p.kill()
		}
	}
	return nil
}
