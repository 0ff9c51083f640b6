package experiment

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/procgroup"
	"mvdan.cc/sh/v3/shell"
)

// DefaultCommandTimeout is the default time limit of a command for one sample.
const DefaultCommandTimeout = time.Minute

// maxOutput is how much a command may print, in bytes.
const maxOutput = 1 << 20

// Command is an external program that prints its own measurements.
type Command struct {
	Name    string
	Args    []string      // the program and its arguments
	Timeout time.Duration // of one sample; 0 means [DefaultCommandTimeout]
}

// CommandError reports why a command gives no sample.
type CommandError struct {
	Name string
	Err  error
}

func (e *CommandError) Error() string { return fmt.Sprintf("command %s: %v", e.Name, e.Err) }
func (e *CommandError) Unwrap() error { return e.Err }

// ParseCommand parses "NAME=COMMAND". The command is split into words like a POSIX shell does
// it, with quotes and backslashes, and $NAME and ${NAME} are taken from the environment by
// lookup. No shell is run: there are no pipes, no redirections, no patterns, and a $(command)
// is an error.
func ParseCommand(text string, lookup func(string) string) (Command, error) {
	name, line, ok := strings.Cut(text, "=")
	switch {
	case !ok:
		return Command{}, fmt.Errorf("want NAME='COMMAND', got %q", text)
	case name == "" || strings.ContainsAny(name, " \t\n,*?[\"'") || strings.Count(name, "/") > 1:
		return Command{}, fmt.Errorf("name %q: want one word, or two with a slash between, as engines are named", name)
	}
	args, err := shell.Fields(line, lookup)
	if err != nil {
		return Command{}, fmt.Errorf("%s: cannot split %q into words: %w", name, line, err)
	}
	if len(args) == 0 {
		return Command{}, fmt.Errorf("%s: there is no command behind the name", name)
	}
	return Command{Name: name, Args: args}, nil
}

// Find returns an error if the program is missing, before a long measurement starts.
func (c *Command) Find() error {
	if _, err := exec.LookPath(c.Args[0]); err != nil {
		return &CommandError{c.Name, err}
	}
	return nil
}

// Output starts the command, waits for its end, and returns its output. The error is a
// [*CommandError] or that of ctx, whose end kills the command and its children.
func (c *Command) Output(ctx context.Context) ([]byte, error) {
	out, _, err := c.run(ctx)
	switch {
	case err != nil:
		return nil, err
	case out.lost > 0:
		return nil, &CommandError{c.Name, fmt.Errorf("prints more than %d bytes", maxOutput)}
	}
	return out.buffer.Bytes(), nil
}

// Time starts the command, waits for its end, and returns its CPU time, with that of the
// children it waited for, and its wall-clock time. Its output is discarded. Errors are those of
// [Command.Output].
func (c *Command) Time(ctx context.Context) (cpu, wall time.Duration, err error) {
	start := time.Now()
	_, state, err := c.run(ctx)
	wall = time.Since(start)
	if err != nil {
		return 0, 0, err
	}
	return state.UserTime() + state.SystemTime(), wall, nil
}

// run starts the command and waits for its end.
func (c *Command) run(ctx context.Context) (out *cappedBuffer, state *os.ProcessState, err error) {
	timeout := c.Timeout
	if timeout == 0 {
		timeout = DefaultCommandTimeout
	}
	limited, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("takes longer than %v", timeout))
	defer cancel()
	cmd := exec.CommandContext(limited, c.Args[0], c.Args[1:]...)
	out, messages := &cappedBuffer{most: maxOutput}, &cappedBuffer{most: 1 << 12}
	cmd.Stdout, cmd.Stderr = out, messages
	cmd.WaitDelay = time.Second // for grandchildren that keep stdout open
	procgroup.Own(cmd)
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case limited.Err() != nil:
		return nil, nil, &CommandError{c.Name, context.Cause(limited)}
	case err != nil:
		return nil, nil, &CommandError{c.Name, withMessages(err, messages.buffer.Bytes())}
	}
	return out, cmd.ProcessState, nil
}

// withMessages adds a command's last line on stderr to an error.
func withMessages(err error, messages []byte) error {
	lines := strings.Split(strings.TrimSpace(string(messages)), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return fmt.Errorf("%w: %s", err, last)
	}
	return err
}

// cappedBuffer keeps the first bytes written to it, and counts the others.
type cappedBuffer struct {
	buffer     bytes.Buffer
	most, lost int
}

func (b *cappedBuffer) Write(p []byte) (int, error) {
	kept := min(len(p), b.most-b.buffer.Len())
	b.buffer.Write(p[:kept])
	b.lost += len(p) - kept
	return len(p), nil
}
