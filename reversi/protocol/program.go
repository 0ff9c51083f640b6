package protocol

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// Command describes a program and its protocol.
type Command struct {
	protocol string // gtp or nboard
	args     []string
}

// ParseCommand reads "gtp:COMMAND" or "nboard:COMMAND". The command is split into words like a
// POSIX shell does it, with variables from lookup; no shell runs.
func ParseCommand(text string, lookup func(string) string) (Command, error) {
	name, line, _ := strings.Cut(text, ":")
	if name != "gtp" && name != "nboard" {
		return Command{}, fmt.Errorf("invalid program %q (want gtp:COMMAND or nboard:COMMAND)", text)
	}
	args, err := process.SplitWords(line, lookup)
	if err != nil {
		return Command{}, fmt.Errorf("invalid program %q: %w", text, err)
	}
	if _, err := exec.LookPath(args[0]); err != nil {
		return Command{}, fmt.Errorf("program %q: %w", text, err)
	}
	return Command{name, args}, nil
}

// How long a program may take: to start, to answer without a limit of time, and to end; and to answer
// besides a limit.
const (
	checkTime  = time.Minute
	answerTime = 10 * time.Minute
	quitTime   = time.Second
)

var marginTime = 5 * time.Second // a test does not wait so long

// Program is a running program. It is a [reversi.Player] and a [reversi.Follower], and must be
// closed.
type Program struct {
	name  string
	speak speaker
	line  *line
	ready bool // the program has answered
	fresh bool // nothing of the game was sent

	stop   context.CancelFunc
	ended  chan struct{} // closed when the process has ended
	record board.Record  // of the game
	broken error         // ends all use
}

// speaker is a protocol, on a line.
type speaker interface {
	// begin sends the first words of a session.
	begin(ctx context.Context) error
	// choose sends the moves of the game, which may be a fresh one, and asks for the next.
	choose(ctx context.Context, fresh bool, r board.Record, l reversi.Limits) (board.Square, error)
}

// Start starts a program. It ends with the context or by Close.
func Start(ctx context.Context, name string, c Command) (*Program, error) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	cmd := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	process.OwnGroup(cmd)
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
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p := newProgram(name, c.protocol, in, out)
	p.stop = stop
	var end error // of the process
	p.line.why = func() error {
		select {
		case <-p.ended:
			return messages.explain(end)
		case <-time.After(quitTime):
			return messages.explain(errors.New("the program has closed its output"))
		}
	}
	go func() {
		if end = cmd.Wait(); end == nil {
			end = errors.New("the program has ended")
		}
		close(p.ended)
		time.AfterFunc(quitTime, func() { out.Close() }) // where a child of the program has it, too
	}()
	return p, nil
}

// newProgram returns a player whose program reads in and writes out.
func newProgram(name, protocol string, in io.WriteCloser, out io.Reader) *Program {
	p := &Program{name: name, line: newLine(in, out), stop: func() {}, ended: make(chan struct{})}
	if protocol == "gtp" {
		p.speak = &gtp{line: p.line}
	} else {
		p.speak = &nboard{line: p.line}
	}
	p.NewGame(0)
	return p
}

// Name returns the name given to Start.
func (p *Program) Name() string { return p.name }

// NewGame forgets the previous game.
func (p *Program) NewGame(uint64) {
	p.record, p.fresh = board.Record{From: board.StartPosition()}, true
}

// Follow notes the moves of the game.
func (p *Program) Follow(r board.Record) { p.record = r }

// Choose asks the program for its move. A pass is not asked for. A program whose answer did not
// come, or was an error, is not asked again.
func (p *Program) Choose(ctx context.Context, at board.Position, l reversi.Limits) (reversi.Choice, error) {
	begin := time.Now()
	c := reversi.Choice{Square: board.None}
	if at.Over() {
		return c, reversi.ErrOver
	}
	if at.Moves() == 0 {
		return reversi.Choice{Square: board.Pass}, nil
	}
	if p.record.End() != at {
		p.record = board.Record{From: at}
	}
	if p.broken == nil {
		p.broken = p.ask(ctx, l, &c.Square)
	}
	c.Elapsed = time.Since(begin)
	return c, p.broken
}

func (p *Program) ask(ctx context.Context, l reversi.Limits, to *board.Square) error {
	limit := answerTime
	if bound := l.Time + l.Clock.Left; bound > 0 {
		limit = bound + marginTime
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer within %v", limit))
	defer cancel()
	if err := p.begin(ctx); err != nil {
		return err
	}
	s, err := p.speak.choose(ctx, p.fresh, p.record, l)
	if err != nil {
		return fmt.Errorf("%s: after %q: %w", p.name, p.record.Text(), err)
	}
	*to, p.fresh = s, false
	return nil
}

// begin sends the first words of a session, once.
func (p *Program) begin(ctx context.Context) error {
	if p.ready {
		return nil
	}
	if err := p.speak.begin(ctx); err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	p.ready = true
	return nil
}

// Check starts the conversation, so that a program that cannot speak its protocol is noticed
// before the first game.
func (p *Program) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, checkTime, fmt.Errorf("no answer within %v", checkTime))
	defer cancel()
	p.broken = p.begin(ctx)
	return p.broken
}

// Close ends the program.
func (p *Program) Close() {
	p.broken = errors.New("the program is closed")
	_, _ = io.WriteString(p.line.in, "quit\n")
	_ = p.line.in.Close()
	select {
	case <-p.ended:
	case <-time.After(quitTime):
	}
	p.stop()
	for range p.line.lines { // until the program has ended
	}
}

// line is the connection with a program: lines of text both ways.
type line struct {
	in    io.WriteCloser
	lines chan string
	err   error        // why lines is closed
	why   func() error // the reason for an end of the output; nil for none
}

func newLine(in io.WriteCloser, out io.Reader) *line {
	l := &line{in: in, lines: make(chan string, 64)}
	go func() {
		defer close(l.lines)
		scanner := bufio.NewScanner(out)
		scanner.Buffer(nil, maxLine)
		for scanner.Scan() {
			l.lines <- strings.TrimRight(scanner.Text(), "\r")
		}
		l.err = scanner.Err()
	}()
	return l
}

// send writes a line. Where that fails, the end of the program is the error.
func (l *line) send(ctx context.Context, text string) error {
	if _, err := io.WriteString(l.in, text+"\n"); err != nil {
		for {
			if _, end := l.receive(ctx); end != nil {
				return fmt.Errorf("%w (%w)", end, err)
			}
		}
	}
	return nil
}

// receive returns the next line.
func (l *line) receive(ctx context.Context) (string, error) {
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
