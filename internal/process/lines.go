package process

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Lines is a conversation with a program by lines of text. It serves one goroutine.
type Lines struct {
	in    io.WriteCloser
	lines chan string
	err   error         // why lines is closed
	why   func() error  // explains the end of the output; nil for none
	stop  func()        // kills the program
	ended chan struct{} // closed when the program has ended, and its descendants are killed; nil for none
}

// MaxLine bounds a line of a program, in bytes.
const MaxLine = 1 << 20

const quitTime = time.Second // time of a program to end by itself

// NewLines returns a conversation with a program, which reads in and writes out. A byte order mark before the
// first line is dropped.
func NewLines(in io.WriteCloser, out io.Reader) *Lines {
	l := &Lines{in: in, lines: make(chan string, 64), stop: func() {}}
	go func() {
		defer close(l.lines)
		scanner := bufio.NewScanner(out)
		scanner.Buffer(nil, MaxLine)
		for mark := "\ufeff"; scanner.Scan(); mark = "" {
			l.lines <- strings.TrimRight(strings.TrimPrefix(scanner.Text(), mark), "\r")
		}
		l.err = scanner.Err()
	}()
	return l
}

// StartLines starts a command in its own process group. Close ends it with all its descendants: on Linux also
// those in other groups, which a variable in their environment marks.
func StartLines(args []string) (*Lines, error) {
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	OwnGroup(cmd)
	mark := "UR_PROGRAM_" + rand.Text() + "=1" // a name of its own: a program may start another match
	cmd.Env = append(os.Environ(), mark)
	messages := new(tail)
	cmd.Stderr, cmd.WaitDelay = messages, quitTime
	in, err := cmd.StdinPipe()
	if err != nil {
		stop()
		return nil, err
	}
	// A pipe of our own has an end as soon as the program closes it, even if it runs on.
	out, to, err := os.Pipe()
	if err != nil {
		stop()
		return nil, err
	}
	cmd.Stdout = to
	err = cmd.Start()
	to.Close()
	if err != nil {
		out.Close()
		stop()
		return nil, err
	}
	l := NewLines(in, out)
	l.stop, l.ended = stop, make(chan struct{})
	var end error // the process's error
	l.why = func() error {
		select {
		case <-l.ended:
			return messages.explain(end)
		case <-time.After(quitTime):
			return messages.explain(errors.New("the program has closed its output"))
		}
	}
	go func() {
		if end = cmd.Wait(); end == nil {
			end = errors.New("the program has ended")
		}
		KillGroup(cmd)
		killMarked(mark)
		close(l.ended)
		time.AfterFunc(quitTime, func() { out.Close() }) // a child of the program may have it, too
	}()
	return l, nil
}

// Send writes a line. Where that fails, the end of the program is the error. A program that does not read fills
// the pipe: then Send waits for the end of the context. No line may follow an error, since a part of the line may
// be written.
func (l *Lines) Send(ctx context.Context, text string) error {
	sent := make(chan error, 1)
	go func() {
		_, err := io.WriteString(l.in, text+"\n")
		sent <- err
	}()
	select {
	case err := <-sent:
		for err != nil {
			if _, end := l.Receive(ctx); end != nil {
				return fmt.Errorf("%w (%w)", end, err)
			}
		}
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Unread returns the next line if it has come already.
func (l *Lines) Unread() (text string, ok bool) {
	select {
	case text, ok = <-l.lines:
	default:
	}
	return text, ok
}

// Receive returns the next line.
func (l *Lines) Receive(ctx context.Context) (string, error) {
	select {
	case text, ok := <-l.lines:
		switch {
		case ok:
			return text, nil
		case l.why != nil && (l.err == nil || errors.Is(l.err, os.ErrClosed)):
			return "", l.why()
		}
		if l.err == nil {
			l.err = io.ErrUnexpectedEOF
		}
		return "", l.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// Close writes a last line, unless it is empty, closes the program's input, and kills the program if
// it does not end soon.
func (l *Lines) Close(farewell string) {
	ctx, cancel := context.WithTimeout(context.Background(), quitTime)
	defer cancel()
	if farewell != "" {
		_ = l.Send(ctx, farewell)
	}
	_ = l.in.Close()
	if l.ended != nil {
		select {
		case <-l.ended:
		case <-ctx.Done():
		}
	}
	l.Kill()
}

// Kill kills the program with its descendants, and waits for its end.
func (l *Lines) Kill() {
	l.stop()
	_ = l.in.Close()
	for range l.lines { // until the output has ended
	}
	if l.ended != nil {
		<-l.ended
	}
}

// tail keeps the end of a program's messages.
type tail struct {
	mutex sync.Mutex
	text  []byte
}

const maxTail = 1 << 12

func (t *tail) Write(p []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-maxTail):]
	return len(p), nil
}

// explain adds the last message to an error.
func (t *tail) explain(err error) error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	lines := bytes.Split(bytes.TrimSpace(t.text), []byte("\n"))
	if last := lines[len(lines)-1]; len(last) > 0 {
		return fmt.Errorf("%w: %s", err, last)
	}
	return err
}

// StartWritten starts a program just written by this process. A child that another goroutine starts meanwhile
// has the file open for writing until it has replaced its program, and so long Unix refuses to run the file ("text file
// busy", go.dev/issue/22315). So StartWritten tries again, for at most a second.
func StartWritten(start func() error) error {
	for end := time.Now().Add(time.Second); ; time.Sleep(time.Millisecond) {
		if err := start(); !isBeingWritten(err) || time.Now().After(end) {
			return err
		}
	}
}
