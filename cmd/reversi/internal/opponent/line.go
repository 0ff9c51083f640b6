package opponent

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
)

// line is the connection with a program: lines of text both ways.
type line struct {
	in    io.WriteCloser
	lines chan string
	err   error // why lines is closed
}

// maxLine bounds a line of a program.
const maxLine = 1 << 20

func newLine(in io.WriteCloser, out io.Reader) *line {
	l := &line{in: in, lines: make(chan string, 64)}
	go func() {
		defer close(l.lines)
		scanner := bufio.NewScanner(out)
		scanner.Buffer(nil, maxLine)
		for scanner.Scan() {
			l.lines <- strings.TrimRight(scanner.Text(), "\r")
		}
		if l.err = scanner.Err(); l.err == nil {
			l.err = io.ErrUnexpectedEOF
		}
	}()
	return l
}

// send writes a line.
func (l *line) send(text string) error {
	_, err := io.WriteString(l.in, text+"\n")
	return err
}

// receive returns the next line.
func (l *line) receive(ctx context.Context) (string, error) {
	select {
	case text, ok := <-l.lines:
		if !ok {
			return "", l.err
		}
		return text, nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// tail keeps the end of a program's messages.
type tail struct{ text []byte }

const maxTail = 1 << 12

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p[max(0, len(p)-maxTail):]...)
	t.text = t.text[max(0, len(t.text)-maxTail):]
	return len(p), nil
}

// explain adds the last message to an error.
func (t *tail) explain(err error) error {
	lines := bytes.Split(bytes.TrimSpace(t.text), []byte("\n"))
	if last := lines[len(lines)-1]; len(last) > 0 {
		return fmt.Errorf("%w: %s", err, last)
	}
	return err
}

// lost returns why a line cannot be sent: the end of the program, if it has ended.
func (l *line) lost(ctx context.Context, err error) error {
	for {
		if _, end := l.receive(ctx); end != nil {
			return fmt.Errorf("%w (%w)", end, err)
		}
	}
}
